package regression

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/player/evaluation"
	"semisplit/player/internal/gametest"
)

const ordered = `
(role a) (role b)
(init (at 1 x)) (init (at 2 y)) (init (at 3 x))
(succ 1 2) (succ 2 3) (succ 3 4)
(loop 1 2) (loop 2 3) (loop 3 1)
(twice 1 2) (twice 1 3) (twice 2 4)
(<= (legal ?r (go ?n)) (role ?r) (true (at ?n ?s)))
(<= (next (at ?m ?s)) (does a (go ?n)) (true (at ?n ?s)) (succ ?n ?m))
(<= (next (at ?m ?s)) (does a (go ?n)) (true (at ?m ?s)) (distinct ?m ?n))
(<= terminal (true (at 4 ?s)))
(<= (goal a 100) (true (at 4 x))) (<= (goal b 0) (true (at 4 x)))
(<= (goal a 0) (not (true (at 4 x)))) (<= (goal b 100) (not (true (at 4 x))))
`

// What a fluent without arguments is worth is learned as well.
func TestLearnBareFluents(t *testing.T) {
	program := gametest.Program(t, `(role a) (init p) (init q) (legal a (flip p)) (legal a (flip q))
		(<= (next p) (does a (flip q)) (true p)) (<= (next q) (does a (flip p)) (true q))
		(<= terminal (not (true p))) (<= terminal (not (true q))) (<= (goal a 100) (true p)) (<= (goal a 0) (not (true p)))`)
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	p := slices.Index(f.Names, "p")
	if p < 0 {
		t.Fatalf("features %q", f.Names)
	}
	var samples []Sample
	for i := range 2000 {
		won := uint64(i / 7 % 2)
		samples = append(samples, Sample{State: []uint64{won << p}, Values: []float32{float32(won)}, Match: uint32(i)})
	}
	_, test := Divide(samples)
	e := Fit(f, m.Roles(), samples, 1, time.Now().Add(time.Minute))
	if q := Quality(e, test, len(test))[0]; q.ExplainedVariance() < 0.9 {
		t.Errorf("%.3f explained: %+v", q.ExplainedVariance(), q)
	}
}

// A regression finds weights that made the values, and says how good it is.
func TestLearn(t *testing.T) {
	program := gametest.Program(t, ordered)
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	random := rand.New(rand.NewPCG(1, 2))
	var samples []Sample
	good := slices.Index(f.Names, "(at 3 x)")
	for i := range 4000 {
		state := []uint64{random.Uint64() & (1<<f.Known() - 1)}
		v := float32(0.2)
		if state[good/64]>>(good%64)&1 != 0 {
			v = 0.9
		}
		samples = append(samples, Sample{State: state, Values: []float32{v, 1 - v}, Match: uint32(i)})
	}
	_, test := Divide(samples)
	e := Fit(f, m.Roles(), samples, 1, time.Now().Add(time.Minute))
	e.Quality = Quality(e, test, len(test))
	if e.ExplainedVariance() < 0.9 {
		t.Errorf("%.3f explained: %+v", e.ExplainedVariance(), e.Quality)
	}
	values := make([]float64, 2)
	e.Values([]uint64{1 << good}, values)
	if math.Abs(values[0]-0.9) > 0.15 || math.Abs(values[0]+values[1]-1) > 0.1 {
		t.Errorf("values %v", values)
	}
	if best := e.Features[0]; !strings.Contains(best.Feature, "3") && !strings.Contains(best.Feature, "x") || best.Weight <= 0 || !kif.Equal(best.Role, m.Roles()[0]) {
		t.Errorf("the strongest feature is %+v", best)
	}

	// What is drawn by lot cannot be predicted.
	for i := range samples {
		samples[i].Values = []float32{float32(random.IntN(2)), 0}
	}
	if q := Quality(Fit(f, m.Roles(), samples, 1, time.Now().Add(time.Minute)), test, len(test)); q[0].ExplainedVariance() > 0.05 {
		t.Errorf("%.3f explained in a lottery", q[0].ExplainedVariance())
	}
}

// In a few hundred matches in which the number of pieces and a lot of chance
// decide, broad features predict better than all of them, and are taken.
func TestBroadFeatures(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	random := rand.New(rand.NewPCG(1, 2))
	var squares []int
	for bit, name := range f.Names[:f.Bits] {
		if len(name) > 5 && name[:5] == "(cell" {
			squares = append(squares, bit)
		}
	}
	white := map[int]bool{}
	for _, bit := range squares {
		white[bit] = f.Names[bit][len(f.Names[bit])-6:] == "white)"
	}
	var samples []Sample
	for position := range 2400 {
		match := uint32(position / 8)
		state := make([]uint64, len(m.Initial()))
		more := 0.0
		for range 16 {
			bit := squares[random.IntN(len(squares))]
			if state[bit/64]>>(bit%64)&1 == 0 {
				state[bit/64] |= 1 << (bit % 64)
				more += map[bool]float64{true: 1, false: -1}[white[bit]]
			}
		}
		won := float32(0)
		if random.Float64() < 1/(1+math.Exp(-more/2)) {
			won = 1
		}
		samples = append(samples, Sample{State: state, Values: []float32{won, 1 - won}, Match: match})
	}
	never := time.Now().Add(time.Hour)
	all, allError := fitClosed(f, evaluation.MostClosed, m.Roles(), samples, 1, never)
	broad, broadError := fitClosed(f, 1, m.Roles(), samples, 1, never)
	best := Fit(f, m.Roles(), samples, 1, never)
	if broadError >= allError || ErrorOn(best, samples) > ErrorOn(broad, samples)+1e-9 || ErrorOn(best, samples) >= ErrorOn(all, samples) {
		t.Errorf("squared error %.4f with all features, %.4f with broad ones, %.4f with what was taken", allError, broadError, ErrorOn(best, samples))
	}
	if !slices.ContainsFunc(best.Features, func(s evaluation.FeatureWeight) bool { return s.Feature == "(cell ? ? white)" }) {
		t.Errorf("features %+v", best.Features)
	}
}

// An evaluation is measured by the best line through it that rises.
func TestQuality(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	weights := make([]float32, 64*2)
	weights[0], weights[1] = 4, -4 // far too sure of itself
	e := evaluation.New(make([]float64, 2), weights, nil)
	var test []*Sample
	for i := range uint32(20_000) {
		state := []uint64{random.Uint64() & 1}
		v := float32(0)
		if random.Float64() < 0.45+0.1*float64(state[0]) {
			v = 1
		}
		test = append(test, &Sample{State: state, Values: []float32{v, v}, Match: i})
	}
	q := Quality(e, test, len(test))
	// A tenth between two equally frequent means: variance 0.0025 of 0.25.
	if got := q[0].ExplainedVariance(); math.Abs(got-0.01) > 0.004 || q[0].Error <= q[0].Constant {
		t.Errorf("%.4f explained, want 0.01; %+v", got, q[0])
	}
	if got := q[1].ExplainedVariance(); got > 0 {
		t.Errorf("%.4f explained where it says the opposite", got)
	}
}
