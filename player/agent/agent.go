// Package agent reads agent files, which say who plays and how: the options that
// there are, what goes together, the presets, and what an agent asks of a search.
package agent

import (
	"time"

	"semisplit/search/final"
	"semisplit/search/proof"
	"semisplit/search/stats"
)

// Agent is the content of an agent file: who plays, and how. Sections and
// keys follow the configuration files of the published semisplit agents;
// what is missing has the value of Default. This is the one place that declares
// options; their tags say: json the key, min and max the bounds (0, and none),
// choices the only values, help the meaning, refusal why there are no other
// values, search the option of the search that a key sets.
type Agent struct {
	Name        string      `json:"name" help:"name that managers are told; no blanks, no parentheses"`
	Description string      `json:"description" help:"one line for people"`
	General     General     `json:"general" help:"what does not depend on the algorithm"`
	Algorithm   Algorithm   `json:"algorithm" help:"the search"`
	Heuristics  []Heuristic `json:"heuristics" help:"statistics of moves that guide the search; each an object"`
}

// General holds what does not depend on the algorithm.
type General struct {
	BufferTime            int   `json:"buffer_time" max:"3600000" help:"milliseconds of every clock kept back for the way to the manager; 0: chosen by the clock. More is kept as soon as replies turn out to leave late"`
	SimulateDuringOppTurn bool  `json:"simulate_during_opp_turn" help:"search on while the manager waits for the others"`
	ReasoningOverhead     int   `json:"reasoning_overhead" choices:"1" help:"factor on the cost of states and moves, for files of the published agents: only 1 exists" refusal:"this reasoner cannot be slowed down: for a handicap bound the iterations"`
	Threads               int   `json:"threads" max:"1024" help:"threads of the search, for each match; 0: one for each processor, in experiments, comparisons and tournaments one (with cores of its own: as many)"`
	Memory                int64 `json:"memory" search:"Memory" help:"bound on the search tree in bytes, for each match; 0: 256 MiB, in tournaments 512 MiB. ggp serve gives each match an equal share of what its --memory leaves to trees, and no more"`

	Engine string `json:"engine" choices:"auto,prover,lanes" help:"what evaluates the rules: the prover straight from the rules, or a circuit for many positions at once (lanes); auto: the prover until lanes are ready"`
	Lanes  int    `json:"lanes" choices:"0,64,256,512" help:"positions that a circuit evaluates at once; 0: the quickest"`
}

// MostThreads is how many threads an agent can search with.
const MostThreads = 1024

// Engines of General.
const (
	EngineAuto   = "auto"
	EngineProver = "prover"
	EngineLanes  = "lanes"
)

// Names of the algorithm.
const (
	NameMCTS   = "MCTS"
	NameAuto   = "auto"   // whatever is chosen for the game: see package choice
	NameRandom = "random" // no search

	NameAlphaBeta = "alpha-beta" // minimax by depth, of whole moves
	NameBestFirst = "best-first" // minimax along the best line, of whole moves

	NameHierarchical = "hierarchical" // a dimension of a move after the other
	NameDimensional  = "dimensional"  // the dimension that comes next is searched as well
	NameNaive        = "naive"        // a bandit for each dimension
	NameLinear       = "lsi"          // linear side information
)

// Algorithm is the search.
type Algorithm struct {
	Name               string   `json:"name" choices:"MCTS,auto,random,alpha-beta,best-first,hierarchical,dimensional,naive,lsi" help:"MCTS: Monte-Carlo tree search as the other keys say; auto: chosen at the start of each match, by measurement and trial matches. What remains to be said then is general but for engine and lanes, candidates, iterations, playout_limit and lanes_in_flight; random: no search, any legal move. What remains to be said then is general; alpha-beta and best-first: minimax on whole moves by what states are worth, for games without chance in which one role chooses at a time (alpha-beta: for two roles). What remains to be said then is general (more than one thread for alpha-beta alone), split_strategy (auto: orthodox), iterations, evaluation and learn_on; hierarchical, dimensional, naive and lsi: for moves of many coordinates, of which each is a dimension that can be chosen by itself, in any order. What remains to be said then is general but for threads, split_strategy (auto: the first that splits moves), combinatorial, exploration_constant and iterations"`
	TreeStrategy       Strategy `json:"tree_strategy" search:"Whole=orthodox,Backup.RollUp=rollup" choices:"orthodox,semisplit,rollup" help:"what selection and expansion choose at a time: whole moves (orthodox), semimoves (semisplit), or semimoves that are joined where all of them have been tried (rollup)"`
	SimulationStrategy Strategy `json:"simulation_strategy" choices:"orthodox,semisplit" help:"what playouts choose at a time: whole moves or semimoves"`

	// SplitStrategy is the name of a plan of the reasoner, or reasoner.Auto.
	SplitStrategy string     `json:"split_strategy" choices:"auto,${plans}" help:"how moves are split into semimoves; auto: chosen by measurement, orthodox: not at all"`
	Candidates    Candidates `json:"candidates" choices:"all,uniform,minimax,no-knowledge" help:"what the name auto chooses from, beside plan and machine: everything (all), uniform playouts with the solver (uniform), the same with implicit minimax or without (minimax), or all that uses no evaluation and no proof numbers (no-knowledge)"`
	Parameters    Parameters `json:"parameters" help:"numbers and switches of the search"`

	Combinatorial Combinatorial `json:"combinatorial" help:"how moves of many coordinates are searched, of the algorithms for them"`
}

