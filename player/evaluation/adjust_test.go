package evaluation

import (
	"math"
	"math/rand/v2"
	"testing"

	"semisplit/player/internal/gametest"
)

// A step moves the bias, the weight of each fluent and that of each shape by the same,
// as all of them count once: so the first step can be told beforehand.
func TestAdjustStep(t *testing.T) {
	program := gametest.Bundled(t, "connectfour")
	m := gametest.Lanes(t, program, "orthodox")
	e := shaped(t, m, NewFeatures(m, program), 1, "squares")
	for i, state := range gametest.RandomStates(t, m, 10) {
		a := NewAdjuster(e)
		before, after := make([]float64, 2), make([]float64, 2)
		e.LogOdds(state, before)
		a.step(state, []float32{1, 0})
		a.Evaluation().LogOdds(state, after)
		a.look(state)
		times := map[int32]int{}
		for _, entry := range a.met {
			times[entry]++
		}
		for role, wanted := range []float64{1, 0} {
			slope := Logistic(before[role]) - wanted
			want := float64(1+len(a.fluents)) / math.Sqrt(firstSum+slope*slope)
			for _, n := range times { // a shape that is there n times learns n times, and counts as often
				for k := 1; k <= n; k++ {
					want += float64(n) / math.Sqrt(firstSum+float64(k)*slope*slope)
				}
			}
			if got := after[role] - before[role]; math.Abs(got+adjustRate*slope*want) > 1e-4 {
				t.Errorf("state %d, role %d: by %v, want %v", i, role, got, -adjustRate*slope*want)
			}
		}
		e.LogOdds(state, after)
		if after[0] != before[0] {
			t.Error("the evaluation that it began with has changed")
		}
	}
}

// Where states are worth more than was expected, all of them alike, the bias learns that,
// and no weight does.
func TestAdjustCenters(t *testing.T) {
	program := gametest.Bundled(t, "connectfour")
	m := gametest.Lanes(t, program, "orthodox")
	e := shaped(t, m, NewFeatures(m, program), 1, "squares")
	states := gametest.RandomStates(t, m, 200)
	odds := make([]float64, 2)
	var worth []float32
	for _, state := range states {
		e.LogOdds(state, odds)
		worth = append(worth, float32(Logistic(odds[0]+1)), float32(Logistic(odds[1]-0.5)))
	}
	a := NewAdjuster(e)
	a.Learn(states, worth, rand.New(rand.NewPCG(1, 1)))
	for role, want := range []float64{1, -0.5} {
		if got := a.bias[role] - e.bias[role]; math.Abs(got-want) > 0.05 {
			t.Errorf("role %d: the bias was moved by %v, want %v", role, got, want)
		}
	}
	for i, w := range a.weights {
		if moved := math.Abs(float64(w - e.weights[i])); moved > 1e-3 {
			t.Fatalf("weight %d was moved by %v", i, moved)
		}
	}
}

// Where one wins what the other loses, it stays so to the bit, which is what makes values
// quick to read.
func TestAdjustMirrors(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	m := gametest.Lanes(t, program, "orthodox")
	f := NewFeatures(m, program)
	e := New(make([]float64, 2), make([]float32, 2*f.Bits), f.Names[:f.Bits])
	a := NewAdjuster(e)
	states := gametest.RandomStates(t, m, 200)
	var worth []float32
	for i := range states {
		won := float32(i%3) / 2
		worth = append(worth, won, 1-won)
	}
	a.Learn(states, worth, rand.New(rand.NewPCG(1, 1)))
	learned, odds := a.Evaluation(), make([]float64, 2)
	for i, state := range states {
		if learned.LogOdds(state, odds); odds[0] == 0 || odds[0] != -odds[1] {
			t.Fatalf("state %d: %v", i, odds)
		}
	}
}
