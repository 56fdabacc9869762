// Package mcts is Monte Carlo tree search over an abstract semisplit game: workers
// that drive engines, choose in a tree, and back up what playouts bring.
package mcts

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"semisplit/internal/guard"
	"semisplit/search"
)

// clock is how a search ends before its iterations do.
type clock struct {
	start    time.Time
	deadline time.Time    // zero: none
	turn     time.Time    // zero: ends with the search; see search.Budget
	halt     *atomic.Bool // of all trees of a forest together
}

// Search grows the tree until the budget is used up or stop is set, which also
// interrupts the engines. On an error of an engine (rules that cannot be
// followed) it ends with that error and the report of what was done. In any
// case the tree is whole, and another Search goes on with it. A nil stop is
// never set. An engine's panic is passed on to the caller after all threads
// have come to rest; the tree is whole then, too.
func (t *searcher) Search(stop *atomic.Bool, b search.Budget) (search.Report, error) {
	if t.Root == 0 {
		return search.Report{}, search.ErrNoRoot
	}
	if stop == nil {
		stop = new(atomic.Bool)
	}
	start := time.Now()
	report := t.prepare(start, b)
	if !t.Terminal() && !t.finished() {
		runAll(t.workers, stop)
	}
	t.conclude(start, &report)
	return report, t.err
}

// prepare gets the tree ready for a search that began at start, and begins its
// report.
func (t *searcher) prepare(start time.Time, b search.Budget) search.Report {
	t.err, t.begun, t.done, t.budget = nil, 0, 0, b.Iterations
	t.states = (b.States + len(t.workers) - 1) / len(t.workers)
	if b.States > 0 && (t.budget <= 0 || t.budget > b.States) {
		t.budget = b.States // an iteration that ends in the tree plays no state
	}
	t.halt.Store(false)
	t.turn = b.Turn
	if b.Iterations > 0 || b.States > 0 {
		t.turn = time.Time{}
		t.dropLanes()
	}
	t.resisting = t.answered() && t.Resists()
	t.deadline = b.Deadline
	if b.Time > 0 && (t.deadline.IsZero() || start.Add(b.Time).Before(t.deadline)) {
		t.deadline = start.Add(b.Time)
	}
	t.start = start
	return search.Report{KeptVisits: t.RootVisits(), Created: t.Created, Transposed: t.Aliases, Pruned: t.Pruned}
}

// conclude completes the report of a search.
func (t *searcher) conclude(start time.Time, r *search.Report) {
	r.Elapsed = time.Since(start)
	if t.turn.IsZero() {
		t.dropLanes()
	}
	t.fillReport(r)
	if invariants && t.turn.IsZero() {
		if err := t.check(); err != nil {
			panic("BUG: " + err.Error())
		}
	}
}

// answered says whether the tree has proven what to play in the root.
func (t *searcher) answered() bool { return t.Proves() && t.decided(t.Root) }

// finished says whether there is nothing left to search for in the root.
func (t *searcher) finished() bool { return t.answered() && !t.resisting }

// dropLanes gives up what is in flight.
func (t *searcher) dropLanes() {
	for _, w := range t.workers {
		w.reset()
	}
}

// runAll runs the first worker here and the others in goroutines. A panic comes out
// here, once, and what is in flight is given up then.
func runAll(workers []*worker, stop *atomic.Bool) {
	var wait sync.WaitGroup
	faults := make([]error, len(workers))
	guarded := func(i int) {
		if fault := guard.Run(func() error { workers[i].run(stop); return nil }); fault != nil {
			workers[i].t.halt.Store(true)
			faults[i] = fmt.Errorf("search: engine %d: %w", i, fault)
		}
	}
	for i := 1; i < len(workers); i++ {
		wait.Go(func() { guarded(i) })
	}
	guarded(0)
	wait.Wait()
	if err := errors.Join(faults...); err != nil {
		for _, w := range workers {
			w.reset()
		}
		panic(err)
	}
}

// over says whether the search must end now, whatever is in flight.
func (t *searcher) over(stop *atomic.Bool) bool {
	if stop.Load() || t.halt.Load() {
		return true
	}
	return !t.deadline.IsZero() && !time.Now().Before(t.deadline)
}

// mayBegin says whether the budget leaves another iteration. Under the mutex.
func (t *searcher) mayBegin() bool { return t.budget <= 0 || t.begun < t.budget }

// lockSpins is the number of attempts at the mutex before a thread sleeps on
// it, some 50 us in all. The mutex is held for two microseconds, less than it
// takes to put a thread to sleep and wake it: with Steps of 10 us on two cores
// 150,000 iterations took 1.3 s with 30 attempts, 1.2 s with 2,000 and 0.93 s
// with 20,000 (1.6 s with one thread).
const lockSpins = 20000

// lock takes the mutex.
func (t *searcher) lock() {
	for range lockSpins {
		if t.mu.TryLock() {
			return
		}
	}
	t.mu.Lock()
}

// fail ends the search with an error.
func (t *searcher) fail(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.setError(err)
}

// setError keeps the first error. Under the mutex.
func (t *searcher) setError(err error) {
	if t.err == nil {
		t.err = err
	}
	t.halt.Store(true)
}

func (t *searcher) fillReport(r *search.Report) {
	for _, w := range t.workers {
		r.Playouts += w.playouts
		r.States += w.states
		r.MeanLength += float64(w.plies)
		w.timePlayouts(r.Elapsed)
		w.playouts, w.states, w.plies, w.begun = 0, 0, 0, w.steps
	}
	if r.Playouts > 0 {
		r.MeanLength /= float64(r.Playouts)
	}
	r.Iterations = t.done
	r.Created = t.Created - r.Created
	r.Transposed = t.Aliases - r.Transposed
	r.Pruned = t.Pruned - r.Pruned
	r.Nodes, r.Bytes = t.Live, t.Bytes
	r.RootVisits = t.RootVisits()
	r.Value = t.value()
	r.Low, r.High = t.rootBounds()
	r.Line = t.line()
	r.LineLayered = t.plan.given && t.followsPlan()
}
