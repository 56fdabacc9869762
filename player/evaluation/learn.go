package evaluation

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	"semisplit/kif"
)

// sample is a position of a match with what it came to.
type sample struct {
	state  []uint64
	values []float32 // by role, in [0, 1]
	match  uint32    // positions of one match are held out together
}

func pointers(samples []sample) []*sample {
	list := make([]*sample, len(samples))
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
	onlineRate   = 0.02 // of samples that come and go
	fluentDecay  = 3e-4
	patternDecay = 3e-5
)

// regression learns weights for features.
type regression struct {
	f       *features
	roles   int
	rate    float64
	closed  uint8     // features with more closed arguments are left out
	weights []float32 // of feature i for role r: i*roles+r
	squares []float32 // sums of squared slopes, for AdaGrad
	bias    []float64
	biasSum []float64

	counts []float32 // of the features in the sample at hand
	active []int32
	values []float64
}

func newRegression(f *features, roles int, rate float64) *regression {
	return &regression{
		f: f, roles: roles, rate: rate, closed: mostClosed, weights: make([]float32, len(f.names)*roles), squares: make([]float32, len(f.names)*roles),
		bias: make([]float64, roles), biasSum: make([]float64, roles), counts: make([]float32, len(f.names)), values: make([]float64, roles),
	}
}

// look collects the features of a state.
func (r *regression) look(state []uint64) {
	for _, i := range r.active {
		r.counts[i] = 0
	}
	r.active = r.active[:0]
	for i, word := range state {
		for ; word != 0; word &= word - 1 {
			bit := i*64 + bits.TrailingZeros64(word)
			r.count(int32(bit), 1)
			for _, s := range r.f.patterns[bit] {
				r.count(s.feature, s.amount)
			}
		}
	}
	copy(r.values, r.bias)
	for _, i := range r.active {
		at := int(i) * r.roles
		for role, w := range r.weights[at : at+r.roles] {
			r.values[role] += float64(w * r.counts[i])
		}
	}
	for role, v := range r.values {
		r.values[role] = 1 / (1 + math.Exp(-v))
	}
}

func (r *regression) count(feature int32, amount float32) {
	if amount == 0 || r.f.closed[feature] > r.closed {
		return // the beginning of an order, or left out
	}
	if r.counts[feature] == 0 {
		r.active = append(r.active, feature)
	}
	r.counts[feature] += amount
}

// step moves the weights a little towards a sample.
func (r *regression) step(s *sample) {
	r.look(s.state)
	for role, v := range r.values {
		slope := v - float64(s.values[role])
		r.biasSum[role] += slope * slope
		r.bias[role] -= r.rate * slope / math.Sqrt(r.biasSum[role]+1e-6)
		for _, i := range r.active {
			at := int(i)*r.roles + role
			decay := float32(patternDecay)
			if int(i) < r.f.bits {
				decay = fluentDecay
			}
			g := float32(slope)*r.counts[i] + decay*r.weights[at]
			r.squares[at] += g * g
			r.weights[at] -= float32(r.rate) * g / float32(math.Sqrt(float64(r.squares[at])+1e-6))
		}
	}
}

// evaluation folds the patterns into the weights of the fluents.
func (r *regression) evaluation() *Evaluation {
	e := &Evaluation{roles: r.roles, bias: slices.Clone(r.bias), weights: slices.Clone(r.weights[:r.f.bits*r.roles]), fluents: r.f.names[:r.f.bits]}
	for bit, shares := range r.f.patterns {
		for _, s := range shares {
			for role := range r.roles {
				e.weights[bit*r.roles+role] += s.amount * r.weights[int(s.feature)*r.roles+role]
			}
		}
	}
	return e
}

// qualityOf measures an evaluation on positions that it was not learned from, of
// which so many are independent of each other.
func qualityOf(e *Evaluation, test []*sample, independent int) []Quality {
	quality, values := make([]Quality, e.roles), make([]float64, e.roles)
	sums := make([]moments, e.roles)
	for _, s := range test {
		e.Values(s.state, values)
		for role, v := range values {
			d := v - float64(s.values[role])
			quality[role].Error += d * d / float64(len(test))
			sums[role].add(v, float64(s.values[role]))
		}
	}
	for role := range quality {
		quality[role].grade(&sums[role], independent)
	}
	return quality
}

// grade sets what follows from pairs of what was predicted and what it came to.
func (q *Quality) grade(sums *moments, independent int) {
	q.Constant = sums.constant()
	q.Fitted = sums.fitted() + q.Constant/float64(max(independent, 1))
}

// moments are sums over pairs of numbers.
type moments struct{ n, x, y, xx, xy, yy float64 }

func (m *moments) add(x, y float64) {
	m.n, m.x, m.y, m.xx, m.xy, m.yy = m.n+1, m.x+x, m.y+y, m.xx+x*x, m.xy+x*y, m.yy+y*y
}

// constant is the mean squared error of the best constant for y.
func (m *moments) constant() float64 {
	if m.n == 0 {
		return 0
	}
	return max(0, m.yy/m.n-m.y/m.n*m.y/m.n)
}

// fitted is that of the best line in x that does not fall.
func (m *moments) fitted() float64 {
	spread, common := m.xx-m.x*m.x/max(m.n, 1), m.xy-m.x*m.y/max(m.n, 1)
	if spread <= 0 || common <= 0 {
		return m.constant()
	}
	return max(0, m.constant()-common*common/spread/m.n)
}

// matchesOf counts the matches of samples, whose positions come to the same end.
func matchesOf(samples []*sample) int {
	matches := map[uint32]bool{}
	for _, s := range samples {
		matches[s.match] = true
	}
	return len(matches)
}

// strongFeatures are told, for each role.
const strongFeatures = 8

// strongest lists the features with the largest weights.
func strongest(r *regression, roles []kif.Term) (list []Strength) {
	for role, name := range roles {
		var all []Strength
		for i, feature := range r.f.names {
			if w := r.weights[i*r.roles+role]; feature != "" && w != 0 {
				all = append(all, Strength{name, feature, float64(w)})
			}
		}
		sortStrengths(all, roles)
		list = append(list, all[:min(len(all), strongFeatures)]...)
	}
	return list
}

// sortStrengths puts strengths in the order of their roles, the strongest first.
func sortStrengths(list []Strength, roles []kif.Term) {
	number := func(s Strength) int {
		return slices.IndexFunc(roles, func(r kif.Term) bool { return kif.Equal(r, s.Role) })
	}
	slices.SortStableFunc(list, func(a, b Strength) int {
		return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)))
	})
}
