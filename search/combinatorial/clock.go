package combinatorial

import (
	"time"

	"semisplit/search"
)

// clock tells how much of a budget is used.
type clock struct {
	start, deadline time.Time // deadline zero: there is none
	first           int       // iterations that had begun before
	iterations      int       // bound; 0: none
	horizon         int       // iterations after which all is looked at as used up once, without a bound
}

// firstHorizon is the length of the first cycle without a bound. Each further one is so
// many times as long.
const (
	firstHorizon = 1 << 12
	horizonGrows = 4
)

// begin starts a budget.
func (c *clock) begin(b search.Budget, begun int) {
	start := time.Now()
	*c = clock{start: start, deadline: b.Until(start), first: begun, iterations: b.Iterations, horizon: firstHorizon}
}

// over tells that the time is used up.
func (c *clock) over() bool { return !c.deadline.IsZero() && !time.Now().Before(c.deadline) }

// progress is the part of the budget that is used, in [0, 1]; of the horizon if there is
// no bound.
func (s *Search) progress() float64 {
	c, begun, p := &s.clock, s.begun-s.clock.first, 0.0
	if c.iterations > 0 {
		p = float64(begun) / float64(c.iterations)
	}
	if !c.deadline.IsZero() {
		p = max(p, float64(time.Since(c.start))/float64(max(1, c.deadline.Sub(c.start))))
	}
	if c.iterations == 0 && c.deadline.IsZero() {
		if begun >= c.horizon {
			c.horizon *= horizonGrows
			for i := range s.levels {
				s.choices[i].linear.begin(s)
			}
		}
		p = float64(begun) / float64(c.horizon)
	}
	return min(p, 1)
}

// samples is the number of iterations that the budget seems to be worth, at least 1.
func (s *Search) samples() float64 {
	return max(1, float64(s.begun-s.clock.first)/max(s.progress(), 1e-9))
}
