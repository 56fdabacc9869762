package tree

// Evidence is what iterations elsewhere tell of a semimove: what they brought together, and
// how many they were (all moves as first).
type Evidence struct{ Sum, N float32 }

// NoEvidence is that of a semimove that was never played: worth more than any goal, and so
// little sure that a single iteration outweighs it.
var NoEvidence = Evidence{Sum: 2e-9, N: 1e-9}

// mostEvidence are the iterations that count: with 2^24 of them a float32 stands still, and
// the sum, which is less, does not. So both are halved before.
const mostEvidence = 1 << 22

// Add adds an iteration.
func (e *Evidence) Add(goal float32) {
	if e.N >= mostEvidence {
		e.Sum, e.N = e.Sum/2, e.N/2
	}
	e.Sum, e.N = e.Sum+goal, e.N+1
}

// Worth is the mean of what the iterations brought.
func (e Evidence) Worth() float32 { return e.Sum / e.N }

// EvidenceOf is that of a semimove in a list by semimove.
func EvidenceOf(list []Evidence, semimove uint32) Evidence {
	if int(semimove) < len(list) {
		return list[semimove]
	}
	return NoEvidence
}

// Mix is how evidence counts beside the visits of an edge.
type Mix struct {
	Bias        float32 // how soon it counts less
	Exploration float32 // divided by the square root of one visit more
}

// Mixed is the value of an edge by its mean of n visits and by evidence: beta of the worth
// of the evidence and the rest of the mean, with beta = m / (m + n + bias*m*n) for m
// iterations (T. Cazenave, Generalized Rapid Action Value Estimation, 2015). Lanes in
// flight through the edge count as iterations that bring nothing, or all would follow what
// looks best.
func (by Mix) Mixed(e Evidence, mean, visits, pending float32) float32 {
	if pending > 0 {
		e.Sum *= e.N / (e.N + pending)
	}
	n := visits * (1 + float32(by.Bias*e.N))
	return (float32(mean*n) + e.Sum) / (n + e.N)
}

// ByEvidence chooses among the semimoves of trie nodes by their means and by evidence.
type ByEvidence struct {
	Edges *Edges
	Of    []Evidence // by semimove
	Mix
}

// Scan looks for the edge of a trie node with the highest score: the first of them, how
// many there are, and the score; 0 and 0 if none is to be chosen.
func (by *ByEvidence) Scan(trie uint32) (best, ties uint32, high float32) {
	high = excludedScore
	left := by.Edges.Opened(trie)
	for c := trie; left > 0; {
		at := by.Edges.chunks.At(c)
		m := Held(c == trie, left)
		for i := range m {
			switch score := by.score(at, i&PlaceMask); {
			case score > high:
				best, high, ties = EdgeID(c, i), score, 1
			case score == high && ties > 0:
				ties++
			}
		}
		left -= m
		c = at.Next
	}
	return best, ties, high
}

// score is what an edge in a place of a chunk is chosen by.
func (by *ByEvidence) score(at *Chunk, i uint32) float32 {
	value := at.value[i]
	if value == excludedScore {
		return value
	}
	e, pending := &at.Edges[i], float32(at.virtual[i])
	visits := float32(e.Visits) + pending
	if visits == 0 {
		value = 0
	}
	score := by.Mixed(EvidenceOf(by.Of, e.Semimove), value, visits, pending)
	if by.Exploration != 0 {
		score += by.Exploration * float32(FactorsOf(uint32(visits)+1).InvSqrt)
	}
	return score
}

// Nth is, of the edges with the score of the best one, the one after skip others.
func (by *ByEvidence) Nth(trie, best, skip uint32) uint32 {
	high := by.score(by.Edges.chunks.At(best>>PlaceBits), best&PlaceMask)
	by.Edges.EdgesOf(trie, func(id uint32, _ *Edge) bool {
		if by.score(by.Edges.chunks.At(id>>PlaceBits), id&PlaceMask) != high {
			return true
		}
		best = id
		skip--
		return skip+1 != 0
	})
	return best
}

// Prefer makes the untried semimove that is worth most the next to be tried, and tells its
// worth.
func (by *ByEvidence) Prefer(trie uint32) float32 {
	s := by.Edges
	h := s.chunks.At(trie)
	left := h.left
	top, best, bestPlace := Evidence{-1, 1}, uint32(0), uint32(0)
	for c := h.untried; left > 0; {
		at := s.cells.At(c)
		m := (left-1)%cellMoves + 1
		for i := m; i > 0; i-- {
			// By products: a division for each would take as long as all the rest.
			if e := EvidenceOf(by.Of, at.move(i-1)); e.Sum*top.N > top.Sum*e.N {
				top, best, bestPlace = e, c, i-1
			}
		}
		left -= m
		c = at.next
	}
	s.cells.putNext(h, best, bestPlace)
	return top.Worth()
}
