package search

import (
	"fmt"
	"hash/fnv"
	"math"
	"testing"

	"semisplit/search/internal/toys"
)

// guess is an evaluator that knows nothing: a number made of the state, one
// minus it for the second role.
type guess struct{}

func (guess) Values(state []uint64, values []float64) {
	h := fnv.New32a()
	fmt.Fprint(h, state)
	values[0] = float64(h.Sum32()%1000) / 1000
	for r := 1; r < len(values); r++ {
		values[r] = 1 - values[0]
	}
}

// checkWorth holds what nodes and edges are worth against the definition.
func checkWorth(t *testing.T, tree *Tree) {
	t.Helper()
	nodes := 0
	var edges func(trie uint32, levels int) float32
	edges = func(trie uint32, levels int) float32 {
		best := float32(unvalued)
		tree.edgesOf(trie, func(id uint32, e *edge) bool {
			worth := *tree.edgeWorth(id)
			if levels > 1 && e.child != 0 && e.child != dead {
				if below := edges(e.child, levels-1); below != worth {
					t.Errorf("edge %d is worth %v, and the best that follows %v", id, worth, below)
				}
			}
			best = max(best, worth)
			return true
		})
		if id := tree.edgeWorths.At(trie).best; id == 0 && best != unvalued || id != 0 && *tree.edgeWorth(id) != best {
			t.Errorf("the best edge of trie %d is %d, and there is one worth %v", trie, id, best)
		}
		return best
	}
	var node func(n uint32)
	node = func(n uint32) {
		nodes++
		if tree.nodes.At(n).flags&flagTerminal != 0 {
			for r, g := range tree.goals(n, nil) {
				if float32(g) != tree.worthOf(n)[r] {
					t.Errorf("terminal node %d is worth %v", n, tree.worthOf(n))
				}
			}
			return
		}
		if mover := tree.mover(n); mover >= 0 {
			best := edges(tree.tries(n)[mover], tree.levels[mover])
			if first := tree.firstWorthOf(n)[mover]; first > best && !tree.allValued(n, mover) {
				best = first
			}
			if best != unvalued && tree.bestChild(n, mover) != 0 && tree.worthOf(n)[mover] != best {
				t.Errorf("node %d is worth %v, and its best edge %v", n, tree.worthOf(n), best)
			}
		}
		tree.childrenOf(n, func(c uint32) { node(c) })
	}
	node(tree.root)
	if nodes < 10 {
		t.Errorf("only %d nodes", nodes)
	}
}

// childrenOf calls f for all children of a node.
func (t *Tree) childrenOf(n uint32, f func(c uint32)) {
	nd := t.nodes.At(n)
	if nd.children == 0 {
		return
	}
	var below func(trie uint32, levels int)
	below = func(trie uint32, levels int) {
		t.edgesOf(trie, func(_ uint32, e *edge) bool {
			if levels > 1 {
				if e.child != 0 && e.child != dead {
					below(e.child, levels-1)
				}
				return true
			}
			for c := e.child; c != 0; c = t.nodes.At(c).next {
				f(c)
			}
			return true
		})
	}
	below(t.tries(n)[nd.key], t.levels[nd.key])
}

// In every design of the tree worths are what they are defined to be, also
// where the tree has been pruned and moved on.
func TestWorthIsMinimax(t *testing.T) {
	for name, o := range map[string]Options{
		"nodal": {}, "whole": {Whole: true}, "rolled up": {RollUp: true}, "rave": {Rave: Rave{Kind: Split}}, "small": {Memory: 400 << 10},
	} {
		t.Run(name, func(t *testing.T) {
			variants(t, func(t *testing.T, lanes, threads int) {
				o.Seed, o.Knowledge = 3, Knowledge{Alpha: 0.4, Evaluate: guess{}}
				tree := toyTree(toys.SplitTicTacToe{}, lanes, threads, o)
				mustSearch(t, tree, 4000)
				checkWorth(t, tree)
				best, _ := tree.Best(0)
				if !tree.Advance(append(best, 3, 3)) {
					t.Skip("the move is not in the tree")
				}
				mustSearch(t, tree, 1000)
				checkWorth(t, tree)
			})
		})
	}
}

// Where the tree reaches all ends of the game, the worth of the root is the
// game's value, whatever the evaluator says.
func TestWorthOfASolvedGame(t *testing.T) {
	for _, c := range []struct {
		heaps []uint64
		value float32 // for who moves first
	}{{[]uint64{1, 2}, 1}, {[]uint64{2, 2}, 0}, {[]uint64{1, 2, 3}, 0}, {[]uint64{1, 1, 2}, 1}} {
		tree := toyTree(toys.Nim{Heaps: c.heaps}, 8, 1, Options{Seed: 2, Exploration: 3, Knowledge: Knowledge{Alpha: 0.5, Evaluate: guess{}}})
		mustSearch(t, tree, 30000)
		if got := tree.worthOf(tree.root); got[0] != c.value || got[1] != 1-c.value {
			t.Errorf("nim %v is worth %v", c.heaps, got)
		}
	}
}

// A tree that goes by worth alone and by an evaluator that knows the value plays
// the best move after few iterations.
func TestWorthGuidesSelection(t *testing.T) {
	tree := toyTree(toys.Nim{Heaps: []uint64{2, 3, 4}}, 1, 1, Options{Seed: 1, Knowledge: Knowledge{Alpha: 1, Evaluate: nimValue{}}})
	mustSearch(t, tree, 300)
	wantBest(t, tree, 0, 19)
	plain := toyTree(toys.Nim{Heaps: []uint64{2, 3, 4}}, 1, 1, Options{Seed: 1})
	mustSearch(t, plain, 300)
	share := func(tree *Tree) float64 {
		most, all := 0, 0
		for _, e := range tree.RootEdges(0) {
			most, all = max(most, e.Visits), all+e.Visits
		}
		return float64(most) / float64(all)
	}
	if with, without := share(tree), share(plain); with < without+0.2 || math.IsNaN(with) {
		t.Errorf("the best move has %.2f of the visits, %.2f without worth", with, without)
	}
}

// nimValue is the value of a state of Nim.
type nimValue struct{}

func (nimValue) Values(state []uint64, values []float64) {
	sum := uint64(0)
	for _, h := range state[:len(state)-1] {
		sum ^= h
	}
	mover := int(state[len(state)-1])
	values[mover] = 0
	if sum != 0 {
		values[mover] = 1
	}
	values[1-mover] = 1 - values[mover]
}
