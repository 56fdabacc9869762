package mcts

import (
	"fmt"
	"slices"
	"testing"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/internal/hashing"
	"semisplit/search/internal/toys"
	"semisplit/search/line"
	"semisplit/search/stats"
)

// lock is a puzzle: twelve turns with one of four semimoves, in two levels, and
// a goal of how many were right; now and then it ends early.
type lock struct{ seed uint64 }

func (lock) Levels() []int     { return []int{2} }
func (lock) Initial() []uint64 { return []uint64{0, 0} }
func (lock) Terminal(s []uint64) bool {
	return s[0] == 12 || s[0] > 3 && s[1] == 0
}
func (lock) Goals(s []uint64) []float64 { return []float64{float64(s[1]) / 12} }
func (lock) Offers(_ []uint64, _ int, prefix []uint32) []uint32 {
	return []uint32{0, 1}
}
func (g lock) Play(s []uint64, j []uint32) []uint64 {
	liked := uint64(0)
	if hashing.Of(g.seed+s[0])%4 == uint64(j[0]*2+j[1]) {
		liked = 1
	}
	return []uint64{s[0] + 1, s[1] + liked}
}

// What was found once is played to its end, with few iterations a move, through
// states that the tree does not hold.
func TestPlans(t *testing.T) {
	for i, o := range []Options{
		{}, {Raw: true}, {Backup: rolledUp}, {Whole: true}, {Transpositions: true}, {Memory: 1}, {Mast: stats.Mast{Kind: stats.Split}},
		{PN: allNumbers}, {LeafPlayouts: 2}, {LeafPlayouts: 4, Eager: true},
	} {
		for _, lanes := range []int{1, 16} {
			t.Run(fmt.Sprintf("design %d, %d lanes", i, lanes), func(t *testing.T) {
				lost := 0
				for seed := range uint64(6) {
					g := lock{seed}
					o := o
					o.Seed, o.Solver = seed, true
					e := newSteered(g, lanes, 2, seed)
					e.Stall = int(seed%2) * 3
					mc := newSearcher(e, g.Levels(), usual(o), 0)
					s, low := g.Initial(), 0.0
					if err := mc.SetRoot(s); err != nil {
						t.Fatal(err)
					}
					for !g.Terminal(s) {
						r, err := mc.Search(nil, search.Budget{Iterations: 3})
						if err != nil {
							t.Fatal(err)
						}
						if r.Low[0] < low {
							t.Fatalf("state %v: %g was found, %g is left", s, low, r.Low[0])
						}
						low = r.Low[0]
						path, ok := mc.Best(0)
						if !ok {
							t.Fatalf("state %v: no move", s)
						}
						if s = g.Play(s, path); !mc.Advance(path) {
							lost++
							if err := mc.SetRoot(s); err != nil {
								t.Fatal(err)
							}
						}
					}
					if v := g.Goals(s)[0]; v < low || low == 0 {
						t.Errorf("seed %d: %g in the end, %g was found", seed, v, low)
					}
				}
				if lost == 0 && !o.Transpositions {
					t.Error("the tree held all states")
				}
			})
		}
	}
}

// Another move than the plan's, and another root, end it.
func TestPlansEnd(t *testing.T) {
	g := lock{3}
	mc := newSearcher(newSteered(g, 4, 2, 1), g.Levels(), usual(Options{Seed: 1, Solver: true}), 0)
	for i := range 2 {
		if err := mc.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
		if mc.line.Known() {
			t.Fatal("a plan before the search")
		}
		if _, err := mc.Search(nil, search.Budget{Iterations: 50}); err != nil || !mc.line.Known() {
			t.Fatalf("no plan, %v", err)
		}
		if i == 0 {
			path, _ := mc.Best(0)
			path[0] ^= 1
			mc.Advance(path)
			if mc.line.Known() {
				t.Error("the plan goes on after another move")
			}
		}
	}
}

// What a tree of several has proven is played as well when its line was lost by another move,
// and a worse one is known to another tree.
func TestProofsBeforeWorseLines(t *testing.T) {
	things := make([]uint32, 30)
	for i := range things {
		things[i] = uint32(i)
	}
	for _, iterations := range []int{20, 400} { // some things are tried, or all
		g := toys.Basket{Things: len(things), Holds: 1, Seed: 1}
		engines := []engine.Engine{newToyEngine(g, 1, 1), newToyEngine(g, 1, 2)}
		f := NewForest(engines, g.Levels(), usual(Options{Seed: 1, Solver: true}))
		if err := f.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
		r, err := f.Search(nil, search.Budget{Iterations: iterations})
		if err != nil {
			t.Fatal(err)
		}
		goal := func(move uint32) float64 { return g.Goals(g.Play(g.Initial(), []uint32{move}))[0] }
		first, second := f.trees[0], f.trees[1]
		if second.line.Value > first.line.Value { // the other tree had the processor
			first, second = second, first
		}
		sure := first.line.Value
		worse := slices.IndexFunc(things, func(move uint32) bool { return goal(move) > 0 && goal(move) < sure })
		if worse < 0 && iterations < len(things) { // the tree has had few of them, and no better one
			continue
		}
		first.line = line.Best{}
		second.copyRoot(first)
		second.line = line.Best{Value: goal(things[worse]), Moves: [][]uint32{{things[worse]}}}
		if path, ok := f.Best(0); !ok || goal(path[0]) < sure {
			t.Errorf("%d iterations, %v to %v: plays %v for %v, sure of %v", iterations, r.Low, r.High, path, goal(path[0]), sure)
		}
	}
}
