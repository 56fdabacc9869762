package choice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/internal/cores"
	"semisplit/internal/guard"
	"semisplit/player/agent"
	"semisplit/player/local"
	"semisplit/player/machines"
	"semisplit/reasoner"
	"semisplit/search"

	"golang.org/x/sync/errgroup"
)

// Measurements are short: a plan takes planTime at most, two thirds of it for
// random playouts and the rest to count its choices; a candidate thinks about
// the initial state for candidateTime. Where their share of the time is less
// than that, they get equal parts of it, but never less than the least.
const (
	planTime       = 150 * time.Millisecond
	leastPlan      = planTime / 10
	candidateTime  = 240 * time.Millisecond
	leastCandidate = candidateTime / 12

	// Where playouts are so long that they do not end within these times.
	slowPlanTime      = 4 * planTime
	slowCandidateTime = 4 * candidateTime
	slowCandidates    = 6 // that are measured where there are no trial matches, those with the highest priors
)

// part is the time of each of n measurements that end when a share of the time
// is over.
func (c *chooser) part(share float64, n int, least, most time.Duration) time.Duration {
	left := time.Until(c.until(share))
	return min(most, max(least, left/time.Duration(max(1, n))))
}

// alone takes cores for a measurement, which other work of this process would
// spoil. From a moment on it takes them by force: what was measured
// beside others is better than nothing.
func (c *chooser) alone(ctx context.Context, count int, until time.Time) (leave func()) {
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	leave, err := cores.Wait(ctx, count)
	if err != nil {
		cores.Force(count)
		return func() { cores.Force(-count) }
	}
	return leave
}

// measurePlans plays at random on each plan.
func (c *chooser) measurePlans(ctx context.Context) {
	each := c.part(planShare, len(c.Plans), leastPlan, planTime)
	playing := each * 2 / 3
	for i := range c.Plans {
		p := &c.Plans[i]
		if p.Machine == nil || ctx.Err() != nil {
			continue
		}
		leave := c.alone(ctx, 1, c.until(planShare))
		err := guard.Run(func() error {
			// An error of the rules in some playout ends the measurement, and what
			// was played until then counts.
			tally, _ := reasoner.Measure(p.Machine, reasoner.Measurement{Seed: c.Options.Seed + 1, Time: playing})
			if tally.Playouts < int64(p.Lanes) {
				// Those that ended are the short ones, by which they all seem to be shorter,
				// and fewer.
				longer := c.part(planShare, len(c.Plans)-i, playing, slowPlanTime)
				tally, _ = reasoner.Measure(p.Machine, reasoner.Measurement{Seed: c.Options.Seed + 1, Time: longer})
			}
			seconds := max(tally.Elapsed, time.Microsecond).Seconds()
			p.Speed = float64(tally.States) / seconds
			if tally.Playouts == 0 { // as if one had ended now: in no time at all, it would be the quickest
				tally.Playouts, tally.Plies = 1, tally.States/int64(max(1, p.Lanes))
			}
			p.PlayoutsPerSecond = float64(tally.Playouts) / seconds
			p.Length = float64(tally.Plies) / float64(tally.Playouts)
			if tally.Tries > 0 {
				p.Dead = float64(tally.Dead) / float64(tally.Tries)
			}
			p.choices(ctx, each-playing, c.Options.Seed)
			return nil
		})
		leave()
		if err != nil {
			p.Out = "it broke down: " + err.Error()
		}
	}
}

// choices measures the branching and the depth of a plan in random matches.
func (p *PlanReport) choices(ctx context.Context, limit time.Duration, seed uint64) {
	var stop atomic.Bool
	timer := time.AfterFunc(limit, func() { stop.Store(true) })
	defer timer.Stop()
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	// An error of the rules ends the matches as it ends playouts.
	found, _ := reasoner.MeasureBranching(p.Machine, seed, maxChoices, &stop)
	p.Branching, p.Depth, p.Choosing, p.Lasting, p.Repeated = found.Nodal(), found.Depth(), found.Choosing(), found.Lasting(), found.Repeated()
}

