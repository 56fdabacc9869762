// Package regression learns the weights of an evaluation from positions and what
// they came to.
package regression

import (
	"math"
	"math/bits"
	"slices"

	"semisplit/kif"
	"semisplit/player/evaluation"
)

// Sample is a position of a match with what it came to.
type Sample struct {
	State  []uint64
	Values []float32 // by role, in [0, 1]
	Match  uint32    // positions of one match are held out together
}

// Room is how many of the positions that are wanted have room, where a state has so many
// words: 64 MB in all. Rules can have states of hundreds of thousands of fluents.
func Room(wanted, words int) int {
	const most = 8 << 20 // words
	return max(1, min(wanted, most/max(words, 1)))
}

// Pointers points to each of some samples.
func Pointers(samples []Sample) []*Sample {
	list := make([]*Sample, len(samples))
	for i := range samples {
		list[i] = &samples[i]
	}
	return list
}

// Parameters of the regression: logistic, with steps by AdaGrad (Duchi, Hazan,
// Singer 2011). Weights of single fluents are pulled to zero more strongly than
// those of patterns, so that what is common is learned in common.
const (
	batchRate    = 0.05 // of samples that are seen again and again
	onlineRate   = 0.03 // of samples that come and go
	fluentDecay  = 3e-4
	patternDecay = 3e-5
)

// Regression learns weights for features.
type Regression struct {
	f       *evaluation.Features
	roles   int
	rate    float64
	closed  uint8     // features with more closed arguments are left out
	weights []float32 // of feature i for role r: i*roles+r
	squares []float32 // sums of squared slopes, for AdaGrad
	bias    []float64
	biasSum []float64

	// mirrored: so far the second of two roles won what the first did not. It is worth
	// the opposite then, and learns nothing by itself.
	mirrored bool

	counts []float32 // of the features in the sample at hand
	active []int32
	values []float64
}

// NewOnline learns from samples that come and go.
func NewOnline(f *evaluation.Features, roles int) *Regression {
	return newRegression(f, roles, onlineRate)
}

func newRegression(f *evaluation.Features, roles int, rate float64) *Regression {
	return &Regression{
		f: f, roles: roles, rate: rate, closed: evaluation.MostClosed, weights: make([]float32, len(f.Names)*roles), squares: make([]float32, len(f.Names)*roles),
		mirrored: roles == 2, bias: make([]float64, roles), biasSum: make([]float64, roles), counts: make([]float32, len(f.Names)), values: make([]float64, roles),
	}
}

// look collects the features of a state.
func (r *Regression) look(state []uint64) {
	for _, i := range r.active {
		r.counts[i] = 0
	}
	r.active = r.active[:0]
	for i, word := range state {
		for ; word != 0; word &= word - 1 {
			bit := i*64 + bits.TrailingZeros64(word)
			r.count(int32(bit), 1)
			for _, s := range r.f.Patterns[bit] {
				r.count(s.Feature, s.Amount)
			}
		}
	}
	copy(r.values, r.bias)
	for _, i := range r.active {
		index := int(i) * r.roles
		for role, w := range r.weights[index : index+r.roles] {
			r.values[role] += float64(w * r.counts[i])
		}
	}
	for role, v := range r.values {
		r.values[role] = evaluation.Logistic(v)
	}
}

func (r *Regression) count(feature int32, amount float32) {
	if amount == 0 || r.f.Closed[feature] > r.closed {
		return // the beginning of an order, or left out
	}
	if r.counts[feature] == 0 {
		r.active = append(r.active, feature)
	}
	r.counts[feature] += amount
}

// Step moves the weights a little towards a sample.
func (r *Regression) Step(s *Sample) {
	r.mirrored = r.mirrored && s.mirrored()
	r.look(s.State)
	for role, v := range r.values {
		if role == 1 && r.mirrored {
			r.mirror()
			return
		}
		slope := v - float64(s.Values[role])
		r.biasSum[role] += slope * slope
		r.bias[role] -= r.rate * slope / math.Sqrt(r.biasSum[role]+1e-6)
		for _, i := range r.active {
			index := int(i)*r.roles + role
			decay := float32(patternDecay)
			if int(i) < r.f.Bits {
				decay = fluentDecay
			}
			g := float32(slope)*r.counts[i] + decay*r.weights[index]
			r.squares[index] += g * g
			r.weights[index] -= float32(r.rate) * g / float32(math.Sqrt(float64(r.squares[index])+1e-6))
		}
	}
}

// mirror gives the second role the opposite of what the first has just learned.
func (r *Regression) mirror() {
	r.bias[1], r.biasSum[1] = -r.bias[0], r.biasSum[0]
	for _, i := range r.active {
		of, by := r.weights[2*i:2*i+2], r.squares[2*i:2*i+2]
		of[1], by[1] = -of[0], by[0]
	}
}

// Evaluation folds the patterns into the weights of the fluents.
func (r *Regression) Evaluation() *evaluation.Evaluation {
	weights := slices.Clone(r.weights[:r.f.Bits*r.roles])
	for bit, shares := range r.f.Patterns {
		for _, s := range shares {
			for role := range r.roles {
				weights[bit*r.roles+role] += s.Amount * r.weights[int(s.Feature)*r.roles+role]
			}
		}
	}
	return evaluation.New(slices.Clone(r.bias), weights, r.f.Names[:r.f.Bits])
}

// Strongest lists the features with the largest weights.
func (r *Regression) Strongest(roles []kif.Term) (list []evaluation.FeatureWeight) {
	for role, name := range roles {
		var all []evaluation.FeatureWeight
		for i, feature := range r.f.Names {
			if w := r.weights[i*r.roles+role]; feature != "" && w != 0 {
				all = append(all, evaluation.FeatureWeight{Role: name, Feature: feature, Weight: float64(w)})
			}
		}
		evaluation.SortWeights(all, roles)
		list = append(list, all[:min(len(all), evaluation.ToldFeatures)]...)
	}
	return list
}
