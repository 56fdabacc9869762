package portfolio

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/internal/toys"
	"semisplit/search/mcts"
)

// tactical is a portfolio with tactics of so many joint moves in each search.
func tactical(t *testing.T, g toys.Game, threads, moves int) (*Search, *toys.Engine) {
	t.Helper()
	var engines []engine.Engine
	for i := range threads {
		engines = append(engines, toys.NewSteered(g, 8, 10, uint64(i)))
	}
	s := begun(t, g, engines, mcts.Options{Solver: true, Seed: 1})
	e := toys.NewEngine(g, 16, 1)
	s.UseTactics(e, g.Levels(), nil, 20)
	s.tactics.count = moves
	return s, e
}

// A win that the tree has not come to is played at once, and so is the only move that
// does not lose, whatever the tree prefers.
func TestTacticsDecide(t *testing.T) {
	for _, threads := range []int{1, 2} {
		s, _ := tactical(t, toys.TicTacToe{Start: []uint64{0o021, 0o042}}, threads, 100_000) // three corners to come
		r, err := s.Search(nil, search.Budget{Iterations: 8})
		path, ok := s.Best(0)
		if err != nil || r.TacticsFault != nil || r.Tactical == 0 || !ok || len(r.Line) == 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		if !slices.Equal(r.Line[0][:1], path) {
			t.Errorf("%v is played, the line begins with %v", path, r.Line[0])
		}
		g := toys.TicTacToe{Start: []uint64{0o021 &^ 0o020, 0o020}} // a corner, answered in the middle
		s, _ = tactical(t, g, threads, 100_000)
		if _, err := s.Search(nil, search.Budget{Iterations: 8}); err != nil {
			t.Fatal(err)
		}
		path, ok = s.Best(0)
		s.tactics.search.Moves(0, func(move []uint32, lost bool) {
			if lost && slices.Equal(move, path) {
				t.Errorf("%v is played, which loses", path)
			}
		})
		if !ok {
			t.Error("no move")
		}
	}
}

// No position of which all is proven is lost by what is played.
func TestTacticsNeverLose(t *testing.T) {
	// Two corners against the middle: who takes a third one has lost.
	g := toys.TicTacToe{Start: []uint64{0o401, 0o020}}
	s, _ := tactical(t, g, 1, 200_000)
	if _, err := s.Search(nil, search.Budget{Iterations: 1}); err != nil {
		t.Fatal(err)
	}
	lost := 0
	s.tactics.search.Moves(1, func(_ []uint32, is bool) {
		if is {
			lost++
		}
	})
	if path, ok := s.Best(1); lost != 2 || !ok || path[0] == 2 || path[0] == 6 {
		t.Errorf("%d moves lose, %v is played", lost, path)
	}
}

// The clock is shared with one engine and with several, and what waits for no end stops.
func TestTacticsShareTheClock(t *testing.T) {
	for _, threads := range []int{1, 2} {
		s, _ := tactical(t, toys.TicTacToe{}, threads, 0)
		r, err := s.Search(nil, search.Budget{Time: 20 * time.Millisecond})
		if err != nil || r.TacticsFault != nil || r.Tactical == 0 {
			t.Fatalf("%d threads: %+v, %v", threads, r, err)
		}
		var stop atomic.Bool
		stop.Store(true)
		if _, err := s.Search(&stop, search.Budget{}); err != nil {
			t.Fatal(err)
		}
	}
}

// Tactics that break down leave the forest as it is; a stop is no fault.
func TestTacticsBreakDown(t *testing.T) {
	for _, kind := range []string{"error", "panic", "stop"} {
		s, e := tactical(t, toys.TicTacToe{}, 1, 100_000)
		var stop atomic.Bool
		e.OnStep = func(e *toys.Engine, _ *atomic.Bool) error {
			switch {
			case e.Steps != 9:
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
		r, err := s.Search(&stop, search.Budget{Iterations: 80})
		if err != nil || (r.TacticsFault != nil) != (kind != "stop") {
			t.Fatalf("%s: fault %v, error %v", kind, r.TacticsFault, err)
		}
		if _, ok := s.Best(0); kind != "stop" && (!ok || r.Iterations < 80) {
			t.Errorf("%s: %d iterations", kind, r.Iterations)
		}
		stop.Store(false)
		if r, err = s.Search(&stop, search.Budget{Iterations: 80}); err != nil || r.TacticsFault != nil {
			t.Errorf("%s: then %v, %v", kind, r.TacticsFault, err)
		}
	}
}

// There are none where roles choose together, in games for one, and without a root.
func TestWithoutTactics(t *testing.T) {
	for _, g := range []toys.Game{toys.Matrix{Pay: [][][2]float64{{{1, 0}, {0, 1}}, {{0, 1}, {1, 0}}}}, toys.Hanoi{Discs: 3, Limit: 9}} {
		s, _ := tactical(t, g, 1, 1000)
		if r, err := s.Search(nil, search.Budget{Iterations: 20}); err != nil || r.Tactical > 0 || r.TacticsFault != nil {
			t.Errorf("%+v, %v", r, err)
		}
	}
	e := toys.NewSteered(toys.TicTacToe{}, 8, 10, 1)
	s := New([]engine.Engine{e}, []int{1, 1}, mcts.Options{Solver: true})
	s.UseTactics(toys.NewEngine(toys.TicTacToe{}, 8, 1), []int{1, 1}, nil, 20)
	if _, err := s.Search(nil, search.Budget{Time: time.Second}); !errors.Is(err, search.ErrNoRoot) {
		t.Errorf("without a root: %v", err)
	}
}
