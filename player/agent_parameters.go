package player

import (
	"fmt"
	"slices"

	"semisplit/player/internal/words"
	"semisplit/search"
)

// AgentParameter describes a key of the agent file.
type AgentParameter struct {
	Section string // where the key stands: "" for the top level, else keys joined by dots
	Key     string
	Kind    ParameterKind
	Default any // nil in objects, lists, and the names that a file has to give

	// Values of numbers lie in [Min, Max], units in Meaning. Choices are the
	// only values otherwise, as written in JSON without quotes.
	Min, Max float64
	Choices  []string

	// Heuristics are the names of those that take this parameter.
	Heuristics []string

	Meaning string
	Refusal string // why other values than the only choice are refused
}

// ParameterKind is the JSON type of a value.
type ParameterKind string

// The kinds of values.
const (
	TextKind    ParameterKind = "text"
	IntegerKind ParameterKind = "integer"
	NumberKind  ParameterKind = "number"
	BoolKind    ParameterKind = "true or false"
	ObjectKind  ParameterKind = "object"
	ListKind    ParameterKind = "list"
)

// Sections of the agent file.
const (
	topSection        = ""
	generalSection    = "general"
	algorithmSection  = "algorithm"
	searchSection     = "algorithm.parameters"
	heuristicsSection = "heuristics"
	heuristicSection  = "heuristics.parameters"
)

var sectionOrder = []string{topSection, generalSection, algorithmSection, searchSection, heuristicsSection, heuristicSection}

// Path is the section and the key.
func (p *AgentParameter) Path() string {
	if p.Section == topSection {
		return p.Key
	}
	return p.Section + "." + p.Key
}

const unbounded = 1 << 53 // integers beyond have no exact JSON number everywhere

var (
	mastNames = []string{"mast", "mast-split", "mast-join", "mast-context", "mast-mix"}
	raveNames = []string{"rave", "rave-split", "rave-join", "rave-context", "rave-mix"}
	nstNames  = []string{"nst"}

	heuristicNames = slices.Concat(mastNames, raveNames, nstNames)
	playoutNames   = slices.Concat(mastNames, nstNames) // those that choose moves of playouts
)

// AgentParameters is the one place that says what can stand in an agent file.
func AgentParameters() []AgentParameter { return slices.Clone(agentParameters) }

