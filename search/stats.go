package search

import "slices"

// stats appends the edges of a trie node and what is below them.
func (t *Tree) stats(trie uint32, levels int, prefix []uint32, dst []EdgeStats) []EdgeStats {
	var ids []uint32
	t.edgesOf(trie, func(id uint32, e *edge) bool {
		if e.child != dead {
			ids = append(ids, id)
		}
		return true
	})
	untried := t.untriedOf(trie, nil)
	slices.Sort(untried)
	slices.SortFunc(ids, func(a, b uint32) int {
		return int(t.edge(a).semimove) - int(t.edge(b).semimove)
	})
	for _, id := range ids {
		e := t.edge(id)
		for len(untried) > 0 && untried[0] < e.semimove {
			dst = append(dst, statsOf(&edge{semimove: untried[0]}, prefix))
			untried = untried[1:]
		}
		s := statsOf(e, prefix)
		dst = append(dst, s)
		if levels > 1 {
			dst = t.stats(e.child, levels-1, s.Path, dst)
		}
	}
	for _, x := range untried {
		dst = append(dst, statsOf(&edge{semimove: x}, prefix))
	}
	return dst
}

func statsOf(e *edge, prefix []uint32) EdgeStats {
	s := EdgeStats{Path: append(slices.Clone(prefix), e.semimove), Visits: int(e.visits)}
	if e.visits > 0 {
		s.Value = e.sum / float64(e.visits)
	}
	return s
}
