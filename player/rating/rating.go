// Package rating tells how strong competitors are from who came before whom:
// the model of Bradley and Terry with Davidson's draws, extended to contests of
// more than two by Luce's choices, fitted by maximum likelihood.
package rating

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Contest is the outcome of one contest: competitors by index, in groups, the
// best first. Those of a group are level. Two competitors and two groups are a
// win, two competitors in one group a draw.
type Contest [][]int

// Rating is the strength of a competitor on the scale of Elo: 400 points are
// odds of ten to one against the other in a contest of two without draws. The
// mean of all competitors is Mean.
type Rating struct {
	Elo, Low, High float64 // with the interval of Level
	SE             float64 // standard error, in points
	Contests       int
	// Open says that the contests bound the rating on one side at most, as after
	// nothing but wins: what stands here is what Held says.
	Open bool
}

// Level is the confidence of all intervals, and Mean the rating of the mean
// competitor.
const (
	Level = 0.95
	Mean  = 1500.0
)

// perNatural is what one unit of the model is in points of Elo.
const perNatural = 400 / math.Ln10

// limits of what is fitted.
const (
	mostAtTable     = 12   // competitors of a contest: choices of some of them are counted one by one
	mostCompetitors = 2000 // the information has as many rows
)

// Ratings is a fit.
type Ratings struct {
	List []Rating // by competitor
	// Held says that the contests alone have no maximum of likelihood within
	// reach, as where somebody won all of his: each competitor was then given
	// half a win and half a loss against a mean one.
	Held bool

	model *model
}

// Errors of Fit.
var (
	ErrContest = errors.New("no ranking of competitors")
)

// Fit rates competitors 0 to n-1. Those without a contest get the mean, and an
// interval without bounds. The order of the contests does not matter.
func Fit(n int, contests []Contest) (*Ratings, error) {
	if n < 1 || n > mostCompetitors {
		return nil, fmt.Errorf("%d competitors: 1 to %d can be rated", n, mostCompetitors)
	}
	count := make([]int, n)
	for i, c := range contests {
		if err := c.check(n); err != nil {
			return nil, fmt.Errorf("contest %d: %w", i, err)
		}
		for _, group := range c {
			for _, who := range group {
				count[who]++
			}
		}
	}
	m := newModel(n, contests)
	held := !m.connected() || !m.maximise()
	if held {
		m.hold()
		if !m.maximise() {
			return nil, errors.New("the ratings do not converge")
		}
	}
	return &Ratings{List: m.ratings(count), Held: held, model: m}, nil
}

func (c Contest) check(n int) error {
	var all []int
	for _, group := range c {
		if len(group) == 0 {
			return fmt.Errorf("%w: an empty group", ErrContest)
		}
		all = append(all, group...)
	}
	slices.Sort(all)
	switch {
	case len(all) < 2 || len(all) > mostAtTable:
		return fmt.Errorf("%w: %d at the table, not 2 to %d", ErrContest, len(all), mostAtTable)
	case all[0] < 0 || all[len(all)-1] >= n:
		return fmt.Errorf("%w: competitors are 0 to %d", ErrContest, n-1)
	case len(slices.Compact(slices.Clone(all))) != len(all):
		return fmt.Errorf("%w: a competitor stands in it twice", ErrContest)
	}
	return nil
}

// Ranking is the contest in which competitors came to points, more being better.
func Ranking(competitors []int, points []float64) Contest {
	order := make([]int, len(competitors))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(points[b], points[a]), cmp.Compare(competitors[a], competitors[b]))
	})
	var c Contest
	for k, i := range order {
		if k > 0 && points[i] == points[order[k-1]] {
			c[len(c)-1] = append(c[len(c)-1], competitors[i])
			continue
		}
		c = append(c, []int{competitors[i]})
	}
	return c
}

// Expected is the score, in [0, 1], that is expected of a competitor in a contest
// with another: a draw is one half.
func (r *Ratings) Expected(a, b int) float64 {
	win, draw := r.model.pair(a, b)
	return win + draw/2
}

// Error is the standard error of the difference of two competitors, in points.
func (r *Ratings) Error(a, b int) float64 {
	return math.Sqrt(max(0, r.model.variance(a, b))) * perNatural
}

func normalQuantile() float64 { return distuv.UnitNormal.Quantile(0.5 + Level/2) }
