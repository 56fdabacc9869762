package search

import "slices"

// settleVisits is T: an edge with a proof below leaves the selection when it has
// so many visits, or narrow ways to a win would look worse than they are
// (Winands, Bjornsson, Saito 2008; 5 in the paper on PN-MCTS).
const settleVisits = 5

// mark notes on the edges of the role that moves in a node, whose family was met,
// which are settled, and their ranks. Where roles choose together nothing
// leaves the selection: what a move is worth depends on the others.
func (t *Tree) mark(n uint32) {
	f := &t.family
	mover, ok := t.sole()
	if !ok || f.moves[mover]+f.open[mover] < 2 {
		return
	}
	trie, levels := t.tries(n)[mover], t.levels[mover]
	t.clearMarks(trie, levels)
	for i, c := range f.children {
		id := t.leaves(f.places[i])[mover]
		t.setSettled(id, t.settles(c, mover))
		if t.ranked {
			t.ranks.at(id >> placeBits).keys[id&placeMask] = t.keyOf(c, mover)
		}
	}
	if levels > 1 {
		t.seal(trie, levels)
	}
	if t.ranked {
		t.rank(trie, levels)
	}
}

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

// keyOf is what the children of a node are sorted by: the proof numbers of the
// role that chooses, the second layer breaking ties.
func (t *Tree) keyOf(n uint32, role int) uint64 {
	key := uint64(t.numbersOf(n, 0)[role].proof) << 32
	if t.layers > 1 {
		return key | uint64(t.numbersOf(n, 1)[role].proof)
	}
	return key | 1
}

func (s *store) clearMarks(trie uint32, levels int) {
	if trie == 0 || trie == dead {
		return
	}
	s.edgesOf(trie, func(id uint32, e *edge) bool {
		s.setSettled(id, false)
		if s.ranked {
			s.ranks.at(id >> placeBits).keys[id&placeMask] = unknownKey
		}
		if levels > 1 {
			s.clearMarks(e.child, levels-1)
		}
		return true
	})
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

// rank ranks the edges of a trie node and those below, and returns the best key.
// Equal keys share a rank; that of the next is one more.
func (t *Tree) rank(trie uint32, levels int) uint64 {
	if trie == 0 {
		return unknownKey
	}
	t.edgesOf(trie, func(id uint32, e *edge) bool {
		if levels > 1 && e.child != dead {
			key := t.rank(e.child, levels-1)
			t.ranks.at(id >> placeBits).keys[id&placeMask] = key
		}
		return true
	})
	f := &t.family
	f.keys = f.keys[:0]
	t.edgesOf(trie, func(id uint32, e *edge) bool {
		if levels == 1 || e.child != dead {
			f.keys = append(f.keys, t.ranks.at(id >> placeBits).keys[id&placeMask])
		}
		return true
	})
	slices.Sort(f.keys)
	f.keys = slices.Compact(f.keys)
	most := float32(len(f.keys))
	t.edgesOf(trie, func(id uint32, _ *edge) bool {
		at := t.ranks.at(id >> placeBits)
		place, _ := slices.BinarySearch(f.keys, at.keys[id&placeMask])
		at.bonus[id&placeMask] = 1 - float32(place+1)/most
		return true
	})
	best := uint64(never)<<32 | never
	if len(f.keys) > 0 {
		best = f.keys[0]
	}
	if t.chunks.at(trie).left > 0 {
		best = min(best, unknownKey)
	}
	return best
}

// bonusOf is what UCT-PN adds to the score of an edge.
func (t *Tree) bonusOf(id uint32) float64 {
	if !t.ranked {
		return 0
	}
	return t.options.PN.Constant * float64(t.ranks.at(id >> placeBits).bonus[id&placeMask])
}

// isDone says whether an edge leaves the selection: it is settled, and was
// visited often enough.
func (t *Tree) isDone(id uint32, e *edge) bool {
	return e.visits+e.virtual >= settleVisits && t.isSettled(id)
}

// pickGuided is the end of pickEdge where there are proofs.
func (w *worker) pickGuided(trie uint32, entered uint32, bonus float64) uint32 {
	t := w.t
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
