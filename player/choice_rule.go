package player

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"semisplit/player/agent"
)

// The rules of the automatic choice. Each is a function of measured figures
// alone, so that equal figures give equal choices.

// A split plan whose playouts last less than this part of those of whole moves
// (or, without them, of the longest) plays another game than the one it is to
// predict: where passing is a choice beside all moves together, half of the
// playouts of Go pass.
const shortPlayouts = 0.5

// plansTried is the number of split plans whose candidates compete: the
// quickest ones, none below slowPlan times the quickest.
const (
	plansTried = 2
	slowPlan   = 0.6
)

// leaveOutPlans marks the plans that do not compete.
func leaveOutPlans(plans []PlanReport) {
	length := 0.0
	for _, p := range plans {
		if p.Machine == nil {
			continue
		}
		if p.Plan == string(agent.Orthodox) {
			length = p.Length
			break
		}
		length = max(length, p.Length)
	}
	var split []*PlanReport
	for i := range plans {
		p := &plans[i]
		switch {
		case p.Out != "" || p.Plan == string(agent.Orthodox):
		case p.Length < shortPlayouts*length:
			p.Out = fmt.Sprintf("its playouts last %.0f joint moves, those of other plans %.0f", p.Length, length)
		default:
			split = append(split, p)
		}
	}
	slices.SortStableFunc(split, func(a, b *PlanReport) int { return cmp.Compare(b.Speed, a.Speed) })
	for i, p := range split {
		switch {
		case i >= plansTried:
			p.Out = fmt.Sprintf("%d split plans are quicker", i)
		case p.Speed < slowPlan*split[0].Speed:
			p.Out = fmt.Sprintf("plan %s plays %.1f times the states", split[0].Plan, split[0].Speed/p.Speed)
		}
	}
}

// slowCandidate is the part of the most iterations a second below which a
// candidate is no finalist. Heuristics may cost half of them and more, and earn
// it; a plan ten times as slow does not.
const slowCandidate = 0.1

// leaveOutCandidates marks those that are no finalists.
func leaveOutCandidates(all []*Candidate) {
	most := 0.0
	for _, c := range all {
		most = max(most, c.Iterations)
	}
	for _, c := range all {
		switch {
		case c.failed != nil:
			c.Out = c.failed.Error()
		case !c.House && c.Iterations < slowCandidate*most:
			c.Out = fmt.Sprintf("%.1f times as slow as the quickest", most/max(c.Iterations, 1e-9))
		}
	}
}

// fewestFinalists is how many play trial matches even if that leaves few for
// each.
const fewestFinalists = 4

// reduce leaves the house player in the running and those with the highest
// priors, so many altogether.
func reduce(all []*Candidate, most int) {
	most = max(most, fewestFinalists)
	var running []*Candidate
	for _, c := range all {
		if c.Out == "" {
			running = append(running, c)
		}
	}
	slices.SortStableFunc(running, func(a, b *Candidate) int {
		if a.House != b.House {
			return map[bool]int{true: -1, false: 1}[a.House]
		}
		return cmp.Compare(b.Prior, a.Prior)
	})
	for _, c := range running[min(most, len(running)):] {
		c.Out = fmt.Sprintf("no finalist: there is time for %d", most)
	}
}

// priorPlays is the number of trial matches that the prior of a candidate
// weighs as much as.
const priorPlays = 24

// Twice the iterations are worth perDoubling in the logarithm of the odds (0.35:
// 58.7%), as far as the speeds of two candidates differ by no more than
// mostDoublings.
const (
	perDoubling   = 0.35
	mostDoublings = 3
)

// priorAt is the prior of a candidate that makes so many iterations a move; usual
// is that of moves with many.
func (c *Candidate) priorAt(usual, iterations float64) float64 {
	if c.priorLow == 0 {
		return usual
	}
	low, high := known.Constants.LowBudget.Value, known.Constants.HighBudget.Value
	part := math.Log(max(iterations, 1)/low) / math.Log(high/low)
	return c.priorLow + (usual-c.priorLow)*min(max(part, 0), 1)
}

