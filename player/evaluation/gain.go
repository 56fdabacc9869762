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
// standard errors away pays (docs/experiments/results/learning.md, "Shapes").
const (
	payingPart    = 0.01
	payingErrors  = 2.0
	payingMatches = 5 // at least: of fewer the standard error says nothing
)

// Pays tells whether the shapes are worth having.
func (g ShapeGain) Pays() bool {
	gain := g.Gain.Before - g.Gain.After
	return g.Gain.Matches >= payingMatches && gain >= payingPart*g.Gain.Before && gain >= payingErrors*g.Gain.Deviation && gain > 0
}

// Gain is what something changes on positions of held-out matches.
type Gain struct {
	Before    float64 // mean squared error over positions and roles, without it
	After     float64 // with it
	Deviation float64 // standard error of Before - After, by matches, whose positions are alike
	Positions int
	Matches   int
}

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
