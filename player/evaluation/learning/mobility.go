package learning

import (
	"context"
	"math"
	"sync/atomic"
	"time"

	"semisplit/player/evaluation"
	"semisplit/player/evaluation/regression"
	"semisplit/reasoner"
	"semisplit/search/engine"
)

// learnMobility measures what numbers of moves say beyond the evaluation, until a
// moment, and keeps it if that is noticeable.
func learnMobility(ctx context.Context, e *evaluation.Evaluation, m reasoner.Machine, train, test []*regression.Sample, until time.Time) error {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	defer time.AfterFunc(time.Until(until), func() { stop.Store(true) }).Stop()
	learned, err := count(e, m, train, &stop)
	if err != nil {
		return unlessStopped(&stop, err)
	}
	held, err := count(e, m, test, &stop)
	if err != nil {
		return unlessStopped(&stop, err)
	}
	mobility := fitMobility(learned, e.Roles())
	if e.Moves = gain(mobility, held, e.Roles()); e.Moves.Noticeable() {
		mobility.Plan = m.Plan()
		e.Mobility = mobility
		e.Features = append(e.Features, mobility.Features(m.Roles())...)
		evaluation.SortWeights(e.Features, m.Roles())
	}
	return nil
}

// counted is a position in which one role alone has a choice.
type counted struct {
	*regression.Sample
	sums  []float64 // of the evaluation by the state alone, by role
	moves []int32   // by role
}

// mostCounted bounds the positions whose moves are counted.
const mostCounted = 4000

// count counts the moves in positions, of too many in some of them.
func count(e *evaluation.Evaluation, m reasoner.Machine, samples []*regression.Sample, stop *atomic.Bool) (all []counted, err error) {
	lanes := m.NewEngine(0)
	every := len(samples)/mostCounted + 1
	var some []*regression.Sample
	for i := 0; i < len(samples); i += every {
		if some = append(some, samples[i]); len(some) < lanes.Lanes() && i+every < len(samples) {
			continue
		}
		moves, err := countMoves(lanes, e.Roles(), some, stop)
		if err != nil {
			return nil, err
		}
		for i, s := range some {
			if evaluation.Mover(moves[i]) >= 0 {
				c := counted{s, make([]float64, e.Roles()), moves[i]}
				e.LogOdds(s.State, c.sums)
				all = append(all, c)
			}
		}
		some = some[:0]
	}
	return all, nil
}

// countMoves counts the first semimoves in positions, by role; there are no more of
// them than an engine has lanes. A state that ends the game has none.
func countMoves(e engine.Engine, roles int, positions []*regression.Sample, stop *atomic.Bool) ([][]int32, error) {
	for i := range e.Lanes() {
		e.Unload(i)
	}
	for i, s := range positions {
		e.Load(i, s.State, nil)
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
func fitMobility(positions []counted, roles int) *evaluation.Mobility {
	m := &evaluation.Mobility{Usual: make([]evaluation.Usual, roles), Slopes: make([]float64, roles*roles)}
	for mover := range roles {
		var own []counted
		var numbers []float64
		for _, c := range positions {
			if evaluation.Mover(c.moves) == mover {
				own, numbers = append(own, c), append(numbers, float64(c.moves[mover]))
			}
		}
		m.Usual[mover] = usualOf(numbers)
		for r := range roles {
			m.Slopes[mover*roles+r] = fitSlope(own, mover, r, m.Usual[mover])
		}
	}
	return m
}

func usualOf(numbers []float64) (u evaluation.Usual) {
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
func fitSlope(own []counted, mover, role int, usual evaluation.Usual) (slope float64) {
	constant := 0.0
	for range newtonSteps {
		g0, g1 := newtonRidge*constant, newtonRidge*slope
		h00, h01, h11 := newtonRidge, 0.0, newtonRidge
		for _, c := range own {
			x := usual.Deviations(c.moves[mover])
			v := evaluation.Logistic(c.sums[role] + constant + slope*x)
			d, w := v-float64(c.Values[role]), v*(1-v)
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
func gain(m *evaluation.Mobility, held []counted, roles int) (g evaluation.Gain) {
	gains := map[uint32]float64{} // match
	n := float64(len(held) * roles)
	var sums []float64
	for _, c := range held {
		sums = append(sums[:0], c.sums...)
		m.Add(c.moves, sums)
		for r, v := range c.Values {
			before, after := evaluation.Logistic(c.sums[r])-float64(v), evaluation.Logistic(sums[r])-float64(v)
			g.Before += before * before / n
			g.After += after * after / n
			gains[c.Match] += (before*before - after*after) / n
		}
	}
	return evaluation.GainOf(g.Before, g.After, len(held), gains)
}