// wide is what a candidate loses with so many iterations a move.
func (c *Candidate) wide(iterations float64) float64 {
	if c.Plan == nil || c.Agent.Algorithm.TreeStrategy != agent.Orthodox || c.Plan.Branching <= 0 {
		return 0
	}
	return known.Constants.PerHalving.Value * max(0, math.Log2(known.Constants.SeenOften.Value*c.Plan.Branching/max(iterations, 1)))
}

// expect sets the priors of candidates by what was measured, for moves of that
// time, of all threads together, and for those of trial matches the same.
func expect(all []*Candidate, move time.Duration) {
	for i, p := range priorsFor(all, move) {
		all[i].Prior, all[i].usual = p, all[i].Prior
	}
	expectTrials(all, move)
}

// expectTrials sets the priors for trial matches whose moves have so much time.
func expectTrials(all []*Candidate, move time.Duration) {
	for i, p := range priorsFor(all, move) {
		all[i].trial = p
	}
}

// priorsFor are the priors of the recipes, and more for more iterations than the
// house player makes, or than the first candidate does where the house player is
// none.
func priorsFor(all []*Candidate, move time.Duration) []float64 {
	priors := make([]float64, len(all))
	for i, c := range all {
		priors[i] = c.Prior
		if c.usual > 0 {
			priors[i] = c.usual
		}
	}
	measured := func(c *Candidate) bool { return c.Iterations > 0 }
	first := slices.IndexFunc(all, func(c *Candidate) bool { return c.House && measured(c) })
	if first < 0 {
		if first = slices.IndexFunc(all, measured); first < 0 {
			return priors
		}
	}
	for i, c := range all {
		if c.Iterations > 0 {
			doublings := math.Log2(c.Iterations / all[first].Iterations)
			doublings = max(-mostDoublings, min(mostDoublings, doublings))
			made := c.Iterations * move.Seconds()
			priors[i] = expected(oddsOf(c.priorAt(priors[i], made)) + perDoubling*doublings - c.wide(made))
		}
	}
	return priors
}

// rate sets the scores of the candidates, from their priors and trial matches.
// Trial matches have shorter moves. What they tell beyond what was to be expected
// of moves as short holds for this game; what longer moves change is known
// from other games, by the priors alone.
func rate(all []*Candidate, results []bouts) {
	short := make([]float64, len(all))
	for i, c := range all {
		if short[i] = c.trial; c.trial == 0 {
			short[i] = c.Prior
		}
	}
	strengths, house := ratings(short, results), 0.0
	for i, c := range all {
		strengths[i] += oddsOf(c.Prior) - oddsOf(short[i])
		if c.House {
			house = strengths[i]
		}
	}
	for i, c := range all {
		c.Score = expected(strengths[i] - house)
	}
}

// oddsOf is the logarithm of the odds, for scores between 0 and 1.
func oddsOf(score float64) float64 { return math.Log(score / (1 - score)) }

// decide takes the finalist with the best score, the first of equals.
func decide(all []*Candidate) (best *Candidate, why string) {
	for _, c := range all {
		if c.Out == "" && (best == nil || c.Score > best.Score) {
			best = c
		}
	}
	if best == nil {
		// Everything failed: what was preferred before.
		return all[0], "no candidate could be measured: the first one plays"
	}
	against := "a player of prior one half"
	if slices.ContainsFunc(all, func(c *Candidate) bool { return c.House }) {
		against = "the house player"
	}
	why = fmt.Sprintf("expected score against %s %.0f%%", against, 100*best.Score)
	if best.Plays > 0 {
		why += fmt.Sprintf(", with %.1f points of %d trial matches", best.Points, best.Plays)
	} else {
		why += ", by the prior alone"
	}
	return best, why
}
