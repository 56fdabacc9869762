package search

import "time"

// Every lane in flight is selected without the results of the others. How much
// that costs was measured at a fixed number of iterations
// (docs/experiments/width.md): with a thousand of them 64 lanes play as well as
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
// the iterations outweighs that they are stale.
const fewPlayouts = 16

// lanesAllowed is the number of lanes that a worker may have in flight now.
func (t *Tree) lanesAllowed(lanes int) int {
	if n := t.options.LanesInFlight; n > 0 {
		return min(n, lanes)
	}
	n := max(fewLanes, int(t.nodes.at(t.root).visits)/visitsPerLane, t.hurried)
	if t.budget > 0 {
		n = min(n, t.budget/iterationsPerLane)
	}
	return min(max(n/len(t.workers), 1), lanes)
}

// inAHurry is the number of lanes, in all engines together, that a search calls
// for which has to end soon; 0: the time is enough, or not known.
func (t *Tree) inAHurry(start time.Time) int {
	if t.deadline.IsZero() {
		return 0
	}
	longest := time.Duration(0)
	for _, w := range t.workers {
		longest = max(longest, w.playoutTime)
	}
	left := max(t.deadline.Sub(start), 1)
	if longest*fewPlayouts <= left {
		return 0
	}
	return fewLanes * fewPlayouts * int(longest/1000+1) / int(left/1000+1)
}

// timePlayouts notes how long a playout took in a search of this duration.
func (w *worker) timePlayouts(took time.Duration) {
	steps := int(w.steps - w.begun)
	switch {
	case w.playouts > 0 && steps > 0:
		w.playoutTime = took * time.Duration(w.plies) / time.Duration(w.playouts) / time.Duration(steps)
	case steps > 0:
		w.playoutTime = max(w.playoutTime, took) // not a single one
	}
}
