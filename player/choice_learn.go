package player

import (
	"context"
	"fmt"
	"time"
)

// An evaluation is learned for mostLearning at most; with less than leastLearning
// it would rest on a handful of matches.
const (
	mostLearning  = 5 * time.Second
	leastLearning = 500 * time.Millisecond
)

// learn learns an evaluation on the plan with the quickest playouts. It fits the
// machines of all plans, since they have the same fluents.
func (c *chooser) learn(ctx context.Context) {
	var on *PlanReport
	for i := range c.Plans {
		p := &c.Plans[i]
		if p.Out == "" && p.Machine != nil && p.Machine.Kind() == EngineLanes && (on == nil || p.PlayoutsPerSecond > on.PlayoutsPerSecond) {
			on = p
		}
	}
	if on == nil {
		c.NoEvaluation = "playouts are too slow without a circuit"
		return
	}
	within := min(mostLearning, time.Until(c.until(learnShare)))
	if within < leastLearning {
		c.NoEvaluation = "the clock left no time to learn one"
		return
	}
	err := guarded(func() (err error) {
		c.Evaluation, err = LearnEvaluation(ctx, on.Machine, c.program, c.Options.Seed+2, within, c.Options.Threads)
		return err
	})
	switch {
	case err != nil:
		c.Evaluation, c.NoEvaluation = nil, fmt.Sprintf("learning one broke down: %v", err)
	case c.Evaluation == nil:
		c.NoEvaluation = "no match came to its end"
	case !c.Evaluation.useful():
		c.NoEvaluation = fmt.Sprintf("it explains %.0f%% of what matches come to: it is not used", 100*max(0, c.Evaluation.Skill()))
	}
}

// useful tells whether an evaluation says enough to be tried.
func (e *Evaluation) useful() bool { return e != nil && e.Alpha() > 0 }
