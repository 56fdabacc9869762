package search

import (
	"fmt"
	"runtime/debug"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/search/layers"
)

// A game for one is searched by layers as well, beside the tree, as long as no
// line is known that is sure to be best: playouts find nothing where good lines
// are rare. That takes time of its own: with one engine half of the clock, with
// several one of them all the time. What is counted goes to the tree, as in any
// game; there are no layers then, unless they are counted as well.

// layersPart is the part of the memory for the search by layers.
const layersPart = 4

// layered says whether to search by layers.
func (f *Forest) layered(b Budget) bool {
	t := f.trees[0]
	clocked := b.Iterations <= 0 && b.States <= 0 && (b.Time > 0 || !b.Deadline.IsZero())
	return t.plans() && (clocked || b.Layered > 0) && t.root != 0 && !t.Terminal() && f.answered() < 0
}

// prepareLayers brings the search by layers to the root; false: it has nothing
// to do there.
func (f *Forest) prepareLayers() bool {
	t := f.trees[0]
	if f.layers == nil {
		memory := f.memory / layersPart
		f.memory -= memory
		for _, t := range f.trees {
			t.memory -= t.memory / layersPart
		}
		f.layers = layers.New(f.workers[len(f.workers)-1].engine, t.engineLevels()[0], memory, t.options.Seed)
	}
	root := t.words(t.root, nil)
	if value := f.planValue(); !slices.Equal(root, f.layers.Root()) {
		f.layers.Begin(root, value)
	} else {
		f.layers.Raise(value)
	}
	return f.layers.Busy()
}

// planValue is the goal of the best line that a tree has; below 0: none has one.
func (f *Forest) planValue() float64 {
	value := -1.0
	for _, t := range f.trees {
		if t.hasPlan() {
			value = max(value, t.plan.value)
		}
	}
	return value
}

// takeLine makes what the search by layers has found the plan of the first tree.
func (f *Forest) takeLine() {
	r := f.layers
	if r.Line() != nil && r.Value() > f.planValue() {
		f.trees[0].plan = plan{value: r.Value(), moves: r.Line(), layered: true}
	}
	if !r.Proven() {
		return
	}
	for _, t := range f.trees {
		if t.hasPlan() && t.plan.value >= r.Value() {
			t.plan.proven = true
		}
	}
}

// runLayers searches by layers for so many joint moves (0: no bound), until the
// search of the trees is over, or until a deadline. A panic comes back as an
// error; there are no layers from this root any more then.
func (f *Forest) runLayers(stop *atomic.Bool, moves int, deadline time.Time) (err error) {
	r, halt := f.layers, f.trees[0].halt
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("search: by layers: panic: %v\n%s", v, debug.Stack())
		}
		if err != nil {
			r.Close()
		}
		if r.Proven() {
			halt.Store(true)
		}
	}()
	begun := r.States()
	return r.Run(stop, func() bool {
		return stop.Load() || halt.Load() || moves > 0 && r.States()-begun >= moves || !deadline.IsZero() && !time.Now().Before(deadline)
	})
}

// searchLayered is Search in a game for one, in the tree and by layers.
func (f *Forest) searchLayered(stop *atomic.Bool, b Budget) (r Report, err error) {
	start, states := time.Now(), f.layers.States()
	if b.Time > 0 && (b.Deadline.IsZero() || start.Add(b.Time).Before(b.Deadline)) {
		b.Deadline = start.Add(b.Time)
	}
	b.Time = 0
	var fault error
	if len(f.workers) == 1 {
		half := b.Deadline
		if !half.IsZero() {
			half = start.Add(half.Sub(start) / 2)
		}
		f.trees[0].halt.Store(false)
		fault = f.runLayers(stop, b.Layered, half)
		f.takeLine()
		r, err = f.searchTrees(stop, b, nil)
		r.Elapsed = time.Since(start)
	} else {
		r, err = f.searchTrees(stop, b, func() { fault = f.runLayers(stop, b.Layered, b.Deadline) })
	}
	r.Layered, r.LayersFault = f.layers.States()-states, fault
	return r, err
}
