package evaluation

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Adjuster moves the weights of an evaluation towards what positions are found to be worth:
// of single fluents and of the shapes that it knows together, before a match from what was
// fitted, and while one goes on. The steps are those of J. Duchi, E. Hazan, Y. Singer, Adaptive
// Subgradient Methods, 2011. There is no decay: what is not met stays as it was learned before.
type Adjuster struct {
	base    *Evaluation // its shapes stay
	steps   Steps
	bias    []float64
	weights []float32 // as those of an Evaluation
	entries []float32

	// mirrored: the second of two roles has always won what the first did not. It is worth the
	// opposite, and its weights are not kept.
	mirrored bool

	// Sums of squared slopes of bias, weights and entries.
	biasSum               []float64
	weightSums, entrySums []float32

	fluents []int32 // that hold in the state at hand
	met     []int32 // entries in it, by shape
	cells   []int32 // scratch of the layout

	odds []float64 // of a batch, by state and role whose weights are kept: their logarithms
}

// Steps says how large steps are.
type Steps struct {
	Rate float64
	// First is what each sum of squares begins with: a weight that is met for the first time
	// does not jump.
	First float32
}

const loosened = 0.5 // of each sum stays at another state

// NewAdjuster begins with the weights of an evaluation that was learned; it is not
// changed.
func NewAdjuster(e *Evaluation, s Steps) *Adjuster {
	a := &Adjuster{
		base: e, steps: s, bias: slices.Clone(e.bias), weights: slices.Clone(e.weights), entries: slices.Clone(e.entries),
		biasSum: make([]float64, len(e.bias)), weightSums: make([]float32, len(e.weights)), entrySums: make([]float32, len(e.entries)),
	}
	if e.layout != nil {
		a.met, a.cells = make([]int32, e.layout.Shapes()), make([]int32, len(e.layout.Cells))
	}
	a.mirrored = len(e.bias) == 2 && e.bias[1] == -e.bias[0] && areMirrored(e.weights) && areMirrored(e.entries)
	a.Loosen()
	return a
}

// areMirrored tells whether weights by role are the opposite for the second of two roles.
func areMirrored(weights []float32) bool {
	for i := 0; i+1 < len(weights); i += 2 {
		if weights[i+1] != -weights[i] {
			return false
		}
	}
	return true
}

// separate gives the second of two mirrored roles weights of its own, unless it has always
// had what the first has not.
func (a *Adjuster) separate(worth []float32) {
	if !a.mirrored || areOpposite(worth) {
		return
	}
	a.mirrored = false
	mirror(a.weights, a.entries)
	a.bias[1], a.biasSum[1] = -a.bias[0], a.biasSum[0]
	for _, sums := range [][]float32{a.weightSums, a.entrySums} {
		for i := 0; i+1 < len(sums); i += 2 {
			sums[i+1] = sums[i]
		}
	}
}

// mirror gives the second of two roles the opposite of the first.
func mirror(lists ...[]float32) {
	for _, weights := range lists {
		for i := 0; i+1 < len(weights); i += 2 {
			weights[i+1] = -weights[i]
		}
	}
}

// learned is how many roles have weights that are kept.
func (a *Adjuster) learned() int {
	if a.mirrored {
		return 1
	}
	return len(a.bias)
}

// Loosen has the next steps be larger again: the positions to come are those of another
// state of the match.
func (a *Adjuster) Loosen() {
	for r, sum := range a.biasSum {
		a.biasSum[r] = max(float64(a.steps.First), loosened*sum)
	}
	for _, sums := range [][]float32{a.weightSums, a.entrySums} {
		for i, sum := range sums {
			sums[i] = max(a.steps.First, loosened*sum)
		}
	}
}

