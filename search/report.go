// Package search says what a search of a game is asked, and what it answers, whatever
// its algorithm is. Algorithms are in packages of their own; they know nothing of rules,
// text or managers.
package search

import (
	"errors"
	"time"
)

// ErrNoRoot: the tree has no root state.
var ErrNoRoot = errors.New("search: no root state")

// Budget ends a search by itself; what is reached first counts. Without any,
// only the stop flag ends it. The clock is looked at between the Steps of an
// engine; the stop flag also interrupts a Step.
type Budget struct {
	Iterations int           // number of iterations; 0: no bound
	States     int           // joint moves that engines play, and iterations; 0: no bound
	Time       time.Duration // wall time from the call of Search; 0: no bound
	Deadline   time.Time     // wall clock; zero: no bound

	// Idle says that nobody waits for a move of the root, as where our role has but one:
	// what is found there is for the states to come.
	Idle bool
}

// Until is when the time of a search is over that began at a moment; zero: never.
func (b Budget) Until(start time.Time) time.Time {
	if end := start.Add(b.Time); b.Time > 0 && (b.Deadline.IsZero() || end.Before(b.Deadline)) {
		return end
	}
	return b.Deadline
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
	Low, High  []float64     // by role: bounds on the goals of rational play from the root on; nil without a solver
	Line       [][]uint32    // principal line: most visited joint moves from the root on

	// Of a game for one that is searched by layers as well; see package portfolio.
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
