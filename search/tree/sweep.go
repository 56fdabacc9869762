package tree

// Memory. Nothing here takes longer than microseconds a call, so that a
// search can be stopped at any time: what Advance leaves behind is reclaimed
// piece by piece when memory is asked for, and when the bound is reached a
// cursor sweeps over the nodes and takes the leaves of the tree with few
// visits. The limit for "few" follows what a round brings in.

const (
	reclaimSteps = 256
	sweepSteps   = 4096
	// The limit doubles when a round frees less than this part of the
	// nodes, and halves when it frees more than half.
	leanLap = 16
)

// sweeping is where the sweep stands.
type sweeper struct {
	sweepCursor uint32 // its place among the nodes
	threshold   uint32 // it takes leaves with at most so many visits
	lapFreed    int    // freed in this round
	Pruned      int    // freed by the sweep, ever
}

// makeRoom makes an element available in an arena that has none left; false when
// memory is out.
func (s *Tree) makeRoom(k kind, force bool) bool {
	for i := 0; i < reclaimSteps && s.discarded != 0; i++ {
		s.reclaim()
		if s.available(k) {
			return true
		}
	}
	if force || s.Edges.Memory.Bytes+s.Edges.Memory.pageBytes(k) <= s.Edges.Memory.Limit {
		s.Edges.Memory.grow(k)
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
func (s *Tree) sweep() bool {
	s.sweepCursor++
	if s.sweepCursor >= s.nodes.Used {
		s.sweepCursor = 1
		switch {
		case s.lapFreed*leanLap < s.Live:
			s.threshold = max(1, s.threshold*2)
		case s.lapFreed*2 > s.Live:
			s.threshold = max(1, s.threshold/2)
		}
		s.lapFreed = 0
		if s.nodes.Used <= 1 {
			return false
		}
	}
	n := s.nodes.At(s.sweepCursor)
	if n.Flags&FlagUsed == 0 || n.Flags&FlagDiscarded != 0 || n.Virtual > 0 || n.Children > 0 ||
		s.sweepCursor == s.Root || n.busyness() > s.threshold {
		return false
	}
	if s.approached(s.sweepCursor) || s.Index.Transposes() && n.Flags&FlagAlias == 0 && s.Index.crossings.At(s.sweepCursor).first != 0 {
		return false
	}
	s.orphan(s.sweepCursor)
	s.free(s.sweepCursor)
	s.lapFreed++
	s.Pruned++
	return true
}

// solvedFactor: a solved node counts for as many visits times this, one that has none for
// one. It took a search to solve it, though it is visited no more; and the move to one that
// was refuted before it was counted would be the first to be tried, and refuted, again.
const solvedFactor = 16

// busyness of a node, in visits.
func (n *Node) busyness() uint32 {
	if n.Flags&FlagSolved != 0 {
		return min(max(n.Visits, 1), ^uint32(0)/solvedFactor) * solvedFactor
	}
	return n.Visits
}

// approached says whether a lane may be on its way to a node that has a parent.
func (s *Tree) approached(n uint32) bool {
	id := s.LastEdges(n)[s.nodes.At(s.nodes.At(n).parent).Key]
	return s.Edges.chunks.At(id >> PlaceBits).virtual[id&PlaceMask] > 0
}

// discard puts a root (of the tree or of a part of it) into the discard list.
func (s *Tree) discard(n uint32) {
	nd := s.nodes.At(n)
	nd.Flags |= FlagDiscarded
	nd.parent, nd.Next = 0, s.discarded
	if s.Index.Transposes() && s.discarded != 0 {
		s.nodes.At(s.discarded).parent = n
	}
	s.discarded = n
}

// reclaim frees one discarded node and discards its children. A node that the
// tree needs elsewhere goes there.
func (s *Tree) reclaim() {
	n := s.discarded
	if s.Index.Transposes() && s.Index.reattach(n) {
		return
	}
	s.detach(n)
	s.EachChild(n, s.discard)
	s.free(n)
}

// free returns a node without children, with its tries and its state.
func (s *Tree) free(n uint32) {
	if s.Index.Transposes() {
		s.Index.leaveIndex(n)
	}
	for r, trie := range s.Tries(n) {
		s.freeTrie(trie, s.Levels[r])
	}
	s.Edges.cells.drop(s.nodes.At(n).state)
	s.dropNode(n)
	s.Live--
}

func (s *Tree) freeTrie(trie uint32, levels int) {
	if !IsTrie(trie) {
		return
	}
	if levels > 1 {
		s.Edges.EdgesOf(trie, func(_ uint32, e *Edge) bool {
			s.freeTrie(e.Child, levels-1)
			return true
		})
	}
	s.Edges.DropTrie(trie)
}