var agentParameters = []AgentParameter{
	{Section: topSection, Key: "name", Kind: TextKind, Default: "semisplit",
		Meaning: "name that managers are told; no blanks, no parentheses"},
	{Section: topSection, Key: "description", Kind: TextKind, Default: "",
		Meaning: "one line for people"},
	{Section: topSection, Key: "general", Kind: ObjectKind, Meaning: "what does not depend on the algorithm"},
	{Section: topSection, Key: "algorithm", Kind: ObjectKind, Meaning: "the search"},
	{Section: topSection, Key: "heuristics", Kind: ListKind, Meaning: "statistics of moves that guide the search; each an object"},

	{Section: generalSection, Key: "buffer_time", Kind: IntegerKind, Default: 0, Max: 3_600_000,
		Meaning: "milliseconds of every clock kept back for the way to the manager; 0: chosen by the clock. More is kept as soon as replies turn out to leave late"},
	{Section: generalSection, Key: "simulate_during_opp_turn", Kind: BoolKind, Default: true,
		Meaning: "search on while the manager waits for the others"},
	{Section: generalSection, Key: "reasoning_overhead", Kind: IntegerKind, Default: 1, Choices: []string{"1"},
		Meaning: "factor on the cost of states and moves, for files of the published agents: only 1 exists",
		Refusal: "this reasoner cannot be slowed down: for a handicap bound the iterations"},
	{Section: generalSection, Key: "threads", Kind: IntegerKind, Default: 0, Max: 1024,
		Meaning: "threads of the search, for each match; 0: one for each processor"},
	{Section: generalSection, Key: "threads_mode", Kind: TextKind, Default: string(ThreadsAuto),
		Choices: []string{string(ThreadsAuto), string(ThreadsShared), string(ThreadsJoined)},
		Meaning: "how several threads search: all on one tree (shared), or on a tree each, with joint statistics near the root (joined); auto: joined, until a search has shown that work on the tree takes next to no time"},
	{Section: generalSection, Key: "memory", Kind: IntegerKind, Default: 0, Max: unbounded,
		Meaning: "bound on the search tree in bytes, for each match; 0: the default of the service"},
	{Section: generalSection, Key: "engine", Kind: TextKind, Default: EngineAuto, Choices: []string{EngineAuto, EngineProver, EngineLanes},
		Meaning: "what evaluates the rules: the prover straight from the rules, or a circuit for many positions at once (lanes); auto: the prover until lanes are ready"},
	{Section: generalSection, Key: "lanes", Kind: IntegerKind, Default: 0, Choices: []string{"0", "64", "256", "512"},
		Meaning: "positions that a circuit evaluates at once; 0: the quickest"},

	{Section: algorithmSection, Key: "name", Kind: TextKind, Default: NameMCTS, Choices: []string{NameMCTS, NameAuto},
		Meaning: "MCTS: Monte-Carlo tree search as the other keys say; auto: chosen at the start of each match, by measurement and trial matches. What remains to be said then is general but for engine and lanes, candidates, iterations, playout_limit and lanes_in_flight"},
	{Section: algorithmSection, Key: "tree_strategy", Kind: TextKind, Default: string(Semisplit),
		Choices: []string{string(Orthodox), string(Semisplit), string(Rollup)},
		Meaning: "what selection and expansion choose at a time: whole moves (orthodox), semimoves (semisplit), or semimoves that are joined where all of them have been tried (rollup)"},
	{Section: algorithmSection, Key: "simulation_strategy", Kind: TextKind, Default: string(Semisplit),
		Choices: []string{string(Orthodox), string(Semisplit)},
		Meaning: "what playouts choose at a time: whole moves or semimoves"},
	{Section: algorithmSection, Key: "split_strategy", Kind: TextKind, Default: "auto",
		Choices: []string{"auto", "orthodox", "mod", "mod-noverify", "modplus", "modshift", "modplusshift"},
		Meaning: "how moves are split into semimoves; auto: chosen by measurement, orthodox: not at all"},
	{Section: algorithmSection, Key: "candidates", Kind: TextKind, Default: string(AllCandidates),
		Choices: []string{string(AllCandidates), string(CandidatesUniform), string(CandidatesMinimax), string(CandidatesNoKnowledge)},
		Meaning: "what the name auto chooses from, beside plan and machine: everything (all), uniform playouts with the solver (uniform), the same with implicit minimax or without (minimax), or all that uses no evaluation and no proof numbers (no-knowledge)"},
	{Section: algorithmSection, Key: "parameters", Kind: ObjectKind, Meaning: "numbers and switches of the search"},

	{Section: searchSection, Key: "exploration_constant", Kind: NumberKind, Default: defaultExploration, Max: 1000,
		Meaning: "C of UCT, for scores in [0, 1]. Where it is not given: 0.7, with heuristics 0.4, with RAVE 0.2"},
	{Section: searchSection, Key: "is_nodal", Kind: BoolKind, Default: true,
		Meaning: "of semisplit and rollup trees: an iteration adds a path of semimoves up to the next nodal state (nodal); false: one semimove (raw)"},
	{Section: searchSection, Key: "min_simulations_factor", Kind: NumberKind, Default: 1.0, Min: 0.01, Max: 1e6,
		Meaning: "of rollup trees: a node with k children, all tried, is rolled up when it has k times this many iterations"},
	{Section: searchSection, Key: "iterations", Kind: IntegerKind, Default: 0, Max: unbounded,
		Meaning: "end the search of a turn after so many iterations; 0: by the clock alone. With a bound there is no search outside the turn"},
	{Section: searchSection, Key: "final_selection", Kind: TextKind, Default: string(SelectGreedy),
		Choices: []string{string(SelectGreedy), string(SelectVisits), string(SelectRollup)},
		Meaning: "the move that is sent: level by level the best mean, ties by visits (greedy), level by level the most visits (visits), or the best mean among whole moves with visits enough (rollup)"},
	{Section: searchSection, Key: "final_rollup_factor", Kind: NumberKind, Default: 1.0, Min: 0.01, Max: 1000,
		Meaning: "of the final selection rollup: a move needs this many times the iterations of the greedy choice"},
	{Section: searchSection, Key: "playout_limit", Kind: IntegerKind, Default: 0, Max: 1_000_000,
		Meaning: "joint moves below the tree after which a playout is cut and scored as it stands; 0: the default of the search"},
	{Section: searchSection, Key: "lanes_in_flight", Kind: IntegerKind, Default: 0, Max: 1 << 16,
		Meaning: "most playouts under way at a time, for each thread; fewer are less stale, more are quicker. 0: by the budget of the turn"},
	{Section: searchSection, Key: "transpositions", Kind: BoolKind, Default: false,
		Meaning: "lines of play that lead to the same state share what the search knows of it and of all that follows"},
	{Section: searchSection, Key: "solver", Kind: BoolKind, Default: false,
		Meaning: "keep bounds on what rational play brings each role: what is solved is searched no more, a proven best move is sent at once, a proven loss avoided. In a game for one the best line that any iteration has found is played"},
	{Section: searchSection, Key: "pn", Kind: TextKind, Default: "",
		Choices: []string{"", "F", "S", "U", "FS", "FU", "SU", "FSU"},
		Meaning: "what proof and disproof numbers are used for: the final move (F: a proven win is sent), solving (S: what is proven or disproven leaves the selection after 5 visits), UCT-PN (U: selection adds a bonus by rank); empty: there are none"},
	{Section: searchSection, Key: "pn_draw_layer", Kind: BoolKind, Default: false,
		Meaning: "with pn: a second layer of numbers for all goals above 0. It breaks ties between ranks, decides what is solved, and lets draws be sent (see contempt)"},
	{Section: searchSection, Key: "pn_constant", Kind: NumberKind, Default: search.DefaultPNConstant, Max: 1e6,
		Meaning: "C_pn of UCT-PN, for scores in [0, 1]: half of that for scores in [-1, 1]"},
	{Section: searchSection, Key: "contempt", Kind: NumberKind, Default: 0.5, Max: 1,
		Meaning: "with F in pn and pn_draw_layer: a proven draw is sent if the mean goal of the root is strictly below this; 0: never"},
	{Section: searchSection, Key: "length_bonus", Kind: NumberKind, Default: 0.0, Max: 1,
		Meaning: "an iteration that is won early counts for more than one that is won late, and a late loss for more than an early one: this part of a win at most; 0: all ends count the same"},
	{Section: searchSection, Key: "decisive_moves", Kind: BoolKind, Default: false,
		Meaning: "playouts take moves that win at once, and avoid those that let the next player win at once, where one role chooses. They look at the states after all moves, and take a hundred times as long"},
	{Section: searchSection, Key: "implicit_minimax", Kind: NumberKind, Default: 0.0, Min: automaticAlpha, Max: 1,
		Meaning: "alpha of implicit minimax backups: the part in a move's value of what it is worth by the evaluation of the states below it; 0: none, -1: by the evaluation's quality, at most 0.4. Of this and the two biases one can be used"},
	{Section: searchSection, Key: "constant_bias", Kind: NumberKind, Default: 0.0, Max: 1,
		Meaning: "the part in a move's value of the evaluation of the state that it leads to; 0: none"},
	{Section: searchSection, Key: "progressive_bias", Kind: NumberKind, Default: 0.0, Max: 1,
		Meaning: "as implicit_minimax, but what a move is worth is divided by its visits plus one; 0: none"},
	{Section: searchSection, Key: "node_priors", Kind: NumberKind, Default: 0.0, Max: 1e6,
		Meaning: "a move starts with the mean that it is worth by the evaluation, as if it had been visited so often; 0: none"},
	{Section: searchSection, Key: "max_backup", Kind: IntegerKind, Default: 0, Max: unbounded,
		Meaning: "maximum backpropagation: a node with so many visits passes upwards the mean of its best move, not the result of the playout; 0: never"},
	{Section: searchSection, Key: "eager_nodes", Kind: BoolKind, Default: false,
		Meaning: "a move gets its node, and with it what it is worth by the evaluation, when it is tried for the first time, not for the second. Costs memory and time"},
	{Section: searchSection, Key: "look_ahead", Kind: BoolKind, Default: false,
		Meaning: "a new node is worth at first what the evaluation says of the best state that a move leads to, not of its own, where one role chooses. Costs a state for each legal move"},
	{Section: searchSection, Key: "fixed_termination", Kind: IntegerKind, Default: 0, Max: 1_000_000,
		Meaning: "joint moves below the tree after which a playout ends with the evaluation of the state that it has reached; 0: never"},
	{Section: searchSection, Key: "dynamic_termination", Kind: NumberKind, Default: 0.0, Max: 1,
		Meaning: "a playout ends, won and lost, where the evaluation gives a role this advantage: 0 is even, 1 won; 0: never"},
	{Section: searchSection, Key: "evaluation_greedy", Kind: NumberKind, Default: 0.0, Max: 1,
		Meaning: "probability in playouts of the move to the state that the evaluation likes best, where one role chooses: 1 - epsilon of epsilon-greedy playouts; 0: never. As with decisive_moves, a playout takes a hundred times as long"},
	{Section: searchSection, Key: "evaluation", Kind: TextKind, Default: "",
		Meaning: "what the keys above use: matches or trees for an evaluation that is learned from the game itself in some seconds of the start clock, from quick matches against itself or from what short searches judge; else the file of one, or the name of a bundled game that has one. Empty: matches"},
	{Section: heuristicsSection, Key: "name", Kind: TextKind, Choices: heuristicNames,
		Meaning: "MAST, RAVE or N-gram statistics, in a variant; mast and rave alone stand for the variant that keeps statistics of just what is chosen"},
	{Section: heuristicsSection, Key: "parameters", Kind: ObjectKind, Meaning: "numbers and switches of the heuristic"},

	{Section: heuristicSection, Key: "epsilon", Kind: NumberKind, Default: 0.4, Max: 1, Heuristics: playoutNames,
		Meaning: "probability of a uniform choice in playouts; the best score is taken otherwise, untried moves counting as the maximum"},
	{Section: heuristicSection, Key: "decay", Kind: TextKind, Default: string(DecayMove), Heuristics: playoutNames,
		Choices: []string{string(DecayNone), string(DecayMove), string(DecayBatch), string(DecaySimulation)},
		Meaning: "when the weights of samples shrink: never, after each move of the match, after a number of iterations (batch), or after each iteration, of what it played (simulation)"},
	{Section: heuristicSection, Key: "decay_factor", Kind: NumberKind, Default: 0.2, Min: 0.001, Max: 1, Heuristics: playoutNames,
		Meaning: "what the weights are multiplied by; 1 keeps all"},
	{Section: heuristicSection, Key: "decay_batch", Kind: IntegerKind, Default: 1000, Min: 1, Max: unbounded, Heuristics: playoutNames,
		Meaning: "iterations between two decays, for the decay batch"},
	{Section: heuristicSection, Key: "tree_only", Kind: BoolKind, Default: false, Heuristics: playoutNames,
		Meaning: "keep statistics only of moves chosen in the tree"},
	{Section: heuristicSection, Key: "mix_threshold", Kind: NumberKind, Default: 7.0, Min: 1, Max: unbounded, Heuristics: []string{"mast-mix", "rave-mix"},
		Meaning: "weight of the samples in context from which they are used in place of those of semimoves"},
	{Section: heuristicSection, Key: "equivalence_parameter", Kind: IntegerKind, Default: 250, Min: 1, Max: unbounded, Heuristics: raveNames,
		Meaning: "iterations at which the mean of a move and its AMAF score weigh the same"},
	{Section: heuristicSection, Key: "ref", Kind: IntegerKind, Default: 0, Choices: []string{"0"}, Heuristics: raveNames,
		Meaning: "for files of the published agents: only 0 exists",
		Refusal: "other values belong to the experiment TGRAVE, which does not exist here"},
	{Section: heuristicSection, Key: "ngram_length", Kind: IntegerKind, Default: 3, Choices: []string{"2", "3"}, Heuristics: nstNames,
		Meaning: "longest sequence of moves that statistics are kept of; the shorter ones too"},
	{Section: heuristicSection, Key: "ngram_threshold", Kind: NumberKind, Default: 7.0, Min: 1, Max: unbounded, Heuristics: nstNames,
		Meaning: "weight of the samples of a sequence from which it counts in the score of a move"},
}

