package mcts

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"semisplit/search"
	"semisplit/search/internal/toys"
)

var errRule = errors.New("rule error")

// A set flag ends the search before another Step, at whatever Step it comes.
func TestStopAtAnyStep(t *testing.T) {
	oneThread(t)
	for at := 1; at < 60; at++ {
		mc := toyTree(toys.SplitTicTacToe{}, 64, Options{Seed: uint64(at)})
		mustSearch(t, mc, 1+at%3*100)
		e := mc.worker.engine.(*toyEngine)
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
		before := mc.RootVisits()
		r, err := mc.Search(&stop, search.Budget{})
		if err != nil {
			t.Fatalf("stopped at step %d: %v", at, err)
		}
		if e.Steps-first != at {
			t.Errorf("%d steps after the stop", e.Steps-first-at)
		}
		if err := mc.check(); err != nil {
			t.Fatal(err)
		}
		if mc.RootVisits() != before+r.Iterations {
			t.Errorf("%d visits, %d before, %d iterations", mc.RootVisits(), before, r.Iterations)
		}
		e.OnStep = nil
		mustSearch(t, mc, 500)
	}
}

// A game that ends inside the tree never calls the engine; the flag counts.
func TestStopInsideTheTree(t *testing.T) {
	mc := toyTree(toys.Matrix{Pay: [][][2]float64{{{1, 0}, {0, 1}}}}, 1, Options{})
	mustSearch(t, mc, 500)
	var stop atomic.Bool
	done := make(chan search.Report)
	go func() {
		r, _ := mc.Search(&stop, search.Budget{})
		done <- r
	}()
	stop.Store(true)
	<-done
	if err := mc.check(); err != nil {
		t.Error(err)
	}
}

func TestEngineError(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.TicTacToe{}, 64, Options{Seed: 1})
	e := mc.worker.engine.(*toyEngine)
	e.OnStep = func(e *toyEngine, _ *atomic.Bool) error {
		if e.Steps == 40 {
			return errRule
		}
		return nil
	}
	r, err := mc.Search(nil, search.Budget{})
	if !errors.Is(err, errRule) {
		t.Fatalf("error %v", err)
	}
	if r.Iterations == 0 || r.RootVisits != r.Iterations || len(r.Line) == 0 {
		t.Errorf("report %+v", r)
	}
	if err := mc.check(); err != nil {
		t.Fatal(err)
	}
	if _, ok := mc.Best(0); !ok {
		t.Error("no best move after an error")
	}
	mustSearch(t, mc, 1000)
}

func TestEnginePanic(t *testing.T) {
	oneThread(t)
	mc := toyTree(toys.TicTacToe{}, 64, Options{Seed: 1})
	e := mc.worker.engine.(*toyEngine)
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
		_, _ = mc.Search(nil, search.Budget{})
	}()
	if err := mc.check(); err != nil {
		t.Fatal(err)
	}
	mustSearch(t, mc, 1000)
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
	variants(t, func(t *testing.T, lanes int) {
		g := stuck{}
		mc := newSearcher(&blind{newToyEngine(g.SplitTicTacToe, lanes, 1), g}, g.Levels(), usual(Options{}), 0)
		if err := mc.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			mustSearch(t, mc, 1000)
			if err := mc.check(); err != nil {
				t.Fatal(err)
			}
		}
		if len(mc.RootEdges(0)) == 0 || mc.tree.Live > 10 {
			t.Errorf("%d edges at the root and %d nodes, of a game of one turn", len(mc.RootEdges(0)), mc.tree.Live)
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
	mc := newSearcher(e, []int{1, 1}, usual(Options{}), 0)
	if err := mc.SetRoot([]uint64{0, 0}); !errors.Is(err, errRule) {
		t.Errorf("error %v", err)
	}
	if _, err := mc.Search(nil, search.Budget{}); !errors.Is(err, search.ErrNoRoot) {
		t.Errorf("error %v", err)
	}
	if newSearcher(e, nil, usual(Options{}), 0).SetRoot(nil) == nil {
		t.Error("a tree without roles got a root")
	}
}

// Prefixes that lead nowhere are not all tried before the flag is looked at, however many
// there are.
func TestStopAmongDeadPrefixes(t *testing.T) {
	oneThread(t)
	for name, o := range map[string]Options{"nodal": {}, "raw": {Raw: true}} {
		t.Run(name, func(t *testing.T) {
			var stop atomic.Bool
			asked := 0
			mc := toyTree(toys.Haystack{Asked: func() {
				switch asked++; asked {
				case 10_000:
					stop.Store(true)
				case 2_000_000:
					panic("the flag was not heard")
				}
			}}, 8, o)
			if _, err := mc.Search(&stop, search.Budget{}); err != nil || !stop.Load() {
				t.Errorf("stopped: %v, error %v", stop.Load(), err)
			}
		})
	}
}