// Combinatorial tunes the search of moves by their dimensions.
type Combinatorial struct {
	Order      string `json:"order" choices:"fixed,random,knowledge" help:"of hierarchical: in which order dimensions are chosen: that of the rules (fixed), one that is drawn for each partial move (random), or the one first whose values change the results most (knowledge)"`
	Completion string `json:"completion" choices:"random,rave,mast" help:"of hierarchical and dimensional: how a move goes on where it was not searched: at random, by the means of values since the root (rave), or over the whole tree (mast)"`
	Side       string `json:"side" choices:"facets,vertices" help:"of lsi: what stands beside a value while it is measured: random values (facets), or the first ones (vertices)"`
	RootOnly   bool   `json:"root_only" help:"moves after the first are played at random: there is no tree. lsi never has one"`
}

// Candidates says which ways to search the automatic choice chooses from.
type Candidates string

// What it can choose from. All have the plan and the machine to choose as well.
const (
	AllCandidates         Candidates = "all"
	CandidatesUniform     Candidates = "uniform"      // uniform playouts and the solver
	CandidatesMinimax     Candidates = "minimax"      // these, with implicit minimax or without
	CandidatesNoKnowledge Candidates = "no-knowledge" // all but those that use an evaluation or proof numbers
)

// Strategy is the design of a phase of the search: what it chooses at a time.
type Strategy string

// Designs of the tree; playouts are never rolled up.
const (
	Orthodox  Strategy = "orthodox"  // whole moves
	Semisplit Strategy = "semisplit" // semimoves
	Rollup    Strategy = "rollup"    // semimoves, joined to moves where they have all been tried
)

