package evaluation

import (
	"maps"
	"math"
	"slices"
)

// ShapeGain is what a family of shapes takes away of the error of the evaluation before
// it.
type ShapeGain struct {
	Family string
	Shapes int
	Gain   Gain
	Kept   bool
}

// Shapes cost time in learning and play, and the best of many families looks better on the
// matches that it was chosen by than it is. So what takes a percent of the error and two
// standard errors away pays (docs/experiments/results.md, "Shapes").
const (
	payingPart   = 0.01
	payingErrors = 2.0
)

// Pays tells whether the shapes are worth having.
func (g ShapeGain) Pays() bool { return g.Gain.exceeds(payingPart, payingErrors) }

// GainOf sums up differences between the squared errors before and after something was
// added, by match, with the mean squared error before it.
func GainOf(before, after float64, positions int, differences map[uint32]float64) Gain {
	g := Gain{Before: before, After: after, Positions: positions, Matches: len(differences)}
	mean := (before - after) / float64(max(1, len(differences)))
	for _, match := range slices.Sorted(maps.Keys(differences)) { // sums depend on their order
		d := differences[match] - mean
		g.Deviation += d * d
	}
	g.Deviation = math.Sqrt(g.Deviation)
	return g
}
