package mcts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/internal/toys"
)

// told is a forest of so many trees at the root of a game.
func told(t *testing.T, g toy, threads int, o Options) *Forest {
	t.Helper()
	var engines []engine.Engine
	for i := range threads {
		engines = append(engines, newToyEngine(g, 4, o.Seed*100+uint64(i)))
	}
	f := NewForest(engines, g.Levels(), usual(o))
	if err := f.SetRoot(g.Initial()); err != nil {
		t.Fatal(err)
	}
	return f
}

// What is told of random states of random games, by brute force, leaves all bounds
// right, those that the forest goes on to find included, and a search ends with a best
// move.
func TestTakeBounds(t *testing.T) {
	games := 30
	if testing.Short() {
		games = 8
	}
	for _, threads := range []int{1, 2} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			rng, taken, early := rand.New(rand.NewPCG(uint64(threads), 9)), 0, 0
			for i := range games {
				g := someThicket(rng, 2)
				g.depth, g.width = 6, 6
				g.zeroSum, g.goal = true, []float64{0, 0.5, 1}
				b := newTruth(g, []bool{false, false})
				f := told(t, g, threads, Options{Seed: uint64(i) + 1, Solver: true, Transpositions: i%2 == 0})
				for range 4 {
					if _, err := f.Search(nil, search.Budget{Iterations: 30}); err != nil {
						t.Fatal(err)
					}
					for _, line := range f.Lines(3, 1) {
						v := b.outcomes(line.State)[0]
						if f.TakeBounds(line.Moves, v, v) {
							taken++
						} else {
							t.Errorf("%+v: the worth of %v was not taken", g, line.Moves)
						}
					}
					for _, mc := range f.trees {
						if err := mc.check(); err != nil {
							t.Fatal(err)
						}
						eachState(mc, func(n uint32, s []uint64) {
							if !slices.ContainsFunc(b.outcomes(s), func(v []float64) bool { return within(mc, n, v) }) {
								t.Errorf("%+v: state %v: bounds %v to %v, equilibria %v", g, s, mc.proofs.Bounds.Lows(n), mc.proofs.Bounds.Highs(n), b.outcomes(s))
							}
						})
					}
				}
				if f.answered() >= 0 {
					early++
				}
				checkSolved(t, b, f.trees[max(f.answered(), 0)])
			}
			if taken < games/2 || early < games/2 {
				t.Errorf("%d bounds were taken; %d of %d games were solved early", taken, early, games)
			}
		})
	}
}

// What is told of one move decides the root, the report and the choice, however few
// visits it has; bounds that are told stay when iterations know less.
func TestToldMove(t *testing.T) {
	for _, threads := range []int{1, 2} {
		g := toys.Nim{Heaps: []uint64{7, 7, 6, 1}} // taking 6 of the third but one leaves a sum of 0
		f := told(t, g, threads, Options{Seed: 3, Solver: true})
		mustForest(t, f, 200)
		joint := []uint32{8*2 + 5, 63}
		if !f.TakeBounds([][]uint32{joint}, []float64{0.5, 0}, []float64{1, 0.5}) {
			t.Fatal("not taken")
		}
		if f.TakeBounds([][]uint32{joint}, []float64{0, 1}, []float64{0, 1}) {
			t.Error("a contradiction was taken")
		}
		r := mustForest(t, f, 200)
		if r.Low[0] != 0.5 || f.answered() >= 0 {
			t.Errorf("bounds %v to %v, answered %d", r.Low, r.High, f.answered())
		}
		if !f.TakeBounds([][]uint32{joint}, []float64{1, 0}, []float64{1, 0}) {
			t.Fatal("not taken")
		}
		r = mustForest(t, f, 200)
		if path, _ := f.Best(0); !slices.Equal(path, joint[:1]) || r.Low[0] != 1 || r.High[1] != 0 || r.Iterations > 0 {
			t.Errorf("move %v, bounds %v to %v after %d iterations", path, r.Low, r.High, r.Iterations)
		}
	}
}

func mustForest(t *testing.T, f *Forest, iterations int) search.Report {
	t.Helper()
	r, err := f.Search(nil, search.Budget{Iterations: iterations})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Bounds that nobody can use change nothing.
func TestBoundsNotTaken(t *testing.T) {
	one, zero := []float64{1, 0}, []float64{0, 1}
	matrix := toys.Matrix{Pay: [][][2]float64{{{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}}}
	for _, c := range []struct {
		name      string
		game      toy
		solver    bool
		moves     [][]uint32
		low, high []float64
	}{
		{"no solver", toys.TicTacToe{}, false, nil, one, one},
		{"together", matrix, true, nil, one, one},
		{"below a choice of several", matrix, true, [][]uint32{{0, 0}}, one, one},
		{"no such move", toys.TicTacToe{}, true, [][]uint32{{9, 9}}, one, one},
		{"a short move", toys.TicTacToe{}, true, [][]uint32{{4}}, one, one},
		{"the wrong way round", toys.TicTacToe{}, true, nil, one, zero},
		{"too few roles", toys.TicTacToe{}, true, nil, one[:1], one[:1]},
		{"no numbers", toys.TicTacToe{}, true, nil, []float64{0, math.NaN()}, one},
	} {
		f := told(t, c.game, 1, Options{Seed: 1, Solver: c.solver})
		mustForest(t, f, 50)
		low, high := f.trees[0].rootBounds()
		if f.TakeBounds(c.moves, c.low, c.high) {
			t.Errorf("%s: taken", c.name)
		}
		if l, h := f.trees[0].rootBounds(); !slices.Equal(low, l) || !slices.Equal(high, h) {
			t.Errorf("%s: %v to %v became %v to %v", c.name, low, high, l, h)
		}
	}
}

// Lines lead to their states, and are those with the most visits.
func TestLines(t *testing.T) {
	for _, g := range []toy{toys.TicTacToe{}, toys.SplitTicTacToe{}, toys.Trio{}} {
		f := told(t, g, 1, Options{Seed: 1})
		mustForest(t, f, 1500)
		mc, want := f.trees[0], []int{}
		eachState(mc, func(n uint32, _ []uint64) {
			if n != mc.tree.Root {
				want = append(want, int(mc.tree.Node(n).Visits))
			}
		})
		slices.Sort(want)
		slices.Reverse(want)
		want = want[:50]
		var got []int
		for _, line := range f.Lines(50, 2) {
			got = append(got, line.Visits)
			s := g.Initial()
			for _, joint := range line.Moves {
				s = g.Play(s, joint)
			}
			if !slices.Equal(s, line.State) {
				t.Errorf("%v leads to %v, not to %v", line.Moves, s, line.State)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%T: visits %v, want %v", g, got, want)
		}
		if few := f.Lines(1000, want[9]+1); len(few) > 9 {
			t.Errorf("%T: %d lines with more than %d visits", g, len(few), want[9])
		}
	}
}
