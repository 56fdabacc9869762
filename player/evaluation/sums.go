package evaluation

import (
	"math"
	"math/bits"
	"slices"

	"semisplit/player/evaluation/shapes"
	"semisplit/search/engine"
)

// fixed are the weights of an evaluation as numbers of fixed point. Sums of them do not
// depend on their order, so what a state is worth is the same whether all of it is
// looked at or what differs from a state before.
type fixed struct {
	bias, weights, entries []int64
}

// unit is 1 in fixed point; mostWeight, in the logarithm of the odds, leaves room for
// the sum of thousands of weights.
const (
	unit       = 1 << 40
	mostWeight = 1 << 10
)

func fix(w float64) int64 {
	return int64(math.Round(min(max(w, -mostWeight), mostWeight) * unit))
}

// fix makes what is added up from the weights, whenever they have changed.
func (e *Evaluation) fix() {
	e.fixed = fixed{make([]int64, len(e.bias)), fixAll(e.weights), fixAll(e.entries)}
	for r, b := range e.bias {
		e.fixed.bias[r] = fix(b)
	}
}

func fixAll(weights []float32) []int64 {
	list := make([]int64, len(weights))
	for i, w := range weights {
		list[i] = fix(float64(w))
	}
	return list
}

// fewRoles is how many roles are added up without an allocation.
const fewRoles = 8

// LogOdds puts the logarithms of the odds of a state into sums, by role.
func (e *Evaluation) LogOdds(state []uint64, sums []float64) {
	var room [fewRoles]int64
	own := room[:min(e.roles, fewRoles)]
	if e.roles > fewRoles {
		own = make([]int64, e.roles)
	}
	copy(own, e.fixed.bias)
	if e.counts == nil {
		shapes.AddFluents(state, e.roles, e.fixed.weights, own)
	} else {
		e.addCounted(state, own)
	}
	if e.layout != nil {
		e.layout.Sum(state, e.roles, e.fixed.entries, own)
	}
	for r, v := range own {
		sums[r] = float64(v) / unit
	}
	for i := range e.furthest {
		e.furthest[i].add(state, sums)
	}
}

// addCounted adds the weights of those fluents that have one.
func (e *Evaluation) addCounted(state []uint64, sums []int64) {
	for i, word := range state[:min(len(state), len(e.counts))] {
		for word &= e.counts[i]; word != 0; word &= word - 1 {
			index := (i*64 + bits.TrailingZeros64(word)) * e.roles
			for r, w := range e.fixed.weights[index : index+e.roles] {
				sums[r] += w
			}
		}
	}
}

// near is an evaluation that compares states with one that was looked at whole.
type near struct {
	of     *Evaluation
	shapes *shapes.Near // nil: none is worth anything
	from   []uint64
	whole  []int64 // what from comes to by fluents, by role
	sums   []int64
}

// Near is the evaluation for states that differ little from one that is told first.
func (e *Evaluation) Near() engine.Near {
	n := &near{of: e, whole: make([]int64, e.roles), sums: make([]int64, e.roles)}
	if e.layout != nil {
		n.shapes = shapes.NewNear(e.layout, e.roles, e.fixed.entries, e.fixed.weights)
	}
	return n
}

// From tells the state that others are near to. The same one again costs nothing.
func (n *near) From(state []uint64) {
	if slices.Equal(state, n.from) {
		return
	}
	n.from = append(n.from[:0], state...)
	if n.shapes != nil {
		n.shapes.From(state)
		return
	}
	clear(n.whole)
	shapes.AddFluents(state, n.of.roles, n.of.fixed.weights, n.whole)
}

// Values is that of the evaluation.
func (n *near) Values(state []uint64, values []float64) {
	if len(n.of.furthest) > 0 {
		n.of.Values(state, values)
		return
	}
	if n.shapes != nil {
		n.shapes.Sums(state, n.sums)
	} else {
		copy(n.sums, n.whole)
		shapes.AddChanges(n.from, state, n.of.roles, n.of.fixed.weights, n.sums)
	}
	for r, v := range n.sums {
		values[r] = float64(v+n.of.fixed.bias[r]) / unit
	}
	n.of.squash(values)
}
