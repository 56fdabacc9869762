package choice

import (
	"context"
	"fmt"
	"slices"
	"time"

	"semisplit/internal/guard"
	"semisplit/player/agent"
	"semisplit/player/evaluation"
	"semisplit/player/evaluation/learning"
	"semisplit/reasoner"
)

// An evaluation is learned for mostLearning at most; with less than leastLearning it would
// rest on a handful of matches. It is learned from matches alone: what trees teach
// (docs/knowledge.md) won less on average (teachers.json, learned-whole.json), and took
// its time from them.
const (
	mostLearning  = 12 * time.Second
	leastLearning = 300 * time.Millisecond
)

// schedule says when learning and measuring end, in shares of the time, and whether there
// is time for trial matches after it.
type schedule struct {
	learn, measure float64
	trials         bool
}

// schedule is that of the game: one whose matches take long has more time for trial
// matches, and where not even this is enough for some of them, on whatever plan, none. Its
// time is better spent on learning then.
func (c *chooser) schedule() schedule {
	usual := schedule{learnShare, measureShare, true}
	switch {
	case c.forOne():
		return usual
	case c.Options.Learn && c.haveTrials(mainMeasureShare, 1):
		return schedule{mainLearnShare, mainMeasureShare, true}
	case c.Options.Learn:
		return schedule{mainLearnShare, longMeasureShare, false}
	case c.haveTrials(measureShare, 1):
		return usual
	case c.haveTrials(triedMeasureShare, hurry):
		return schedule{triedLearnShare, triedMeasureShare, true}
	}
	return schedule{longLearnShare, longMeasureShare, false}
}

// haveTrials tells whether some trial matches fit into the time from a share of it on, a
// half more than a few, for the measuring may take longer.
func (c *chooser) haveTrials(from, part float64) bool {
	left := time.Duration((trialShare - from) * float64(c.Options.Time))
	return slices.ContainsFunc(c.Plans, func(p PlanReport) bool {
		return p.Out == "" && p.Machine != nil && float64(c.trialsOn([]*PlanReport{&p}, left, part).plays) >= 1.5*tuned.FewPlays.Value
	})
}

// learn learns an evaluation on the plan with the quickest playouts. It fits the
// machines of all plans, since these have the same fluents.
func (c *chooser) learn(ctx context.Context) {
	if c.forOne() {
		c.NoEvaluation = "a game for one is a search for a line of play"
		return
	}
	if !c.base.Algorithm.Candidates.Learns() {
		c.NoEvaluation = "the agent has none to choose"
		return
	}
	var quickest *PlanReport
	for i := range c.Plans {
		p := &c.Plans[i]
		if p.Out == "" && p.Machine != nil && p.Machine.Kind() == agent.EngineLanes && (quickest == nil || p.PlayoutsPerSecond > quickest.PlayoutsPerSecond) {
			quickest = p
		}
	}
	if quickest == nil {
		c.NoEvaluation = "playouts are too slow without a circuit"
		return
	}
	c.Evaluations, c.fresh = map[evaluation.Source]*evaluation.Evaluation{}, map[evaluation.Source]bool{}
	to, most := c.schedule(), mostLearning
	if !to.trials || c.Options.Learn {
		most = c.Options.Time
	}
	const source = evaluation.FromMatches
	if known := c.known.Evaluations[source]; known.Useful() && !c.Options.Learn {
		c.Evaluations[source] = known.On(quickest.Machine)
		return
	}
	// Half of the time is left where others keep the cores: what is learned beside them is
	// better than nothing, too.
	end := c.until(to.learn)
	defer c.alone(ctx, c.Options.Threads, end.Add(-max(leastLearning, time.Until(end)/2)))()
	within := min(most, time.Until(end))
	if within < leastLearning {
		c.NoEvaluation = "the clock left no time to learn one"
		return
	}
	c.learnFrom(ctx, source, quickest.Machine, within)
}

// learnFrom learns one evaluation.
func (c *chooser) learnFrom(ctx context.Context, source evaluation.Source, m reasoner.Machine, within time.Duration) {
	var e *evaluation.Evaluation
	err := guard.Run(func() (err error) {
		e, err = learning.Learn(ctx, m, c.program, source, c.Options.Seed+2, within, c.Options.Threads)
		return err
	})
	switch {
	case err != nil:
		c.NoEvaluation = fmt.Sprintf("learning one from %s broke down: %v", source, err)
	case e == nil:
		c.NoEvaluation = fmt.Sprintf("there were too few %s to learn from", source)
	default:
		c.Evaluations[source], c.fresh[source] = e, true
	}
}
