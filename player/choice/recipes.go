package choice

import (
	"cmp"
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

// tuned are the constants.
var tuned = known.Constants

// presets are the agents of other algorithms than MCTS, whose priors were measured.
var presets = func() map[string]agent.Agent {
	by := map[string]agent.Agent{}
	for _, a := range agent.Presets() {
		if name := a.Algorithm.Name; name != agent.NameMCTS {
			by[name] = a
		}
	}
	return by
}()

// recipe is a way to search that can be laid over a plan. Lists of them are in
// the order of preference.
type recipe struct {
	Name         string         `json:"name"` // a number behind MAST is its Epsilon
	Reference    bool           `json:"reference"`
	Tree         agent.Strategy `json:"tree"`
	Playouts     agent.Strategy `json:"playouts"`
	Heuristics   []string       `json:"heuristics"`
	Epsilon      float64        `json:"epsilon"` // of the playouts' first heuristic; 0: its default
	Exploration  float64        `json:"exploration"`
	LeafPlayouts int            `json:"leaf_playouts"` // 0: one

	// Source is what an evaluation is learned from; "": there is none. The
	// others say what for.
	Source  evaluation.Source `json:"source"`
	Minimax bool              `json:"minimax"` // implicit minimax backups, with the weight that the quality allows
	Fixed   int               `json:"fixed"`   // ends playouts after so many joint moves; 0: never

	// Algorithm is another one than MCTS. It goes by an evaluation alone, or by the
	// dimensions of moves and by playouts alone.
	Algorithm string `json:"algorithm"`

	Plain bool   `json:"plain"` // without the solver
	Proof string `json:"proof"` // uses of proof numbers

	// Prior is the score to expect against the reference agent over all games if
	// both make the same number of iterations, from experiments with a few
	// hundred plays, rounded. PriorLow, unless it is 0, is that for moves of
	// LowBudget; from HighBudget on Prior holds.
	Prior    float64 `json:"prior"`
	PriorLow float64 `json:"low_budget_prior"`

	// Idle is what it gains, in the logarithm of the odds, by the time in which others
	// choose. Experiments that priors are from had none.
	Idle float64 `json:"idle_gain"`
	basis
}

// basis says what a figure rests on.
type basis struct {
	Spec string `json:"spec"` // in docs/experiments
	Note string `json:"note"`
}

// constant is a number that was tuned.
type constant struct {
	Value float64 `json:"value"`
	basis
}

// constants are those of the choice. Losses and gains are in the logarithm of the odds.
type constants struct {
	// What a candidate loses where its evaluation deserves no trust: with playouts
	// to the end, and with those that the evaluation ends.
	Discount struct {
		Whole constant `json:"whole"`
		Ended constant `json:"ended"`
	} `json:"discount"`

	// A search by minimax that is not tried is not doubted if its evaluation deserves so much
	// Trust, and if it sees, in the time of a move, SeesFar times as many states as there are
	// after two moves.
	Untried struct {
		SeesFar constant `json:"sees_far"`
		Trust   constant `json:"trust"`
	} `json:"untried"`

	// LowBudget and HighBudget are iterations a move. Of the two priors of a
	// recipe one holds up to LowBudget, the other from HighBudget on; what lies
	// between goes by the logarithm.
	LowBudget  constant `json:"low_budget"`
	HighBudget constant `json:"high_budget"`

	// A tree of whole moves tries each of them before any for a second time, but with
	// GRAVE. So where a move has fewer than SeenOften iterations for each legal move, a
	// candidate with such a tree loses PerHalving for each time that they halve, of at
	// most MostDoublings.
	Wide struct {
		SeenOften  constant `json:"seen_often"`
		PerHalving constant `json:"per_halving"`
	} `json:"wide"`

	// MAST loses PerShortening for each time that it halves the length of
	// playouts, of at most MostDoublings.
	PerShortening constant `json:"per_shortening"`

	// Places are games for GRAVE: moves last at least so long and are repeated at most so
	// often, as PlanReport.Lasting and Repeated say.
	Places struct {
		Lasting  constant `json:"lasting"`
		Repeated constant `json:"repeated"`
	} `json:"places"`

	// Twice the iterations of another candidate bring PerDoubling (0.35: 58.7%), as
	// far as their speeds differ by no more than MostDoublings.
	PerDoubling   constant `json:"per_doubling"`
	MostDoublings constant `json:"most_doublings"`

	// PriorPlays is the number of trial matches that a prior weighs as much as. What they
	// tell of the game beyond that fades.
	PriorPlays constant `json:"prior_plays"`
	Fading     fading   `json:"fading"`
	// WholeMoves is what whole moves gain where others split them, with as many iterations,
	// and searches by dimensions with many, whose priors were measured against whole moves.
	WholeMoves constant `json:"whole_moves"`

	// A split plan is out if its playouts last less than ShortPlayouts times those
	// of whole moves (or, without them, of the longest). Of the others the PlansTried
	// quickest compete, none below SlowPlan times the quickest, and the slower ones with
	// SlowerPlanRecipes recipes only.
	ShortPlayouts     constant   `json:"short_playouts"`
	PlansTried        constant   `json:"plans_tried"`
	SlowPlan          constant   `json:"slow_plan"`
	SlowerPlanRecipes constant   `json:"slower_plan_recipes"`
	Together          together   `json:"together"`
	Dimensions        dimensions `json:"dimensions"`
	// Transposed is the part of new nodes for states that are known from which on trees of
	// whole moves share what lines that meet have learned.
	Transposed constant `json:"transposed"`
	// SlowCandidate is the part of the most iterations/s below which there is no finalist.
	SlowCandidate constant `json:"slow_candidate"`

	// Trial matches: WantedPlays are to be played, PlaysEach by each finalist, of whom
	// there are FewestFinalists at least. With less than FewPlays there are none. A move
	// has LeastMove seconds at least, and time for FewestRuns playouts one after the
	// other, each SearchSlower times as long as at random. Matches begin with
	// OpeningMoves random moves, and should last TypicalLength times as long as random
	// playouts. If they are shorter, moves get up to MostLonger times as much time.
	WantedPlays     constant `json:"wanted_plays"`
	PlaysEach       constant `json:"plays_each"`
	FewestFinalists constant `json:"fewest_finalists"`
	FewPlays        constant `json:"few_plays"`
	LeastMove       constant `json:"least_move"`
	FewestRuns      constant `json:"fewest_runs"`
	SearchSlower    constant `json:"search_slower"`
	OpeningMoves    constant `json:"opening_moves"`
	TypicalLength   constant `json:"typical_length"`
	MostLonger      constant `json:"most_longer"`
}

// fading says how soon what trial matches tell is no longer so: it is divided by one more for
// each 1/Usual factors of ten that real moves take longer, or 1/Guided of playouts with
// heuristics and of trees that take moves apart.
type fading struct {
	Usual  constant `json:"usual"`
	Guided constant `json:"guided"`
}

// together are the constants of games in which several roles choose at once: Roles on
// average, or more. There playouts see no wins, and trees have no transpositions. Implicit minimax
// loses DiscountMinimax. With many iterations a move MAST loses DiscountMAST, and
// hierarchical expansion gains GainHierarchical.
type together struct {
	Roles            constant `json:"roles"`
	DiscountMinimax  constant `json:"discount_minimax"`
	DiscountMAST     constant `json:"discount_mast"`
	GainHierarchical constant `json:"gain_hierarchical"`
}

// dimensions are the constants of searches by dimensions. They compete where a move has
// Semimoves or more, and so many Moves or more are legal.
type dimensions struct {
	Semimoves constant `json:"semimoves"`
	Moves     constant `json:"moves"`
}

// among tells whether a recipe may be chosen.
func (r recipe) among(k agent.Candidates) bool {
	if r.Algorithm != "" && k != agent.AllCandidates {
		return false
	}
	switch k {
	case agent.CandidatesUniform, agent.CandidatesMinimax:
		plain := len(r.Heuristics) == 0 && r.Tree == r.Playouts && r.Fixed == 0 && r.Proof == "" && !r.Plain
		return plain && (r.Source == "" || k.Learns())
	case agent.CandidatesNoKnowledge:
		return r.Proof == ""
	}
	return true
}

// candidates are the recipes on the plans that compete. The reference agent is
// among them: on the quickest split plan or, where no split plan competes, the first
// recipe of whole moves.
func candidates(base agent.Agent, plans []PlanReport, evaluations map[evaluation.Source]*evaluation.Evaluation) (all []*Candidate) {
	whole, split, quickest := competing(plans)
	add := func(r recipe, p *PlanReport, split string, reference bool) {
		if !r.among(base.Algorithm.Candidates) {
			return
		}
		if r.Source != "" && (!evaluations[r.Source].Useful() || p.Machine.Kind() != agent.EngineLanes) {
			if !reference {
				return
			}
			r.Source = "" // it does without
		}
		a := r.agent(base, split)
		if _, grave := a.Grave(); a.Combinatorial() && !p.combinatorial() || grave && !p.places() {
			return
		}
		c := &Candidate{Name: r.Name + " (" + split + ")", Agent: a, Plan: p, Reference: reference, prior: r.Prior, priorLow: r.PriorLow, idle: r.Idle}
		if p.together() {
			c.together()
		}
		switch {
		case quickest == nil:
		case r.Tree == agent.Orthodox:
			c.lower(-tuned.WholeMoves.Value)
		case a.Combinatorial(): // which with many iterations was held against whole moves
			c.priorLow = cmp.Or(c.priorLow, c.prior)
			c.prior = lowered(c.prior, -tuned.WholeMoves.Value)
		}
		if r.Source != "" {
			c.discount(r, evaluations[r.Source].Trust())
		}
		if reference && quickest != nil { // else it is one of whole moves, whose priors are held against each other
			c.prior, c.priorLow = 0.5, 0
		}
		c.Prior = c.prior
		all = append(all, c)
	}
	for i, r := range known.Semimoves {
		for _, p := range split {
			if p == quickest || i < int(tuned.SlowerPlanRecipes.Value) {
				add(r, p, p.Plan, r.Reference && p == quickest)
			}
		}
	}
	for i, r := range known.WholeMoves {
		for _, p := range whole {
			if r.Tree == r.Playouts {
				add(r, p, p.Plan, i == 0 && quickest == nil)
			} else if quickest != nil { // moves can be divided
				add(r, p, quickest.Plan, false)
			}
		}
		if len(whole) == 0 && quickest != nil && r.Algorithm == agent.NameAlphaBeta { // it takes the moves of any plan whole
			add(r, quickest, quickest.Plan, false)
		}
	}
	return all
}

// competing are the plans that compete: whole moves, if there is a machine for them, and
// split ones, with the quickest of these; nil: there is none.
func competing(plans []PlanReport) (whole, split []*PlanReport, quickest *PlanReport) {
	for i := range plans {
		switch p := &plans[i]; {
		case p.Out != "":
		case p.Plan == string(agent.Orthodox):
			whole = append(whole, p)
		default:
			split = append(split, p)
			if quickest == nil || p.Speed > quickest.Speed {
				quickest = p
			}
		}
	}
	return whole, split, quickest
}

// minimaxPlan is the plan on which alpha-beta plays; nil: there is none.
func minimaxPlan(plans []PlanReport) *PlanReport {
	whole, _, quickest := competing(plans)
	if len(whole) > 0 {
		return whole[0]
	}
	return quickest
}

// together makes a candidate one for a game in which roles mostly choose at once. Playouts
// see wins where one role chooses.
func (c *Candidate) together() {
	p := &c.Agent.Algorithm.Parameters
	p.TerminalVision = agent.VisionOff
	if p.ImplicitMinimax != 0 { // which takes the others' moves as known
		c.lower(tuned.Together.DiscountMinimax.Value)
	}
	switch {
	case c.Agent.Algorithm.Name == agent.NameHierarchical:
		c.priorLow = cmp.Or(c.priorLow, c.prior)
		c.prior = lowered(c.prior, -tuned.Together.GainHierarchical.Value)
	case len(c.Agent.Heuristics) > 0:
		c.priorLow = cmp.Or(c.priorLow, c.prior)
		c.prior = lowered(c.prior, tuned.Together.DiscountMAST.Value)
	}
}

// discount lowers the priors of a candidate whose evaluation deserves so much trust.
func (c *Candidate) discount(r recipe, trust float64) {
	c.trust = trust
	shift, ended := tuned.Discount.Whole, tuned.Discount.Ended
	if r.Fixed > 0 || r.Algorithm != "" {
		shift = ended
	}
	c.lower((1 - trust) * shift.Value)
}

// lower takes so much from the priors, in the logarithm of the odds.
func (c *Candidate) lower(by float64) {
	c.prior = lowered(c.prior, by)
	if c.priorLow > 0 {
		c.priorLow = lowered(c.priorLow, by)
	}
}

func lowered(prior, by float64) float64 { return expected(oddsOf(prior) - by) }

// Interim is what an automatic agent plays on a plan before a choice has been
// made: what is expected to be best.
func Interim(base agent.Agent, plan string) agent.Agent {
	recipes := known.Semimoves
	if plan == string(agent.Orthodox) {
		recipes = known.WholeMoves
	}
	i := slices.IndexFunc(recipes, func(r recipe) bool { return r.Source == "" && r.among(base.Algorithm.Candidates) })
	return recipes[i].agent(base, plan)
}

// agent is the base agent playing by a recipe and a plan. What the base says
// of threads, memory and bounds stays.
func (r recipe) agent(base agent.Agent, plan string) agent.Agent {
	a := agent.Default()
	if r.Algorithm != "" {
		a = presets[r.Algorithm]
	}
	a.Name, a.Description, a.General = base.Name, r.Name, base.General
	a.Algorithm.SplitStrategy = plan
	own := base.Algorithm.Parameters
	p := &a.Algorithm.Parameters
	if r.Algorithm != "" {
		if a.Algorithm.Name != agent.NameAlphaBeta { // the others have one
			a.General.Threads = 1
		}
		p.Iterations, p.Evaluation = own.Iterations, string(r.Source)
		return a
	}
	a.Algorithm.TreeStrategy, a.Algorithm.SimulationStrategy = r.Tree, r.Playouts
	p.ExplorationConstant, p.LeafPlayouts = r.Exploration, r.LeafPlayouts
	p.Iterations, p.PlayoutLimit, p.LanesInFlight = own.Iterations, own.PlayoutLimit, own.LanesInFlight
	p.FinalSelection, p.Solver, p.PN = final.Mean, !r.Plain, r.Proof
	if p.Solver && base.Algorithm.Candidates.See() {
		p.TerminalVision = agent.VisionAvoid
	}
	if r.Source != "" {
		p.Evaluation, p.FixedTermination = string(r.Source), r.Fixed
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
	if _, grave := a.Grave(); grave {
		p.FinalSelection = final.Visits
	}
	return a
}
