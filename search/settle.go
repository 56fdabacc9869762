package search

import "slices"

// settleVisits is T: an edge with a proof below leaves the selection when it has
// so many visits, or narrow ways to a win would look worse than they are
// (Winands, Bjornsson, Saito 2008; 5 in the paper on PN-MCTS).
const settleVisits = 5

// settles says whether the role that moves to a node has nothing more to learn
// there.
func (t *Tree) settles(n uint32, role int) bool {
	if t.bounded && t.isSolved(n) {
		return true
	}
	if !t.options.PN.Solve {
		return false
	}
	// A proven win stays: it decides the node it is chosen in, and where that is
	// the root, its visits are what plays it. With two layers what is proven not to be
	// lost leaves as well.
	x := t.numbersOf(n, t.layers-1)[role]
	return x.disproof == 0 || t.layers > 1 && x.proof == 0 && t.numbersOf(n, 0)[role].proof > 0
}

// keyOf is what the edges of a trie node are sorted by: the proof numbers of
// their role, the second layer breaking ties.
func (s *store) keyOf(id uint32) uint64 {
	key := uint64(s.ledgers[0].at(id >> placeBits).own[id&placeMask].proof) << 32
	if s.layers > 1 {
		key |= uint64(s.ledgers[1].at(id >> placeBits).own[id&placeMask].proof)
	}
	return key
}

// seal settles the edges below which all is settled, and says whether that is so
// of the whole trie node.
func (s *store) seal(trie uint32, levels int) bool {
	if trie == 0 {
		return false
	}
	all := s.chunks.at(trie).left == 0
	s.edgesOf(trie, func(id uint32, e *edge) bool {
		if levels > 1 && e.child != dead {
			s.setSettled(id, s.seal(e.child, levels-1))
		}
		all = all && (levels > 1 && e.child == dead || s.isSettled(id))
		return true
	})
	return all
}

// ruffled marks the first chunk of a trie node whose ranks are out of date, in
// the word of settled.
const ruffled = 1 << chunkEdges

// ruffle marks a trie node and those below.
func (s *store) ruffle(trie uint32, levels int) {
	*s.settled.at(trie) |= ruffled
	if levels == 1 {
		return
	}
	s.edgesOf(trie, func(_ uint32, e *edge) bool {
		if e.child != 0 && e.child != dead {
			s.ruffle(e.child, levels-1)
		}
		return true
	})
}

// rank ranks the edges of a trie node, if that is due: the rank of an edge is one
// more than the number of edges with lower keys. So as long as many edges were
// taken once, and have numbers of 1, the others fall far behind, and a node takes
// all its moves twice before it goes by what they lead to. Ranks that leave no gap
// after ties made it narrow where moves are many (Lines of Action 8x8, FxU;
// docs/experiments/results.md). There are few different keys as a rule.
func (t *Tree) rank(trie uint32) {
	if *t.settled.at(trie)&ruffled == 0 {
		return
	}
	*t.settled.at(trie) &^= ruffled
	f, count := &t.family, t.chunks.at(trie).count
	f.keys, f.ranks = f.keys[:0], f.ranks[:0]
	for c, left := trie, count; left > 0; c = t.chunks.at(c).next {
		m := held(c == trie, left)
		edges := &t.chunks.at(c).edges
		for i := range m {
			if edges[i].child != dead {
				f.countKey(t.keyOf(edgeID(c, i)))
			}
		}
		left -= m
	}
	step := 1 / float32(f.toRanks())
	for c, left := trie, count; left > 0; c = t.chunks.at(c).next {
		m := held(c == trie, left)
		edges, bonuses := &t.chunks.at(c).edges, t.bonuses.at(c)
		for i := range m {
			if edges[i].child != dead {
				place := placeOf(f.keys, t.keyOf(edgeID(c, i)))
				bonuses[i] = 1 - float32(f.ranks[place])*step
			}
		}
		left -= m
	}
}

// countKey counts an edge with a key.
func (f *family) countKey(key uint64) {
	place := placeOf(f.keys, key)
	if place == len(f.keys) || f.keys[place] != key {
		f.keys, f.ranks = slices.Insert(f.keys, place, key), slices.Insert(f.ranks, place, 0)
	}
	f.ranks[place]++
}

// toRanks turns the numbers of edges with each key into their ranks, and returns
// the largest; 1 if there are no edges.
func (f *family) toRanks() (largest uint32) {
	largest = 1
	next := uint32(1)
	for place, edges := range f.ranks {
		largest = next
		f.ranks[place], next = next, next+edges
	}
	return largest
}

// placeOf is where a key is, or belongs, in a short list in rising order.
func placeOf(keys []uint64, key uint64) int {
	low, high := 0, len(keys)
	for low < high {
		if middle := (low + high) / 2; keys[middle] < key {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// bonusOf is what UCT-PN adds to the score of an edge, where there are ranks.
func (t *Tree) bonusOf(id uint32) float64 {
	return t.options.PN.Constant * float64(t.bonuses.at(id >> placeBits)[id&placeMask])
}

// isDone says whether an edge leaves the selection: it is settled, and was
// visited often enough.
func (t *Tree) isDone(id uint32, e *edge) bool {
	return e.visits+e.virtual >= settleVisits && t.isSettled(id)
}
