package player

import (
	"slices"

	"semisplit/player/evaluation"
)

// recipe is a way to search that can be laid over a plan.
type recipe struct {
	name             string
	house            bool
	tree, simulation Strategy
	heuristics       []string
	epsilon          float64 // of the playouts' first heuristic; 0: its default
	exploration      float64

	// What it is known from, and what for; "": there is no evaluation.
	teacher evaluation.Teacher
	minimax bool    // implicit minimax backups, with the weight that the quality allows
	dynamic float64 // ends playouts where the evaluation is so sure; 0: never
	fixed   int     // ends playouts after so many joint moves; 0: never

	plain bool   // without the solver
	proof string // uses of proof numbers

	// prior is the score to expect against the house player over all games if
	// both make the same number of iterations, from experiments with a few
	// hundred plays, rounded. few, unless it is 0, is that for moves of
	// slimMove; from richMove on prior holds.
	prior, few float64
}

// recipes are those for semimoves, and wholeRecipes those for whole moves, in
// the order of preference. A number behind MAST is the epsilon of its playouts,
// 0.4 otherwise: with the many playouts that lanes give, more of chance in them
// does better than what the papers found best.
var (
	recipes = []recipe{
		{name: "semisplit tree, MAST-split 0.7", tree: Semisplit, simulation: Semisplit, heuristics: []string{"mast-split"}, epsilon: 0.7, exploration: 0.4, prior: 0.54, few: 0.66},
		{name: "semisplit tree, implicit minimax (matches)", tree: Semisplit, simulation: Semisplit, exploration: 0.4, teacher: evaluation.FromMatches, minimax: true, prior: 0.62, few: 0.57},
		{name: "house: semisplit tree, MAST-context, implicit minimax", house: true, tree: Semisplit, simulation: Semisplit, heuristics: []string{"mast-context"}, exploration: 0.4, teacher: evaluation.FromMatches, minimax: true, prior: 0.50},
		{name: "semisplit tree, implicit minimax (trees)", tree: Semisplit, simulation: Semisplit, exploration: 0.4, teacher: evaluation.FromTrees, minimax: true, prior: 0.52},
		{name: "semisplit tree, uniform playouts", tree: Semisplit, simulation: Semisplit, exploration: 0.4, prior: 0.50},
		{name: "semisplit tree, implicit minimax (matches), short playouts", tree: Semisplit, simulation: Semisplit, exploration: 0.4, teacher: evaluation.FromMatches, minimax: true, fixed: shortPlayout, prior: 0.60, few: 0.68},
		{name: "semisplit tree, implicit minimax (trees), short playouts", tree: Semisplit, simulation: Semisplit, exploration: 0.4, teacher: evaluation.FromTrees, minimax: true, fixed: shortPlayout, prior: 0.45, few: 0.54},
		{name: "semisplit tree, implicit minimax (trees), sure playouts end", tree: Semisplit, simulation: Semisplit, exploration: 0.4, teacher: evaluation.FromTrees, minimax: true, dynamic: sureAdvantage, prior: 0.50},
		{name: "semisplit tree, MAST-split 0.7, implicit minimax (matches)", tree: Semisplit, simulation: Semisplit, heuristics: []string{"mast-split"}, epsilon: 0.7, exploration: 0.4, teacher: evaluation.FromMatches, minimax: true, prior: 0.58, few: 0.62},
		{name: "roll-up tree, MAST-split 0.7", tree: Rollup, simulation: Semisplit, heuristics: []string{"mast-split"}, epsilon: 0.7, exploration: 0.4, prior: 0.50, few: 0.58},
		{name: "semisplit tree, MAST-split, RAVE-split", tree: Semisplit, simulation: Semisplit, heuristics: []string{"mast-split", "rave-split"}, exploration: 0.2, prior: 0.46, few: 0.60},
	}
	wholeRecipes = []recipe{
		{name: "whole moves, uniform playouts", tree: Orthodox, simulation: Orthodox, exploration: 0.4, prior: 0.55},
		{name: "whole moves, uniform playouts, C 0.25", tree: Orthodox, simulation: Orthodox, exploration: 0.25, prior: 0.51, few: 0.57},
		{name: "whole moves, implicit minimax (matches)", tree: Orthodox, simulation: Orthodox, exploration: 0.4, teacher: evaluation.FromMatches, minimax: true, prior: 0.66, few: 0.60},
		{name: "whole moves, implicit minimax (trees)", tree: Orthodox, simulation: Orthodox, exploration: 0.4, teacher: evaluation.FromTrees, minimax: true, prior: 0.55},
		{name: "whole moves, implicit minimax (trees), sure playouts end", tree: Orthodox, simulation: Orthodox, exploration: 0.4, teacher: evaluation.FromTrees, minimax: true, dynamic: sureAdvantage, prior: 0.52},
		{name: "whole moves, implicit minimax (matches), short playouts", tree: Orthodox, simulation: Orthodox, exploration: 0.4, teacher: evaluation.FromMatches, minimax: true, fixed: shortPlayout, prior: 0.62, few: 0.70},
		{name: "whole moves, implicit minimax (trees), short playouts", tree: Orthodox, simulation: Orthodox, exploration: 0.4, teacher: evaluation.FromTrees, minimax: true, fixed: shortPlayout, prior: 0.45, few: 0.54},
		{name: "whole moves, uniform playouts, no solver", tree: Orthodox, simulation: Orthodox, exploration: 0.4, plain: true, prior: 0.46},
		{name: "whole moves, MAST 0.7", tree: Orthodox, simulation: Orthodox, heuristics: []string{"mast-join"}, epsilon: 0.7, exploration: 0.4, prior: 0.48, few: 0.65},
		{name: "whole moves, proof numbers", tree: Orthodox, simulation: Orthodox, exploration: 0.4, proof: "FU", prior: 0.44, few: 0.66},
		{name: "semisplit tree, whole moves in playouts", tree: Semisplit, simulation: Orthodox, exploration: 0.4, prior: 0.46},
	}
)

