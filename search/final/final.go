// Package final chooses the move to play, from the statistics of a tree and what is proven
// of it.
package final

import (
	"slices"

	"semisplit/search/heuristic"
	"semisplit/search/proof"
	"semisplit/search/tree"
)

// Rule says how the move to play is chosen from a tree.
type Rule string

const (
	// Visits is level by level the most visited semimove, ties by mean,
	// then by the lower number.
	Visits Rule = "visits"
	// Mean is level by level the semimove with the best mean, ties by
	// visits, then by the lower number.
	Mean Rule = "greedy"
	// RollUp looks at whole moves: among those whose last semimove has at
	// least the visits that the move of Mean has there, it takes the one with
	// the best mean. If the choice by level leaves the tree, or nothing is better,
	// that choice stands. (Pawlik and Sutowicz, section on the final roll-up
	// selection.)
	RollUp Rule = "rollup"
)

// Choice chooses the moves to play, from what a tree holds and what is proven.
type Choice struct {
	tree   *tree.Tree
	proofs *proof.Prover
	values *heuristic.Values
	rule   Rule
	pn     proof.PN

	lost     []uint32   // leaves of the root that a tree has proven to bring nothing, sorted
	excluded [][]uint32 // leaves that are left out, sorted lists of them
}

// New makes a choice by a rule. What is proven was kept for the tree, and what it is
// worth; pn are the numbers that are asked for.
func New(t *tree.Tree, p *proof.Prover, v *heuristic.Values, rule Rule, pn proof.PN) Choice {
	return Choice{tree: t, proofs: p, values: v, rule: rule, pn: pn}
}

// Avoid has moves of the root that another tree has proven to bring their role nothing be
// chosen only where nothing else was visited; leaves are their last edges, of all roles.
func (t *Choice) Avoid(leaves []uint32) {
	slices.Sort(leaves)
	t.lost = leaves
}

// better says whether an edge is to be preferred. With an evaluation the means
// are those that selection goes by: a move that it seldom took because it is
// worth little has a mean of a few playouts, which says nothing. (Breakthrough,
// 5,000 iterations, implicit minimax 0.4 against none: by the means of playouts
// alone 40% (17 to 63), by the mixed ones 75% (54 to 96); docs/experiments/results/evaluations.md.)
func (t *Choice) better(first, second uint32) bool {
	return t.isBetter(t.standingOf(first, 1), t.standingOf(second, 1))
}

func (t *Choice) isBetter(a, b standing) bool {
	switch {
	case t.rule == Visits && a.visits != b.visits:
		return a.visits > b.visits
	case a.value != b.value:
		return a.value > b.value
	case a.visits != b.visits:
		return a.visits > b.visits
	}
	return a.semimove < b.semimove
}

// standing is how an edge stands: what it has brought, with what it is worth.
type standing struct {
	semimove, visits uint32
	value            float64
}

// standingOf is that of an edge that was visited, with so many levels from it on: a prefix is
// as good as what is not excluded of what follows it. Without visits: all of that is excluded.
func (t *Choice) standingOf(id uint32, levels int) standing {
	e := t.tree.Edges.Edge(id)
	visits, sum := e.Visits, e.Sum()
	if levels > 1 && len(t.excluded) > 0 {
		outVisits, outSum := t.excludedBelow(e.Child, levels-1)
		visits, sum = visits-min(visits, outVisits), sum-outSum
	}
	s := standing{e.Semimove, visits, sum / float64(visits)}
	if t.values.On {
		s.value = t.values.Mixed(id, s.value, visits)
	}
	return s
}

// excludedBelow adds up what is excluded of the moves from a trie node on.
func (t *Choice) excludedBelow(trie uint32, levels int) (visits uint32, sum float64) {
	t.tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
		switch {
		case levels == 1 && !t.isExcluded(id, e, 1):
		case levels == 1 || e.Child == tree.Dead:
			visits, sum = visits+e.Visits, sum+e.Sum()
		default:
			v, s := t.excludedBelow(e.Child, levels-1)
			visits, sum = visits+v, sum+s
		}
		return true
	})
	return visits, sum
}

// finalValue is the mean of the last edge of a move that was visited, with what it is worth.
func (t *Choice) finalValue(id uint32) float64 { return t.standingOf(id, 1).value }

// Best appends the best edges of a role in a node; fewer than a whole move has
// where the tree knows no more.
func (t *Choice) Best(n uint32, role int, dst []uint32) []uint32 {
	trie := t.tree.Tries(n)[role]
	if tree.IsForced(trie) {
		if t.tree.ForcedEdge(n, role).Visits == 0 {
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
func (t *Choice) choose(n uint32, role int, dst []uint32) []uint32 {
	trie := t.tree.Tries(n)[role]
	from := len(dst)
	for len(dst)-from < t.tree.Levels[role] {
		edges := t.bestBelow(trie, t.tree.Levels[role]-(len(dst)-from))
		if edges == nil {
			return dst
		}
		dst = append(dst, edges...)
		trie = t.tree.Edges.Edge(edges[len(edges)-1]).Child
	}
	if t.rule == RollUp && t.tree.Levels[role] > 1 {
		dst = append(dst[:from], t.bestWhole(n, role, dst[from:])...)
	}
	return dst
}

// bestBelow is the best edge of a trie node, with the edges that lead to it
// where it is of a rolled-up one; nil if nothing was visited.
func (t *Choice) bestBelow(trie uint32, levels int) (path []uint32) {
	var top standing
	var visit func(trie uint32, levels int, way []uint32)
	visit = func(trie uint32, levels int, way []uint32) {
		t.tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
			switch {
			case e.Child == tree.Dead || e.Visits == 0 || t.isExcluded(id, e, levels):
			case levels > 1 && t.tree.Edges.IsRolled(e.Child):
				visit(e.Child, levels-1, append(way[:len(way):len(way)], id))
			default:
				if own := t.standingOf(id, levels); own.visits > 0 && (path == nil || t.isBetter(own, top)) {
					top, path = own, append(way[:len(way):len(way)], id)
				}
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
func (t *Choice) bestWhole(n uint32, role int, greedy []uint32) []uint32 {
	path := greedy
	top := t.finalValue(greedy[len(greedy)-1])
	least := t.tree.Edges.Edge(greedy[len(greedy)-1]).Visits
	var visit func(trie uint32, way []uint32)
	visit = func(trie uint32, way []uint32) {
		t.tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
			if e.Child == tree.Dead || e.Visits == 0 || t.isExcluded(id, e, t.tree.Levels[role]-len(way)) {
				return true
			}
			way := append(way[:len(way):len(way)], id)
			if len(way) < t.tree.Levels[role] {
				visit(e.Child, way)
			} else if finalValue := t.finalValue(id); e.Visits >= least && finalValue > top {
				top, path = finalValue, way
			}
			return true
		})
	}
	visit(t.tree.Tries(n)[role], nil)
	return path
}
