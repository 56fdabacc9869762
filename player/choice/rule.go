package choice

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"semisplit/player/agent"
)

// The rules of the automatic choice. Each is a function of measured figures
// alone, so that equal figures give equal choices.

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
		case p.Length < tuned.ShortPlayouts.Value*length:
			p.Out = fmt.Sprintf("its playouts last %.0f joint moves, those of other plans %.0f", p.Length, length)
		default:
			split = append(split, p)
		}
	}
	slices.SortStableFunc(split, func(a, b *PlanReport) int { return cmp.Compare(b.Speed, a.Speed) })
	for i, p := range split {
		switch {
		case i >= int(tuned.PlansTried.Value):
			p.Out = fmt.Sprintf("%d split plans are quicker", i)
		case p.Speed < tuned.SlowPlan.Value*split[0].Speed:
			p.Out = fmt.Sprintf("plan %s plays %.1f times the states", split[0].Plan, split[0].Speed/p.Speed)
		}
	}
}

// leaveOutCandidates marks those that are no finalists. Who plays to the end is not slow
// beside playouts that an evaluation ends.
func leaveOutCandidates(all []*Candidate) {
	most := 0.0
	for _, c := range all {
		if c.countsPlayouts() {
			most = max(most, c.Iterations)
		}
	}
	for _, c := range all {
		switch {
		case c.failed != nil:
			c.Out = c.failed.Error()
		case !c.Reference && c.comparable() && c.Iterations < tuned.SlowCandidate.Value*most:
			c.Out = fmt.Sprintf("%.1f times as slow as the quickest", most/max(c.Iterations, 1e-9))
		}
	}
}

// comparable tells whether iterations are like those of other trees: searches by minimax
// count states, and LSI plays out from the root alone.
func (c *Candidate) comparable() bool {
	return !c.Agent.Minimax() && c.Agent.Algorithm.Name != agent.NameLinear
}

// countsPlayouts tells whether its iterations are playouts to the end, like those of other
// trees.
func (c *Candidate) countsPlayouts() bool {
	return c.comparable() && c.Agent.Algorithm.Parameters.FixedTermination == 0
}

// running are the candidates that are not out.
func running(all []*Candidate) []*Candidate {
	return slices.DeleteFunc(slices.Clone(all), func(c *Candidate) bool { return c.Out != "" })
}

// reduce leaves those with the highest priors in the running, so many altogether, but no
// fewer than FewestFinalists. The reference agent is among them where there is time for
// more plays than these take.
func reduce(all []*Candidate, most int) {
	fewest := int(tuned.FewestFinalists.Value)
	running := running(all)
	slices.SortStableFunc(running, func(a, b *Candidate) int {
		if a.Reference != b.Reference && most >= fewest {
			return map[bool]int{true: -1, false: 1}[a.Reference]
		}
		return cmp.Compare(b.Prior, a.Prior)
	})
	most = max(most, fewest)
	for _, c := range running[min(most, len(running)):] {
		c.Out = fmt.Sprintf("%s %d", noFinalist, most)
	}
}

const noFinalist = "no finalist: there is time for"

// priorAt is the prior of a candidate that makes so many iterations a move.
func (c *Candidate) priorAt(iterations float64) float64 {
	if c.priorLow == 0 {
		return c.prior
	}
	low, high := tuned.LowBudget.Value, tuned.HighBudget.Value
	part := math.Log(max(iterations, 1)/low) / math.Log(high/low)
	return c.priorLow + (c.prior-c.priorLow)*min(max(part, 0), 1)
}

// wide is what a candidate loses with so many iterations a move.
func (c *Candidate) wide(iterations float64) float64 {
	if _, grave := c.Agent.Grave(); grave || c.Plan == nil || c.Agent.Algorithm.TreeStrategy != agent.Orthodox || c.Plan.Branching <= 0 {
		return 0
	}
	halvings := math.Log2(tuned.Wide.SeenOften.Value * c.Plan.Branching / max(iterations, 1))
	return tuned.Wide.PerHalving.Value * min(max(halvings, 0), tuned.MostDoublings.Value)
}

