package search

import (
	"math"
	"slices"
)

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

// keys are what the edges of a chunk are sorted by: the proof numbers of their
// role, the second layer, if there is one, breaking ties.
type keys struct{ first, second *[chunkEdges]number }

func (s *store) keysOf(c uint32) (of keys) {
	of.first = &s.ledgers[0].At(c).own
	if s.layers > 1 {
		of.second = &s.ledgers[1].At(c).own
	}
	return of
}

func (k keys) at(i uint32) uint64 {
	key := uint64(k.first[i].proof) << 32
	if k.second != nil {
		key |= uint64(k.second[i].proof)
	}
	return key
}

// seal settles the edges below which all is settled, and says whether that is so
// of the whole trie node.
func (s *store) seal(trie uint32, levels int) bool {
	if trie == 0 {
		return false
	}
	all := s.chunks.At(trie).left == 0
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

// ruffle marks a trie node.
func (s *store) ruffle(trie uint32) { *s.settled.At(trie) |= ruffled }

// ruffleAll marks a trie node and those below.
func (s *store) ruffleAll(trie uint32, levels int) {
	s.ruffle(trie)
	if levels == 1 {
		return
	}
	s.edgesOf(trie, func(_ uint32, e *edge) bool {
		if e.child != 0 && e.child != dead {
			s.ruffleAll(e.child, levels-1)
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
	if *t.settled.At(trie)&ruffled == 0 {
		return
	}
	*t.settled.At(trie) &^= ruffled
	f, count := &t.family, t.chunks.At(trie).count
	f.keys, f.ranks = f.keys[:0], f.ranks[:0]
	// Neighbours have equal keys more often than not.
	last, place := uint64(math.MaxUint64), 0
	for c, left := trie, count; left > 0; c = t.chunks.At(c).next {
		m := held(c == trie, left)
		edges, keys := &t.chunks.At(c).edges, t.keysOf(c)
		for i := range m {
			if edges[i].child == dead {
				continue
			}
			if key := keys.at(i); key != last {
				last, place = key, f.placeFor(key)
			}
			f.ranks[place]++
		}
		left -= m
	}
	step := 1 / float32(f.toRanks())
	last, bonus := uint64(math.MaxUint64), float32(0)
	for c, left := trie, count; left > 0; c = t.chunks.At(c).next {
		m := held(c == trie, left)
		edges, keys, bonuses := &t.chunks.At(c).edges, t.keysOf(c), t.bonuses.At(c)
		for i := range m {
			if edges[i].child == dead {
				continue
			}
			if key := keys.at(i); key != last {
				last, bonus = key, 1-float32(f.ranks[placeOf(f.keys, key)])*step
			}
			bonuses[i] = bonus
		}
		left -= m
	}
}

// placeFor is the place of a key among those that were met, which it joins.
func (f *family) placeFor(key uint64) int {
	place := placeOf(f.keys, key)
	if place == len(f.keys) || f.keys[place] != key {
		f.keys, f.ranks = slices.Insert(f.keys, place, key), slices.Insert(f.ranks, place, 0)
	}
	return place
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
	return t.options.PN.Constant * float64(t.bonuses.At(id >> placeBits)[id&placeMask])
}

// isDone says whether an edge leaves the selection: it is settled, and was
// visited often enough.
func (t *Tree) isDone(id uint32, e *edge) bool {
	return t.taken(id) >= settleVisits && t.isSettled(id)
}
