package mcts

import (
	"reflect"
	"testing"

	"semisplit/search/ahead"
	"semisplit/search/engine"
	"semisplit/search/heuristic"
	"semisplit/search/internal/toys"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

// lookingAhead are playouts that look ahead, on toy engines.
func lookingAhead(g toy, scoutLanes int, how ahead.Options) engine.Engine {
	return ahead.New(newToyEngine(g, 64, 1), newToyEngine(g, scoutLanes, 2), g.Levels(), how)
}

// Trees grow on playouts that look ahead as on others, whatever their design; those
// find the best move of tactics.
func TestTreesOfLookingAhead(t *testing.T) {
	oneThread(t)
	for _, d := range designs {
		t.Run(d.name, func(t *testing.T) {
			for _, c := range tactics {
				g := d.game(toys.TicTacToe{Start: c.start})
				e := lookingAhead(g, 100, ahead.Options{Decisive: true, Greedy: 0.5, Evaluate: guess{}, Seed: 1})
				o := d.o
				o.Rave = stats.Rave{Kind: stats.Context}
				mc := newSearcher(e, g.Levels(), usual(o), 0)
				if err := mc.SetRoot(g.Initial()); err != nil {
					t.Fatal(err)
				}
				mustSearch(t, mc, 1500)
				if err := mc.check(); err != nil {
					t.Fatal(err)
				}
				if best, ok := mc.Best(c.role); !ok || !reflect.DeepEqual(best, d.path(c.best)) {
					t.Errorf("%s: %v", c.name, best)
				}
			}
		})
	}
}

// A lane that ends because a role has no move is worth its goals.
func TestStrandedLookingAhead(t *testing.T) {
	g := toys.Narrowing{}
	mc := newSearcher(lookingAhead(g, 10, ahead.Options{Decisive: true}), g.Levels(), usual(Options{}), 0)
	if err := mc.SetRoot(g.Initial()); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		mustSearch(t, mc, 1000)
		if best, ok := mc.Best(0); !ok || best[0] != 2 {
			t.Errorf("best move %v", best)
		}
	}
}

// bestAhead is what the evaluation says of the best state after a move of the role
// that chooses, by brute force. False: several choose.
func bestAhead(g toy, evaluate engine.Evaluator, s []uint64) (best []float64, ok bool) {
	joints, mover := [][]uint32{nil}, -1
	for r := range g.Levels() {
		paths := toys.Moves(g, s, r, nil)
		if len(paths) > 1 {
			if mover >= 0 {
				return nil, false
			}
			mover = r
		}
		var longer [][]uint32
		for _, joint := range joints {
			for _, path := range paths {
				longer = append(longer, append(joint[:len(joint):len(joint)], path...))
			}
		}
		joints = longer
	}
	for _, joint := range joints {
		after, values := g.Play(s, joint), make([]float64, len(g.Levels()))
		if g.Terminal(after) {
			copy(values, g.Goals(after))
		} else {
			evaluate.Values(after, values)
		}
		if best == nil || values[max(mover, 0)] > best[max(mover, 0)] {
			best = values
		}
	}
	return best, true
}

// A new node is worth what the best move leads to, in every design of the tree, and
// the rest of what nodes are worth follows.
func TestNodesLookAhead(t *testing.T) {
	oneThread(t)
	for name, o := range map[string]Options{"nodal": {}, "whole": {Whole: true}, "rolled up": {Backup: rolledUp}, "eager": {Eager: true}, "eager whole": {Eager: true, Whole: true}} {
		t.Run(name, func(t *testing.T) {
			variants(t, func(t *testing.T, lanes int) {
				g := toys.SplitTicTacToe{}
				o.Seed, o.Knowledge = 3, heuristic.Knowledge{Alpha: 0.4, Evaluate: guess{}}
				o.Knowledge.Lookahead = []engine.Engine{newToyEngine(g, 7, 0)}
				mc := toyTree(g, lanes, o)
				mustSearch(t, mc, 1000)
				seen := 0
				var visit func(n uint32)
				visit = func(n uint32) {
					if mc.tree.Node(n).Flags&tree.FlagTerminal != 0 {
						return
					}
					if want, ok := bestAhead(g, guess{}, mc.tree.Words(n, nil)); ok && n != mc.tree.Root {
						seen++
						for r, v := range mc.values.FirstOf(n) {
							if v != float32(want[r]) {
								t.Fatalf("node %d was worth %v to role %d at first, and its best move leads to %v", n, v, r, want)
							}
						}
					}
					mc.tree.EachChild(n, visit)
				}
				visit(mc.tree.Root)
				if seen < 10 {
					t.Errorf("only %d nodes", seen)
				}
			})
		})
	}
}

// Eager trees hold a node for each move that was tried, others none for those that
// were tried once. With transpositions it is the same.
func TestEagerNodes(t *testing.T) {
	oneThread(t)
	for i := range 4 {
		eager, transpositions := i%2 == 1, i/2 == 1
		variants(t, func(t *testing.T, lanes int) {
			mc := toyTree(toys.SplitTicTacToe{}, lanes, Options{Seed: 5, Eager: eager, Transpositions: transpositions})
			mustSearch(t, mc, 500)
			tried, held := 0, 0
			var visit func(n uint32)
			visit = func(n uint32) {
				mover := int(mc.tree.Node(n).Key)
				var below func(trie uint32, levels int)
				below = func(trie uint32, levels int) {
					mc.tree.Edges.EdgesOf(trie, func(_ uint32, e *tree.Edge) bool {
						switch {
						case e.Visits == 0 || e.Child == tree.Dead:
						case levels > 1:
							below(e.Child, levels-1)
						case e.Child != 0:
							held++
							tried++
						default:
							tried++
						}
						return true
					})
				}
				if !tree.IsForced(mc.tree.Tries(n)[mover]) {
					below(mc.tree.Tries(n)[mover], mc.tree.Levels[mover])
				}
				mc.tree.EachChild(n, func(c uint32) {
					if !mc.tree.IsAlias(c) {
						visit(c)
					}
				})
			}
			visit(mc.tree.Root)
			if tried < 50 || eager != (held == tried) {
				t.Errorf("eager %v, transpositions %v: %d moves were tried, and %d have a node", eager, transpositions, tried, held)
			}
		})
	}
}