// How recipes end playouts by an evaluation.
const (
	sureAdvantage = 0.7
	shortPlayout  = 16 // joint moves
)

// earlyWins is the bonus for early wins of recipes with uniform playouts to the end
// of the game: 53.6 +-4.9% against none over twelve games.
const earlyWins = 0.25

// admits tells whether a recipe may be chosen.
func (k Candidates) admits(r recipe) bool {
	switch k {
	case CandidatesUniform, CandidatesMinimax:
		plain := len(r.heuristics) == 0 && r.tree == r.simulation && r.dynamic == 0 && r.fixed == 0 && r.proof == "" && !r.plain
		return plain && (r.teacher == "" || k.learns())
	case CandidatesNoKnowledge:
		return r.proof == ""
	}
	return true
}

// learns tells whether there may be an evaluation.
func (k Candidates) learns() bool { return k == AllCandidates || k == CandidatesMinimax }

// candidates are the recipes on the plans that compete. The house player is
// among them: on the quickest split plan or, in a game whose moves cannot be
// split, on whole moves, where MAST-context is MAST-join.
func candidates(base Agent, plans []PlanReport, evaluations map[evaluation.Teacher]*evaluation.Evaluation) (all []*Candidate) {
	add := func(r recipe, p *PlanReport, split string, house bool) {
		if !base.Algorithm.Candidates.admits(r) {
			return
		}
		if r.teacher != "" && (!evaluations[r.teacher].Useful() || p.Machine.Kind() != EngineLanes) {
			if !house {
				return
			}
			r.teacher = "" // it does without
		}
		c := &Candidate{Name: r.name + " (" + split + ")", Agent: r.agent(base, split), Plan: p, House: house, Prior: r.prior, few: r.few}
		if r.teacher != "" {
			c.distrust(r, trustOf(r.teacher, evaluations))
		}
		if house {
			c.Prior, c.few = 0.5, 0
		}
		all = append(all, c)
	}
	var quickest *PlanReport
	for i := range plans {
		if p := &plans[i]; p.Out == "" && p.Plan != string(Orthodox) && (quickest == nil || p.Speed > quickest.Speed) {
			quickest = p
		}
	}
	const onSlowerPlans = 2 // recipes that are tried on other split plans than the quickest
	for i, r := range recipes {
		for j := range plans {
			if p := &plans[j]; p.Out == "" && p.Plan != string(Orthodox) && (p == quickest || i < onSlowerPlans) {
				add(r, p, p.Plan, r.house && p == quickest)
			}
		}
	}
	for i, r := range wholeRecipes {
		for j := range plans {
			p, split := &plans[j], string(Orthodox)
			if p.Out != "" || p.Plan != string(Orthodox) {
				continue
			}
			if r.tree != r.simulation {
				if quickest == nil {
					continue // moves cannot be divided
				}
				split = quickest.Plan
			}
			add(r, p, split, i == 0 && quickest == nil)
		}
	}
	return all
}

