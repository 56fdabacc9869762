package evaluation

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"semisplit/kif"
	"semisplit/player/evaluation/shapes"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
)

// shaped is an evaluation with random weights for fluents and for the shapes of some
// families.
func shaped(t *testing.T, m reasoner.Machine, f *Features, seed uint64, families ...string) *Evaluation {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 3))
	l, err := shapes.NewLayout(f.Shapes.Only(func(k *shapes.Kind) bool { return slices.Contains(families, k.Family) }), f.Bits)
	if err != nil || l.Shapes() == 0 {
		t.Fatalf("%d shapes, %v", l.Shapes(), err)
	}
	roles := len(m.Roles())
	weights, entries := make([]float32, f.Bits*roles), make([]float32, l.Entries*roles)
	for bit := range f.Known() {
		for r := range roles {
			weights[bit*roles+r] = float32(random.NormFloat64()) / 8
		}
	}
	for i := range entries {
		entries[i] = float32(random.NormFloat64()) / 8
	}
	e := New(make([]float64, roles), weights, f.Names[:f.Bits])
	e.SetShapes(l, entries)
	e.Source, e.Quality = FromMatches, make([]Quality, roles)
	return e
}

// sameValues holds what states are worth by two evaluations against each other, within an error.
func sameValues(t *testing.T, what string, states [][]uint64, within float64, a, b func(state []uint64, values []float64)) {
	t.Helper()
	x, y := make([]float64, 2), make([]float64, 2)
	for i, state := range states {
		a(state, x)
		b(state, y)
		if math.Abs(x[0]-y[0]) > within || math.Abs(x[1]-y[1]) > within {
			t.Fatalf("%s, state %d: worth %v and %v", what, i, x, y)
		}
	}
}

// What is near a state is worth exactly what it is by itself, with shapes and without.
func TestNear(t *testing.T) {
	program := gametest.Bundled(t, "connectfour")
	m := gametest.Lanes(t, program, "orthodox")
	f := NewFeatures(m, program)
	states := gametest.RandomStates(t, m, 40)
	with := shaped(t, m, f, 1, "rows of 4", "squares")
	for _, e := range []*Evaluation{with, New(make([]float64, 2), with.weights, nil)} {
		n := e.Near()
		for _, from := range states {
			n.From(from)
			sameValues(t, "near", states, 0, e.Values, n.Values)
		}
	}
}

// Shapes go over to the machine of another plan, and through what is stored.
func TestShapesElsewhere(t *testing.T) {
	program := gametest.Bundled(t, "connectfour")
	m, split := gametest.Lanes(t, program, "orthodox"), gametest.Lanes(t, program, "mod")
	e := shaped(t, m, NewFeatures(m, program), 1, "rows of 4", "rows of 2")
	states := gametest.RandomStates(t, m, 40)

	other := e.On(split)
	e.On(m).Mix(shaped(t, m, NewFeatures(m, program), 2, "rows of 4"), 0.5) // changes neither
	sameValues(t, "another plan", states, 1e-9, e.Values, func(state []uint64, values []float64) {
		again, err := split.Encode(m.Fluents(state))
		if err != nil {
			t.Fatal(err)
		}
		other.Values(again, values)
	})

	same := func(u kif.Term) (kif.Term, bool) { return u, true }
	stored := e.Store(m, same)
	found, err := stored.Evaluation(m, same)
	if err != nil {
		t.Fatal(err)
	}
	sameValues(t, "stored", states, 1e-9, e.Values, found.Values)
	for r, role := range m.Roles() {
		strongest := 0.0
		for i := r; i < len(e.weights); i += 2 {
			strongest = max(strongest, math.Abs(float64(e.weights[i])))
		}
		for i := r; i < len(e.entries); i += 2 {
			strongest = max(strongest, math.Abs(float64(e.entries[i])))
		}
		told := slices.IndexFunc(found.Features, func(w FeatureWeight) bool { return kif.Equal(w.Role, role) })
		if told < 0 || math.Abs(found.Features[told].Weight) != strongest {
			t.Errorf("the strongest feature of %s weighs %v: told are %v", role, strongest, found.Features)
		}
	}

	for what, spoil := range map[string]func(s *Stored){
		"a cell that there is not": func(s *Stored) { s.Shapes[0].Shapes[0][0] = 1000 },
		"no cells":                 func(s *Stored) { s.Cells = nil },
		"a fluent that is none":    func(s *Stored) { s.Cells[0].Fluents[0] = "(nothing)" },
		"a value too many":         func(s *Stored) { s.Cells[0].Values = append(s.Cells[0].Values, 0) },
		"a weight too few":         func(s *Stored) { s.Shapes[0].Weights = s.Shapes[0].Weights[1:] },
		"a huge weight":            func(s *Stored) { s.Shapes[0].Weights[0] = 1e30 },
		"no shapes of a kind":      func(s *Stored) { s.Shapes[0].Shapes = nil },
	} {
		// What is stored shares nothing with what it was made of but the shapes.
		bad := shaped(t, m, NewFeatures(m, program), 1, "rows of 4", "rows of 2").Store(m, same)
		if spoil(bad); bad != nil {
			if _, err := bad.Evaluation(m, same); !errors.Is(err, ErrStored) {
				t.Errorf("%s: %v", what, err)
			}
		}
	}
}

// A mixture is worth what its parts are in the middle of the way, whatever shapes each
// of them knows.
func TestMixShapes(t *testing.T) {
	program := gametest.Bundled(t, "connectfour")
	m := gametest.Lanes(t, program, "orthodox")
	f := NewFeatures(m, program)
	states := gametest.RandomStates(t, m, 40)
	plain := func() *Evaluation {
		e := shaped(t, m, f, 2, "squares")
		return New(e.bias, e.weights, e.fluents)
	}
	for what, parts := range map[string][2]*Evaluation{
		"the same":    {shaped(t, m, f, 1, "rows of 4"), shaped(t, m, f, 2, "rows of 4")},
		"others":      {shaped(t, m, f, 1, "rows of 4"), shaped(t, m, f, 2, "squares")},
		"more":        {shaped(t, m, f, 1, "rows of 4"), shaped(t, m, f, 2, "rows of 4", "rows of 2")},
		"none beside": {shaped(t, m, f, 1, "rows of 4"), plain()},
		"some beside": {plain(), shaped(t, m, f, 2, "rows of 4")},
	} {
		a, b := parts[0], parts[1]
		want := func(state []uint64, values []float64) {
			x, y := make([]float64, 2), make([]float64, 2)
			a.LogOdds(state, x)
			b.LogOdds(state, y)
			for r := range values {
				values[r] = 0.75*x[r] + 0.25*y[r]
			}
		}
		var wanted [][]float64
		for _, state := range states {
			wanted = append(wanted, make([]float64, 2))
			want(state, wanted[len(wanted)-1])
		}
		a.Mix(b, 0.25)
		i := -1
		sameValues(t, what, states, 1e-4, func(_ []uint64, values []float64) { i++; copy(values, wanted[i]) }, a.LogOdds)
	}
}
