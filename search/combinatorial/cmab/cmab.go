// Package cmab is the combinatorial multi-armed bandit of the thesis that package
// combinatorial follows (section 2.1), as a game of one move for one player.
package cmab

import (
	"math"
	"math/rand/v2"
)

// Options say what bandits are drawn.
type Options struct {
	Bandits, Arms int
	NonLinear     float64 // probability that a bandit multiplies rather than adds
	Range         float64 // means of the arms are uniform in [0, Range)
	Noise         float64 // standard deviation of a pull
	Weight        float64 // of all bandits
}

// Published are the parameters of section 5.2, for so many bandits and arms.
func Published(bandits, arms int) Options {
	return Options{Bandits: bandits, Arms: arms, NonLinear: 0.1, Range: 500, Noise: 2, Weight: 500}
}

// Model is a combinatorial bandit. The value of a move is made bandit by bandit (equations
// 2.1 and 2.2): v(0) = 1, and v(i) is the weighted pull of bandit i plus, or times, v(i-1).
// Pulls below 0 count as 0, so the best move is the best arm of each bandit. Values are told
// as parts of its value: they grow beyond what a float holds otherwise.
type Model struct {
	means    [][]float64 // by bandit and arm
	products []bool      // by bandit
	noise    float64
	scales   []float64 // of a weighted pull, by bandit
	keeps    []float64 // of the value before, by bandit
}

// New draws a model.
func New(o Options, seed uint64) *Model {
	rng := rand.New(rand.NewPCG(seed, 0x636d6162))
	means, products, weights := make([][]float64, o.Bandits), make([]bool, o.Bandits), make([]float64, o.Bandits)
	for i := range means {
		products[i], weights[i] = rng.Float64() < o.NonLinear, o.Weight
		for range o.Arms {
			means[i] = append(means[i], rng.Float64()*o.Range)
		}
	}
	return newModel(means, products, weights, o.Noise)
}

// newModel is the model of means, ways to go on and weights by bandit.
func newModel(means [][]float64, products []bool, weights []float64, noise float64) *Model {
	m := &Model{means: means, products: products, noise: noise}
	before := 0.0 // logarithm of the best value so far
	for i, arms := range means {
		best := 0.0
		for _, mean := range arms {
			best = max(best, mean*weights[i])
		}
		if products[i] {
			m.scales, m.keeps = append(m.scales, weights[i]/best), append(m.keeps, 1)
			before += math.Log(best)
			continue
		}
		after := before + math.Log1p(best*math.Exp(-before))
		m.scales = append(m.scales, weights[i]*math.Exp(-after))
		m.keeps = append(m.keeps, math.Exp(before-after))
		before = after
	}
	return m
}

// Value is that of a move, an arm for each bandit, without noise, as a part of the best
// one: in [0, 1].
func (m *Model) Value(move []uint32) float64 {
	return m.value(move, func() float64 { return 0 })
}

// sample is the value of a move with the noise of a pull of each bandit.
func (m *Model) sample(move []uint32, rng *rand.Rand) float64 {
	return min(1, m.value(move, func() float64 { return m.noise * rng.NormFloat64() }))
}

func (m *Model) value(move []uint32, noise func() float64) float64 {
	v := 1.0
	for i, arm := range move {
		pull := max(0, m.means[i][arm]+noise()) * m.scales[i]
		if m.products[i] {
			v *= pull
		} else {
			v = v*m.keeps[i] + pull
		}
	}
	return v
}