// What a candidate loses, in the logarithm of the odds, where its evaluation deserves
// no trust: with playouts to the end and with those that the evaluation ends. From
// matches with trust implicit minimax wins 69% of its plays against whole moves, without
// 42%, and short playouts 62% and 28% (docs/experiments/results.md).
var distrusted = map[evaluation.Teacher]struct{ whole, ended float64 }{
	evaluation.FromMatches: {0.85, 1.4},
	evaluation.FromTrees:   {0.5, 1.2},
}

// trustOf is how much an evaluation deserves, from 0 to 1. Values of short searches can
// be foretold that say nothing of how matches end: in the Amazons of 8x8 squares with
// moves in parts trees were explained to 62% and matches not at all, and short playouts
// with what was learned from trees lost 6 of 6 plays. So trees are trusted no more than
// matches, where there are both.
func trustOf(teacher evaluation.Teacher, evaluations map[evaluation.Teacher]*evaluation.Evaluation) float64 {
	trust := evaluations[teacher].Trust()
	if matches := evaluations[evaluation.FromMatches]; matches != nil {
		trust = min(trust, matches.Trust())
	}
	return trust
}

// distrust lowers the priors of a candidate whose evaluation deserves so much trust.
func (c *Candidate) distrust(r recipe, trust float64) {
	shift := distrusted[r.teacher].whole
	if r.fixed > 0 || r.dynamic > 0 {
		shift = distrusted[r.teacher].ended
	}
	lower := func(p float64) float64 { return expected(oddsOf(p) - (1-trust)*shift) }
	c.Prior = lower(c.Prior)
	if c.few > 0 {
		c.few = lower(c.few)
	}
}

// interim is what an automatic agent plays on a plan before a choice has been
// made: what is expected to be best.
func interim(base Agent, plan string) Agent {
	of := recipes
	if plan == string(Orthodox) {
		of = wholeRecipes
	}
	i := slices.IndexFunc(of, func(r recipe) bool { return r.teacher == "" && base.Algorithm.Candidates.admits(r) })
	return of[i].agent(base, plan)
}

// agent is the base agent playing by a recipe and a plan. What the base says
// of threads, memory and bounds stays.
func (r recipe) agent(base Agent, plan string) Agent {
	a := DefaultAgent()
	a.Name, a.Description, a.General = base.Name, r.name, base.General
	a.Algorithm.TreeStrategy, a.Algorithm.SimulationStrategy, a.Algorithm.SplitStrategy = r.tree, r.simulation, plan
	own := base.Algorithm.Parameters
	p := &a.Algorithm.Parameters
	p.ExplorationConstant = r.exploration
	p.Iterations, p.PlayoutLimit, p.LanesInFlight = own.Iterations, own.PlayoutLimit, own.LanesInFlight
	p.FinalSelection, p.Solver, p.PN = SelectGreedy, !r.plain, ProofNumbers(r.proof)
	if len(r.heuristics) == 0 && r.fixed == 0 && r.proof == "" && !r.plain {
		p.LengthBonus = earlyWins
	}
	if r.teacher != "" {
		p.Evaluation, p.DynamicTermination, p.FixedTermination = string(r.teacher), r.dynamic, r.fixed
		if r.minimax {
			p.ImplicitMinimax = automaticAlpha
		}
	}
	for _, name := range r.heuristics {
		h := Heuristic{Name: name}.complete()
		if r.epsilon > 0 && len(a.Heuristics) == 0 {
			h.Parameters["epsilon"] = r.epsilon
		}
		a.Heuristics = append(a.Heuristics, h)
	}
	return a
}
