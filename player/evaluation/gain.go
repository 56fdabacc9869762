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

// Shapes cost time in learning and play, but little: what takes half a percent of the
// error and a standard error away pays.
const (
	payingPart   = 0.005
	payingErrors = 1.0
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
