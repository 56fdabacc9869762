package reasoner_test

import (
	"slices"
	"sync/atomic"
	"testing"

	"semisplit/games"
	"semisplit/reasoner"
)

// TestReadingGoals: who reads the goals of lanes that ended changes nothing in
// the others. Skirmish asks whether there is a legal move, so that its engines
// choose moves before goals are read, and play them after that.
func TestReadingGoals(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	game, err := games.Load("skirmish")
	if err != nil {
		t.Fatal(err)
	}
	program, diagnostics := reasoner.Read(game.Rules)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	for _, plan := range []string{"orthodox", "mod", "modshift"} {
		m, err := reasoner.Build(t.Context(), program, reasoner.Variant{Engine: "lanes", Plan: plan, Lanes: 64}, reasoner.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		read, plain := m.NewEngine(1), m.NewEngine(1)
		const lanes = 4
		for lane := range lanes {
			read.Load(lane, m.Initial(), nil)
			plain.Load(lane, m.Initial(), nil)
		}
		goals := make([]float64, len(m.Roles()))
		for step := range 500 {
			ended, err := read.Step(new(atomic.Bool))
			if err != nil {
				t.Fatal(err)
			}
			over, err := plain.Step(new(atomic.Bool))
			if err != nil || !slices.Equal(ended, over) {
				t.Fatalf("plan %s, step %d: ended %x, without reading %x, %v", plan, step, ended, over, err)
			}
			for lane := range lanes {
				if !slices.Equal(read.State(lane, nil), plain.State(lane, nil)) {
					t.Fatalf("plan %s, step %d: lane %d is in another state", plan, step, lane)
				}
				if ended[0]>>lane&1 != 0 {
					read.Goals(lane, goals)
					read.Load(lane, m.Initial(), nil)
					plain.Load(lane, m.Initial(), nil)
				}
			}
		}
	}
}
