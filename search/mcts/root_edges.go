package mcts

import (
	"slices"

	"semisplit/search"
	"semisplit/search/tree"
)

// stats appends the edges of a trie node of a role and what is below them.
func (t *searcher) stats(role int, trie uint32, prefix []uint32, dst []search.EdgeStats) []search.EdgeStats {
	if trie == 0 {
		return dst
	}
	var edges []*tree.Edge
	t.tree.Edges.EdgesOf(trie, func(_ uint32, e *tree.Edge) bool {
		if e.Child != tree.Dead {
			edges = append(edges, e)
		}
		return true
	})
	for _, x := range t.tree.Edges.UntriedOf(trie, nil) {
		edges = append(edges, &tree.Edge{Semimove: x})
	}
	slices.SortFunc(edges, func(a, b *tree.Edge) int { return int(a.Semimove) - int(b.Semimove) })
	for _, e := range edges {
		dst = append(dst, t.statsOf(role, e, prefix))
		if labels := append(slices.Clone(prefix), e.Semimove); len(labels) < t.tree.Levels[role] {
			dst = t.stats(role, e.Child, labels, dst)
		}
	}
	return dst
}

// statsOf describes an edge after a prefix of labels.
func (t *searcher) statsOf(role int, e *tree.Edge, prefix []uint32) search.EdgeStats {
	s := search.EdgeStats{Path: append(slices.Clone(prefix), e.Semimove), Visits: int(e.Visits)}
	if len(s.Path) == t.tree.Levels[role] {
		s.Path = t.encodings[role].AppendPath(nil, s.Path)
	}
	if e.Visits > 0 {
		s.Value = e.Sum() / float64(e.Visits)
	}
	return s
}
