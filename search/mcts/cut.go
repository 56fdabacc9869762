package mcts

import (
	"math"
	"math/bits"

	"semisplit/search/engine"
)

// dynamicEvery is the number of Steps after which the evaluation looks at all
// playouts.
const dynamicEvery = 4

// longestPlayout is the number of joint moves after which a playout is cut, with
// the one that left the tree.
func (o *Options) longestPlayout() int64 {
	longest := o.PlayoutLimit
	if o.Knowledge.Guesses() {
		longest = min(longest, o.Knowledge.Fixed)
	}
	return int64(longest) + 1
}

// cut ends the playouts that have gone on for long enough.
func (f *flight) cut() {
	f.nextCut = math.MaxInt64
	for i := range f.lanes {
		if l := &f.lanes[i]; l.mode == rollout {
			if f.steps >= l.begun+f.longest {
				f.events[i/64] |= 1 << (i % 64)
			} else {
				f.nextCut = min(f.nextCut, l.begun+f.longest)
			}
		}
	}
}

// endSure ends the playouts of which the evaluation is sure (dynamic early
// termination): who is ahead has won.
func (f *flight) endSure(e engine.Engine) {
	k := &f.options.Knowledge
	for i := range f.moved {
		for word := f.moved[i] &^ (f.events[i] | f.ended[i] | f.singleStep[i]); word != 0; word &= word - 1 {
			b := bits.TrailingZeros64(word)
			l := &f.lanes[i*64+b]
			l.state = e.State(i*64+b, l.state[:0])
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
