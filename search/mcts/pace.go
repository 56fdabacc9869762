package mcts

import (
	"math"
	"time"
)

// Every lane in flight is selected without the results of the others. How much
// that costs was measured at a fixed number of iterations
// (docs/experiments/results/trees.md): with a thousand of them 64 lanes play as well as
// one, 256 lose. So few lanes run from the beginning, more as the tree knows
// more, one for each so many visits of the root; and with a counted budget,
// which is not helped by speed, one for each so many iterations.
const (
	fewLanes          = 64
	visitsPerLane     = 8
	iterationsPerLane = 16
)

// A Step costs the same with few lanes as with all. So where the time is enough
// for a few playouts only, one after the other, more lanes run: a multiple of
// the iterations outweighs that they are stale. With time for this many, all
// lanes run. (With time for 14, 512 lanes won 71 +- 19% of Breakthrough against
// 64, which made an eighth of the iterations.)
const fewPlayouts = 16

// maxInFlight is how many lanes an edge can count.
const maxInFlight = math.MaxUint16

// pace says how many lanes a worker may have in flight.
type pace struct {
	effort
	pressed int // lanes in flight that want of time calls for
}

// effort is what a worker has done.
type effort struct {
	playouts, states, plies int   // counted in this search
	begun                   int64 // steps of the engine when it began

	playoutTime time.Duration // that a playout took in the last search; 0: unknown
}

// lanesAllowed is the number of lanes that a worker may have in flight now.
// Those of all trees together are as many as one tree alone would have; of a counted
// budget joined trees take less, since they learn of each other late: two with 15 lanes each won 55.5% (95%: 4.8)
// of 400 plays against one with 62, at 2,000 iterations a move; with 31 each
// 46.1% (4.9), with 62 each 45.0% (5.8).
func (p *pace) lanesAllowed(f *flight) int {
	lanes := min(len(f.lanes), maxInFlight)
	if n := f.options.LanesInFlight; n > 0 {
		return min(n, lanes)
	}
	trees := 1
	if f.member != nil {
		trees = f.member.Trees()
	}
	n := max(fewLanes, int(f.tree.Node(f.tree.Root).Visits)/visitsPerLane, p.pressed*trees)
	if f.budget > 0 {
		n = min(n, f.budget/iterationsPerLane) // of a joined tree: its part
	}
	return min(max(n/trees, 1), lanes)
}

// timePressure finds the number of lanes in each engine that a search calls for which
// has to end soon; 0: the time is enough, or not known. It is a guess
// that gets better as playouts end.
func (p *pace) timePressure(f *flight) {
	p.pressed = 0
	if f.deadline.IsZero() {
		return
	}
	now := time.Now()
	playout, left := p.playoutGuess(f.steps, now.Sub(f.start)), f.deadline.Sub(now)
	wanted := float64(len(f.lanes)) * fewPlayouts * float64(playout) / float64(max(left, 1))
	p.pressed = int(min(wanted, float64(len(f.lanes))))
}

// enoughPlayouts is how many tell how long they are. The first that end are
// the shortest.
const enoughPlayouts = 32

// playoutGuess is how long a playout takes, after so many steps of the engine, ever, and
// so much time of the search.
func (e *effort) playoutGuess(now int64, spent time.Duration) time.Duration {
	steps := int(now - e.begun)
	if steps == 0 {
		return e.playoutTime
	}
	if e.playouts == 0 {
		return max(e.playoutTime, spent)
	}
	guess := spent * time.Duration(e.plies) / time.Duration(e.playouts) / time.Duration(steps)
	if e.playouts < enoughPlayouts {
		return max(e.playoutTime, guess)
	}
	return guess
}

// timePlayouts notes how long a playout took in a search of this duration, at whose end
// the engine has made so many steps.
func (e *effort) timePlayouts(now int64, took time.Duration) {
	steps := int(now - e.begun)
	switch {
	case e.playouts > 0 && steps > 0:
		e.playoutTime = took * time.Duration(e.plies) / time.Duration(e.playouts) / time.Duration(steps)
	case steps > 0:
		e.playoutTime = max(e.playoutTime, took) // not a single one
	}
}
