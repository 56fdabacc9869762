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

// prepare gets the tree ready for a search that began at start, and begins its
// report.
func (t *searcher) prepare(start time.Time, b search.Budget) search.Report {
	t.open(start, b)
	t.proofs.Resisting = t.answered() && t.proofs.Resists()
	return search.Report{KeptVisits: t.RootVisits(), Created: t.tree.Created, Transposed: t.tree.Index.Aliases, Pruned: t.tree.Pruned}
}

// conclude completes the report of a search.
func (t *searcher) conclude(start time.Time, r *search.Report) {
	r.Elapsed = time.Since(start)
	t.fillReport(r)
	if invariants {
		if err := t.check(); err != nil {
			panic("BUG: " + err.Error())
		}
	}
}

// runAll runs the first worker here and the others in goroutines, and gives up what is in
// flight when all have ended. A panic comes out here, once.
func runAll(workers []*worker, stop *atomic.Bool) {
	var wait sync.WaitGroup
	faults := make([]error, len(workers))
	guarded := func(i int) {
		if fault := guard.Run(func() error { workers[i].run(stop); return nil }); fault != nil {
			workers[i].flight.halt.Store(true)
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
	for _, w := range workers {
		w.reset()
	}
	if err := errors.Join(faults...); err != nil {
		panic(err)
	}
}

// fillReport completes a report but for its time.
func (t *searcher) fillReport(r *search.Report) {
	e, steps := &t.worker.pace.effort, t.worker.flight.steps
	r.Playouts, r.States = e.playouts, e.states
	if r.Playouts > 0 {
		r.MeanLength = float64(e.plies) / float64(r.Playouts)
	}
	e.timePlayouts(steps, r.Elapsed)
	e.playouts, e.states, e.plies, e.begun = 0, 0, 0, steps
	r.Iterations = t.done
	r.Created = t.tree.Created - r.Created
	r.Transposed = t.tree.Index.Aliases - r.Transposed
	r.Pruned = t.tree.Pruned - r.Pruned
	r.Nodes, r.Bytes = t.tree.Live, t.tree.Edges.Memory.Bytes
	r.RootVisits = t.RootVisits()
	r.Value = t.value()
	r.Low, r.High = t.rootBounds()
	r.Line = t.principal()
	r.LineLayered = t.line.Given && t.followsLine()
}
