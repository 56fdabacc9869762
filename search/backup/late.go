package backup

import (
	"slices"

	"semisplit/search/tree"
)

// late counts a visit of the node that the last joint move leads to, if there is one:
// for a lane that left the tree with it before another lane made the node.
func late(s *Setup) pass {
	width, leaves := len(s.Tree.RoleOf), []uint32(nil)
	return func(it *Iteration) {
		n := len(it.Nodes)
		if !it.SingleMover || n*width != len(it.Edges) {
			return
		}
		parent := it.Nodes[n-1]
		if s.Tree.Node(parent).Children == 0 {
			return
		}
		leaves = tree.AppendLeaves(leaves[:0], s.Tree.Levels, it.Edges[len(it.Edges)-width:])
		if slices.ContainsFunc(leaves, tree.IsUnstored) {
			return
		}
		if c := s.Tree.Child(parent, leaves); c != 0 && !s.Tree.IsAlias(c) {
			s.Tree.Node(c).Visits++
		}
	}
}
