package mcts

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"semisplit/search"
	"semisplit/search/internal/toys"
	"semisplit/search/stats"
)

// stopAfter makes an engine set a flag after so many Steps from now on.
func stopAfter(e *toyEngine, steps int, stop *atomic.Bool) {
	stop.Store(false)
	e.OnStep = func(*toyEngine, *atomic.Bool) error {
		if steps--; steps == 0 {
			stop.Store(true)
		}
		return nil
	}
}

// A search in slices does Step for Step what it does as a whole.
func TestSlices(t *testing.T) {
	for name, o := range map[string]Options{
		"plain":          {},
		"proven":         {Solver: true, Transpositions: true},
		"with knowledge": {Mast: stats.Mast{Kind: stats.Split}, Rave: stats.Rave{Kind: stats.Split}, Raw: true},
	} {
		t.Run(name, func(t *testing.T) {
			const steps = 210
			run := func(slice int) ([]search.EdgeStats, int) {
				o.Seed, o.LanesInFlight = 2, 7
				e := newSteered(toys.SplitTicTacToe{}, 8, 10, 5)
				mc := newSearcher(e, []int{2, 2}, usual(o), 0)
				if err := mc.SetRoot([]uint64{0, 0}); err != nil {
					t.Fatal(err)
				}
				iterations, turn := 0, time.Now().Add(time.Hour)
				for left := steps; left > 0; left -= slice {
					if left == slice {
						turn = time.Time{}
					}
					var stop atomic.Bool
					stopAfter(e.Engine, slice, &stop)
					r, err := mc.Search(&stop, search.Budget{Turn: turn})
					if err != nil {
						t.Fatal(err)
					}
					iterations += r.Iterations
				}
				if err := mc.check(); err != nil {
					t.Error(err)
				}
				return mc.RootEdges(0), iterations
			}
			whole, all := run(steps)
			for _, slice := range []int{1, 7, 35} {
				edges, iterations := run(slice)
				if diff := cmp.Diff(whole, edges); diff != "" || iterations != all {
					t.Errorf("slices of %d steps: %d iterations, %d as a whole: %s", slice, iterations, all, diff)
				}
			}
		})
	}
}

// What is in flight is given up where it cannot go on: by a move, at a new root, before
// a budget that is counted, and when an engine fails.
func TestSlicesGivenUp(t *testing.T) {
	for _, threads := range []int{1, 2} {
		f := told(t, toys.TicTacToe{}, threads, Options{Seed: 1})
		slice := func() search.Report {
			t.Helper()
			now := time.Now()
			r, err := f.Search(nil, search.Budget{Deadline: now.Add(time.Millisecond), Turn: now.Add(time.Hour)})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		atRest := func(when string) {
			t.Helper()
			for _, mc := range f.trees {
				if err := mc.check(); err != nil {
					t.Errorf("%d threads, %s: %v", threads, when, err)
				}
			}
		}
		for slice().RootVisits < 2000 { // a busy machine takes several to try all moves often
		}
		if !f.Advance([]uint32{4, 9}) {
			t.Fatal("lost")
		}
		atRest("after a move")
		slice()
		if err := f.SetRoot([]uint64{0, 0}); err != nil {
			t.Fatal(err)
		}
		atRest("at a new root")
		slice()
		mustForest(t, f, 10)
		atRest("after a budget that is counted")
		slice()
		if _, err := f.Search(nil, search.Budget{Time: time.Millisecond}); err != nil {
			t.Fatal(err)
		}
		atRest("after the last slice")
		slice()
		for _, tr := range f.trees {
			w := tr.worker
			w.engine.(*toyEngine).OnStep = func(*toyEngine, *atomic.Bool) error { return fmt.Errorf("broken") }
		}
		if _, err := f.Search(nil, search.Budget{Time: time.Second, Turn: time.Now().Add(time.Hour)}); err == nil {
			t.Error("no error")
		}
		for _, tr := range f.trees {
			w := tr.worker
			w.engine.(*toyEngine).OnStep = nil
		}
		mustForest(t, f, 10)
		atRest("after a fault")
	}
}
