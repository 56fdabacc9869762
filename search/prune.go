package search

// Memory. Nothing here takes longer than microseconds a call, so that a
// search can be stopped at any time: what Advance leaves behind is reclaimed
// piece by piece when memory is asked for, and when the bound is reached a
// hand sweeps over the nodes and takes the leaves of the tree with few
// visits. The limit for "few" follows what a round brings in.

const (
	reclaimSteps = 256
	sweepSteps   = 4096
	// The limit doubles when a round frees less than this part of the
	// nodes, and halves when it frees more than half.
	leanLap = 16
)

// ensure makes an element of kind k available; false when memory is out.
func (s *store) ensure(k kind, force bool) bool {
	if s.available(k) {
		return true
	}
	for i := 0; i < reclaimSteps && s.discard != 0; i++ {
		s.reclaim()
		if s.available(k) {
			return true
		}
	}
	if force || s.bytes+s.pageBytes(k) <= s.memory {
		s.grow(k)
		return true
	}
	for range sweepSteps {
		if s.sweep() && s.available(k) {
			return true
		}
	}
	return false
}

// sweep looks at one node, and frees it if it is a leaf with few visits.
func (s *store) sweep() bool {
	s.hand++
	if s.hand >= s.nodes.Used {
		s.hand = 1
		switch {
		case s.lapFreed*leanLap < s.live:
			s.threshold = max(1, s.threshold*2)
		case s.lapFreed*2 > s.live:
			s.threshold = max(1, s.threshold/2)
		}
		s.lapFreed = 0
		if s.nodes.Used <= 1 {
			return false
		}
	}
	n := s.nodes.At(s.hand)
	if n.flags&flagUsed == 0 || n.flags&flagDiscarded != 0 || n.virtual > 0 || n.children > 0 ||
		s.hand == s.root || s.worth(n) > s.threshold {
		return false
	}
	if s.approached(s.hand) || s.transposes() && n.flags&flagAlias == 0 && s.crossings.At(s.hand).first != 0 {
		return false
	}
	s.orphan(s.hand)
	s.free(s.hand)
	s.lapFreed++
	s.pruned++
	return true
}

// solvedWorth: a solved node is worth as many visits times this. It took a
// search to solve it, though it is visited no more.
const solvedWorth = 16

// worth of a node, in visits.
func (s *store) worth(n *node) uint32 {
	if n.flags&flagSolved != 0 {
		return min(n.visits, ^uint32(0)/solvedWorth) * solvedWorth
	}
	return n.visits
}

// approached says whether a lane may be on its way to a node that has a parent.
func (s *store) approached(n uint32) bool {
	id := s.leaves(n)[s.nodes.At(s.nodes.At(n).parent).key]
	return s.chunks.At(id >> placeBits).virtual[id&placeMask] > 0
}

// throwAway puts a root (of the tree or of a part of it) into the discard list.
func (s *store) throwAway(n uint32) {
	nd := s.nodes.At(n)
	nd.flags |= flagDiscarded
	nd.parent, nd.next = 0, s.discard
	if s.transposes() && s.discard != 0 {
		s.nodes.At(s.discard).parent = n
	}
	s.discard = n
}

// reclaim frees one discarded node and discards its children. A node that the
// tree needs elsewhere goes there.
func (s *store) reclaim() {
	n := s.discard
	if s.transposes() && s.rescue(n) {
		return
	}
	nd := s.nodes.At(n)
	s.detach(n)
	if nd.children > 0 {
		s.discardBelow(s.tries(n)[nd.key], s.levels[nd.key])
	}
	s.free(n)
}

// discardBelow discards the child nodes below a trie node with so many levels.
func (s *store) discardBelow(trie uint32, levels int) {
	s.edgesOf(trie, func(_ uint32, e *edge) bool {
		if levels > 1 {
			if e.child != dead {
				s.discardBelow(e.child, levels-1)
			}
			return true
		}
		for c := e.child; c != 0; {
			next := s.nodes.At(c).next
			s.throwAway(c)
			c = next
		}
		e.child = 0
		return true
	})
}

// free returns a node without children, with its tries and its state.
func (s *store) free(n uint32) {
	if s.transposes() {
		s.leaveIndex(n)
	}
	for r, trie := range s.tries(n) {
		if trie&forced != 0 {
			continue
		}
		s.freeTrie(trie, s.levels[r])
	}
	s.dropCells(s.nodes.At(n).state)
	s.dropNode(n)
	s.live--
}

func (s *store) freeTrie(trie uint32, levels int) {
	if trie == 0 {
		return
	}
	if levels > 1 {
		s.edgesOf(trie, func(_ uint32, e *edge) bool {
			if e.child != dead {
				s.freeTrie(e.child, levels-1)
			}
			return true
		})
	}
	s.dropChain(trie)
}
