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

// Gain is what something changes on positions of held-out matches.
type Gain struct {
	Before    float64 // mean squared error over positions and roles, without it
	After     float64 // with it
	Deviation float64 // standard error of Before - After, by matches, whose positions are alike
	Positions int
	Matches   int
}

// fewestGained is the number of matches below which no gain is one.
const fewestGained = 5

// exceeds tells whether a gain is at least this part of the error and so many standard
// errors.
func (g Gain) exceeds(part, errors float64) bool {
	gain := g.Before - g.After
	return g.Matches >= fewestGained && gain >= part*g.Before && gain >= errors*g.Deviation && gain > 0
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
