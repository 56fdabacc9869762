package mcts

import "semisplit/search/tree"

// passMaxima adds the result to the edges from the last one on, changed by each node that
// it comes to.
func passMaxima(w *worker, l *lane, r *result) {
	t, k := w.selector.t, len(w.selector.roleOf)
	values := append(w.maxima[:0], r.values...)
	w.maxima = values
	for i := len(l.edges) - 1; i >= 0; i-- {
		n, role := l.nodes[i/k], w.selector.roleOf[i%k]
		switch id := l.edges[i]; {
		case tree.IsUnstored(id):
		case tree.IsForced(id):
			t.tree.Node(n).Sums[role] += values[role]
		default:
			t.tree.Edges.AddResult(id, values[role])
		}
		if i%k == 0 {
			t.values.Maximize(n, values)
		}
	}
}
