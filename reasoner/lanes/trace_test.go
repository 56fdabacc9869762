package lanes

import (
	"math/bits"
	"slices"
)

// unpack is the joint move that the trace names for a lane.
func unpack(e *Engine, lane int) []uint32 {
	var joint []uint32
	for r := range e.circuit.plan.roles {
		joint = append(joint, unpackPath(e, e.Choices(), lane, r, len(e.circuit.plan.roles[r].levels))...)
	}
	return joint
}

// unpackPath is the path of a role, or its beginning, in words of all lanes.
func unpackPath(e *Engine, words []uint64, lane, role, levels int) []uint32 {
	path := []uint32{}
	for i := range levels {
		word, shift, width := e.TraceField(role, i)
		path = append(path, uint32(words[lane*e.TraceWords()+word]>>shift&(1<<width-1)))
	}
	return path
}

// traced compares the trace of a lane that moved in the last Step at random:
// the joint move is legal in the state before, and leads to the state after.
func (w *netWalk) traced(lane int, before []uint64, is truth, after []uint64) {
	joint := unpack(w.e, lane)
	w.last[lane] = slices.Clone(joint)
	if got := w.after(before, joint); !slices.Equal(got, after) {
		w.t.Errorf("seed %d lane %d: the trace %v leads to %x, not to %x", w.seed, lane, joint, got, after)
	}
	for r := range w.m.plan.roles {
		path := joint[:len(w.m.plan.roles[r].levels)]
		joint = joint[len(path):]
		if !slices.ContainsFunc(is.paths[r], func(p []uint32) bool { return slices.Equal(p, path) }) {
			w.t.Errorf("seed %d lane %d: the trace has %v for role %d, which is no legal move", w.seed, lane, path, r)
		}
	}
}

// tracedLoads compares the trace of the lanes that were loaded with a joint
// move, and forgets these.
func (w *netWalk) tracedLoads() {
	for lane, joint := range w.joints {
		if got := unpack(w.e, lane); !slices.Equal(got, joint) {
			w.t.Errorf("seed %d lane %d: the trace is %v, loaded was %v", w.seed, lane, got, joint)
		}
		w.last[lane] = joint
	}
	clear(w.joints)
}

// tracedStall compares the trace of a lane that has not moved: it is the same as
// before.
func (w *netWalk) tracedStall(lane int) {
	want := w.last[lane]
	if got := unpack(w.e, lane); want != nil && !w.m.plan.asksForMoves && !slices.Equal(got, want) {
		w.t.Errorf("seed %d lane %d: stalled, and the trace changed from %v to %v", w.seed, lane, want, got)
	}
	if want != nil {
		w.met.kept++
	}
}

// steer puts choosers and policies on some levels.
func (w *netWalk) steer() {
	for r, role := range w.m.plan.roles {
		for i, lv := range role.levels {
			w.e.SetChooser(r, i, nil)
			w.e.SetPolicy(r, i, nil, 0)
			switch w.rng.IntN(4) {
			case 0:
				w.e.SetChooser(r, i, func(lanes, offers []uint64, words int, prefix []uint64, into []int32) {
					w.chooser(r, i, lanes, offers, words, prefix, into)
				})
			case 1:
				order := []int32{}
				for range w.rng.IntN(lv.count + 1) {
					order = append(order, int32(w.rng.IntN(lv.count)))
				}
				w.e.SetPolicy(r, i, order, float64(w.rng.IntN(5))/4)
			}
		}
	}
}

// chooser checks what a chooser is shown, and chooses at random.
func (w *netWalk) chooser(role, level int, lanes, offers []uint64, words int, prefix []uint64, into []int32) {
	n := w.m.net
	for i, x := range lanes {
		for ; x != 0; x &= x - 1 {
			lane := 64*i + bits.TrailingZeros64(x)
			state := make([]uint64, w.m.words)
			w.e.circuit.fluents.GatherOne(lane, state)
			fluents := bools(state, len(n.Fluents))
			path := unpackPath(w.e, prefix, lane, role, level)
			for at, k := range path {
				if !slices.Contains(offered(n, fluents, role, path[:at]), k) {
					w.t.Errorf("seed %d lane %d role %d: the prefix %v is not offered", w.seed, lane, role, path)
				}
			}
			var shown []uint32
			for k := range uint32(64 * words) {
				if offers[lane*words+int(k/64)]>>(k%64)&1 != 0 {
					shown = append(shown, k)
				}
			}
			want := offered(n, fluents, role, path)
			for _, k := range shown {
				if !slices.Contains(want, k) {
					w.t.Errorf("seed %d lane %d role %d: %d is shown after %v, but not offered", w.seed, lane, role, k, path)
				}
			}
			for _, k := range want {
				if dead := len(completed(n, fluents, role, append(slices.Clone(path), k))) == 0; !slices.Contains(shown, k) && !dead {
					w.t.Errorf("seed %d lane %d role %d: %d after %v is offered and alive, but not shown", w.seed, lane, role, k, path)
				}
			}
			if len(shown) < 2 {
				w.t.Errorf("seed %d lane %d role %d: asked with the offers %v", w.seed, lane, role, shown)
			}
			into[lane] = int32(shown[w.rng.IntN(len(shown))])
			w.met.asked++
			if len(shown) < len(want) {
				w.met.without++
			}
		}
	}
}
