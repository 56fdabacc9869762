package choice

import (
	"context"
	"fmt"
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

// tooSlow tells whether the game is one without trial matches, whatever the plan, whose
// time is better spent on learning.
func (c *chooser) tooSlow() bool {
	if c.forOne() {
		return false
	}
	left := time.Duration((trialShare - measureShare) * float64(c.Options.Time))
	for i := range c.Plans {
		p := &c.Plans[i]
		if p.Out == "" && p.Machine != nil && c.trialsOn([]*PlanReport{p}, left).plays >= int(tuned.FewPlays.Value) {
			return false
		}
	}
	return true
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
	end, most := learnShare, mostLearning
	if c.tooSlow() {
		end, most = longLearnShare, c.Options.Time
	} else if c.Options.Learn {
		end, most = mainLearnShare, c.Options.Time
	}
	const source = evaluation.FromMatches
	if known := c.known.Evaluations[source]; known != nil && !c.Options.Learn {
		c.Evaluations[source] = known.On(quickest.Machine)
		return
	}
	defer c.alone(ctx, c.Options.Threads, end)()
	within := min(most, time.Until(c.until(end)))
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
