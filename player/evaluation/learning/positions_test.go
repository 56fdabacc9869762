package learning

import (
	"testing"
	"time"

	"semisplit/player/evaluation"
	"semisplit/player/evaluation/greedy"
	"semisplit/player/evaluation/regression"
	"semisplit/player/internal/gametest"
)

// Positions of matches that were held out are told apart by match and thread.
func TestHeldOut(t *testing.T) {
	all := []*greedy.Matches{{}, {}}
	for _, g := range all {
		g.Test = []regression.Sample{{Match: 5}, {Match: 5}, {Match: 10}}
	}
	if test := heldOut(all); len(test) != 6 || regression.Matches(test) != 4 {
		t.Errorf("%d positions of %d matches", len(test), regression.Matches(test))
	}
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	g := greedy.New(m, evaluation.NewFeatures(m, program), 1)
	if err := g.Run(t.Context(), time.Now().Add(time.Hour), 50); err != nil {
		t.Fatal(err)
	}
	for _, s := range g.Test {
		if !s.HeldOut() {
			t.Fatalf("match %d was held out", s.Match)
		}
	}
	if len(g.Test) == 0 {
		t.Error("nothing is kept")
	}
}
