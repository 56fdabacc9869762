package evaluation

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"semisplit/kif"
)

// Mobility is what an evaluation says beyond the fluents, by the number of legal
// moves of who is to move: where one role alone has a choice, the logarithm of the
// odds of each role grows with that number. It is learned after the weights of the
// fluents, which stay as they are, so that who does not know the number (playouts)
// goes by the evaluation of the state alone.
//
// Counted are the semimoves that the machine offers at first: whole moves in the
// plan orthodox, else for example the pieces that seem to be able to move. So what
// is learned belongs to a plan.
type Mobility struct {
	Plan   string    `json:"plan"`   // of the machine whose moves were counted
	Usual  []Usual   `json:"usual"`  // by mover
	Slopes []float64 `json:"slopes"` // for a deviation more, of mover m for role r: Slopes[m*roles+r]
}

// Usual are the mean and the standard deviation of a role's number of moves;
// deviation 0: it is always the same, or unknown.
type Usual struct {
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
}

// permuted is the same of roles in another order; place is where each stands in this one.
func (m *Mobility) permuted(place []int) *Mobility {
	moved := &Mobility{Plan: m.Plan, Usual: permuted(m.Usual, place)}
	for _, mover := range place {
		moved.Slopes = append(moved.Slopes, permuted(m.Slopes[mover*len(place):][:len(place)], place)...)
	}
	return moved
}

// isOf tells whether it is of so many roles, and could have been learned.
func (m *Mobility) isOf(roles int) bool {
	odd := func(x float64) bool { return isHuge(float32(x)) }
	return len(m.Usual) == roles && len(m.Slopes) == roles*roles && !slices.ContainsFunc(m.Slopes, odd) &&
		!slices.ContainsFunc(m.Usual, func(u Usual) bool { return odd(u.Mean) || odd(u.Deviation) || u.Deviation < 0 })
}

// wholeMoves is the plan of the reasoner that splits no moves.
const wholeMoves = "orthodox"

// mostDeviations bounds what is made of a number that is far from the usual ones.
const mostDeviations = 2.5

// Deviations is how far a number of moves is from the mean, within bounds.
func (u Usual) Deviations(n int32) float64 {
	if u.Deviation == 0 {
		return 0
	}
	return min(max((float64(n)-u.Mean)/u.Deviation, -mostDeviations), mostDeviations)
}

// Mover is the role that alone has a choice, by the number of moves of each; -1:
// none has, or several.
func Mover(moves []int32) int {
	mover := -1
	for r, n := range moves {
		if n <= 1 {
			continue
		}
		if mover >= 0 {
			return -1
		}
		mover = r
	}
	return mover
}

// Add adds what numbers of moves are worth to the sums of the roles.
func (m *Mobility) Add(moves []int32, sums []float64) {
	mover := Mover(moves)
	if mover < 0 {
		return
	}
	more := m.Usual[mover].Deviations(moves[mover])
	for r, slope := range m.Slopes[mover*len(moves) : (mover+1)*len(moves)] {
		sums[r] += slope * more
	}
}

// Features say in words what many moves are worth rather than few: a deviation more
// and less than the mean.
func (m *Mobility) Features(roles []kif.Term) (list []FeatureWeight) {
	what := "legal moves"
	if m.Plan != wholeMoves {
		what = "first semimoves by the plan " + m.Plan
	}
	for r, role := range roles {
		for number, mover := range roles {
			u := m.Usual[number]
			if u.Deviation == 0 {
				continue
			}
			few, many := math.Round(u.Mean-u.Deviation), math.Round(u.Mean+u.Deviation)
			many = max(many, few+1)
			list = append(list, FeatureWeight{
				Role: role, Feature: fmt.Sprintf("%.0f instead of %.0f %s of %v, who is to move", many, few, what, mover),
				Weight: m.Slopes[number*len(roles)+r] * (many - few) / u.Deviation,
			})
		}
	}
	return list
}

// Gain is what numbers of moves change on positions of held-out matches in which one
// role alone has a choice.
type Gain struct {
	Before    float64 // mean squared error over positions and roles, by the state alone
	After     float64 // with the number of moves
	Deviation float64 // standard error of Before - After, by matches, whose positions are alike
	Positions int
	Matches   int
}

// Noticeable gains are this part of the error and this many standard errors, with
// this many matches.
const (
	noticeablePart   = 0.01
	noticeableErrors = 2.0
	noticeableFrom   = 5
)

// Noticeable tells whether the gain is worth having.
func (g Gain) Noticeable() bool { return g.exceeds(noticeablePart, noticeableErrors) }

// exceeds tells whether a gain is at least this part of the error and so many standard
// errors.
func (g Gain) exceeds(part, errors float64) bool {
	gain := g.Before - g.After
	return g.Matches >= noticeableFrom && gain >= part*g.Before && gain >= errors*g.Deviation && gain > 0
}

// SortWeights puts weights in the order of their roles, the strongest first.
func SortWeights(list []FeatureWeight, roles []kif.Term) {
	number := func(w FeatureWeight) int {
		return slices.IndexFunc(roles, func(r kif.Term) bool { return kif.Equal(r, w.Role) })
	}
	slices.SortStableFunc(list, func(a, b FeatureWeight) int {
		return cmp.Or(cmp.Compare(number(a), number(b)), cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)))
	})
}
