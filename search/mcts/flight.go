package mcts

import (
	"math"
	"time"
)

// Every lane in flight is selected without the results of the others. How much
// that costs was measured at a fixed number of iterations
// (docs/experiments/results.md): with a thousand of them 64 lanes play as well as
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

// lanesAllowed is the number of lanes that a worker may have in flight now.
// Those of all trees together are as many as one tree alone would have; of a counted
// budget joined trees take less, since they learn of each other late: two with 15 lanes each won 55.5% (95%: 4.8)
// of 400 plays against one with 62, at 2,000 iterations a move; with 31 each
// 46.1% (4.9), with 62 each 45.0% (5.8).
func (t *searcher) lanesAllowed(lanes int) int {
	lanes = min(lanes, maxInFlight)
	if n := t.options.LanesInFlight; n > 0 {
		return min(n, lanes)
	}
	trees := 1
	if t.member != nil {
		trees = t.member.Trees()
	}
	n := max(fewLanes, int(t.tree.Node(t.tree.Root).Visits)/visitsPerLane, t.hurried*trees)
	if t.budget > 0 {
		n = min(n, t.budget/iterationsPerLane) // of a joined tree: its part
	}
	return min(max(n/trees, 1), lanes)
}

// timePressure finds the number of lanes in each engine that a search calls for which
// has to end soon; 0: the time is enough, or not known. It is a guess
// that gets better as playouts end.
func (w *worker) timePressure() {
	t := w.selector.t
	t.hurried = 0
	if t.deadline.IsZero() {
		return
	}
	now := time.Now()
	playout, left := w.playoutGuess(now.Sub(t.start)), max(t.deadline.Sub(now), t.turn.Sub(now))
	wanted := float64(len(w.selector.lanes)) * fewPlayouts * float64(playout) / float64(max(left, 1))
	t.hurried = int(min(wanted, float64(len(w.selector.lanes))))
}

// mayHurry tells whether there are lanes to be had if time is short.
func (w *worker) mayHurry() bool {
	return !w.selector.t.deadline.IsZero() && w.loaded < len(w.selector.lanes)
}

// enoughPlayouts is how many tell how long they are. The first that end are
// the shortest.
const enoughPlayouts = 32

// playoutGuess is how long a playout takes, after so much time of the search.
func (w *effort) playoutGuess(spent time.Duration) time.Duration {
	steps := int(w.steps - w.begun)
	if steps == 0 {
		return w.playoutTime
	}
	if w.playouts == 0 {
		return max(w.playoutTime, spent)
	}
	guess := spent * time.Duration(w.plies) / time.Duration(w.playouts) / time.Duration(steps)
	if w.playouts < enoughPlayouts {
		return max(w.playoutTime, guess)
	}
	return guess
}

// timePlayouts notes how long a playout took in a search of this duration.
func (w *effort) timePlayouts(took time.Duration) {
	steps := int(w.steps - w.begun)
	switch {
	case w.playouts > 0 && steps > 0:
		w.playoutTime = took * time.Duration(w.plies) / time.Duration(w.playouts) / time.Duration(steps)
	case steps > 0:
		w.playoutTime = max(w.playoutTime, took) // not a single one
	}
}
