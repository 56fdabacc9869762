package search

import "time"

// Options are the parameters of a Tree. The zero value of a field means its
// default.
type Options struct {
	// Exploration is the factor C of UCB1, mean + C*sqrt(ln N / n), for means
	// in [0, 1]. Default DefaultExploration. Negative: no exploration at all.
	Exploration float64

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

	// Chance marks, by role, those that move uniformly at random, whatever
	// their goals; in the tree too, where a semimove is drawn uniformly at
	// each level. Shorter than the number of roles: the rest are players.
	Chance []bool
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
	Pruned     int           // nodes given up for want of memory
	Nodes      int           // nodes held, including kept ones and what waits to be used again
	Bytes      int64         // memory held by the tree
	KeptVisits int           // visits of the root when the search began
	RootVisits int           // visits of the root when it ended
	Value      []float64     // by role: mean goal in [0, 1] over the root's visits; nil if there are none
	Line       [][]uint32    // principal line: most visited joint moves from the root on
}

// EdgeStats describes a semimove.
type EdgeStats struct {
	Path   []uint32 // semimoves of the role from the first level on
	Visits int
	Value  float64 // mean goal of the role, in [0, 1]; 0 without visits
}