const maxChoices = 5000 // states looked at

var (
	errOutOfTime  = errors.New("there was no time to measure it")
	errNoFinalist = fmt.Errorf("%d others are expected to be better, and there are no trial matches", slowCandidates-1)
)

// byPrior are the candidates with those first that are expected to be best, if the time
// does not suffice for all: those with the highest priors, if each made as many iterations
// as its plan makes playouts. The reference agent is before all.
func (c *chooser) byPrior() []*Candidate {
	order := make([]*Candidate, len(c.Candidates))
	for i, k := range c.Candidates {
		guess := *k
		if k.comparable() {
			guess.Iterations = k.Plan.searches()
		}
		order[i] = &guess
	}
	expect(order, c.Options.move())
	rank := make(map[*Candidate]float64, len(order))
	for i, guess := range order {
		if order[i] = c.Candidates[i]; order[i].Reference {
			guess.Prior = 1
		}
		rank[order[i]] = guess.Prior
	}
	slices.SortStableFunc(order, func(a, b *Candidate) int { return cmp.Compare(rank[b], rank[a]) })
	return order
}

// searches is about how many iterations a search on the plan makes in a second.
func (p *PlanReport) searches() float64 { return p.PlayoutsPerSecond / tuned.SearchSlower.Value }

// measureCandidates makes the machine of each candidate and lets it think for a
// moment, as many at once as there are threads.
func (c *chooser) measureCandidates(ctx context.Context) {
	order, to, most := c.byPrior(), c.schedule(), candidateTime
	if !to.trials {
		most = slowCandidateTime
		for _, k := range order[min(slowCandidates, len(order)):] {
			k.failed = errNoFinalist
		}
		order = order[:min(slowCandidates, len(order))]
	}
	oneAfterTheOther := (len(order) + c.Options.Threads - 1) / c.Options.Threads
	each := c.part(to.measure, oneAfterTheOther, leastCandidate, most)
	var group errgroup.Group
	group.SetLimit(c.Options.Threads)
	// A few are measured even where that takes time from their trial matches.
	end, latest := c.until(to.measure), c.until((to.measure+trialShare)/2)
	for i, k := range order {
		if ctx.Err() != nil || time.Now().After(end) && i >= int(tuned.FewestFinalists.Value) || time.Now().After(latest) && i > 0 {
			k.failed = errOutOfTime
			continue
		}
		group.Go(func() error {
			defer c.alone(ctx, 1, c.until(to.measure))()
			k.failed = guard.Run(func() error { return c.measure(ctx, k, each) })
			return nil
		})
	}
	_ = group.Wait() // each candidate has its own error
}

func (c *chooser) measure(ctx context.Context, k *Candidate, limit time.Duration) error {
	if err := c.adapt(ctx, k); err != nil {
		return err
	}
	if c.forOne() || !k.mayTranspose() {
		_, err := c.think(ctx, k, limit)
		return err
	}
	// Where few lines meet, transpositions cost time and bring nothing.
	own := &k.Agent.Algorithm.Parameters.Transpositions
	*own = true
	report, err := c.think(ctx, k, limit/2)
	if err != nil {
		return err
	}
	k.Transposed = float64(report.Transposed) / float64(max(report.Created, 1))
	if *own = k.Transposed >= tuned.Transposed.Value; !*own {
		_, err = c.think(ctx, k, limit/2)
	}
	return err
}

// settleSlow sets the iterations of a search whose first playouts did not end while it was
// measured, or only the short ones of them: they are about as many as the plan's playouts.
// Fewer than one for each lane have ended, so there are no more than if all had: else a
// search that had no processor would seem many times as quick as any that was measured.
func (k *Candidate) settleSlow(report search.Report) {
	if p := k.Plan; k.countsPlayouts() && report.Iterations < p.Lanes {
		most := float64(p.Lanes) / max(report.Elapsed, time.Microsecond).Seconds()
		k.Iterations = max(k.Iterations, min(p.searches(), most))
	}
}

