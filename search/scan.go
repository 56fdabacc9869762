package search

// weights are those of UCB1's exploration, and of ranks, in a score.
type weights struct{ bonus, constant float32 }

// score is what an edge is chosen by: UCB1, or UCT-PN where there are ranks. Products
// are rounded before they are added, so that all processors choose alike.
func (s *store) score(at *chunk, id uint32, by weights) float32 {
	i := id & placeMask
	score := at.value[i] + float32(by.bonus*at.root[i])
	if s.ranked {
		score += float32(by.constant * s.bonuses.At(id >> placeBits)[i])
	}
	return score
}

// scanPlain is scan, an edge at a time.
func (s *store) scanPlain(trie uint32, by weights) (best, ties uint32) {
	high := last
	for c := trie; c != 0; {
		at := s.chunks.At(c)
		for i := range uint32(chunkEdges) {
			switch score := s.score(at, edgeID(c, i), by); {
			case score > high:
				best, high, ties = edgeID(c, i), score, 1
			case score == high && ties > 0:
				ties++
			}
		}
		c = at.next
	}
	return best, ties
}

// nthBest is, of the edges with the score of the best one, the one after skip others.
func (s *store) nthBest(trie uint32, by weights, best, skip uint32) uint32 {
	high := s.score(s.chunks.At(best>>placeBits), best, by)
	for c := trie; c != 0; {
		at := s.chunks.At(c)
		for i := range uint32(chunkEdges) {
			if s.score(at, edgeID(c, i), by) != high {
				continue
			}
			if skip == 0 {
				return edgeID(c, i)
			}
			skip--
		}
		c = at.next
	}
	return best
}
