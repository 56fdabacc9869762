package search

import "time"

// Options are the parameters of a Tree. The zero value of a field means its
// default.
type Options struct {
	// Exploration is the factor C of UCB1, mean + C*sqrt(ln N / n), for means
	// in [0, 1]. Default DefaultExploration. Negative: no exploration at all.
	Exploration float64

	// LengthBonus is what an early end is worth, in [0, 1], as part of what goals
	// differ from one half by; see length.go. Means are nearer to one half with
	// it. 0: a win is a win.
	LengthBonus float64

	// Seed of the tree's own random numbers: the order in which semimoves are
	// tried first, ties, and the moves of chance roles. The engines have
	// seeds of their own.
	Seed uint64

	// Memory bounds the tree, in bytes. When it is reached, the least visited
	// parts are given up and the search goes on. Default DefaultMemory. About
	// 300 kB are needed to be of use at all.
	Memory int64

	// PlayoutLimit is the length, in joint moves below the tree, at which a
	// playout is cut and scored with the goals of the state reached. Default
	// DefaultPlayoutLimit.
	PlayoutLimit int

	// LanesInFlight bounds the playouts that are in flight at a time in each
	// engine. 0: by what the tree knows and the budget.
	LanesInFlight int

	// Chance marks, by role, those that move uniformly at random, whatever
	// their goals; in the tree too, where a semimove is drawn uniformly at
	// each level. Shorter than the number of roles: the rest are players.
	Chance []bool

	// Transpositions makes lines of play that lead to the same state share what
	// is below it. 16 bytes a node, and less than 2% of Memory at once.
	Transpositions bool

	// Solver keeps bounds on the goals that rational play brings, and uses what
	// is proven: a solved node is not searched, Search ends when the move is
	// known to be the best, Best prefers it. 2 bytes a node and role. In a game
	// for one Best follows the best line that any iteration has found.
	Solver bool
	// Sum says that the goals of two roles always come to this sum; the caller
	// vouches for it. It lets the solver prove more, above all draws. 0: not known.
	Sum float64
	// PN uses proof numbers: 8 bytes a node and role, 160 for ten edges, both
	// again for Draws, and 40 more for Select.
	PN PN

	// Whole makes the tree take moves whole, whatever the levels of the engine:
	// orthodox tree, semisplit playouts. Each node that the tree enters twice
	// asks the engine for all legal moves.
	Whole bool
	// Divide makes the tree take moves in several semimoves that an engine
	// takes whole: semisplit tree, orthodox playouts. nil: as the engine.
	Divide *Division
	// Eager gives a joint move its node when it is played for the first time, not
	// for the second: then it is known at once what it is worth.
	Eager bool
	// Raw adds one semimove to the tree in an iteration, not a whole move.
	Raw bool
	// RollUp merges a prefix into what precedes it when all that follows it
	// was tried and it was visited MinSimulations times as often as it has
	// successors (default 1).
	RollUp         bool
	MinSimulations float64

	// Final says how Best chooses, FinalFactor how much FinalRollUp trusts few
	// visits (default 1).
	Final       Final
	FinalFactor float64

	Mast      Mast
	Rave      Rave
	Knowledge Knowledge
}

// Defaults of Options.
const (
	DefaultExploration  = 0.4
	DefaultMemory       = 256 << 20 // bytes
	DefaultPlayoutLimit = 1000      // joint moves
)

func (o Options) withDefaults(roles int) Options {
	if o.Exploration == 0 {
		o.Exploration = DefaultExploration
	}
	o.Exploration = max(o.Exploration, 0)
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	if o.PlayoutLimit <= 0 {
		o.PlayoutLimit = DefaultPlayoutLimit
	}
	if o.MinSimulations <= 0 {
		o.MinSimulations = 1
	}
	if o.FinalFactor <= 0 {
		o.FinalFactor = 1
	}
	if o.PN.Constant == 0 {
		o.PN.Constant = DefaultPNConstant
	}
	o.PN.Constant = max(o.PN.Constant, 0)
	o.Knowledge = o.Knowledge.withDefaults()
	o.Mast, o.Rave = o.Mast.withDefaults(), o.Rave.withDefaults()
	o.LengthBonus = min(max(o.LengthBonus, 0), 1)
	chance := make([]bool, roles)
	copy(chance, o.Chance)
	o.Chance = chance
	return o
}

// Budget ends a search by itself; what is reached first counts. Without any,
// only the stop flag ends it. The clock is looked at between the Steps of an
// engine; the stop flag also interrupts a Step.
type Budget struct {
	Iterations int           // number of iterations; 0: no bound
	States     int           // joint moves that engines play, and iterations; 0: no bound
	Layered    int           // joint moves of the search by layers in a game for one; 0: none with counts, else what the clock allows
	Time       time.Duration // wall time from the call of Search; 0: no bound
	Deadline   time.Time     // wall clock; zero: no bound
}

// Report says what a search did. All slices are the caller's.
type Report struct {
	Iterations int           // results backed up in this search
	Playouts   int           // iterations that an engine played; the others ended in the tree
	States     int           // joint moves that engines played
	MeanLength float64       // joint moves a playout, from the tree's edge to its end
	Elapsed    time.Duration // wall time
	Created    int           // nodes added by this search
	Transposed int           // of these, further ways to states that the tree held
	Pruned     int           // nodes given up for want of memory
	Nodes      int           // nodes held, including kept ones and what waits to be used again
	Bytes      int64         // memory held by the tree
	KeptVisits int           // visits of the root when the search began
	RootVisits int           // visits of the root when it ended
	Value      []float64     // by role: mean goal in [0, 1] over the root's visits; nil if there are none
	Low, High  []float64     // by role: bounds on the goals of rational play from the root on; nil without Options.Solver
	Line       [][]uint32    // principal line: most visited joint moves from the root on

	// Of a game for one that is searched by layers as well; see Forest.
	Layered     int   // joint moves that were played for that
	LineLayered bool  // Line was found there
	LayersFault error // why it broke down, for this root; the trees are none the worse
}

// EdgeStats describes a semimove.
type EdgeStats struct {
	Path   []uint32 // a whole move as the engine's semimoves, or a prefix as the tree's
	Visits int
	Value  float64 // mean goal of the role, in [0, 1]; 0 without visits
}
