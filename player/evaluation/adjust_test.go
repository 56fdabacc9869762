package evaluation

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"semisplit/player/internal/gametest"
)

var someSteps = Steps{Rate: 0.01, First: 100}

// A step moves the bias, the weight of each fluent and that of each shape by the same,
// as all of them count once: so the first step can be told beforehand.
func TestAdjustStep(t *testing.T) {
	program := gametest.Bundled(t, "connectfour")
	m := gametest.Lanes(t, program, "orthodox")
	e := shaped(t, m, NewFeatures(m, program), 1, "squares")
	for i, state := range gametest.RandomStates(t, m, 10) {
		a := NewAdjuster(e, someSteps)
		before, after := make([]float64, 2), make([]float64, 2)
		e.LogOdds(state, before)
		a.Step(state, []float32{1, 0})
		a.Evaluation().LogOdds(state, after)
		a.look(state)
		times := map[int32]int{}
		for _, entry := range a.met {
			times[entry]++
		}
		for role, wanted := range []float64{1, 0} {
			slope := Logistic(before[role]) - wanted
			want := float64(1+len(a.fluents)) / math.Sqrt(float64(someSteps.First)+slope*slope)
			for _, n := range times { // a shape that is there n times learns n times, and counts as often
				for k := 1; k <= n; k++ {
					want += float64(n) / math.Sqrt(float64(someSteps.First)+float64(k)*slope*slope)
				}
			}
			if got := after[role] - before[role]; math.Abs(got+someSteps.Rate*slope*want) > 1e-4 {
				t.Errorf("state %d, role %d: by %v, want %v", i, role, got, -someSteps.Rate*slope*want)
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
	a := NewAdjuster(e, someSteps)
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

// Where states are worth something else than was firmly expected, the bias goes there, lesson
// by lesson, and not to and fro.
func TestAdjustCentersSurprises(t *testing.T) {
	const states, lessons = 1000, 8
	for _, c := range []struct{ odds, worth float64 }{{3, 0.5}, {-6, 0.9}, {30, 0.3}} {
		a := NewAdjuster(New([]float64{c.odds, -c.odds}, make([]float32, 2*64), nil), someSteps)
		worth := slices.Repeat([]float32{float32(c.worth), float32(1 - c.worth)}, states)
		for range lessons {
			a.Learn(slices.Repeat([][]uint64{{0}}, states), worth, rand.New(rand.NewPCG(1, 1)))
		}
		values := make([]float64, 2)
		if a.Evaluation().Values([]uint64{0}, values); math.Abs(values[0]-c.worth) > 0.05 {
			t.Errorf("odds of %v, worth %v: then %v", c.odds, c.worth, values)
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
	a := NewAdjuster(e, someSteps)
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

// Weights that are kept for one of two roles are learned as those of both are, until one wins
// what the other does not lose.
func TestAdjustOneForBoth(t *testing.T) {
	program := gametest.Bundled(t, "connectfour")
	m := gametest.Lanes(t, program, "orthodox")
	e := shaped(t, m, NewFeatures(m, program), 1, "squares")
	for _, weights := range [][]float32{e.weights, e.entries} {
		mirror(weights)
	}
	e.fix()
	one, both := NewAdjuster(e, someSteps), NewAdjuster(e, someSteps)
	if both.separate([]float32{1, 1}); !one.mirrored || both.mirrored {
		t.Fatalf("mirrored: %v, %v", one.mirrored, both.mirrored)
	}
	states := gametest.RandomStates(t, m, 60)
	for _, draw := range []float32{0.5, 1} { // for both
		var worth []float32
		for i := range states {
			switch i % 3 {
			case 0:
				worth = append(worth, draw, draw)
			case 1:
				worth = append(worth, 1, 0)
			case 2:
				worth = append(worth, 0.25, 0.75)
			}
		}
		for _, a := range []*Adjuster{one, both} {
			a.Learn(states, worth, rand.New(rand.NewPCG(1, 1)))
			a.Step(states[0], worth[:2])
		}
		if one.mirrored != (draw == 0.5) {
			t.Errorf("mirrored: %v, where both get %v", one.mirrored, draw)
		}
		sameValues(t, "one for both", states, 1e-9, one.Evaluation().LogOdds, both.Evaluation().LogOdds)
	}
}
