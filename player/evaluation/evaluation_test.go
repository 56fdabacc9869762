package evaluation

import (
	"math"
	"math/rand/v2"
	"testing"

	"semisplit/player/internal/gametest"
)

// Values are the logistic function of the bias and the weights of the bits that are
// set, for any number of roles, and for weights that end within a word.
func TestValuesSumWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, roles := range []int{1, 2, 3} {
		const bits = 150
		e := &Evaluation{roles: roles, bias: make([]float64, roles), weights: make([]float32, bits*roles)}
		for i := range e.weights {
			e.weights[i] = rng.Float32() - 0.5
		}
		for r := range e.bias {
			e.bias[r] = rng.Float64()
		}
		e.fix()
		for _, counts := range [][]uint64{nil, {rng.Uint64(), rng.Uint64(), rng.Uint64()}} {
			e.counts = counts
			state, want := make([]uint64, 4), append([]float64(nil), e.bias...)
			for bit := range bits {
				if rng.IntN(2) == 0 {
					continue
				}
				state[bit/64] |= 1 << (bit % 64)
				if counts != nil && (bit/64 >= len(counts) || counts[bit/64]>>(bit%64)&1 == 0) {
					continue
				}
				for r := range want {
					want[r] += float64(e.weights[bit*roles+r])
				}
			}
			if counts != nil {
				state = state[:3]
			}
			got := make([]float64, roles)
			e.Values(state, got)
			for r := range want {
				if v := 1 / (1 + math.Exp(-want[r])); math.Abs(v-got[r]) > 1e-5 { // see Logistic
					t.Errorf("%d roles: role %d is worth %v, not %v", roles, r, got[r], v)
				}
			}
		}
	}
}

// An evaluation goes over to the machine of another plan: it says the same of the
// same fluents.
func TestEvaluationOnAnotherMachine(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	whole, split := gametest.Lanes(t, program, "orthodox"), gametest.Lanes(t, program, "mod")
	e := New(make([]float64, 2), make([]float32, 128*len(whole.Initial())), fluentNames(whole))
	for i := range e.weights {
		e.weights[i] = float32(math.Sin(float64(i)))
	}
	e.fix()
	other := e.On(split)
	of, other2 := make([]float64, 2), make([]float64, 2)
	for _, state := range gametest.RandomStates(t, whole, 40) {
		terms := whole.Fluents(state)
		again, err := split.Encode(terms)
		if err != nil {
			t.Fatal(err)
		}
		e.Values(state, of)
		other.Values(again, other2)
		if math.Abs(of[0]-other2[0]) > 1e-5 || math.Abs(of[1]-other2[1]) > 1e-5 {
			t.Fatalf("%v and %v", of, other2)
		}
	}
}

// The choice between evaluations says when none is of use.
func TestUselessEvaluation(t *testing.T) {
	for _, c := range []struct {
		from          Source
		error, before float64
		useful        bool
	}{{FromTrees, 0.1, 0.1, false}, {FromTrees, 0.098, 0.1, false}, {FromTrees, 0.05, 0.1, true}, {FromMatches, 0.098, 0.1, true}, {FromMatches, 0.12, 0.1, false}} {
		e := &Evaluation{Source: c.from, Quality: []Quality{{Fitted: c.error, Constant: c.before}}}
		if e.Useful() != c.useful {
			t.Errorf("%s, an error of %v, %v of a constant: alpha %v", c.from, c.error, c.before, e.Alpha())
		}
	}
	if (*Evaluation)(nil).Useful() {
		t.Error("none is useful")
	}
}

// Trust rises with what an evaluation explains, and from matches sooner than from trees.
func TestTrust(t *testing.T) {
	for _, c := range []struct {
		from            Source
		explained, want float64
	}{
		{FromTrees, -1, 0}, {FromTrees, 0.05, 0}, {FromTrees, 0.125, 0.5}, {FromTrees, 0.2, 1}, {FromTrees, 0.7, 1},
		{FromMatches, 0, 0}, {FromMatches, 0.06, 1}, {FromMatches, 0.2, 1},
	} {
		e := &Evaluation{Source: c.from, Quality: []Quality{{Fitted: 1 - c.explained, Constant: 1}}}
		if got := e.Trust(); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s, %v explained: trust %v, want %v", c.from, c.explained, got, c.want)
		}
	}
}

// Where a mixture with playouts was fitted, its share decides, of the role that it is least for.
func TestShareDecides(t *testing.T) {
	quality := []Quality{{Fitted: 0.8, Constant: 1}, {Fitted: 0.8, Constant: 1}}
	for _, c := range []struct {
		shares       []float64
		alpha, trust float64
	}{{nil, 0.4, 1}, {[]float64{0.9, 1}, 0.36, 1}, {[]float64{1, 0.25}, 0.1, 0.5}, {[]float64{0.05, 1}, 0, 0.1}, {[]float64{0, 0}, 0, 0}} {
		e := &Evaluation{Source: FromMatches, Quality: quality, VsRollouts: &Comparison{Evaluation: quality, Playouts: []Quality{{Fitted: 0.9, Constant: 1}, {Fitted: 0.9, Constant: 1}}, Shares: c.shares}}
		if alpha, trust := e.Alpha(), e.Trust(); math.Abs(alpha-c.alpha) > 1e-9 || math.Abs(trust-c.trust) > 1e-9 || e.Useful() != (c.alpha > 0) {
			t.Errorf("%v: alpha %v, trust %v", c.shares, alpha, trust)
		}
	}
}

// Of a role that always gets the same, as that of chance does in most games, nothing is there
// to be predicted, and nothing can be missed.
func TestRolesThatAlwaysGetTheSame(t *testing.T) {
	roles := func(own, rest float64) []Quality {
		return []Quality{{Fitted: own, Constant: 0.2}, {Fitted: rest, Constant: rest}}
	}
	for rest, useful := range map[float64]bool{0: true, 1e-17: true, 0.1: false} { // as sums of what is always the same may come to
		both := Comparison{Evaluation: roles(0.15, rest), Playouts: roles(0.18, rest)}
		shared := both
		shared.Shares = []float64{0.9, 0}
		for _, vs := range []*Comparison{nil, &both, &shared} {
			if e := (&Evaluation{Source: FromMatches, Quality: both.Evaluation, VsRollouts: vs}); e.Useful() != useful {
				t.Errorf("%v of the other role is left, compared %+v: alpha %v", rest, vs, e.Alpha())
			}
		}
	}
	none := []Quality{{}, {}}
	e := &Evaluation{Source: FromMatches, Quality: none, VsRollouts: &Comparison{Evaluation: none, Playouts: none, Shares: []float64{0, 0}}}
	if e.Useful() || e.Trust() > 0 || e.ExplainedVariance() > 0 {
		t.Errorf("where no role gets anything: alpha %v, trust %v, explained %v", e.Alpha(), e.Trust(), e.ExplainedVariance())
	}
}

func TestTrustAtRatio(t *testing.T) {
	for ratio, want := range map[float64]float64{0: 0, 0.75: 0, math.Sqrt(0.75 * 1.4): 0.5, 1.4: 1, 30: 1} {
		if got := trustAtRatio(ratio); math.Abs(got-want) > 1e-9 {
			t.Errorf("ratio %v: %v, want %v", ratio, got, want)
		}
	}
}
