package search

import "slices"

// stats appends the edges of a trie node of a role and what is below them.
func (t *Tree) stats(role int, trie uint32, prefix []uint32, dst []EdgeStats) []EdgeStats {
	if trie == 0 {
		return dst
	}
	var edges []*edge
	t.edgesOf(trie, func(_ uint32, e *edge) bool {
		if e.child != dead {
			edges = append(edges, e)
		}
		return true
	})
	for _, x := range t.untriedOf(trie, nil) {
		edges = append(edges, &edge{semimove: x})
	}
	slices.SortFunc(edges, func(a, b *edge) int { return int(a.semimove) - int(b.semimove) })
	for _, e := range edges {
		dst = append(dst, t.statsOf(role, e, prefix))
		if labels := append(slices.Clone(prefix), e.semimove); len(labels) < t.levels[role] {
			dst = t.stats(role, e.child, labels, dst)
		}
	}
	return dst
}

// statsOf describes an edge after a prefix of labels.
func (t *Tree) statsOf(role int, e *edge, prefix []uint32) EdgeStats {
	s := EdgeStats{Path: append(slices.Clone(prefix), e.semimove), Visits: int(e.visits)}
	if len(s.Path) == t.levels[role] {
		s.Path = t.shapes[role].appendPath(nil, s.Path)
	}
	if e.visits > 0 {
		s.Value = e.sum() / float64(e.visits)
	}
	return s
}
