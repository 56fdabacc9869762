package search

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"semisplit/search/engine"
	"semisplit/search/internal/toys"
)

var errRule = errors.New("rule error")

// A set flag ends the search before another Step, at whatever Step it comes.
func TestStopAtAnyStep(t *testing.T) {
	for at := 1; at < 60; at++ {
		tree := toyTree(toys.SplitTicTacToe{}, 64, 1, Options{Seed: uint64(at)})
		mustSearch(t, tree, 1+at%3*100)
		e := tree.workers[0].engine.(*toyEngine)
		var stop atomic.Bool
		first := e.Steps
		e.OnStep = func(e *toyEngine, s *atomic.Bool) error {
			if s != &stop {
				t.Error("the engine got another flag")
			}
			if e.Steps-first == at {
				stop.Store(true)
				if at%2 == 0 {
					return errors.New("interrupted")
				}
			}
			return nil
		}
		before := tree.RootVisits()
		r, err := tree.Search(&stop, Budget{})
		if err != nil {
			t.Fatalf("stopped at step %d: %v", at, err)
		}
		if e.Steps-first != at {
			t.Errorf("%d steps after the stop", e.Steps-first-at)
		}
		if err := tree.check(); err != nil {
			t.Fatal(err)
		}
		if tree.RootVisits() != before+r.Iterations {
			t.Errorf("%d visits, %d before, %d iterations", tree.RootVisits(), before, r.Iterations)
		}
		e.OnStep = nil
		mustSearch(t, tree, 500)
	}
}

// A game that ends inside the tree never calls the engine; the flag counts.
func TestStopInsideTheTree(t *testing.T) {
	tree := toyTree(toys.Matrix{Pay: [][][2]float64{{{1, 0}, {0, 1}}}}, 1, 2, Options{})
	mustSearch(t, tree, 500)
	var stop atomic.Bool
	done := make(chan Report)
	go func() {
		r, _ := tree.Search(&stop, Budget{})
		done <- r
	}()
	stop.Store(true)
	<-done
	if err := tree.check(); err != nil {
		t.Error(err)
	}
}

func TestEngineError(t *testing.T) {
	for _, threads := range []int{1, 2} {
		tree := toyTree(toys.TicTacToe{}, 64, threads, Options{Seed: 1})
		e := tree.workers[threads-1].engine.(*toyEngine)
		e.OnStep = func(e *toyEngine, _ *atomic.Bool) error {
			if e.Steps == 40 {
				return errRule
			}
			return nil
		}
		r, err := tree.Search(nil, Budget{})
		if !errors.Is(err, errRule) {
			t.Fatalf("error %v", err)
		}
		if r.Iterations == 0 || r.RootVisits != r.Iterations || len(r.Line) == 0 {
			t.Errorf("report %+v", r)
		}
		if err := tree.check(); err != nil {
			t.Fatal(err)
		}
		if _, ok := tree.Best(0); !ok {
			t.Error("no best move after an error")
		}
		mustSearch(t, tree, 1000)
	}
}

func TestEnginePanic(t *testing.T) {
	for _, threads := range []int{1, 2} {
		tree := toyTree(toys.TicTacToe{}, 64, threads, Options{Seed: 1})
		e := tree.workers[threads-1].engine.(*toyEngine)
		e.OnStep = func(e *toyEngine, _ *atomic.Bool) error {
			if e.Steps == 40 {
				panic("engine on fire")
			}
			return nil
		}
		func() {
			defer func() {
				err, ok := recover().(error)
				if !ok || !strings.Contains(err.Error(), "engine on fire") {
					t.Errorf("recovered %v", err)
				}
			}()
			_, _ = tree.Search(nil, Budget{})
		}()
		if err := tree.check(); err != nil {
			t.Fatal(err)
		}
		mustSearch(t, tree, 1000)
	}
}

// stuck has a prefix without a move everywhere below the first turn.
type stuck struct{ toys.SplitTicTacToe }

func (g stuck) Offers(s []uint64, role int, prefix []uint32) []uint32 {
	if s[0] != 0 && len(prefix) == 1 {
		return nil
	}
	return g.SplitTicTacToe.Offers(s, role, prefix)
}

// blind plays on at random where stuck has no move, so that the tree is the
// first to see it, in many lanes at once.
func TestNoMove(t *testing.T) {
	variants(t, func(t *testing.T, lanes, threads int) {
		g := stuck{}
		var engines []engine.Engine
		for range threads {
			engines = append(engines, &blind{newToyEngine(g.SplitTicTacToe, lanes, 1), g})
		}
		tree := New(engines, g.Levels(), Options{})
		if err := tree.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			mustSearch(t, tree, 1000)
			if err := tree.check(); err != nil {
				t.Fatal(err)
			}
		}
		if len(tree.RootEdges(0)) == 0 || tree.live > 10 {
			t.Errorf("%d edges at the root and %d nodes, of a game of one turn", len(tree.RootEdges(0)), tree.live)
		}
	})
}

type blind struct {
	*toyEngine
	seen toy
}

func (b *blind) Offers(lane, role int, prefix []uint32, dst []uint32) []uint32 {
	return append(dst, b.seen.Offers(b.State(lane, nil), role, prefix)...)
}

func TestRootErrors(t *testing.T) {
	e := newToyEngine(toys.TicTacToe{}, 1, 1)
	e.OnStep = func(*toyEngine, *atomic.Bool) error { return errRule }
	tree := New([]engine.Engine{e}, []int{1, 1}, Options{})
	if err := tree.SetRoot([]uint64{0, 0}); !errors.Is(err, errRule) {
		t.Errorf("error %v", err)
	}
	if _, err := tree.Search(nil, Budget{}); !errors.Is(err, ErrNoRoot) {
		t.Errorf("error %v", err)
	}
	if New(nil, []int{1}, Options{}).SetRoot(nil) == nil {
		t.Error("a tree without engines got a root")
	}
}
