package mcts

import (
	"math"
	"math/bits"
)

// dynamicEvery is the number of Steps after which the evaluation looks at all
// playouts.
const dynamicEvery = 4

// cut ends the playouts that have gone on for long enough.
func (w *worker) cut() {
	f := &w.flight
	f.nextCut = math.MaxInt64
	for i := range f.lanes {
		if l := &f.lanes[i]; l.mode == rollout {
			if end := l.begun + l.stalls + f.longest; f.steps >= end {
				f.events[i/64] |= 1 << (i % 64)
			} else {
				f.nextCut = min(f.nextCut, end)
			}
		}
	}
}

// endSure ends the playouts of which the evaluation is sure (dynamic early
// termination): who is ahead has won.
func (w *worker) endSure() {
	f := &w.flight
	k := &f.options.Knowledge
	for i := range f.moved {
		for word := f.moved[i] &^ (f.events[i] | f.ended[i] | f.singleStep[i]); word != 0; word &= word - 1 {
			b := bits.TrailingZeros64(word)
			l := &f.lanes[i*64+b]
			l.state = w.engine.State(i*64+b, l.state[:0])
			k.Evaluate.Values(l.state, l.goals)
			if award(l.goals, k.Dynamic) {
				f.events[i] |= 1 << b
				f.sure[i] |= 1 << b
			}
		}
	}
}

// award turns values into those of a game that is over, if one role is ahead so far.
func award(values []float64, ahead float64) bool {
	best := 0
	for r, v := range values {
		if v > values[best] {
			best = r
		}
	}
	if 2*values[best]-1 < ahead {
		return false
	}
	clear(values)
	values[best] = 1
	return true
}
