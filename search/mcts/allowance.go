package mcts

import (
	"sync/atomic"
	"time"

	"semisplit/search"
)

// allowance is what a search may use, and what it has used of it.
type allowance struct {
	begun  int // iterations begun in this search
	done   int // iterations backed up in this search
	budget int // iterations to begin; 0: no bound
	states int // joint moves for the engine; 0: no bound

	start    time.Time
	deadline time.Time    // zero: none
	halt     *atomic.Bool // of all trees of a forest together: the search is over

	err error // the first one
}

// open begins a search at a time.
func (a *allowance) open(start time.Time, b search.Budget) {
	a.err, a.begun, a.done, a.budget, a.states = nil, 0, 0, b.Iterations, b.States
	if b.States > 0 && (a.budget <= 0 || a.budget > b.States) {
		a.budget = b.States // an iteration that ends in the tree plays no state
	}
	a.halt.Store(false)
	a.start, a.deadline = start, b.Until(start)
}

// over says whether the search must end now, whatever is in flight.
func (a *allowance) over(stop *atomic.Bool) bool {
	if stop.Load() || a.halt.Load() {
		return true
	}
	return !a.deadline.IsZero() && !time.Now().Before(a.deadline)
}

// mayBegin says whether the budget leaves another iteration.
func (a *allowance) mayBegin() bool { return a.budget <= 0 || a.begun < a.budget }

// setError keeps the first error, and ends the search of all trees.
func (a *allowance) setError(err error) {
	if a.err == nil {
		a.err = err
	}
	a.halt.Store(true)
}
