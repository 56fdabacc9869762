package evaluation

import (
	"math"
	"math/rand/v2"
	"testing"
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
				if v := 1 / (1 + math.Exp(-want[r])); math.Abs(v-got[r]) > 1e-9 {
					t.Errorf("%d roles: role %d is worth %v, not %v", roles, r, got[r], v)
				}
			}
		}
	}
}
