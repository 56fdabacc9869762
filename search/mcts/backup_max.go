package mcts

import "semisplit/search/tree"

// maximize replaces the values that a backup carries upwards by the mean of the
// best move of a node's mover; the other of two roles gets the rest.
func (t *heuristicValues) maximize(n uint32, values []float64) {
	if int(t.tree.Node(n).Visits) < t.knowledge.MaxBackup {
		return
	}
	mover := t.mover(n)
	if mover < 0 {
		return
	}
	best, trie := -1.0, t.tree.Tries(n)[mover]
	for level := t.tree.Levels[mover]; level > 0 && trie != 0 && trie != tree.Dead; level-- {
		best = -1
		next := uint32(0)
		t.tree.Edges.EdgesOf(trie, func(_ uint32, e *tree.Edge) bool {
			if e.Child == tree.Dead || e.Visits == 0 {
				return true
			}
			if mean := e.Sum() / float64(e.Visits); mean > best {
				best, next = mean, e.Child
			}
			return true
		})
		trie = next
	}
	if best < 0 {
		return
	}
	if len(values) == 2 {
		values[1-mover] = values[0] + values[1] - best
	}
	values[mover] = best
}

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
			t.values.maximize(n, values)
		}
	}
}
