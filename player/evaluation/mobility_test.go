package evaluation

import (
	"testing"

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