// Parameters tune the search.
type Parameters struct {
	ExplorationConstant  float64    `json:"exploration_constant" max:"1000" search:"Selection.Exploration" help:"C of UCT, for scores in [0, 1]. Where it is not given: 0.7, with heuristics 0.4, with RAVE 0.2, with GRAVE 0, by dimensions 0.35"`
	IsNodal              bool       `json:"is_nodal" search:"Raw=false" help:"of semisplit and rollup trees: an iteration adds a path of semimoves up to the next nodal state (nodal); false: one semimove (raw)"`
	MinSimulationsFactor float64    `json:"min_simulations_factor" min:"0.01" max:"1e6" search:"Backup.MinSimulations" help:"of rollup trees: a node with k children, all tried, is rolled up when it has k times this many iterations"`
	Iterations           int64      `json:"iterations" help:"end the search of a turn after so many iterations; 0: by the clock alone. With a bound there is no search outside the turn"`
	FinalSelection       final.Rule `json:"final_selection" choices:"greedy,visits,rollup" search:"Final" help:"the move that is sent: level by level the best mean, ties by visits (greedy), level by level the most visits (visits), or the best mean among whole moves with visits enough (rollup). Where it is not given: greedy, with GRAVE visits"`
	PlayoutLimit         int        `json:"playout_limit" max:"1000000" search:"PlayoutLimit" help:"joint moves below the tree after which a playout is cut and scored as it stands; 0: the default of the search"`
	LeafPlayouts         int        `json:"leaf_playouts" min:"0" max:"64" search:"LeafPlayouts" help:"playouts from each new state, of which the mean counts as one; 0: one"`
	LanesInFlight        int        `json:"lanes_in_flight" max:"65536" search:"LanesInFlight" help:"most playouts under way at a time, for each thread; fewer are less stale, more are quicker. 0: by the budget of the turn"`
	ImplicitMinimax      float64    `json:"implicit_minimax" min:"-1" max:"1" help:"alpha of implicit minimax backups: the part in a move's value of what it is worth by the evaluation of the states below it; 0: none, -1: by what the evaluation adds to playouts, at most 0.4. Of this and the two biases one can be used"`
	ConstantBias         float64    `json:"constant_bias" max:"1" help:"the part in a move's value of the evaluation of the state that it leads to; 0: none"`
	ProgressiveBias      float64    `json:"progressive_bias" max:"1" help:"as implicit_minimax, but what a move is worth is divided by its visits plus one; 0: none"`
	NodePriors           float64    `json:"node_priors" max:"1e6" search:"Knowledge.Priors" help:"a move starts with the mean that it is worth by the evaluation, as if it had been visited so often; 0: none"`
	MaxBackup            int        `json:"max_backup" search:"Knowledge.MaxBackup" help:"maximum backpropagation: a node with so many visits passes upwards the mean of its best move, not the result of the playout; 0: never"`
	EagerNodes           bool       `json:"eager_nodes" search:"Eager" help:"a move gets its node, and with it what it is worth by the evaluation, when it is tried for the first time, not for the second. Costs memory and time"`
	LookAhead            bool       `json:"look_ahead" help:"a new node is worth at first what the evaluation says of the best state that a move leads to, not of its own, where one role chooses. Costs a state for each legal move"`
	FixedTermination     int        `json:"fixed_termination" max:"1000000" search:"Knowledge.Fixed" help:"joint moves below the tree after which a playout ends with the evaluation of the state that it has reached; 0: never"`
	DynamicTermination   float64    `json:"dynamic_termination" max:"1" search:"Knowledge.Dynamic" help:"a playout ends, won and lost, where the evaluation gives a role this advantage: 0 is even, 1 won; 0: never"`
	TerminalVision       Vision     `json:"terminal_vision" choices:"off,take,avoid" help:"playouts in lanes take moves that win at once (take), and avoid those that let the next player win at once (avoid), in one to four times the time, where one role chooses; a solver knows of such wins without playing them. Not where the circuit would be too large, and not on the prover"`
	DecisiveMoves        bool       `json:"decisive_moves" help:"playouts take moves that win at once, and avoid those that let the next player win at once, where one role chooses. They look at the states after all moves, and take a hundred times as long"`
	EvaluationGreedy     float64    `json:"evaluation_greedy" max:"1" help:"probability in playouts of the move to the state that the evaluation likes best, where one role chooses: 1 - epsilon of epsilon-greedy playouts; 0: never. As with decisive_moves, a playout takes a hundred times as long"`
	Evaluation           string     `json:"evaluation" help:"what the keys above use: matches or trees for an evaluation that is learned from the game itself in some seconds of the start clock, from quick matches against itself or from what short searches judge; else the file of one, or the name of a bundled game that has one. Empty: matches"`
	LearnOn              bool       `json:"learn_on" help:"of alpha-beta: while others choose, an evaluation that was learned goes on learning, from matches that begin at the state at hand; where the player has several threads, on one of them most of the time"`
	Transpositions       bool       `json:"transpositions" search:"Transpositions" help:"lines of play that lead to the same state share what the search knows of it and of all that follows"`
	Solver               bool       `json:"solver" search:"Solver" help:"keep bounds on what rational play brings each role: what is solved is searched no more, and a proven win is sent at once, by the shortest way that was found. A proven loss is avoided, or put off for as long as possible; where nothing but losses or draws can be had, the search goes on for the move that is hardest to answer. In a game for one the best line that any iteration has found is played"`
	PN                   string     `json:"pn" search:"PN.Final=F,PN.Solve=S,PN.Select=U" choices:",F,S,U,FS,FU,SU,FSU" help:"what proof and disproof numbers are used for: the final move (F: a proven win is sent), solving (S: what is proven or disproven leaves the selection after 5 visits), UCT-PN (U: selection adds a bonus by rank); empty: there are none"`
	PNDrawLayer          bool       `json:"pn_draw_layer" search:"PN.Draws" help:"with pn: a second layer of numbers for all goals above 0. It breaks ties between ranks, decides what is solved, and lets draws be sent (see contempt)"`
	PNConstant           float64    `json:"pn_constant" max:"1e6" search:"PN.Constant" help:"C_pn of UCT-PN, for scores in [0, 1]: half of that for scores in [-1, 1]"`
	Contempt             float64    `json:"contempt" max:"1" search:"PN.Contempt" help:"with F in pn and pn_draw_layer: a proven draw is sent if the mean goal of the root is strictly below this; 0: never"`
}

// Vision says what playouts see of the moves that win at once.
type Vision string

// What they can see.
const (
	VisionOff   Vision = "off"
	VisionTake  Vision = "take"  // their own wins
	VisionAvoid Vision = "avoid" // those of the next player as well
)

