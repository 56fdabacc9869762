package evaluation

import (
	"errors"
	"math"
	"slices"
	"testing"

	"semisplit/kif"
	"semisplit/player/internal/gametest"
)

// What moves are worth stays with the plan whose moves were counted.
func TestMobilityStaysWithThePlan(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	whole, split := gametest.Lanes(t, program, "orthodox"), gametest.Lanes(t, program, "mod")
	e := New(make([]float64, 2), make([]float32, 128*len(whole.Initial())), fluentNames(whole))
	e.Mobility = &Mobility{Plan: whole.Plan(), Usual: make([]Usual, 2), Slopes: make([]float64, 4)}
	if !e.On(whole).CountsMoves() || e.On(split).CountsMoves() || !e.CountsMoves() {
		t.Error("moves are counted by another plan than they were learned on")
	}
}

// A gain has to be large, and beyond chance.
func TestNoticeableGain(t *testing.T) {
	good := Gain{Before: 0.2, After: 0.19, Deviation: 0.004, Positions: 1000, Matches: 50}
	if !good.Noticeable() {
		t.Errorf("%+v is not noticeable", good)
	}
	for what, change := range map[string]func(g *Gain){
		"small": func(g *Gain) { g.Before, g.Deviation = 0.191, 0 }, "chance": func(g *Gain) { g.Deviation = 0.006 }, "few": func(g *Gain) { g.Matches = 4 },
		"loss": func(g *Gain) { g.After = 0.21 }, "none": func(g *Gain) { *g = Gain{Matches: 10} },
	} {
		g := good
		if change(&g); g.Noticeable() {
			t.Errorf("%s: %+v is noticeable", what, g)
		}
	}
}

// What moves are worth is stored, for roles in any order and the plan whose moves were
// counted; what could not have been learned is refused.
func TestMobilityIsStored(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	whole, split := gametest.Lanes(t, program, "orthodox"), gametest.Lanes(t, program, "mod")
	same := func(u kif.Term) (kif.Term, bool) { return u, true }
	learned := func() *Stored {
		e := New([]float64{0, 1}, make([]float32, 128*len(whole.Initial())), fluentNames(whole))
		e.Source, e.Quality = FromMatches, make([]Quality, 2)
		e.Mobility = &Mobility{Plan: whole.Plan(), Usual: []Usual{{20, 3}, {25, 4}}, Slopes: []float64{1, -1, -2, 2}}
		return e.Store(whole, same)
	}
	values := func(s *Stored, moves ...int32) []float64 {
		t.Helper()
		e, err := s.Evaluation(whole, same)
		if err != nil {
			t.Fatal(err)
		}
		v := make([]float64, 2)
		e.ValuesWithMoves(whole.Initial(), moves, v)
		return v
	}
	straight, turned := learned(), learned()
	slices.Reverse(turned.Roles)
	for _, moves := range [][2]int32{{30, 1}, {1, 30}} {
		few, many := values(straight, 1, 1), values(straight, moves[0], moves[1])
		if slices.Equal(few, many) {
			t.Errorf("%v moves are worth nothing", moves)
		}
		again := values(turned, moves[1], moves[0])
		if slices.Reverse(again); !slices.Equal(many, again) {
			t.Errorf("%v moves: %v, with the roles in the other order %v", moves, many, again)
		}
	}
	if e, err := straight.Evaluation(split, same); err != nil || e.CountsMoves() {
		t.Errorf("moves of another plan count: %v", err)
	}
	for what, spoil := range map[string]func(m *Mobility){
		"a mover":  func(m *Mobility) { m.Usual = m.Usual[1:] },
		"a slope":  func(m *Mobility) { m.Slopes = m.Slopes[1:] },
		"a number": func(m *Mobility) { m.Slopes[2] = math.NaN() },
		"a spread": func(m *Mobility) { m.Usual[0].Deviation = -1 },
	} {
		bad := learned()
		spoil(bad.Mobility)
		if _, err := bad.Evaluation(whole, same); !errors.Is(err, ErrStored) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