// adapt makes the machine of a candidate, which does not see wins on a plan on which that
// takes too long.
func (c *chooser) adapt(ctx context.Context, k *Candidate) (err error) {
	m := k.Plan.Machine
	if k.Plan.Blind {
		k.Agent.Algorithm.Parameters.TerminalVision = agent.VisionOff
	}
	if k.Plan.BlindMinimax && k.Agent.Minimax() { // alpha-beta has no such key
		m = blind{m}
	}
	k.machine, err = machines.Adapt(ctx, k.Agent, m, c.program, c.limits, c.Evaluations[k.Agent.EvaluationSource()])
	return err
}

// blind is a machine without a circuit that sees wins.
type blind struct{ reasoner.Machine }

// sight makes the circuits that see wins, which all plans that compete need, and alpha-beta
// one of its own. A plan is blind where that takes too much of the time. They are made before
// anything is learned: else, on a single core, they take all the time in which candidates are
// measured.
func (c *chooser) sight(ctx context.Context) {
	c.begin("making the circuits that see wins")
	sees := func(m reasoner.Machine, replies bool) bool {
		const part = 8 // of the time that is left, for each circuit
		return canSee(ctx, m, replies, time.Until(c.until(trialShare))/part)
	}
	minimax := c.base.Algorithm.Candidates == agent.AllCandidates && !c.forOne()
	of := minimaxPlan(c.Plans)
	for i := range c.Plans {
		p := &c.Plans[i]
		if p.Out != "" || p.Machine.Kind() != agent.EngineLanes {
			continue
		}
		p.Blind = !p.together() && c.base.Algorithm.Candidates.See() && !sees(p.Machine, true)
		p.BlindMinimax = minimax && p == of && !sees(p.Machine, false)
	}
}

// canSee makes a circuit that sees wins. False: that takes too long.
func canSee(ctx context.Context, m reasoner.Machine, replies bool, limit time.Duration) bool {
	within, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	// What else goes wrong is told by the candidates that need it.
	_ = guard.Run(func() error {
		_, err := reasoner.Sighted(within, m, replies)
		return err
	})
	return within.Err() == nil || ctx.Err() != nil
}

// mayTranspose tells whether lines of play may share what they have learned where they
// meet: in trees of whole moves, with which that was measured, where roles take turns. Where
// they choose at once such a tree sees far ahead, to what all roles would gain if each knew
// what the others play, and the move at hand matters little (Point Grab: 88% without them).
func (k *Candidate) mayTranspose() bool {
	return !k.Plan.together() && !k.Agent.Minimax() && !k.Agent.Combinatorial() && k.Agent.Algorithm.TreeStrategy == agent.Orthodox && k.Agent.Algorithm.Parameters.PN == ""
}

// think lets a candidate search the initial state, and keeps how quick it was.
func (c *chooser) think(ctx context.Context, k *Candidate, limit time.Duration) (search.Report, error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	// A search looks at its time between the steps of a machine: one that takes very long
	// is interrupted when the choice must be made.
	late := time.AfterFunc(max(2*limit, time.Until(c.until(trialShare))), func() { stop.Store(true) })
	defer late.Stop()
	role := append(c.players(), 0)[0]
	b, err := local.NewPlayer(k.machine, k.oneThread(), role, c.Options.Seed, &stop)
	if err != nil {
		return search.Report{}, err
	}
	report, err := b.Prepare(search.Budget{Time: limit})
	if err != nil {
		return report, err
	}
	seconds := max(report.Elapsed, time.Microsecond).Seconds()
	k.Iterations, k.States, k.MeanLength = float64(report.Iterations)/seconds, float64(report.States)/seconds, report.MeanLength
	k.settleSlow(report)
	return report, nil
}

// oneThread is the candidate as it plays in trials: matches are played side by
// side, with a small tree each.
func (k *Candidate) oneThread() agent.Agent {
	const memory = 32 << 20
	a := k.Agent
	a.General.Threads, a.General.Memory = 1, memory
	a.Algorithm.Parameters.Iterations = 0
	return a
}
