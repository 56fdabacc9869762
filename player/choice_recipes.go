package player

import (
	_ "embed"
	"slices"

	"semisplit/internal/strictjson"
	"semisplit/player/agent"
	"semisplit/player/evaluation"
	"semisplit/search/final"
)

// recipesText holds what experiments have taught: recipes with their priors, and
// the constants that were tuned. Each names the spec in docs/experiments that
// measures it, or says why there is none.
//
//go:embed recipes.json
var recipesText []byte

var known = func() (k struct {
	Semimoves  []recipe  `json:"semimoves"`
	WholeMoves []recipe  `json:"whole_moves"`
	Constants  constants `json:"constants"`
}) {
	if err := strictjson.Decode(recipesText, &k); err != nil {
		panic("BUG: recipes.json: " + err.Error())
	}
	return k
}()

// recipe is a way to search that can be laid over a plan. Lists of them are in
// the order of preference.
type recipe struct {
	Name        string         `json:"name"` // a number behind MAST is its Epsilon
	House       bool           `json:"house"`
	Tree        agent.Strategy `json:"tree"`
	Playouts    agent.Strategy `json:"playouts"`
	Heuristics  []string       `json:"heuristics"`
	Epsilon     float64        `json:"epsilon"` // of the playouts' first heuristic; 0: its default
	Exploration float64        `json:"exploration"`

	// Teacher is what an evaluation is learned from; "": there is none. The
	// others say what for.
	Teacher evaluation.Teacher `json:"teacher"`
	Minimax bool               `json:"minimax"` // implicit minimax backups, with the weight that the quality allows
	Dynamic float64            `json:"dynamic"` // ends playouts where the evaluation is so sure; 0: never
	Fixed   int                `json:"fixed"`   // ends playouts after so many joint moves; 0: never

	Plain bool               `json:"plain"` // without the solver
	Proof agent.ProofNumbers `json:"proof"` // uses of proof numbers

	// Prior is the score to expect against the house player over all games if
	// both make the same number of iterations, from experiments with a few
	// hundred plays, rounded. PriorLow, unless it is 0, is that for moves of
	// LowBudget; from HighBudget on Prior holds.
	Prior    float64 `json:"prior"`
	PriorLow float64 `json:"low_budget_prior"`
	basis
}

// basis says what a figure rests on.
type basis struct {
	Spec string `json:"spec"` // in docs/experiments
	Note string `json:"note"`
}

// tuned is a constant.
type tuned struct {
	Value float64 `json:"value"`
	basis
}

// constants are those of the choice that were tuned.
type constants struct {
	// EarlyWins is the bonus for early wins of recipes with uniform playouts to
	// the end of the game.
	EarlyWins tuned `json:"early_wins"`

	// What a candidate loses, in the logarithm of the odds, where its evaluation
	// deserves no trust: with playouts to the end, and with those that the
	// evaluation ends.
	DistrustMatchesWhole tuned `json:"distrust_matches_whole"`
	DistrustMatchesEnded tuned `json:"distrust_matches_ended"`
	DistrustTreesWhole   tuned `json:"distrust_trees_whole"`
	DistrustTreesEnded   tuned `json:"distrust_trees_ended"`

	// LowBudget and HighBudget are iterations a move. Of the two priors of a
	// recipe one holds up to LowBudget, the other from HighBudget on; what lies
	// between goes by the logarithm.
	LowBudget  tuned `json:"low_budget"`
	HighBudget tuned `json:"high_budget"`

	// A tree of whole moves tries each of them before any for a second time. So
	// where a move has fewer than SeenOften iterations for each legal move, a
	// candidate with such a tree loses PerHalving in the logarithm of the odds
	// for each time that they halve.
	SeenOften  tuned `json:"seen_often"`
	PerHalving tuned `json:"per_halving"`
}

// among tells whether a recipe may be chosen.
func (r recipe) among(k agent.Candidates) bool {
	switch k {
	case agent.CandidatesUniform, agent.CandidatesMinimax:
		plain := len(r.Heuristics) == 0 && r.Tree == r.Playouts && r.Dynamic == 0 && r.Fixed == 0 && r.Proof == "" && !r.Plain
		return plain && (r.Teacher == "" || k.Learns())
	case agent.CandidatesNoKnowledge:
		return r.Proof == ""
	}
	return true
}

