package ahead

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"semisplit/search/engine"
)

// ChildEvaluator finds what a new node is worth by the states that its moves lead to: the
// evaluation of the one that its mover likes best, as all children are evaluated
// when a node is expanded (M. Lanctot et al., 2014, algorithm 1, lines 13 and 14).
// It looks at them on an engine of its own, those of several nodes together.
type ChildEvaluator struct {
	lister
	lookahead engine.Engine
	evaluate  engine.Evaluator
	views     []view // those in use first
	used      int
	looks     []childRef
	loaded    int // lanes that the lookahead may still hold
	state     []uint64
	values    []float64
}

// view is a node that is to be made.
type view struct {
	onePly
	lane  int
	value *[]float64 // for the result
	best  []float64  // the value of the best state so far, by role
	known bool
}

// childRef is a state to look at: the one after a move of a view.
type childRef struct{ view, move int32 }

// NewChildEvaluator makes one that looks with an engine, which serves nobody else. levels are
// those of the machine and chance the roles that move at random, both by role; seed is
// for draws whose result is not looked at.
func NewChildEvaluator(lookahead engine.Engine, levels []int, chance []bool, evaluate engine.Evaluator, seed uint64) *ChildEvaluator {
	return &ChildEvaluator{
		lister:    lister{levels: levels, chance: chance, rng: rand.New(rand.NewPCG(seed, 31))},
		lookahead: lookahead, evaluate: evaluate, values: make([]float64, len(levels)),
	}
}

// Add takes a lane of an engine that is at the state of a new node. The value of the
// node, by role, goes to value in the next Find.
func (o *ChildEvaluator) Add(lane int, value *[]float64) {
	if o.used == len(o.views) {
		o.views = append(o.views, view{})
	}
	v := &o.views[o.used]
	v.lane, v.value = lane, value
	o.used++
}

// Find sets the value of all lanes that were added, which are those of an engine, where
// one role alone chooses or none does, and chance nowhere.
func (o *ChildEvaluator) Find(source engine.Engine, stop *atomic.Bool) error {
	if o.used == 0 {
		return nil
	}
	views := o.views[:o.used]
	o.used, o.stop = 0, stop
	o.looks = o.looks[:0]
	for i := range views {
		v := &views[i]
		v.known = false
		if err := o.list(source, v.lane, &v.onePly); err != nil {
			return err
		}
		moves := 0
		if v.mover >= 0 {
			moves = len(v.struck)
		} else if v.forced {
			moves = 1
		}
		for move := range moves {
			if o.looks = append(o.looks, childRef{int32(i), int32(move)}); len(o.looks) == o.lookahead.Lanes() {
				if err := o.finish(views, stop); err != nil {
					return err
				}
			}
		}
	}
	if err := o.finish(views, stop); err != nil {
		return err
	}
	for i := range views {
		if v := &views[i]; v.known {
			*v.value = append((*v.value)[:0], v.best...)
		}
	}
	return nil
}

// finish looks at what waits to be looked at.
func (o *ChildEvaluator) finish(views []view, stop *atomic.Bool) error {
	if len(o.looks) == 0 {
		return nil
	}
	for lane, l := range o.looks {
		v := &views[l.view]
		o.lookahead.Load(lane, v.state, v.jointOf(int(l.move)))
	}
	for ; o.loaded > len(o.looks); o.loaded-- {
		o.lookahead.Unload(o.loaded - 1)
	}
	o.loaded = len(o.looks)
	ended, err := o.lookahead.Step(stop)
	if err != nil {
		return fmt.Errorf("ahead: %w", err)
	}
	for lane, l := range o.looks {
		v := &views[l.view]
		if ended[lane/64]>>(lane%64)&1 != 0 {
			o.lookahead.Goals(lane, o.values)
		} else {
			o.state = o.lookahead.State(lane, o.state[:0])
			o.evaluate.Values(o.state, o.values)
		}
		if !v.known || v.mover >= 0 && o.values[v.mover] > v.best[v.mover] {
			v.known, v.best = true, append(v.best[:0], o.values...)
		}
	}
	o.looks = o.looks[:0]
	return nil
}
