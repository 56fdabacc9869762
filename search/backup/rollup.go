package backup

import "semisplit/search/tree"

// Roll-up (Split Moves for Monte-Carlo Tree Search, algorithm 3): as soon as
// all semimoves after a prefix were tried, and the prefix was visited often
// enough, the choice among them is made together with the choice of the
// prefix, as in an orthodox tree.
//
// Nothing is moved for that. The trie node is marked, and who chooses in a trie
// node above sees the edges of marked nodes below as its own. Their visits and
// sums are those that they would have after a move.

// mayRoll rolls a trie node up if it is time: with k edges, those of rolled-up
// nodes below counted in place of theirs, after factor * k visits. levels are
// those of the semimoves from this node on.
func mayRoll(edges *tree.Edges, trie, visits uint32, levels int, factor float64) {
	if !tree.IsTrie(trie) {
		return
	}
	if edges.Left(trie) > 0 || edges.IsRolled(trie) || float64(visits) < factor*float64(edges.Opened(trie)) {
		return
	}
	if k, tried := flatEdges(edges, trie, levels); tried && float64(visits) >= factor*float64(k) {
		edges.MarkRolled(trie)
	}
}

// rollUp rolls up what it can on the path, from the bottom to the top.
func rollUp(s *Setup) pass {
	if !s.RollUp {
		return nil
	}
	roles := s.Tree.RoleOf
	return func(it *Iteration) {
		for i := len(it.Edges) - 1; i >= 0; i-- {
			k := i % len(roles)
			if id := it.Edges[i]; k+1 < len(roles) && roles[k+1] == roles[k] && !tree.IsForced(id) {
				below := 1
				for k+below+1 < len(roles) && roles[k+below+1] == roles[k] {
					below++
				}
				e := s.Tree.Edges.Edge(id)
				mayRoll(&s.Tree.Edges, e.Child, e.Visits, below, s.MinSimulations)
			}
		}
	}
}

// flatEdges counts the edges that are not dead, and says whether all were
// visited.
func flatEdges(edges *tree.Edges, trie uint32, levels int) (count int, tried bool) {
	tried = true
	edges.EdgesOf(trie, func(_ uint32, e *tree.Edge) bool {
		switch {
		case e.Child == tree.Dead:
		case levels > 1 && edges.IsRolled(e.Child):
			n, _ := flatEdges(edges, e.Child, levels-1)
			count += n
		default:
			count++
			tried = tried && e.Visits > 0
		}
		return tried
	})
	return count, tried
}