// candidates are the recipes on the plans that compete. The house player is
// among them: on the quickest split plan or, in a game whose moves cannot be
// split, on whole moves, where MAST-context is MAST-join.
func candidates(base agent.Agent, plans []PlanReport, evaluations map[evaluation.Teacher]*evaluation.Evaluation) (all []*Candidate) {
	add := func(r recipe, p *PlanReport, split string, house bool) {
		if !r.among(base.Algorithm.Candidates) {
			return
		}
		if r.Teacher != "" && (!evaluations[r.Teacher].Useful() || p.Machine.Kind() != agent.EngineLanes) {
			if !house {
				return
			}
			r.Teacher = "" // it does without
		}
		c := &Candidate{Name: r.Name + " (" + split + ")", Agent: r.agent(base, split), Plan: p, House: house, Prior: r.Prior, priorLow: r.PriorLow}
		if r.Teacher != "" {
			c.distrust(r, trustOf(r.Teacher, evaluations))
		}
		if house {
			c.Prior, c.priorLow = 0.5, 0
		}
		all = append(all, c)
	}
	var quickest *PlanReport
	for i := range plans {
		if p := &plans[i]; p.Out == "" && p.Plan != string(agent.Orthodox) && (quickest == nil || p.Speed > quickest.Speed) {
			quickest = p
		}
	}
	const onSlowerPlans = 2 // recipes that are tried on other split plans than the quickest
	for i, r := range known.Semimoves {
		for j := range plans {
			if p := &plans[j]; p.Out == "" && p.Plan != string(agent.Orthodox) && (p == quickest || i < onSlowerPlans) {
				add(r, p, p.Plan, r.House && p == quickest)
			}
		}
	}
	for i, r := range known.WholeMoves {
		for j := range plans {
			p, split := &plans[j], string(agent.Orthodox)
			if p.Out != "" || p.Plan != string(agent.Orthodox) {
				continue
			}
			if r.Tree != r.Playouts {
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
	shift, ended := known.Constants.DistrustMatchesWhole, known.Constants.DistrustMatchesEnded
	if r.Teacher == evaluation.FromTrees {
		shift, ended = known.Constants.DistrustTreesWhole, known.Constants.DistrustTreesEnded
	}
	if r.Fixed > 0 || r.Dynamic > 0 {
		shift = ended
	}
	lower := func(p float64) float64 { return expected(oddsOf(p) - (1-trust)*shift.Value) }
	c.Prior = lower(c.Prior)
	if c.priorLow > 0 {
		c.priorLow = lower(c.priorLow)
	}
}

// interim is what an automatic agent plays on a plan before a choice has been
// made: what is expected to be best.
func interim(base agent.Agent, plan string) agent.Agent {
	of := known.Semimoves
	if plan == string(agent.Orthodox) {
		of = known.WholeMoves
	}
	i := slices.IndexFunc(of, func(r recipe) bool { return r.Teacher == "" && r.among(base.Algorithm.Candidates) })
	return of[i].agent(base, plan)
}

// agent is the base agent playing by a recipe and a plan. What the base says
// of threads, memory and bounds stays.
func (r recipe) agent(base agent.Agent, plan string) agent.Agent {
	a := agent.Default()
	a.Name, a.Description, a.General = base.Name, r.Name, base.General
	a.Algorithm.TreeStrategy, a.Algorithm.SimulationStrategy, a.Algorithm.SplitStrategy = r.Tree, r.Playouts, plan
	own := base.Algorithm.Parameters
	p := &a.Algorithm.Parameters
	p.ExplorationConstant = r.Exploration
	p.Iterations, p.PlayoutLimit, p.LanesInFlight = own.Iterations, own.PlayoutLimit, own.LanesInFlight
	p.FinalSelection, p.Solver, p.PN = final.Mean, !r.Plain, r.Proof
	if len(r.Heuristics) == 0 && r.Fixed == 0 && r.Proof == "" && !r.Plain {
		p.LengthBonus = known.Constants.EarlyWins.Value
	}
	if r.Teacher != "" {
		p.Evaluation, p.DynamicTermination, p.FixedTermination = string(r.Teacher), r.Dynamic, r.Fixed
		if r.Minimax {
			p.ImplicitMinimax = agent.AutomaticAlpha
		}
	}
	for _, name := range r.Heuristics {
		h := agent.Heuristic{Name: name}.Complete()
		if r.Epsilon > 0 && len(a.Heuristics) == 0 {
			h.Parameters["epsilon"] = r.Epsilon
		}
		a.Heuristics = append(a.Heuristics, h)
	}
	return a
}
