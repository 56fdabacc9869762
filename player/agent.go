package player

import (
	"strings"
	"time"

	"semisplit/search"
)

// Agent is the content of an agent file: who plays, and how. Sections and
// keys follow the configuration files of the published semisplit agents;
// what is missing has the value of DefaultAgent. AgentParameters says what
// every key means and which values it takes.
type Agent struct {
	Name        string      `json:"name"`
	Description string      `json:"description"`
	General     General     `json:"general"`
	Algorithm   Algorithm   `json:"algorithm"`
	Heuristics  []Heuristic `json:"heuristics"`
}

// General holds what does not depend on the algorithm.
type General struct {
	BufferTime            int   `json:"buffer_time"` // milliseconds of every clock; 0: by the clock
	SimulateDuringOppTurn bool  `json:"simulate_during_opp_turn"`
	ReasoningOverhead     int   `json:"reasoning_overhead"` // always 1
	Threads               int   `json:"threads"`            // for each match; 0: one for each processor
	Memory                int64 `json:"memory"`             // bytes of the search tree; 0: the default of the service

	// ThreadsMode says how several threads work together.
	ThreadsMode ThreadsMode `json:"threads_mode"`

	// Engine and Lanes say how the rules are evaluated, as in
	// reasoner.Variant: EngineAuto is the prover until lanes are ready.
	Engine string `json:"engine"`
	Lanes  int    `json:"lanes"` // 0: the quickest
}

// ThreadsMode is a search.ThreadMode.
type ThreadsMode string

// The modes.
const (
	ThreadsAuto   ThreadsMode = "auto"   // by the measured share of time spent on the tree
	ThreadsShared ThreadsMode = "shared" // one tree for all
	ThreadsJoined ThreadsMode = "joined" // a tree each, joined near the root
)

// Engines of General.
const (
	EngineAuto   = "auto"
	EngineProver = "prover"
	EngineLanes  = "lanes"
)

// Names of the algorithm.
const (
	NameMCTS = "MCTS"
	NameAuto = "auto" // MCTS as it is chosen for the game: see Choose
)

// Algorithm is the search.
type Algorithm struct {
	Name               string   `json:"name"`
	TreeStrategy       Strategy `json:"tree_strategy"`
	SimulationStrategy Strategy `json:"simulation_strategy"`

	// SplitStrategy is the name of a plan of the reasoner, or reasoner.Auto.
	SplitStrategy string     `json:"split_strategy"`
	Candidates    Candidates `json:"candidates"`
	Parameters    Parameters `json:"parameters"`
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

// FinalSelection is how the move to send is taken from the tree.
type FinalSelection string

// The final selections.
const (
	SelectGreedy FinalSelection = "greedy" // level by level the best mean
	SelectVisits FinalSelection = "visits" // level by level the most visits
	SelectRollup FinalSelection = "rollup" // the best mean of whole moves that have visits enough
)

// Parameters tune the search.
type Parameters struct {
	ExplorationConstant  float64        `json:"exploration_constant"` // C of UCT, for scores in [0, 1]
	IsNodal              bool           `json:"is_nodal"`             // false: raw
	MinSimulationsFactor float64        `json:"min_simulations_factor"`
	Iterations           int64          `json:"iterations"` // for each turn; 0: by the clock alone
	FinalSelection       FinalSelection `json:"final_selection"`
	FinalRollupFactor    float64        `json:"final_rollup_factor"`
	PlayoutLimit         int            `json:"playout_limit"`    // joint moves; 0: the default of the search
	LanesInFlight        int            `json:"lanes_in_flight"`  // playouts; 0: by the budget
	ImplicitMinimax      float64        `json:"implicit_minimax"` // alpha; 0: none
	ConstantBias         float64        `json:"constant_bias"`    // alpha; 0: none
	ProgressiveBias      float64        `json:"progressive_bias"` // alpha; 0: none
	NodePriors           float64        `json:"node_priors"`      // visits; 0: none
	MaxBackup            int            `json:"max_backup"`       // visits; 0: never
	EagerNodes           bool           `json:"eager_nodes"`
	LookAhead            bool           `json:"look_ahead"`
	FixedTermination     int            `json:"fixed_termination"`   // joint moves; 0: never
	DynamicTermination   float64        `json:"dynamic_termination"` // advantage from 0 to 1; 0: never
	LengthBonus          float64        `json:"length_bonus"`        // in [0, 1]; 0: none
	DecisiveMoves        bool           `json:"decisive_moves"`
	EvaluationGreedy     float64        `json:"evaluation_greedy"` // probability in playouts; 0: never
	Evaluation           string         `json:"evaluation"`        // a file; "": learned
	Transpositions       bool           `json:"transpositions"`
	Solver               bool           `json:"solver"`
	PN                   ProofNumbers   `json:"pn"`
	PNDrawLayer          bool           `json:"pn_draw_layer"`
	PNConstant           float64        `json:"pn_constant"` // C_pn, for scores in [0, 1]
	Contempt             float64        `json:"contempt"`    // a goal in [0, 1]
}

// ProofNumbers says what proof numbers are used for: some of the letters F, S
// and U, in this order.
type ProofNumbers string

// The uses of proof numbers (Proof Number Based Monte-Carlo Tree Search, IV).
const (
	proofFinal  = "F" // a proven win is played
	proofSolve  = "S" // what is proven leaves the selection
	proofSelect = "U" // selection prefers what is close to a proof
)

// uses says whether a use is among them.
func (p ProofNumbers) uses(letter string) bool { return strings.Contains(string(p), letter) }

// Heuristic is an entry of the heuristics section. Mast, Rave and Nst give
// the same with types.
type Heuristic struct {
	Name       string         `json:"name"`
	Parameters map[string]any `json:"parameters"`
}

// The exploration constant of an agent that names none. The published agents
// have 0.4, and 0.2 with RAVE; 0.7 is ours for uniform playouts.
const (
	defaultExploration   = 0.7
	guidedExploration    = 0.4 // with any heuristic
	explorationWithRave  = 0.2
	explorationParameter = "algorithm.parameters.exploration_constant"
)

// DefaultAgent is what an empty agent file stands for. It is also the preset
// of that name.
func DefaultAgent() Agent {
	return Agent{
		Name:        "semisplit",
		Description: "what an empty file comes to: semisplit nodal tree, uniform semisplit playouts, the quickest plan",
		General:     General{SimulateDuringOppTurn: true, ReasoningOverhead: 1, ThreadsMode: ThreadsAuto, Engine: EngineAuto},
		Algorithm: Algorithm{
			Name: NameMCTS, TreeStrategy: Semisplit, SimulationStrategy: Semisplit, SplitStrategy: "auto", Candidates: AllCandidates,
			Parameters: Parameters{
				ExplorationConstant: defaultExploration, IsNodal: true, MinSimulationsFactor: 1,
				FinalSelection: SelectGreedy, FinalRollupFactor: 1,
				PNConstant: search.DefaultPNConstant, Contempt: 0.5,
			},
		},
		Heuristics: []Heuristic{},
	}
}

// AutomaticAgent is the player that is served by default: its way to search is
// chosen for each game. The preset auto is the same under that name.
func AutomaticAgent() Agent {
	a := DefaultAgent()
	a.Description = "the player: chooses its search for each game, by measurement and trial matches"
	a.Algorithm.Name = NameAuto
	return a
}

// Automatic tells whether the way to search is chosen for each game.
func (a Agent) Automatic() bool { return a.Algorithm.Name == NameAuto }

// buffer is BufferTime as a duration.
func (g General) buffer() time.Duration { return time.Duration(g.BufferTime) * time.Millisecond }
