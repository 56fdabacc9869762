package minimax

import (
	"math/bits"
	"sync/atomic"

	"semisplit/search/engine"
)

// rollouts are the random playouts of states that wait to be evaluated.
type rollouts struct {
	each    int // playouts of a state
	roles   int
	words   []uint64 // states, one after the other
	ends    []int    // where each ends
	sums    []float64
	current []int // by lane: the state that its playout is from
	length  []int // by lane: joint moves
	begun   int   // playouts
	flying  int
}

// rolloutLimit is the length, in joint moves, at which a playout is cut and scored with
// the goals of the state reached.
const rolloutLimit = 1000

func newRollouts(roles, each int) *rollouts { return &rollouts{each: each, roles: roles} }

// add has a state wait; its number is that of states before it.
func (r *rollouts) add(state []uint64) int {
	r.words = append(r.words, state...)
	r.ends = append(r.ends, len(r.words))
	return len(r.ends) - 1
}

func (r *rollouts) clear() { r.words, r.ends = r.words[:0], r.ends[:0] }

func (r *rollouts) state(i int) []uint64 {
	from := 0
	if i > 0 {
		from = r.ends[i-1]
	}
	return r.words[from:r.ends[i]]
}

// mean puts what the playouts of a state came to into values.
func (r *rollouts) mean(i int, values []float64) {
	for role := range r.roles {
		values[role] = r.sums[i*r.roles+role] / float64(r.each)
	}
}

// roll plays all playouts of the states that wait, in the lanes of the field, which are
// empty afterwards.
func (f *field) roll(stop *atomic.Bool) error {
	r := f.rolls
	if len(r.ends) == 0 {
		return nil
	}
	f.clear()
	defer f.clear()
	lanes := f.engine.Lanes()
	r.sums = append(r.sums[:0], make([]float64, len(r.ends)*r.roles)...)
	r.current, r.length = append(r.current[:0], make([]int, lanes)...), append(r.length[:0], make([]int, lanes)...)
	r.begun, r.flying = 0, 0
	stalls, _ := f.engine.(engine.Staller)
	var stalled []uint64 // lanes that did not move
	for lane := range lanes {
		f.beginRollout(lane)
	}
	for r.flying > 0 {
		over, err := f.engine.Step(stop)
		if err != nil {
			return err
		}
		if stalls != nil {
			stalled = stalls.Stalled()
		}
		for w := range f.mask {
			f.mask[w] = over[w]
		}
		for lane := range lanes {
			if r.current[lane] < 0 || stalled != nil && stalled[lane/64]>>(lane%64)&1 != 0 {
				continue
			}
			f.states++
			if r.length[lane]++; r.length[lane] > rolloutLimit {
				f.mask[lane/64] |= 1 << (lane % 64)
			}
		}
		f.endRollouts()
	}
	return nil
}

// beginRollout loads the next playout, if there is one.
func (f *field) beginRollout(lane int) {
	r := f.rolls
	r.current[lane], r.length[lane] = -1, 0
	if i := r.begun / r.each; i < len(r.ends) {
		f.engine.Load(lane, r.state(i), nil)
		r.current[lane] = i
		r.begun++
		r.flying++
		return
	}
	f.engine.Unload(lane)
}

// endRollouts adds up the playouts in the lanes of f.mask, and begins others.
func (f *field) endRollouts() {
	r := f.rolls
	for w, word := range f.mask {
		for ; word != 0; word &= word - 1 {
			lane := w*64 + bits.TrailingZeros64(word)
			if r.current[lane] < 0 {
				continue
			}
			f.engine.Goals(lane, f.values)
			for role, v := range f.values {
				r.sums[r.current[lane]*r.roles+role] += v
			}
			r.flying--
			f.beginRollout(lane)
		}
	}
}

// rolled puts what the playouts of a state came to into its values.
func (f *field) rolled(i int, values []float32) {
	f.rolls.mean(i, f.values)
	for role, v := range f.values {
		values[role] = estimate(v)
	}
}
