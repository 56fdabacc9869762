package portfolio

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/internal/toys"
	"semisplit/search/mcts"
)

// puzzle is a portfolio at the initial state of a puzzle, with the solver.
func puzzle(t *testing.T, g toys.Game, threads int, o mcts.Options) *Search {
	t.Helper()
	var engines []engine.Engine
	for i := range threads {
		engines = append(engines, toys.NewSteered(g, 16, 3, o.Seed*100+uint64(i)))
	}
	o.Solver = true
	return begun(t, g, engines, o)
}

// unsolved is a portfolio without the solver.
func unsolved(t *testing.T, g toys.Game) *Search {
	t.Helper()
	return begun(t, g, []engine.Engine{toys.NewSteered(g, 8, 3, 1)}, mcts.Options{})
}

func begun(t *testing.T, g toys.Game, engines []engine.Engine, o mcts.Options) *Search {
	t.Helper()
	o.Selection = mcts.DefaultOptions().Selection
	f := New(engines, g.Levels(), o)
	if err := f.SetRoot(g.Initial()); err != nil {
		t.Fatal(err)
	}
	return f
}

// What playouts do not find is found by layers and played to its end, through
// states that the tree does not hold.
func TestLinesAreFollowed(t *testing.T) {
	g := toys.Hanoi{Discs: 5, Limit: 33} // 31 are needed
	for _, threads := range []int{1, 2, 3} {
		for i, o := range []mcts.Options{{}, {Transpositions: true}, {Memory: 1 << 20}} {
			t.Run(fmt.Sprintf("%v threads, options %d", threads, i), func(t *testing.T) {
				o.Seed = 5
				f := puzzle(t, g, threads, o)
				r, err := f.Search(nil, search.Budget{Iterations: 200})
				if err != nil || r.Layered != 0 || r.Low[0] != 0 {
					t.Fatalf("without layers: %+v, %v", r, err)
				}
				f.beside.moves = 100_000
				r, err = f.Search(nil, search.Budget{Iterations: 200})
				f.beside.moves = 0
				if err != nil || r.LayersFault != nil || !r.LineLayered || r.Low[0] != 1 || r.Layered == 0 || len(r.Line) < 31 {
					t.Fatalf("with layers: %+v, %v", r, err)
				}
				s := g.Initial()
				for moves := 0; !g.Terminal(s); moves++ {
					path, ok := f.Best(0)
					if !ok {
						t.Fatalf("no move after %d", moves)
					}
					if s = g.Play(s, path); !f.Advance(path) {
						if err := f.SetRoot(s); err != nil {
							t.Fatal(err)
						}
					}
					if _, err := f.Search(nil, search.Budget{Iterations: 3}); err != nil {
						t.Fatal(err)
					}
				}
				if !g.Solved(s) {
					t.Error("the line was not followed")
				}
			})
		}
	}
}

// A clock is shared by the layers and the tree, and a proven line ends the search.
func TestClockIsShared(t *testing.T) {
	for _, threads := range []int{1, 2} {
		f := puzzle(t, toys.Hanoi{Discs: 5, Limit: 33}, threads, mcts.Options{Seed: 1})
		r, err := f.Search(nil, search.Budget{Time: time.Hour})
		if err != nil || r.Low[0] != 1 || !r.LineLayered {
			t.Fatalf("%d threads: %+v, %v", threads, r, err)
		}
		for clock := 40 * time.Millisecond; err == nil && (r.Layered == 0 || r.Iterations == 0); clock *= 2 {
			if clock > time.Minute {
				t.Fatalf("%d threads: %+v", threads, r)
			}
			f = puzzle(t, toys.Basket{Things: 40, Holds: 20, Seed: 3}, threads, mcts.Options{Seed: 1})
			r, err = f.Search(nil, search.Budget{Time: clock})
		}
		if err != nil {
			t.Fatalf("%d threads: %v", threads, err)
		}
	}
}

// The best line that is less than the highest goal is known to be the best when
// all layers are complete.
func TestProof(t *testing.T) {
	g := toys.Basket{Things: 12, Holds: 5, Seed: 9}
	best, _ := toys.Exhaust(g)
	f := puzzle(t, g, 1, mcts.Options{Seed: 1})
	f.beside.moves = 1 << 20
	r, err := f.Search(nil, search.Budget{Iterations: 50})
	if err != nil || r.Low[0] != best || f.forest.IsOpen() || r.Iterations == 50 {
		t.Fatalf("%+v, %v; the best is %v", r, err, best)
	}
	if r, err = f.Search(nil, search.Budget{Iterations: 50}); err != nil || r.Iterations+r.Layered > 0 {
		t.Fatalf("searched on: %+v, %v", r, err)
	}
}

// A state without words is a root like others, and is searched by layers as well.
func TestRootWithoutWords(t *testing.T) {
	f := puzzle(t, toys.Bare{Game: toys.Hanoi{Discs: 5, Limit: 33}}, 1, mcts.Options{Seed: 5})
	f.beside.moves = 1000
	layered := 0
	for i := 0; i < 100 && f.forest.IsOpen(); i++ {
		r, err := f.Search(nil, search.Budget{Iterations: 10})
		if err != nil || r.LayersFault != nil {
			t.Fatalf("%+v, %v", r, err)
		}
		layered += r.Layered
	}
	if f.forest.IsOpen() {
		t.Errorf("not solved by %d moves in layers", layered)
	}
}

// There are no layers where others move, where chance does, and without solver.
func TestWithoutLayers(t *testing.T) {
	for i, f := range []*Search{
		puzzle(t, toys.TicTacToe{}, 1, mcts.Options{}),
		puzzle(t, toys.Hanoi{Discs: 3, Limit: 9}, 1, mcts.Options{Chance: []bool{true}}),
		unsolved(t, toys.Hanoi{Discs: 3, Limit: 9}),
	} {
		f.beside.moves = 1000
		if r, err := f.Search(nil, search.Budget{Iterations: 20}); err != nil || r.Layered > 0 || f.beside.algorithm != nil {
			t.Errorf("%d: %+v, %v", i, r, err)
		}
	}
}

// An engine that breaks down by layers, with an error or a panic, leaves the tree
// as it is; a stop is no fault.
func TestBreakDown(t *testing.T) {
	for _, kind := range []string{"error", "panic", "stop"} {
		for _, threads := range []int{1, 2} {
			f := puzzle(t, toys.Hanoi{Discs: 6, Limit: 70}, threads, mcts.Options{Seed: 1})
			f.beside.moves = 5000
			e := f.beside.engines[0].(*toys.Steered).Engine
			var stop atomic.Bool
			e.OnStep = func(e *toys.Engine, _ *atomic.Bool) error {
				switch {
				case e.Steps != 12:
				case kind == "panic":
					panic("broken")
				case kind == "stop":
					stop.Store(true)
					return errors.New("stopped")
				default:
					return errors.New("rule error")
				}
				return nil
			}
			r, err := f.Search(&stop, search.Budget{Iterations: 100})
			if err != nil || (r.LayersFault != nil) != (kind != "stop") {
				t.Fatalf("%s, %d threads: fault %v, error %v", kind, threads, r.LayersFault, err)
			}
			if kind == "stop" {
				continue
			}
			if r.Iterations != 100 {
				t.Errorf("%s, %d threads: %d iterations", kind, threads, r.Iterations)
			}
			if r, err := f.Search(nil, search.Budget{Iterations: 100}); err != nil || r.Layered > 0 || r.LayersFault != nil {
				t.Errorf("%s, %d threads: it was tried again: %+v, %v", kind, threads, r, err)
			}
		}
	}
}
