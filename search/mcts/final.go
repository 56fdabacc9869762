package mcts

import (
	"semisplit/search/proof"
	"semisplit/search/tree"
)

// Final says how the move to play is chosen from a tree.
type Final string

const (
	// FinalVisits is level by level the most visited semimove, ties by mean,
	// then by the lower number.
	FinalVisits Final = "visits"
	// FinalMean is level by level the semimove with the best mean, ties by
	// visits, then by the lower number.
	FinalMean Final = "greedy"
	// FinalRollUp looks at whole moves: among those whose last semimove has at
	// least the visits that the move of FinalMean has there, it takes the one with
	// the best mean. If the choice by level leaves the tree, or nothing is better,
	// that choice stands. (Pawlik and Sutowicz, section on the final roll-up
	// selection.)
	FinalRollUp Final = "rollup"
)

// finalChoice chooses the moves to play, from what a tree holds and what is proven.
type finalChoice struct {
	proofs *proof.Prover
	worths *heuristicValues
	final  Final
	pn     proof.PN

	excluded []uint32 // leaves that are left out
}

// better says whether an edge is to be preferred. With an evaluation the means
// are those that selection goes by: a move that it seldom took because it is
// worth little has a mean of a few playouts, which says nothing. (Breakthrough,
// 5,000 iterations, implicit minimax 0.4 against none: by the means of playouts
// alone 40 ±23%, by the mixed ones 75 ±21%; docs/experiments/results.md.)
func (t *finalChoice) better(first, second uint32) bool {
	meanA, meanB := t.finalValue(first), t.finalValue(second)
	a, b := t.proofs.Tree.Edges.Edge(first), t.proofs.Tree.Edges.Edge(second)
	switch {
	case t.final == FinalVisits && a.Visits != b.Visits:
		return a.Visits > b.Visits
	case meanA != meanB:
		return meanA > meanB
	case a.Visits != b.Visits:
		return a.Visits > b.Visits
	}
	return a.Semimove < b.Semimove
}

// finalValue is the mean of an edge that was visited, with what it is worth.
func (t *finalChoice) finalValue(id uint32) float64 {
	e := t.proofs.Tree.Edges.Edge(id)
	mean := e.Sum() / float64(e.Visits)
	if t.worths.valued {
		mean = t.worths.mixed(id, mean, e.Visits)
	}
	return mean
}

// best appends the best edges of a role in a node; fewer than a whole move has
// where the tree knows no more.
func (t *finalChoice) best(n uint32, role int, dst []uint32) []uint32 {
	trie := t.proofs.Tree.Tries(n)[role]
	if tree.IsForced(trie) {
		if t.proofs.Tree.ForcedEdge(n, role).Visits == 0 {
			return dst
		}
		return append(dst, trie)
	}
	if t.proofs.Proves() {
		return append(dst, t.bestProven(n, role)...)
	}
	return t.choose(n, role, dst)
}

// choose appends the edges that the statistics of a role prefer, of those that
// it stores.
func (t *finalChoice) choose(n uint32, role int, dst []uint32) []uint32 {
	trie := t.proofs.Tree.Tries(n)[role]
	from := len(dst)
	for len(dst)-from < t.proofs.Tree.Levels[role] {
		edges := t.bestBelow(trie, t.proofs.Tree.Levels[role]-(len(dst)-from))
		if edges == nil {
			return dst
		}
		dst = append(dst, edges...)
		trie = t.proofs.Tree.Edges.Edge(edges[len(edges)-1]).Child
	}
	if t.final == FinalRollUp && t.proofs.Tree.Levels[role] > 1 {
		dst = append(dst[:from], t.bestWhole(n, role, dst[from:])...)
	}
	return dst
}

// bestBelow is the best edge of a trie node, with the edges that lead to it
// where it is of a rolled-up one; nil if nothing was visited.
func (t *finalChoice) bestBelow(trie uint32, levels int) (path []uint32) {
	var top uint32
	var visit func(trie uint32, levels int, way []uint32)
	visit = func(trie uint32, levels int, way []uint32) {
		t.proofs.Tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
			switch {
			case e.Child == tree.Dead || e.Visits == 0 || t.isExcluded(id, e, levels):
			case levels > 1 && t.proofs.Tree.Edges.IsRolled(e.Child):
				visit(e.Child, levels-1, append(way[:len(way):len(way)], id))
			case top == 0 || t.better(id, top):
				top, path = id, append(way[:len(way):len(way)], id)
			}
			return true
		})
	}
	if trie != tree.Dead {
		visit(trie, levels, nil)
	}
	return path
}

// bestWhole is the final roll-up selection; greedy is the choice by level.
func (t *finalChoice) bestWhole(n uint32, role int, greedy []uint32) []uint32 {
	path := greedy
	top := t.finalValue(greedy[len(greedy)-1])
	least := t.proofs.Tree.Edges.Edge(greedy[len(greedy)-1]).Visits
	var visit func(trie uint32, way []uint32)
	visit = func(trie uint32, way []uint32) {
		t.proofs.Tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
			if e.Child == tree.Dead || e.Visits == 0 || t.isExcluded(id, e, t.proofs.Tree.Levels[role]-len(way)) {
				return true
			}
			way := append(way[:len(way):len(way)], id)
			if len(way) < t.proofs.Tree.Levels[role] {
				visit(e.Child, way)
			} else if finalValue := t.finalValue(id); e.Visits >= least && finalValue > top {
				top, path = finalValue, way
			}
			return true
		})
	}
	visit(t.proofs.Tree.Tries(n)[role], nil)
	return path
}
