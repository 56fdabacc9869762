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
	x := t.numbersOf(n, t.layers-1)[role]
	return x.proof == 0 || x.disproof == 0
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

// rank ranks the edges of a trie node, if that is due. Equal keys share a rank;
// that of the next is one more. There are few different keys as a rule.
func (t *Tree) rank(trie uint32) {
	if *t.settled.at(trie)&ruffled == 0 {
		return
	}
	*t.settled.at(trie) &^= ruffled
	keys := t.family.keys[:0]
	t.edgesOf(trie, func(id uint32, e *edge) bool {
		if e.child != dead {
			key := t.keyOf(id)
			if i, found := slices.BinarySearch(keys, key); !found {
				keys = slices.Insert(keys, i, key)
			}
		}
		return true
	})
	t.family.keys = keys
	most := float32(len(keys))
	t.edgesOf(trie, func(id uint32, _ *edge) bool {
		place, _ := slices.BinarySearch(keys, t.keyOf(id))
		t.bonuses.at(id >> placeBits)[id&placeMask] = 1 - float32(place+1)/most
		return true
	})
}

// bonusOf is what UCT-PN adds to the score of an edge.
func (t *Tree) bonusOf(id uint32) float64 {
	if !t.ranked {
		return 0
	}
	return t.options.PN.Constant * float64(t.bonuses.at(id >> placeBits)[id&placeMask])
}

// isDone says whether an edge leaves the selection: it is settled, and was
// visited often enough.
func (t *Tree) isDone(id uint32, e *edge) bool {
	return e.visits+e.virtual >= settleVisits && t.isSettled(id)
}

// pickGuided is the end of pickEdge where there are proofs.
func (w *worker) pickGuided(trie uint32, entered uint32, bonus float64) uint32 {
	t := w.t
	if t.ranked {
		t.rank(trie)
	}
	for _, all := range [2]bool{false, true} {
		best, bestScore, ties := uint32(0), 0.0, uint32(0)
		t.edgesOf(trie, func(id uint32, e *edge) bool {
			if e.child == dead || !all && t.isDone(id, e) {
				return true
			}
			n := e.visits + e.virtual
			if n == 0 { // taken once by a lane that was given up
				best = id
				return false
			}
			of := newFactors(n)
			score := t.edgeValue(id, e, of.inverse, entered) + bonus*of.root + t.bonusOf(id)
			if best == 0 || score > bestScore {
				best, bestScore, ties = id, score, 1
			} else if score == bestScore {
				if ties++; w.random(ties) == 0 {
					best = id
				}
			}
			return true
		})
		if best != 0 {
			return best
		}
	}
	return 0
}
