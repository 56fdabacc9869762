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

// prepare gets the tree ready for a search that began at start, and begins its
// report.
func (t *searcher) prepare(start time.Time, b search.Budget) search.Report {
	t.err, t.begun, t.done, t.budget = nil, 0, 0, b.Iterations
	t.states = b.States
	if b.States > 0 && (t.budget <= 0 || t.budget > b.States) {
		t.budget = b.States // an iteration that ends in the tree plays no state
	}
	t.halt.Store(false)
	t.turn = b.Turn
	if b.Iterations > 0 || b.States > 0 {
		t.turn = time.Time{}
		t.worker.reset()
	}
	t.resisting = t.answered() && t.proofs.Resists()
	t.deadline = b.Deadline
	if b.Time > 0 && (t.deadline.IsZero() || start.Add(b.Time).Before(t.deadline)) {
		t.deadline = start.Add(b.Time)
	}
	t.start = start
	return search.Report{KeptVisits: t.RootVisits(), Created: t.tree.Created, Transposed: t.tree.Index.Aliases, Pruned: t.tree.Pruned}
}

// conclude completes the report of a search.
func (t *searcher) conclude(start time.Time, r *search.Report) {
	r.Elapsed = time.Since(start)
	if t.turn.IsZero() {
		t.worker.reset()
	}
	t.fillReport(r)
	if invariants && t.turn.IsZero() {
		if err := t.check(); err != nil {
			panic("BUG: " + err.Error())
		}
	}
}

// answered says whether the tree has proven what to play in the root.
func (t *searcher) answered() bool { return t.proofs.Proves() && t.decided(t.tree.Root) }

// finished says whether there is nothing left to search for in the root.
func (t *searcher) finished() bool { return t.answered() && !t.resisting }

// runAll runs the first worker here and the others in goroutines. A panic comes out
// here, once, and what is in flight is given up then.
func runAll(workers []*worker, stop *atomic.Bool) {
	var wait sync.WaitGroup
	faults := make([]error, len(workers))
	guarded := func(i int) {
		if fault := guard.Run(func() error { workers[i].run(stop); return nil }); fault != nil {
			workers[i].selector.t.halt.Store(true)
			faults[i] = fmt.Errorf("search: engine %d: %w", i, fault)
		}
	}
	for i := 1; i < len(workers); i++ {
		wait.Go(func() { guarded(i) })
	}
	if len(workers) > 0 {
		guarded(0)
	}
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

// mayBegin says whether the budget leaves another iteration.
func (t *searcher) mayBegin() bool { return t.budget <= 0 || t.begun < t.budget }

// setError keeps the first error, and ends the search of all trees.
func (t *searcher) setError(err error) {
	if t.err == nil {
		t.err = err
	}
	t.halt.Store(true)
}

func (t *searcher) fillReport(r *search.Report) {
	w := t.worker
	r.Playouts, r.States = w.playouts, w.states
	if r.Playouts > 0 {
		r.MeanLength = float64(w.plies) / float64(r.Playouts)
	}
	w.timePlayouts(r.Elapsed)
	w.playouts, w.states, w.plies, w.begun = 0, 0, 0, w.steps
	r.Iterations = t.done
	r.Created = t.tree.Created - r.Created
	r.Transposed = t.tree.Index.Aliases - r.Transposed
	r.Pruned = t.tree.Pruned - r.Pruned
	r.Nodes, r.Bytes = t.tree.Live, t.tree.Edges.Memory.Bytes
	r.RootVisits = t.RootVisits()
	r.Value = t.value()
	r.Low, r.High = t.rootBounds()
	r.Line = t.line()
	r.LineLayered = t.plan.given && t.followsPlan()
}