// Heuristic is an entry of the heuristics section. Mast and Rave give
// the same with types.
type Heuristic struct {
	Name       string         `json:"name" help:"MAST, RAVE, GRAVE or N-gram statistics, in a variant; mast and rave alone stand for the variant that keeps statistics of just what is chosen"`
	Parameters map[string]any `json:"parameters" help:"numbers and switches of the heuristic"`
}

// heuristicParameters are those that a heuristic can have: each names the
// families, or the variants, that take it. The tag search is relative to the
// options of the family.
type heuristicParameters struct {
	Epsilon              float64     `json:"epsilon" max:"1" of:"mast,nst" search:"Epsilon" help:"probability of a uniform choice in playouts; the best score is taken otherwise, untried moves counting as the maximum"`
	Decay                stats.Decay `json:"decay" choices:"none,move,simulation" of:"mast,nst" search:"Decay" help:"when the weights of samples shrink: never, after each move of the match, or after each iteration, of what it played (simulation)"`
	DecayFactor          float64     `json:"decay_factor" min:"0.001" max:"1" of:"mast,nst" search:"DecayFactor" help:"what the weights are multiplied by; 1 keeps all"`
	MixThreshold         float64     `json:"mix_threshold" min:"1" of:"mast-mix,rave-mix" search:"MixThreshold" help:"weight of the samples in context from which they are used in place of those of semimoves"`
	EquivalenceParameter int64       `json:"equivalence_parameter" min:"1" of:"rave" search:"Equivalence" help:"iterations at which the mean of a move and its AMAF score weigh the same"`
	Ref                  int         `json:"ref" choices:"0" of:"rave" help:"for files of the published agents: only 0 exists" refusal:"other values belong to the experiment TGRAVE, which does not exist here"`
	ReferenceVisits      int         `json:"reference_visits" min:"1" max:"1000000" of:"grave" search:"Reference" help:"visits of a node from which on moves below it are valued by what they brought after it, and no more by what they brought after one above it; counting begins at half of them"`
	Bias                 float64     `json:"bias" max:"1" of:"grave" search:"Bias" help:"how soon what a move brought elsewhere counts less: of m such iterations and n of its own, the part m / (m + n + bias m n)"`
	NGramLength          int         `json:"ngram_length" choices:"2,3" of:"nst" search:"NGram" help:"longest sequence of moves that statistics are kept of; the shorter ones too"`
	NGramThreshold       float64     `json:"ngram_threshold" min:"1" of:"nst" search:"NGramThreshold" help:"weight of the samples of a sequence from which it counts in the score of a move"`
}

// The exploration constant of an agent that names none. The published agents
// have 0.4, and 0.2 with RAVE; 0.7 is ours for uniform playouts, and
// 0.35 by dimensions (docs/combinatorial.md).
const (
	defaultExploration   = 0.7
	guidedExploration    = 0.4 // with any heuristic
	explorationWithRave  = 0.2
	explorationWithGrave = 0
	dimensionExploration = 0.35
	explorationParameter = "algorithm.parameters.exploration_constant"
	finalParameter       = "algorithm.parameters.final_selection"
)

// Default is what an empty agent file stands for. It is also the preset
// of that name.
func Default() Agent {
	return Agent{
		Name:        "semisplit",
		Description: "what an empty file comes to: semisplit nodal tree, uniform semisplit playouts, the quickest plan",
		General:     General{SimulateDuringOppTurn: true, ReasoningOverhead: 1, Engine: EngineAuto},
		Algorithm: Algorithm{
			Name: NameMCTS, TreeStrategy: Semisplit, SimulationStrategy: Semisplit, SplitStrategy: "auto", Candidates: AllCandidates,
			Parameters: Parameters{
				ExplorationConstant: defaultExploration, IsNodal: true, MinSimulationsFactor: 1,
				FinalSelection: final.Mean, TerminalVision: VisionOff, LearnOn: true,
				PNConstant: proof.DefaultConstant, Contempt: 0.5,
			},
			Combinatorial: Combinatorial{Order: "fixed", Completion: "random", Side: "facets"},
		},
		Heuristics: []Heuristic{},
	}
}

// Automatic is the player that is served by default: its way to search is
// chosen for each game. The preset auto is the same under that name.
func Automatic() Agent {
	a := Default()
	a.Description = "the player: chooses its search for each game, by measurement and trial matches"
	a.Algorithm.Name = NameAuto
	return a
}

// Automatic tells whether the way to search is chosen for each game.
func (a Agent) Automatic() bool { return a.Algorithm.Name == NameAuto }

// Buffer is BufferTime as a duration.
func (g General) Buffer() time.Duration { return time.Duration(g.BufferTime) * time.Millisecond }
