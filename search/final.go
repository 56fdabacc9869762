package search

// Final says how the move to play is chosen from a tree.
type Final uint8

const (
	// FinalVisits is level by level the most visited semimove, ties by mean,
	// then by the lower number.
	FinalVisits Final = iota
	// FinalMean is level by level the semimove with the best mean, ties by
	// visits, then by the lower number.
	FinalMean
	// FinalRollUp looks at whole moves: among those whose last semimove has at
	// least Options.FinalFactor times the visits that the move of FinalMean
	// has there, it takes the one with the best mean. If the choice by level
	// leaves the tree, or nothing is better, that choice stands. (Pawlik and
	// Sutowicz, section on the final roll-up selection.)
	FinalRollUp
)

// better says whether an edge is to be preferred. With an evaluation the means
// are those that selection goes by: a move that it seldom took because it is
// worth little has a mean of a few playouts, which says nothing. (Breakthrough,
// 5,000 iterations, implicit minimax 0.4 against none: by the means of playouts
// alone 40 ±23%, by the mixed ones 75 ±21%; docs/experiments/results.md.)
func (t *Tree) better(first, second uint32) bool {
	meanA, meanB := t.standing(first), t.standing(second)
	a, b := t.edge(first), t.edge(second)
	switch {
	case t.options.Final == FinalVisits && a.visits != b.visits:
		return a.visits > b.visits
	case meanA != meanB:
		return meanA > meanB
	case a.visits != b.visits:
		return a.visits > b.visits
	}
	return a.semimove < b.semimove
}

// standing is the mean of an edge that was visited, with what it is worth.
func (t *Tree) standing(id uint32) float64 {
	e := t.edge(id)
	mean := e.sum() / float64(e.visits)
	if t.valued {
		mean = t.mixed(id, mean, t.taken(id))
	}
	return mean
}

// best appends the best edges of a role in a node; fewer than a whole move has
// where the tree knows no more.
func (t *Tree) best(n uint32, role int, dst []uint32) []uint32 {
	trie := t.tries(n)[role]
	if trie&forced != 0 {
		if t.forcedEdge(n, role).visits == 0 {
			return dst
		}
		return append(dst, trie)
	}
	if t.proves() {
		return append(dst, t.bestProven(n, role)...)
	}
	return t.choose(n, role, dst)
}

// choose appends the edges that the statistics of a role prefer, of those that
// it stores.
func (t *Tree) choose(n uint32, role int, dst []uint32) []uint32 {
	trie := t.tries(n)[role]
	from := len(dst)
	for len(dst)-from < t.levels[role] {
		edges := t.bestBelow(trie, t.levels[role]-(len(dst)-from))
		if edges == nil {
			return dst
		}
		dst = append(dst, edges...)
		trie = t.edge(edges[len(edges)-1]).child
	}
	if t.options.Final == FinalRollUp && t.levels[role] > 1 {
		dst = append(dst[:from], t.bestWhole(n, role, dst[from:])...)
	}
	return dst
}

// bestBelow is the best edge of a trie node, with the edges that lead to it
// where it is of a rolled-up one; nil if nothing was visited.
func (t *Tree) bestBelow(trie uint32, levels int) (path []uint32) {
	var top uint32
	var visit func(trie uint32, levels int, way []uint32)
	visit = func(trie uint32, levels int, way []uint32) {
		t.edgesOf(trie, func(id uint32, e *edge) bool {
			switch {
			case e.child == dead || e.visits == 0 || t.isBarred(id, e, levels):
			case levels > 1 && t.isRolled(e.child):
				visit(e.child, levels-1, append(way[:len(way):len(way)], id))
			case top == 0 || t.better(id, top):
				top, path = id, append(way[:len(way):len(way)], id)
			}
			return true
		})
	}
	if trie != dead {
		visit(trie, levels, nil)
	}
	return path
}

// bestWhole is the final roll-up selection; greedy is the choice by level.
func (t *Tree) bestWhole(n uint32, role int, greedy []uint32) []uint32 {
	path := greedy
	top := t.standing(greedy[len(greedy)-1])
	least := t.options.FinalFactor * float64(t.edge(greedy[len(greedy)-1]).visits)
	var visit func(trie uint32, way []uint32)
	visit = func(trie uint32, way []uint32) {
		t.edgesOf(trie, func(id uint32, e *edge) bool {
			if e.child == dead || e.visits == 0 || t.isBarred(id, e, t.levels[role]-len(way)) {
				return true
			}
			way := append(way[:len(way):len(way)], id)
			if len(way) < t.levels[role] {
				visit(e.child, way)
			} else if standing := t.standing(id); float64(e.visits) >= least && standing > top {
				top, path = standing, way
			}
			return true
		})
	}
	visit(t.tries(n)[role], nil)
	return path
}
