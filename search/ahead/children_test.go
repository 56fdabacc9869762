package ahead

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"semisplit/search/engine"
	"semisplit/search/internal/toys"
)

// surveyed looks at the state of each lane of an engine that has not ended, and
// returns what it is worth; nil: that is not known.
func surveyed(t *testing.T, o *ChildEvaluator, e engine.Engine, ended []uint64) [][]float64 {
	t.Helper()
	values := make([][]float64, e.Lanes())
	for lane := range values {
		if ended[lane/64]>>(lane%64)&1 == 0 {
			o.Add(lane, &values[lane])
		}
	}
	if err := o.Find(e, nil); err != nil {
		t.Fatal(err)
	}
	return values
}

// bestOf is what the evaluation says of the state that the mover likes best, by brute
// force; nil: there are several movers, or chance moves.
func bestOf(g toys.Game, s []uint64, chance []bool) (best []float64) {
	mover, all := nexts(g, s, chance)
	if mover < 0 && len(all) != 1 {
		return nil
	}
	for _, after := range all {
		values := make([]float64, len(g.Levels()))
		if g.Terminal(after) {
			copy(values, g.Goals(after))
		} else {
			hashes{}.Values(after, values)
		}
		if best == nil || values[max(mover, 0)] > best[max(mover, 0)] {
			best = values
		}
	}
	return best
}

// A state is worth what the best move leads to, in all states that random playouts
// come to.
func TestChildEvaluator(t *testing.T) {
	for _, c := range lookedAt {
		t.Run(c.name, func(t *testing.T) {
			chance := make([]bool, len(c.game.Levels()))
			copy(chance, c.chance)
			for _, lookahead := range []int{1, 7, 200} {
				e := toys.NewEngine(c.game, 70, 3)
				o := NewChildEvaluator(toys.NewEngine(c.game, lookahead, 4), c.game.Levels(), chance, hashes{}, 5)
				for lane := range e.Lanes() {
					e.Load(lane, c.game.Initial(), nil)
				}
				known := 0
				for range 12 {
					ended, err := e.Step(nil)
					if err != nil {
						t.Fatal(err)
					}
					for lane, worth := range surveyed(t, o, e, ended) {
						if ended[lane/64]>>(lane%64)&1 != 0 {
							e.Load(lane, c.game.Initial(), nil)
							continue
						}
						s := e.State(lane, nil)
						if want := bestOf(c.game, s, chance); !slices.Equal(worth, want) {
							t.Fatalf("%d lanes to look with: %o is worth %v, and its best move leads to %v", lookahead, s, worth, want)
						}
						if worth != nil {
							known++
						}
					}
				}
				if known == 0 && c.name != "matrix" {
					t.Error("nothing was worth anything")
				}
			}
		})
	}
}

// An error of the engine that looks ends Find, and the next one begins anew.
func TestChildEvaluatorStops(t *testing.T) {
	g := toys.TicTacToe{}
	e, lookahead := toys.NewEngine(g, 4, 1), toys.NewEngine(g, 5, 2)
	o := NewChildEvaluator(lookahead, g.Levels(), []bool{false, false}, hashes{}, 3)
	for lane := range e.Lanes() {
		e.Load(lane, g.Initial(), nil)
	}
	ended, err := e.Step(nil)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("broken")
	for after := range 5 {
		lookahead.OnStep = func(*toys.Engine, *atomic.Bool) error {
			if after--; after < 0 {
				return broken
			}
			return nil
		}
		worth := []float64{-1}
		o.Add(0, &worth)
		o.Add(1, &worth)
		if err := o.Find(e, nil); (err != nil) != (after < 0) || err != nil && !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		} else if err != nil && worth[0] != -1 {
			t.Error("there is a worth, though not all moves were looked at")
		}
		lookahead.OnStep = nil
		for lane, worth := range surveyed(t, o, e, ended) {
			if want := bestOf(g, e.State(lane, nil), nil); !slices.Equal(worth, want) {
				t.Errorf("after an error: %v, want %v", worth, want)
			}
		}
	}
}
