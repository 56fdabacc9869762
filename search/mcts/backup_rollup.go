package mcts

import (
	"semisplit/search/tree"
)

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
func (s *searcher) mayRoll(trie, visits uint32, levels int, factor float64) {
	if !tree.IsTrie(trie) {
		return
	}
	if s.tree.Edges.Left(trie) > 0 || s.tree.Edges.IsRolled(trie) || float64(visits) < factor*float64(s.tree.Edges.Opened(trie)) {
		return
	}
	if k, tried := s.flatEdges(trie, levels); tried && float64(visits) >= factor*float64(k) {
		s.tree.Edges.MarkRolled(trie)
	}
}

// passRollUp rolls up what it can on a lane's path, from the bottom to the top.
func passRollUp(w *worker, l *lane, _ *result) {
	t := w.selector.t
	for i := len(l.edges) - 1; i >= 0; i-- {
		k := i % len(w.selector.roleOf)
		if id := l.edges[i]; k+1 < len(w.selector.roleOf) && w.selector.roleOf[k+1] == w.selector.roleOf[k] && !tree.IsForced(id) {
			below := 1
			for k+below+1 < len(w.selector.roleOf) && w.selector.roleOf[k+below+1] == w.selector.roleOf[k] {
				below++
			}
			e := t.tree.Edges.Edge(id)
			t.mayRoll(e.Child, e.Visits, below, t.options.MinSimulations)
		}
	}
}

// flatEdges counts the edges that are not dead, and says whether all were
// visited.
func (s *searcher) flatEdges(trie uint32, levels int) (count int, tried bool) {
	tried = true
	s.tree.Edges.EdgesOf(trie, func(_ uint32, e *tree.Edge) bool {
		switch {
		case e.Child == tree.Dead:
		case levels > 1 && s.tree.Edges.IsRolled(e.Child):
			n, _ := s.flatEdges(e.Child, levels-1)
			count += n
		default:
			count++
			tried = tried && e.Visits > 0
		}
		return tried
	})
	return count, tried
}
