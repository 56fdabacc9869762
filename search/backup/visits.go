package backup

import "semisplit/search/tree"

// visits turns the virtual visits of nodes and aliases into visits.
func visits(s *Setup) pass {
	return func(it *Iteration) {
		for _, n := range it.Nodes {
			visit(s.Tree.Node(n))
		}
		for _, a := range it.Crossed {
			visit(s.Tree.Node(a))
		}
	}
}

func visit(nd *tree.Node) {
	nd.Visits++
	nd.Virtual--
}