// hasty is what MAST loses in real moves where it makes playouts shorter than those of the
// same tree without it. Moves as short as those of trial matches do not show that
// (docs/experiments/results: playouts.md, "MAST on whole moves"; choice.md, "Short moves").
func (c *Candidate) hasty(all []*Candidate) float64 {
	if _, grave := c.Agent.Grave(); len(c.Agent.Heuristics) == 0 || grave || !c.playsToTheEnd() {
		return 0
	}
	blind := slices.IndexFunc(all, func(k *Candidate) bool {
		return k.Plan == c.Plan && k.Agent.Algorithm.TreeStrategy == c.Agent.Algorithm.TreeStrategy && len(k.Agent.Heuristics) == 0 && k.playsToTheEnd()
	})
	if blind < 0 {
		return 0
	}
	halvings := math.Log2(all[blind].MeanLength / c.MeanLength)
	return tuned.PerShortening.Value * min(max(halvings, 0), tuned.MostDoublings.Value)
}

// playsToTheEnd tells whether it was measured as MCTS with playouts to the end.
func (c *Candidate) playsToTheEnd() bool {
	return c.MeanLength > 0 && c.countsPlayouts() && !c.Agent.Combinatorial()
}

// expectMatch sets the priors of candidates by what was measured, for the match to come.
func expectMatch(all []*Candidate, o *Options) {
	expect(all, o.move())
	handicap(all, o.moves())
	if o.Ponders {
		gainIdle(all)
	}
}

// expect sets the priors of candidates by what was measured, for moves of that
// time, of all threads together, and for those of trial matches the same.
func expect(all []*Candidate, move time.Duration) {
	split := slices.ContainsFunc(all, (*Candidate).splits)
	for _, c := range all {
		if c.width = 0; split && c.comparable() {
			c.width = c.wide(c.Iterations * move.Seconds())
		}
	}
	for i, p := range priorsFor(all, move) {
		all[i].Prior = lowered(p, all[i].hasty(all))
	}
	expectTrials(all, move)
}

// splits tells whether it is a tree that takes moves apart.
func (c *Candidate) splits() bool {
	return c.Agent.Algorithm.TreeStrategy != agent.Orthodox && c.comparable()
}

// untried has candidates compete without trial matches: none were played, or none has ended.
func untried(all []*Candidate, remembered bool, o *Options) {
	takeBack(all)
	if !remembered {
		doubt(all, o.Play)
		expectMatch(all, o)
	}
}

// takeBack lets the candidates that leaveOutSlowest and reduce have left out compete again:
// that there is no time for trial matches of theirs is nothing against them where none are
// played.
func takeBack(all []*Candidate) {
	for _, k := range all {
		if k.Out == tooSlow || strings.HasPrefix(k.Out, noFinalist) {
			k.Out = ""
		}
	}
}

// doubt leaves those that go by an evaluation without playouts to the end, searches by
// minimax and short playouts, the prior for many iterations alone, where no trial match is
// played: nothing that they gain by speed and idle time. That few iterations favor them was
// seen with short moves of quick games, and that learning on does in games that had trial
// matches; in Go and Hex, where playouts are slow, they lost. Searches by minimax that see
// far enough are not doubted but in such games of places (docs/experiments/results:
// alphabeta.md, "Where nothing is tried").
func doubt(all []*Candidate, play time.Duration) {
	for _, c := range all {
		if c.Agent.Minimax() && !c.seesFar(play) || c.Agent.Algorithm.Parameters.FixedTermination > 0 {
			c.priorLow, c.idle, c.unproven = 0, 0, true
		}
	}
}

// seesFar tells whether a search by minimax sees enough states in the time of a move, with
// an evaluation that says something, in a game that is none of places.
func (c *Candidate) seesFar(play time.Duration) bool {
	if c.Plan == nil || c.Plan.Branching <= 0 || c.Plan.places() || c.trust < tuned.Untried.Trust.Value {
		return false
	}
	return c.Iterations*play.Seconds() >= tuned.Untried.SeesFar.Value*c.Plan.Branching*c.Plan.Branching
}

// handicap lowers the priors of searches that have fewer threads than others in the match. In
// trial matches all have one.
func handicap(all []*Candidate, threads int) {
	for _, c := range all {
		if n := c.Agent.Searching(threads); n < threads {
			c.Prior = expected(oddsOf(c.Prior) - tuned.PerDoubling.Value*math.Log2(float64(threads)/float64(n)))
		}
	}
}