// Learn moves the weights a little towards what the states of some matches are found to be
// worth, by state and role. It begins with the bias: how many of a few matches were won is
// chance for the most part, and each piece that stood still in all of them would be given
// a share of that.
func (a *Adjuster) Learn(states [][]uint64, worth []float32, random *rand.Rand) {
	a.separate(worth)
	roles, learned := len(a.bias), a.learned()
	a.odds = a.odds[:0]
	for _, state := range states {
		a.look(state)
		for role := range learned {
			a.odds = append(a.odds, a.sum(role))
		}
	}
	for role := range learned {
		a.center(role, worth)
	}
	for _, i := range random.Perm(len(states)) {
		a.Step(states[i], worth[i*roles:(i+1)*roles])
	}
}

// areOpposite tells whether the second of two roles always has what the first has not.
func areOpposite(worth []float32) bool {
	for i := 0; i+1 < len(worth); i += 2 {
		if math.Abs(float64(worth[i]+worth[i+1]-1)) > 1e-6 {
			return false
		}
	}
	return true
}

// A bias is fitted by so many steps of Newton's method. Where what was firmly expected is far
// off, its steps lead further off, to and fro: none is longer than longestCentering.
const (
	centerings       = 3
	longestCentering = 2.0
)

// center moves the bias of a role so that the states of a batch are expected to be worth,
// as a mean, what they are. A batch of a few states moves it less.
func (a *Adjuster) center(role int, worth []float32) {
	roles, learned := len(a.bias), a.learned()
	moved := 0.0
	for range centerings {
		slope, curve := 0.0, 1.0
		for i := range len(worth) / roles {
			v := Logistic(a.odds[i*learned+role] + moved)
			slope += v - float64(worth[i*roles+role])
			curve += v * (1 - v)
		}
		moved -= min(max(slope/curve, -longestCentering), longestCentering)
	}
	a.bias[role] += moved
}

// Step moves the weights a little towards what a state is found to be worth, by role.
func (a *Adjuster) Step(state []uint64, worth []float32) {
	a.separate(worth)
	a.look(state)
	roles := len(a.bias)
	for role, wanted := range worth[:a.learned()] {
		slope := Logistic(a.sum(role)) - float64(wanted)
		a.biasSum[role] += slope * slope
		a.bias[role] -= a.steps.Rate * slope / math.Sqrt(a.biasSum[role])
		for _, bit := range a.fluents {
			a.adjust(a.weights, a.weightSums, int(bit)*roles+role, float32(slope))
		}
		for _, entry := range a.met {
			a.adjust(a.entries, a.entrySums, int(entry)*roles+role, float32(slope))
		}
	}
}

// sum is what the state at hand is worth to a role, as the logarithm of the odds.
func (a *Adjuster) sum(role int) float64 {
	roles := len(a.bias)
	sum := a.bias[role]
	for _, bit := range a.fluents {
		sum += float64(a.weights[int(bit)*roles+role])
	}
	for _, entry := range a.met {
		sum += float64(a.entries[int(entry)*roles+role])
	}
	return sum
}

func (a *Adjuster) adjust(weights, sums []float32, i int, slope float32) {
	sums[i] += slope * slope
	weights[i] -= float32(a.steps.Rate) * slope / float32(math.Sqrt(float64(sums[i])))
}

// look finds the fluents and entries of a state.
func (a *Adjuster) look(state []uint64) {
	a.fluents = a.fluents[:0]
	for i, word := range state {
		for ; word != 0; word &= word - 1 {
			a.fluents = append(a.fluents, int32(i*64+bits.TrailingZeros64(word)))
		}
	}
	if a.base.layout != nil {
		a.base.layout.Read(state, a.cells, a.met)
	}
}

// Evaluation is the one by the weights of now.
func (a *Adjuster) Evaluation() *Evaluation {
	e := *a.base
	e.bias, e.weights, e.entries = slices.Clone(a.bias), slices.Clone(a.weights), slices.Clone(a.entries)
	if a.mirrored {
		e.bias[1] = -e.bias[0]
		mirror(e.weights, e.entries)
	}
	e.fix()
	return &e
}
