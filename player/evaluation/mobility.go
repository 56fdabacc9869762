package evaluation

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/kif"
	"semisplit/reasoner"
	"semisplit/search/engine"
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
	Plan   string    // of the machine whose moves were counted
	Usual  []Usual   // by mover
	Slopes []float64 // for a deviation more, of mover m for role r: Slopes[m*roles+r]
}

// Usual are the mean and the standard deviation of a role's number of moves;
// deviation 0: it is always the same, or unknown.
type Usual struct{ Mean, Deviation float64 }

// wholeMoves is the plan of the reasoner that splits no moves.
const wholeMoves = "orthodox"

// mostDeviations bounds what is made of a number that is far from the usual ones.
const mostDeviations = 2.5

func (u Usual) deviations(n int32) float64 {
	if u.Deviation == 0 {
		return 0
	}
	return min(max((float64(n)-u.Mean)/u.Deviation, -mostDeviations), mostDeviations)
}

// mover is the role that alone has a choice, by the number of moves of each; -1:
// none has, or several.
func mover(moves []int32) int {
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

// add adds what numbers of moves are worth to the sums of the roles.
func (m *Mobility) add(moves []int32, sums []float64) {
	of := mover(moves)
	if of < 0 {
		return
	}
	more := m.Usual[of].deviations(moves[of])
	for r, slope := range m.Slopes[of*len(moves) : (of+1)*len(moves)] {
		sums[r] += slope * more
	}
}

// strengths say in words what many moves are worth rather than few: a deviation more
// and less than the mean.
func (m *Mobility) strengths(roles []kif.Term) (list []Strength) {
	what := "legal moves"
	if m.Plan != wholeMoves {
		what = "first semimoves by the plan " + m.Plan
	}
	for r, role := range roles {
		for of, mover := range roles {
			u := m.Usual[of]
			if u.Deviation == 0 {
				continue
			}
			few, many := math.Round(u.Mean-u.Deviation), math.Round(u.Mean+u.Deviation)
			many = max(many, few+1)
			list = append(list, Strength{
				role, fmt.Sprintf("%.0f instead of %.0f %s of %v, who is to move", many, few, what, mover), m.Slopes[of*len(roles)+r] * (many - few) / u.Deviation,
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
func (g Gain) Noticeable() bool {
	by := g.Before - g.After
	return g.Matches >= noticeableFrom && by >= noticeablePart*g.Before && by >= noticeableErrors*g.Deviation && by > 0
}

// learnMobility measures what numbers of moves say beyond the evaluation, until a
// moment, and keeps it if that is noticeable.
func (e *Evaluation) learnMobility(ctx context.Context, m reasoner.Machine, train, test []*sample, until time.Time) error {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	defer time.AfterFunc(time.Until(until), func() { stop.Store(true) }).Stop()
	learned, err := e.count(m, train, &stop)
	if err != nil {
		return unlessStopped(&stop, err)
	}
	held, err := e.count(m, test, &stop)
	if err != nil {
		return unlessStopped(&stop, err)
	}
	mobility := fitMobility(learned, e.roles)
	if e.Moves = mobility.gain(held, e.roles); e.Moves.Noticeable() {
		mobility.Plan = m.Plan()
		e.Mobility = mobility
		e.Features = append(e.Features, mobility.strengths(m.Roles())...)
		sortStrengths(e.Features, m.Roles())
	}
	return nil
}

// counted is a position in which one role alone has a choice.
type counted struct {
	*sample
	sums  []float64 // of the evaluation by the state alone, by role
	moves []int32   // by role
}

// mostCounted bounds the positions whose moves are counted.
const mostCounted = 4000

// count counts the moves in positions, of too many in some of them.
func (e *Evaluation) count(m reasoner.Machine, samples []*sample, stop *atomic.Bool) (all []counted, err error) {
	lanes := m.NewEngine(0)
	every := len(samples)/mostCounted + 1
	var some []*sample
	for i := 0; i < len(samples); i += every {
		if some = append(some, samples[i]); len(some) < lanes.Lanes() && i+every < len(samples) {
			continue
		}
		moves, err := countMoves(lanes, e.roles, some, stop)
		if err != nil {
			return nil, err
		}
		for i, s := range some {
			if mover(moves[i]) >= 0 {
				c := counted{s, make([]float64, e.roles), moves[i]}
				e.sum(s.state, c.sums)
				all = append(all, c)
			}
		}
		some = some[:0]
	}
	return all, nil
}

// countMoves counts the first semimoves in positions, by role; there are no more of
// them than an engine has lanes. A state that ends the game has none.
func countMoves(e engine.Engine, roles int, positions []*sample, stop *atomic.Bool) ([][]int32, error) {
	for i := range e.Lanes() {
		e.Unload(i)
	}
	for i, s := range positions {
		e.Load(i, s.state, nil)
	}
	if _, err := e.Step(stop); err != nil {
		return nil, err
	}
	counts := make([][]int32, len(positions))
	var offers []uint32
	for i := range positions {
		counts[i] = make([]int32, roles)
		for r := range roles {
			offers = e.Offers(i, r, nil, offers[:0])
			counts[i][r] = int32(len(offers))
		}
	}
	return counts, nil
}

// Newton's method: so many steps suffice for a convex function of two numbers. The
// ridge keeps a slope small of which the positions say little.
const (
	newtonSteps = 12
	newtonRidge = 1.0
)

// fitMobility fits the slopes, each on its own.
func fitMobility(positions []counted, roles int) *Mobility {
	m := &Mobility{Usual: make([]Usual, roles), Slopes: make([]float64, roles*roles)}
	for of := range roles {
		var own []counted
		var numbers []float64
		for _, c := range positions {
			if mover(c.moves) == of {
				own, numbers = append(own, c), append(numbers, float64(c.moves[of]))
			}
		}
		m.Usual[of] = usualOf(numbers)
		for r := range roles {
			m.Slopes[of*roles+r] = fitSlope(own, of, r, m.Usual[of])
		}
	}
	return m
}

func usualOf(numbers []float64) (u Usual) {
	for _, n := range numbers {
		u.Mean += n / float64(len(numbers))
	}
	for _, n := range numbers {
		u.Deviation += (n - u.Mean) * (n - u.Mean) / float64(len(numbers))
	}
	u.Deviation = math.Sqrt(u.Deviation)
	return u
}

// fitSlope is the logistic regression of a role's values on a mover's number of
// moves, beside what the state is worth. The constant that is fitted too is not used:
// it says how far the evaluation is off in all of these positions alike.
func fitSlope(own []counted, of, role int, usual Usual) (slope float64) {
	constant := 0.0
	for range newtonSteps {
		g0, g1 := newtonRidge*constant, newtonRidge*slope
		h00, h01, h11 := newtonRidge, 0.0, newtonRidge
		for _, c := range own {
			x := usual.deviations(c.moves[of])
			v := logistic(c.sums[role] + constant + slope*x)
			d, w := v-float64(c.values[role]), v*(1-v)
			g0, g1 = g0+d, g1+d*x
			h00, h01, h11 = h00+w, h01+w*x, h11+w*x*x
		}
		det := h00*h11 - h01*h01
		constant -= min(max((h11*g0-h01*g1)/det, -1), 1)
		slope -= min(max((h00*g1-h01*g0)/det, -1), 1)
	}
	return slope
}

// gain measures on positions that were held out.
func (m *Mobility) gain(held []counted, roles int) (g Gain) {
	by := map[uint32]float64{} // match
	n := float64(len(held) * roles)
	var sums []float64
	for _, c := range held {
		sums = append(sums[:0], c.sums...)
		m.add(c.moves, sums)
		for r, v := range c.values {
			before, after := logistic(c.sums[r])-float64(v), logistic(sums[r])-float64(v)
			g.Before += before * before / n
			g.After += after * after / n
			by[c.match] += (before*before - after*after) / n
		}
	}
	g.Positions, g.Matches = len(held), len(by)
	mean := (g.Before - g.After) / float64(len(by))
	for _, match := range slices.Sorted(maps.Keys(by)) { // sums depend on their order
		d := by[match] - mean
		g.Deviation += d * d
	}
	g.Deviation = math.Sqrt(g.Deviation)
	return g
}
