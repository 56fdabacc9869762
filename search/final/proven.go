package final

import (
	"slices"

	"semisplit/search/proof"
	"semisplit/search/tree"
)

// bestProven is best where there are proofs: a move that is proven to be the
// best, else the usual choice among those that are not proven to be worse than
// another. A move that is sure to bring more than the mean of that choice goes
// before it. Among moves that are sure to bring the same see bestSure.
func (t *Choice) bestProven(n uint32, role int) (path []uint32) {
	moves, more := t.proofs.BoundsOfMoves(n, role)
	low, best := proof.Surest(moves, more)
	sure := proof.SureMoves(moves, low)
	if best {
		return t.PathTo(n, role, t.bestSure(sure, low))
	}
	if pn := t.pn; pn.Final {
		leaves := t.proofs.ProvenMoves(n, role, 0)
		if leaves == nil && pn.Draws && t.tree.Mean(n, role) < pn.Contempt {
			leaves = t.proofs.ProvenMoves(n, role, 1)
		}
		if leaves != nil {
			return t.PathTo(n, role, t.bestOf(leaves))
		}
	}
	var own, disproven []uint32
	for _, o := range moves {
		if o.High <= low { // no better than what is sure: the visits that it has are from before that was known
			own = append(own, o.Leaf)
		}
	}
	if t.pn.Solve {
		// The visits that these have are from before that was known.
		disproven = t.proofs.DisprovenMoves(n, role)
	}
	slices.Sort(own)
	slices.Sort(disproven)
	t.excluded = append(t.excluded[:0], own, t.lost, disproven)
	path = t.choose(n, role, nil)
	if len(sure) > 0 && low > 0 && (len(path) == 0 || float64(low)/proof.Certain > t.mean(path)) {
		t.excluded = t.excluded[:0]
		return t.PathTo(n, role, t.bestSure(sure, low))
	}
	for len(path) < t.tree.Levels[role] && len(t.excluded) > 1 { // nothing else was visited
		t.excluded = t.excluded[:len(t.excluded)-1]
		path = t.choose(n, role, nil)
	}
	t.excluded = t.excluded[:0]
	return path
}

// mean is that of what a move has brought, as far as the tree knows it.
func (t *Choice) mean(path []uint32) float64 {
	e := t.tree.Edges.Edge(path[len(path)-1])
	return e.Sum() / float64(e.Visits)
}

// bestOf is the leaf that the usual choice prefers.
func (t *Choice) bestOf(leaves []uint32) (best uint32) {
	for _, id := range leaves {
		if best == 0 || t.better(id, best) {
			best = id
		}
	}
	return best
}

// PathTo are the edges of a role in a node down to a leaf.
func (t *Choice) PathTo(n uint32, role int, leaf uint32) (path []uint32) {
	var find func(trie uint32, way []uint32)
	find = func(trie uint32, way []uint32) {
		t.tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
			switch way := append(way[:len(way):len(way)], id); {
			case id == leaf && len(way) == t.tree.Levels[role]:
				path = way
			case len(way) < t.tree.Levels[role] && e.Child != tree.Dead && e.Child != 0:
				find(e.Child, way)
			}
			return path == nil
		})
	}
	find(t.tree.Tries(n)[role], nil)
	return path
}

// isExcluded says whether an edge leads to moves only that are not to be chosen;
// levels are those from its trie node on.
func (t *Choice) isExcluded(id uint32, e *tree.Edge, levels int) bool {
	switch {
	case len(t.excluded) == 0:
		return false
	case levels == 1:
		return slices.ContainsFunc(t.excluded, func(leaves []uint32) bool {
			_, found := slices.BinarySearch(leaves, id)
			return found
		})
	case e.Child == tree.Dead:
		return true
	case e.Child == 0 || t.tree.Edges.Left(e.Child) > 0:
		return false
	}
	all := true
	t.tree.Edges.EdgesOf(e.Child, func(id uint32, e *tree.Edge) bool {
		all = t.isExcluded(id, e, levels-1)
		return all
	})
	return all
}

// bestSure is the leaf to play among moves that are proven to bring the same,
// and nothing can bring more: the shortest win, or the longest way to lose.
// Among equals, and where it is a draw, the one that brought most in the
// iterations: it is the hardest to answer.
func (t *Choice) bestSure(sure []proof.MoveBounds, goal uint8) uint32 {
	known := !slices.ContainsFunc(sure, func(o proof.MoveBounds) bool { return o.Soonest == proof.UnknownDistance })
	best := sure[0]
	for _, o := range sure[1:] {
		if t.surer(o, best, goal, known) {
			best = o
		}
	}
	return best.Leaf
}

// surer compares two such moves. known: it is known of all when they end.
func (t *Choice) surer(a, b proof.MoveBounds, goal uint8, known bool) bool {
	switch {
	case goal == proof.Certain && known && a.Latest != b.Latest:
		return a.Latest < b.Latest
	case goal == 0 && known && a.Soonest != b.Soonest:
		return a.Soonest > b.Soonest
	case goal == proof.Certain || t.tree.Edges.Edge(a.Leaf).Visits == 0 || t.tree.Edges.Edge(b.Leaf).Visits == 0:
		return t.better(a.Leaf, b.Leaf)
	}
	meanA, meanB := t.finalValue(a.Leaf), t.finalValue(b.Leaf)
	return meanA > meanB || meanA == meanB && t.better(a.Leaf, b.Leaf)
}
