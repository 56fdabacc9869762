package mcts

import (
	"slices"

	"semisplit/search/tree"
)

// passMeans adds the result to the edges, each by its role.
func passMeans(w *worker, l *lane, r *result) {
	t := w.selector.t
	for i, k, n := 0, 0, 0; i < len(l.edges); i++ {
		role := w.selector.roleOf[k]
		switch id := l.edges[i]; {
		case tree.IsUnstored(id):
		case tree.IsForced(id):
			t.tree.Node(l.nodes[n]).Sums[role] += r.values[role]
		default:
			t.tree.Edges.AddResult(id, r.values[role])
		}
		if k++; k == len(w.selector.roleOf) {
			k, n = 0, n+1
		}
	}
}

// passLate counts a visit of the node that the last joint move leads to, if there is one:
// for a lane that left the tree with it before another lane made the node.
func passLate(w *worker, l *lane, _ *result) {
	n := len(l.nodes)
	if !l.singleMover || n*len(w.selector.roleOf) != len(l.edges) {
		return
	}
	parent, joint := l.nodes[n-1], l.edges[len(l.edges)-len(w.selector.roleOf):]
	if w.selector.t.tree.Node(parent).Children == 0 {
		return
	}
	leaves := w.selector.leavesOf(joint)
	if slices.ContainsFunc(leaves, tree.IsUnstored) {
		return
	}
	if c := w.selector.t.tree.Child(parent, leaves); c != 0 {
		w.selector.t.tree.Node(c).Visits++
	}
}