// gainIdle raises the priors of searches that gain by the time in which others choose,
// beyond what trees do. Trial matches have no such time.
func gainIdle(all []*Candidate) {
	for _, c := range all {
		c.Prior = expected(oddsOf(c.Prior) + c.idle)
	}
}

// expectTrials sets the priors for trial matches whose moves have so much time. What trees
// of whole moves lose is that of real moves: where nobody has time to find out which of
// thousands of moves is good, all play at random, and wide trees are no worse.
func expectTrials(all []*Candidate, move time.Duration) {
	for i, p := range priorsFor(all, move) {
		all[i].trial = p
	}
}

// priorsFor are the priors of the recipes, and more for more iterations than the
// reference agent makes, or than the first candidate does where there is none. Searches by
// minimax were held against the quickest trees: they have the prior for as many iterations
// as the quickest tree makes here, and what that gains by its speed.
func priorsFor(all []*Candidate, move time.Duration) []float64 {
	measured := func(c *Candidate) bool { return c.Iterations > 0 && c.comparable() }
	first := slices.IndexFunc(all, func(c *Candidate) bool { return c.Reference && measured(c) })
	if first < 0 {
		first = slices.IndexFunc(all, measured)
	}
	most := 0.0
	for _, c := range all {
		if measured(c) {
			most = max(most, c.Iterations)
		}
	}
	faster := func(iterations float64) float64 {
		most := tuned.MostDoublings.Value
		return tuned.PerDoubling.Value * max(-most, min(most, math.Log2(iterations/all[first].Iterations)))
	}
	priors := make([]float64, len(all))
	for i, c := range all {
		switch {
		case c.unproven:
			priors[i] = expected(oddsOf(c.prior) - c.width)
		case measured(c):
			made := c.Iterations * move.Seconds()
			priors[i] = expected(oddsOf(c.priorAt(made)) + faster(c.Iterations) - c.width)
		case c.Agent.Minimax() && most > 0:
			priors[i] = expected(oddsOf(c.priorAt(most*move.Seconds())) + faster(most))
		default:
			priors[i] = c.prior
		}
	}
	return priors
}

// rate sets the scores of the candidates, from their priors and trial matches.
// Trial matches have shorter moves. What they tell beyond what was to be expected
// of moves as short holds for this game, as far as it holds; what longer moves change is
// known from other games, by the priors alone. What holds the least is the first to explain
// a result: its prior weighs less.
func rate(all []*Candidate, results []pairing, trial, play time.Duration) {
	short, worth, holds := make([]float64, len(all)), make([]float64, len(all)), make([]float64, len(all))
	for i, c := range all {
		holds[i] = holding(c.fading(), trial, play)
		worth[i] = tuned.PriorPlays.Value * holds[i] / holding(tuned.Fading.Usual.Value, trial, play)
		if short[i] = c.trial; c.trial == 0 {
			short[i] = c.Prior
		}
	}
	strengths, reference := ratings(short, worth, results), 0.0
	for i, c := range all {
		strengths[i] = oddsOf(c.Prior) + holds[i]*(strengths[i]-oddsOf(short[i]))
		if c.Reference {
			reference = strengths[i]
		}
	}
	for i, c := range all {
		c.Score = expected(strengths[i] - reference)
	}
}

// fading says how soon what trial matches tell of a candidate is no longer so, for longer
// moves.
func (c *Candidate) fading() float64 {
	if len(c.Agent.Heuristics) > 0 || c.splits() {
		return tuned.Fading.Guided.Value
	}
	return tuned.Fading.Usual.Value
}

// holding is the part of what trial matches tell that holds for moves of the match. In the
// logarithm of the odds, algorithms differ by less and less of it the longer these are.
func holding(fading float64, trial, play time.Duration) float64 {
	if trial <= 0 || play <= trial {
		return 1
	}
	return 1 / (1 + fading*math.Log10(float64(play)/float64(trial)))
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
	if slices.ContainsFunc(all, func(c *Candidate) bool { return c.Reference }) {
		against = "the reference agent"
	}
	why = fmt.Sprintf("expected score against %s %.0f%%", against, 100*best.Score)
	if best.Plays > 0 {
		why += fmt.Sprintf(", with %.1f points of %d trial matches", best.Points, best.Plays)
	} else {
		why += ", by the prior alone"
	}
	return best, why
}
