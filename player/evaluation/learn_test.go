package evaluation

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"semisplit/kif"
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

// Features are the fluents, the patterns that cover several, and how far along
// arguments are that the rules put in a row.
func TestFeatures(t *testing.T) {
	program := gametest.Program(t, ordered)
	if got := orders(program); len(got) != 1 || got[0]["1"] != 0 || got[0]["4"] != 1 || math.Abs(float64(got[0]["2"])-1.0/3) > 1e-6 {
		t.Errorf("orders %v", got)
	}
	m := gametest.Lanes(t, program, "orthodox")
	f := newFeatures(m, program)
	for _, want := range []string{"(at 1 x)", "(at ? x)", "(at 4 ?)", "(at ? ?)", "(at +1 x)", "(at +1 ?)"} {
		if !slices.Contains(f.names, want) {
			t.Errorf("no feature %s in %q", want, f.names)
		}
	}
	if slices.Contains(f.names, "(at ? +1)") {
		t.Error("x and y are not in a row")
	}
}

// A regression finds weights that made the values, and says how good it is.
func TestLearn(t *testing.T) {
	program := gametest.Program(t, ordered)
	m := gametest.Lanes(t, program, "orthodox")
	f := newFeatures(m, program)
	random := rand.New(rand.NewPCG(1, 2))
	var samples []sample
	good := slices.Index(f.names, "(at 3 x)")
	for i := range 4000 {
		state := []uint64{random.Uint64() & (1<<f.known() - 1)}
		v := float32(0.2)
		if state[good/64]>>(good%64)&1 != 0 {
			v = 0.9
		}
		samples = append(samples, sample{state: state, values: []float32{v, 1 - v}, match: uint32(i)})
	}
	e := learnSamples(f, m.Roles(), samples, 1, time.Now().Add(time.Minute))
	if e.Skill() < 0.9 {
		t.Errorf("skill %.3f: %+v", e.Skill(), e.Quality)
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
		samples[i].values = []float32{float32(random.IntN(2)), 0}
	}
	if e := learnSamples(f, m.Roles(), samples, 1, time.Now().Add(time.Minute)); e.Quality[0].Skill() > 0.05 {
		t.Errorf("skill %.3f in a lottery", e.Quality[0].Skill())
	}
}
