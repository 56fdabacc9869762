package search

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
)

// clock is how a search ends before its iterations do.
type clock struct {
	deadline time.Time    // zero: none
	halt     *atomic.Bool // of all trees of a forest together
}

// The lanes in flight stay few against what the tree knows, since every lane is
// selected without the results of the others: one for each so many visits of
// the root and, as a counted budget is not helped by speed, one for each so
// many iterations of the budget. 64 lanes run from 512 visits on.
const (
	visitsPerLane     = 8
	iterationsPerLane = 32
)

// Search grows the tree until the budget is used up or stop is set, which also
// interrupts the engines. On an error of an engine (rules that cannot be
// followed) it ends with that error and the report of what was done. In any
// case the tree is whole, and another Search goes on with it. A nil stop is
// never set. An engine's panic is passed on to the caller after all threads
// have come to rest; the tree is whole then, too.
func (t *Tree) Search(stop *atomic.Bool, b Budget) (Report, error) {
	if t.root == 0 {
		return Report{}, ErrNoRoot
	}
	if stop == nil {
		stop = new(atomic.Bool)
	}
	start := time.Now()
	report := t.prepare(start, b)
	if !t.Terminal() {
		runAll(t.workers, stop)
	}
	t.conclude(start, &report)
	return report, t.err
}

// prepare gets the tree ready for a search that began at start, and begins its
// report.
func (t *Tree) prepare(start time.Time, b Budget) Report {
	t.err, t.begun, t.done, t.budget = nil, 0, 0, b.Iterations
	t.states = (b.States + len(t.workers) - 1) / len(t.workers)
	if b.States > 0 && (t.budget <= 0 || t.budget > b.States) {
		t.budget = b.States // an iteration that ends in the tree plays no state
	}
	t.halt.Store(false)
	t.deadline = b.Deadline
	if b.Time > 0 && (t.deadline.IsZero() || start.Add(b.Time).Before(t.deadline)) {
		t.deadline = start.Add(b.Time)
	}
	return Report{KeptVisits: t.RootVisits(), Created: t.created, Pruned: t.pruned}
}

// conclude completes the report of a search.
func (t *Tree) conclude(start time.Time, r *Report) {
	t.fillReport(r)
	r.Elapsed = time.Since(start)
	if invariants {
		if err := t.check(); err != nil {
			panic("BUG: " + err.Error())
		}
	}
}

// runAll runs the first worker here and the others in goroutines, and puts
// their trees in order when all have ended. A panic comes out here, once.
func runAll(workers []*worker, stop *atomic.Bool) {
	var wait sync.WaitGroup
	faults := make([]error, len(workers))
	guarded := func(i int) {
		defer func() {
			if v := recover(); v != nil {
				workers[i].t.halt.Store(true)
				faults[i] = fmt.Errorf("search: engine %d: panic: %v\n%s", i, v, debug.Stack())
			}
		}()
		workers[i].run(stop)
	}
	for i := 1; i < len(workers); i++ {
		wait.Go(func() { guarded(i) })
	}
	guarded(0)
	wait.Wait()
	for _, w := range workers {
		w.reset()
	}
	if err := errors.Join(faults...); err != nil {
		panic(err)
	}
}

// over says whether the search must end now, whatever is in flight.
func (t *Tree) over(stop *atomic.Bool) bool {
	if stop.Load() || t.halt.Load() {
		return true
	}
	return !t.deadline.IsZero() && !time.Now().Before(t.deadline)
}

// mayBegin says whether the budget leaves another iteration. Under the mutex.
func (t *Tree) mayBegin() bool { return t.budget <= 0 || t.begun < t.budget }

// lanesAllowed is the number of lanes that a worker may have in flight now.
// Those of all workers together, on one tree or on joined ones, are as many as
// one worker alone would have; of a counted budget joined trees take less, since
// they learn of each other late: two with 15 lanes each won 55.5% (95%: 4.8)
// of 400 plays against one with 62, at 2,000 iterations a move; with 31 each
// 46.1% (4.9), with 62 each 45.0% (5.8).
func (t *Tree) lanesAllowed(lanes int) int {
	if n := t.options.LanesInFlight; n > 0 {
		return min(n, lanes)
	}
	n := int(t.nodes.at(t.root).visits) / visitsPerLane
	if t.budget > 0 {
		n = min(n, t.budget/iterationsPerLane) // of a joined tree: its part
	}
	workers := len(t.workers)
	if t.member != nil {
		workers = t.member.joint.trees
	}
	return min(max(n/workers, 1), lanes)
}

// lockSpins is the number of attempts at the mutex before a thread sleeps on
// it, some 50 us in all. The mutex is held for two microseconds, less than it
// takes to put a thread to sleep and wake it: with Steps of 10 us on two cores
// 150,000 iterations took 1.3 s with 30 attempts, 1.2 s with 2,000 and 0.93 s
// with 20,000 (1.6 s with one thread).
const lockSpins = 20000

// lock takes the mutex.
func (t *Tree) lock() {
	for range lockSpins {
		if t.mu.TryLock() {
			return
		}
	}
	t.mu.Lock()
}

// fail ends the search with an error.
func (t *Tree) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.setError(err)
}

// setError keeps the first error. Under the mutex.
func (t *Tree) setError(err error) {
	if t.err == nil {
		t.err = err
	}
	t.halt.Store(true)
}

func (t *Tree) fillReport(r *Report) {
	for _, w := range t.workers {
		r.Playouts += w.playouts
		r.States += w.states
		r.MeanLength += float64(w.plies)
		w.playouts, w.states, w.plies = 0, 0, 0
	}
	if r.Playouts > 0 {
		r.MeanLength /= float64(r.Playouts)
	}
	r.Iterations = t.done
	r.Created = t.created - r.Created
	r.Pruned = t.pruned - r.Pruned
	r.Nodes, r.Bytes = t.live, t.bytes
	r.RootVisits = t.RootVisits()
	r.Value = t.value()
	r.Line = t.line()
}
