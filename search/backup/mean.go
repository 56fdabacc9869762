package backup

import "semisplit/search/tree"

// means adds the result to the edges, each by its role.
func means(s *Setup) pass {
	if s.Values.Maximizes() {
		return nil
	}
	roles := s.Tree.RoleOf
	return func(it *Iteration) {
		for i, k, n := 0, 0, 0; i < len(it.Edges); i++ {
			role := roles[k]
			switch id := it.Edges[i]; {
			case tree.IsUnstored(id):
			case tree.IsForced(id):
				s.Tree.Node(it.Nodes[n]).Sums[role] += it.Values[role]
			default:
				s.Tree.Edges.AddResult(id, it.Values[role])
			}
			if k++; k == len(roles) {
				k, n = 0, n+1
			}
		}
	}
}
