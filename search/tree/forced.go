package tree

// Forced marks an edge that is not stored: the only semimove of a role that
// waits while the other moves. Its number is Forced|semimove, and stands in
// place of the first trie as well. It was taken whenever the other role chose;
// its sum is in the node. So a descent does not touch memory for a role that
// has no choice. Only roles with one level have forced edges, in games of two
// roles, and never both at once.
const Forced = 1 << 31

// IsForced says whether an edge, or what stands in place of a first trie, is a forced edge.
func IsForced(id uint32) bool { return id&Forced != 0 }

// IsTrie says whether there is a trie node: neither none yet, nor a forced edge, nor
// the end of a dead prefix.
func IsTrie(trie uint32) bool { return trie-1 < Forced-1 }

// unstored marks a semimove on a lane's path that is not in the tree: in the raw
// variant an iteration adds one edge, and what is missing to a whole move is
// drawn at random.
const Unstored = Forced | 1<<30

// IsUnstored says whether a semimove on a path is not in the tree.
func IsUnstored(id uint32) bool { return id&Unstored == Unstored }

// MaxMemory keeps the names of edges below Forced.
const MaxMemory = Forced >> PlaceBits * 100

// MayForce says whether the edges of role r in node n, which are yet to be
// made, can be a forced one.
func (s *Tree) MayForce(n uint32, r int, semimoves []uint32) bool {
	return s.Roles == 2 && len(semimoves) == 1 && semimoves[0] < Forced/2 &&
		s.Levels[r] == 1 && s.Tries(n)[1-r]&Forced == 0
}

// ForcedEdge is what a stored edge would hold in place of the forced one of
// role r in node n.
func (s *Tree) ForcedEdge(n uint32, r int) Edge {
	e := Edge{Semimove: s.Tries(n)[r] &^ Forced}
	e.SetSum(s.nodes.At(n).Sums[r])
	s.Edges.EdgesOf(s.Tries(n)[1-r], func(_ uint32, other *Edge) bool {
		e.Visits += other.Visits
		return true
	})
	return e
}

// Semimove of an edge, also of a forced one.
func (s *Tree) Semimove(id uint32) uint32 {
	if id&Forced != 0 {
		return id &^ Unstored
	}
	return s.Edges.Edge(id).Semimove
}

// Semimoves appends the semimoves of edges.
func (s *Tree) Semimoves(edges, dst []uint32) []uint32 {
	for _, id := range edges {
		dst = append(dst, s.Semimove(id))
	}
	return dst
}

// AppendLeaves appends the last edge of each role in a joint move of edges, for roles that
// choose in so many levels each.
func AppendLeaves(dst []uint32, levels []int, edges []uint32) []uint32 {
	last := -1
	for _, n := range levels {
		last += n
		dst = append(dst, edges[last])
	}
	return dst
}
