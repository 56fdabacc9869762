package minimax

import (
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/internal/toys"
)

// threads is alpha-beta on so many engines, at the initial state of a game.
func threads(t *testing.T, g toys.Game, o Options, engines ...*toys.Engine) *AlphaBeta {
	t.Helper()
	list := make([]engine.Engine, len(engines))
	for i, e := range engines {
		list[i] = e
	}
	a := NewAlphaBeta(list, g.Levels(), o)
	if err := a.SetRoot(g.Initial()); err != nil {
		t.Fatal(err)
	}
	return a
}

// What several threads prove together is what brute force finds, from the initial state to the
// end of a match.
func TestThreadsProve(t *testing.T) {
	for i, g := range []toys.Game{toys.TicTacToe{}, toys.SplitTicTacToe{}, toys.Nim{Heaps: []uint64{3, 4, 5}}, rows{4, 3}, pawns{}, sown{rows{4, 3}, 3}} {
		for _, n := range []int{2, 5} {
			t.Run(fmt.Sprintf("%T with %d", g, n), func(t *testing.T) {
				known := map[[4]uint64][]float64{}
				engines := make([]*toys.Engine, n)
				for k := range engines {
					engines[k] = toys.NewEngine(g, 64, uint64(k))
				}
				a := threads(t, g, Options{Evaluate: opinion(i)}, engines...)
				for state := g.Initial(); !g.Terminal(state); {
					r, err := a.Search(nil, search.Budget{})
					if err != nil || len(a.others) != n-1 {
						t.Fatalf("%d others, %v", len(a.others), err)
					}
					want := truth(g, state, known)
					for role, v := range want {
						if math.Abs(r.Low[role]-v) > 1e-6 || math.Abs(r.High[role]-v) > 1e-6 {
							t.Fatalf("state %v: bounds %v to %v, want %v", state, r.Low, r.High, want)
						}
					}
					var joint []uint32
					for role := range g.Levels() {
						path, ok := a.Best(role)
						if !ok {
							t.Fatalf("state %v: no move for role %d", state, role)
						}
						joint = append(joint, path...)
					}
					if state = g.Play(state, joint); !a.Advance(joint) && !g.Terminal(state) {
						t.Fatalf("state %v: no root", state)
					}
				}
			})
		}
	}
}

// The deepest of the threads counts: here the first one stands still.
func TestDeepestThreadCounts(t *testing.T) {
	g := toys.Long{}
	first, second := toys.NewEngine(g, 16, 1), toys.NewEngine(g, 16, 2)
	a := threads(t, g, Options{Evaluate: opinion(1)}, first, second)
	var stop atomic.Bool
	steps := 0
	first.OnStep = func(_ *toys.Engine, stop *atomic.Bool) error {
		for steps++; steps > 8 && !stop.Load(); {
			time.Sleep(time.Millisecond)
		}
		return nil
	}
	others := 0
	second.OnStep = func(*toys.Engine, *atomic.Bool) error {
		if others++; others == 2000 {
			stop.Store(true)
		}
		return nil
	}
	r, err := a.Search(&stop, search.Budget{})
	if err != nil || a.depth < 4 || r.States < 2000 {
		t.Errorf("depth %d after %+v, %v", a.depth, r, err)
	}
	if _, ok := a.Best(0); !ok {
		t.Error("there is no move")
	}
}

// A thread that breaks down helps no more, and what it did is counted; the search goes on.
func TestThreadBreaksDown(t *testing.T) {
	g := toys.Long{}
	for name, broken := range map[string]func(*toys.Engine, *atomic.Bool) error{
		"error": func(*toys.Engine, *atomic.Bool) error { return errors.New("broken") },
		"panic": func(*toys.Engine, *atomic.Bool) error { panic("broken") },
	} {
		t.Run(name, func(t *testing.T) {
			engines := []*toys.Engine{toys.NewEngine(g, 16, 1), toys.NewEngine(g, 16, 2), toys.NewEngine(g, 16, 3)}
			a := threads(t, g, Options{Evaluate: opinion(1)}, engines...)
			steps := 0
			engines[1].OnStep = func(e *toys.Engine, stop *atomic.Bool) error {
				if steps++; steps < 10 {
					return nil
				}
				return broken(e, stop)
			}
			total := 0
			for range 2 {
				r, err := a.Search(nil, search.Budget{Time: 50 * time.Millisecond})
				if err != nil || len(a.others) != 1 || r.States <= 0 {
					t.Fatalf("%d others, %+v, %v", len(a.others), r, err)
				}
				total += r.States
			}
			if played := engines[0].Played + engines[1].Played + engines[2].Played; total < played {
				t.Errorf("%d joint moves of %d are counted", total, played)
			}
		})
	}
}

// A panic of the first thread's engine ends the others as well.
func TestFirstThreadPanics(t *testing.T) {
	g := toys.Long{}
	first, second := toys.NewEngine(g, 16, 1), toys.NewEngine(g, 16, 2)
	a := threads(t, g, Options{Evaluate: opinion(1)}, first, second)
	first.OnStep = func(*toys.Engine, *atomic.Bool) error { panic("broken") }
	func() {
		defer func() {
			if recover() == nil {
				t.Error("there is no panic")
			}
		}()
		_, _ = a.Search(nil, search.Budget{})
	}()
	before := second.Steps
	if time.Sleep(20 * time.Millisecond); second.Steps != before {
		t.Error("the other thread goes on")
	}
}

// Budgets that count are for one thread, so that the same search twice is the same.
func TestCountedBudgetsOfThreads(t *testing.T) {
	g := toys.Long{}
	first, second := toys.NewEngine(g, 16, 1), toys.NewEngine(g, 16, 2)
	a := threads(t, g, Options{Evaluate: opinion(1)}, first, second)
	if r, err := a.Search(nil, search.Budget{States: 1000}); err != nil || r.States < 1000 || second.Steps > 0 {
		t.Errorf("%+v, %v, %d Steps of the other thread", r, err, second.Steps)
	}
}

// Each thread comes to each of the brothers once, and where there are enough most begin at different ones.
func TestBegins(t *testing.T) {
	const many = 5
	all := make([]*AlphaBeta, many)
	for i := range all {
		all[i] = new(AlphaBeta)
	}
	gather(all)
	for n := 1; n <= 12; n++ {
		firsts := map[int]bool{}
		for _, s := range all {
			firsts[s.begins(0, n)] = true
			met := map[int]bool{}
			for turn := range n {
				met[s.begins(turn, n)] = true
			}
			for i := range n {
				if !met[i] {
					t.Errorf("thread %d comes to %v of %d", s.number, met, n)
				}
			}
		}
		if n >= 2*many && len(firsts) < many-1 {
			t.Errorf("of %d brothers %d threads begin at %v", n, many, firsts)
		}
	}
}