// findParameter is the entry of a key in a section, or nil.
func findParameter(section, key string) *AgentParameter {
	for i := range agentParameters {
		if p := &agentParameters[i]; p.Section == section && p.Key == key {
			return p
		}
	}
	return nil
}

// parametersOf are the keys that a heuristic takes.
func parametersOf(heuristic string) []*AgentParameter {
	var found []*AgentParameter
	for i := range agentParameters {
		if slices.Contains(agentParameters[i].Heuristics, heuristic) {
			found = append(found, &agentParameters[i])
		}
	}
	return found
}

// Values says which values are accepted.
func (p *AgentParameter) Values() string {
	switch {
	case len(p.Choices) > 0 && p.Kind == TextKind:
		return words.Or(quoted(p.Choices))
	case len(p.Choices) > 0:
		return words.Or(p.Choices)
	case p.Kind != IntegerKind && p.Kind != NumberKind:
		return string(p.Kind)
	case p.Max == unbounded:
		return fmt.Sprintf("%s from %s", p.Kind, plainNumber(p.Min))
	}
	return fmt.Sprintf("%s from %s to %s", p.Kind, plainNumber(p.Min), plainNumber(p.Max))
}

// plainNumber avoids the exponents of %g for whole numbers.
func plainNumber(v float64) string {
	if v == float64(int64(v)) {
		return fmt.Sprint(int64(v))
	}
	return fmt.Sprint(v)
}

func quoted(words []string) []string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = `"` + w + `"`
	}
	return out
}
