package greedy

import (
	"math"
	"testing"
	"time"

	"semisplit/player/evaluation"
	"semisplit/player/internal/gametest"
)

// With lambda one half the position before the last is taught the mean of what was
// expected there and of what the last one is taught, and so on towards the start.
func TestReturns(t *testing.T) {
	for _, c := range []struct {
		lambda float32
		want   []float32
	}{
		{0.5, []float32{0.5*0.5 + 0.5*(0.5*0.25+0.5*(0.5*0.75+0.5*1)), 0.5*0.25 + 0.5*(0.5*0.75+0.5*1), 0.5*0.75 + 0.5*1}},
		{1, []float32{1, 1, 1}},
	} {
		match := &match{thought: []float32{0.5, 0.5, 0.25, 0.75, 0.75, 0.25}}
		aim(match, []float32{1, 0}, c.lambda)
		for i, want := range c.want {
			if a, b := match.thought[2*i], match.thought[2*i+1]; math.Abs(float64(a-want)) > 1e-6 || math.Abs(float64(a+b-1)) > 1e-6 {
				t.Errorf("lambda %v, position %d: %v and %v, want %v", c.lambda, i, a, b, want)
			}
		}
	}
}

// Matches that are few for the fluents of the game are learned from as a whole.
func TestFewMatches(t *testing.T) {
	m := gametest.Lanes(t, gametest.Bundled(t, "breakthrough"), "orthodox")
	g := New(m, evaluation.NewFeatures(m, gametest.Bundled(t, "breakthrough")), 1)
	g.Done = sideBySide
	for _, c := range []struct {
		left   time.Duration
		sparse bool
	}{{time.Minute, false}, {5 * time.Second, true}} {
		g.begun, g.until = time.Now().Add(-time.Second), time.Now().Add(c.left)
		if g.plan(); g.sparse != c.sparse || (g.lambda == 1) != c.sparse {
			t.Errorf("%v left: few %v, lambda %v", c.left, g.sparse, g.lambda)
		}
	}
}
