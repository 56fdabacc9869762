package backup

import "semisplit/search/tree"

// maxima adds the result to the edges from the last one on, changed by each node that
// it comes to.
func maxima(s *Setup) pass {
	if !s.Values.Maximizes() {
		return nil
	}
	roles, values := s.Tree.RoleOf, []float64(nil)
	return func(it *Iteration) {
		values = append(values[:0], it.Values...)
		for i := len(it.Edges) - 1; i >= 0; i-- {
			n, role := it.Nodes[i/len(roles)], roles[i%len(roles)]
			switch id := it.Edges[i]; {
			case tree.IsUnstored(id):
			case tree.IsForced(id):
				s.Tree.Node(n).Sums[role] += values[role]
			default:
				s.Tree.Edges.AddResult(id, values[role])
			}
			if i%len(roles) == 0 {
				s.Values.Maximize(n, values)
			}
		}
	}
}
