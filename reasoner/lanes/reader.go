package lanes

import (
	"math/bits"

	"semisplit/reasoner/lanes/kernel"
)

// manyStates is the number of states read from one word of lanes from which
// all 64 are made at once.
const manyStates = 4

// stateReader reads the states that the last Step reached.
type stateReader struct {
	*circuit
	length int      // of a state, in words
	reads  []int    // by word of lanes: single states read since the last Step
	cached []bool   // by word of lanes: states has the present ones
	states []uint64 // by lane; made when first needed
	lanes  []uint64 // scratch
	one    []uint64 // scratch: a state
}

func newStateReader(c *circuit, length int) stateReader {
	return stateReader{circuit: c, length: length, reads: make([]int, c.words), cached: make([]bool, c.words), lanes: c.empty(), one: make([]uint64, length)}
}

// forget is for a new Step.
func (r *stateReader) forget() {
	clear(r.reads)
	clear(r.cached)
}

// state appends the state of a lane to dst.
func (r *stateReader) state(lane int, dst []uint64) []uint64 {
	w := lane / 64
	if !r.cached[w] {
		r.reads[w]++
		if r.reads[w] < manyStates {
			r.fluents.GatherOne(lane, r.one)
			return append(dst, r.one...)
		}
		if r.states == nil {
			r.states = make([]uint64, 64*r.words*r.length)
		}
		clear(r.lanes)
		r.lanes[w] = ^uint64(0)
		r.fluents.Gather(r.lanes, r.states, r.length)
		r.cached[w] = true
	}
	return append(dst, r.states[lane*r.length:(lane+1)*r.length]...)
}

// goalReader reads the goals of the states that the last Step reached.
type goalReader struct {
	*circuit
	current bool // the goals of the present states are computed
}

// need evaluates the goals, once a Step. They share slots with what the deeper
// programs compute: where moves are chosen already, the next states must do
// without that.
func (g *goalReader) need() {
	if !g.current {
		g.run(g.code.goals)
		g.current, g.stale = true, true
	}
}

// goals writes the goal value of every role, in [0, 1].
func (g *goalReader) goals(lane int, dst []float64) {
	g.need()
	for r := range g.plan.roles {
		dst[r] = 0
		for _, goal := range g.plan.roles[r].goals {
			if g.bit(goal.slot, lane) {
				dst[r] = float64(goal.value) / 100
				break
			}
		}
	}
}

// all are the values of all goals of a role that hold in a lane.
func (g *goalReader) all(role, lane int) (values []int) {
	g.need()
	for _, goal := range g.plan.roles[role].goals {
		if g.bit(goal.slot, lane) {
			values = append(values, goal.value)
		}
	}
	return values
}

// sum adds the goals of the lanes in a set to dst, by role, in [0, 1] each.
func (g *goalReader) sum(lanes []uint64, dst []float64) {
	g.need()
	for r := range g.plan.roles {
		var rest [kernel.MaxWords]uint64
		copy(rest[:], lanes[:g.words])
		for _, goal := range g.plan.roles[r].goals {
			n := 0
			for w, x := range g.slot(goal.slot) {
				n += bits.OnesCount64(x & rest[w])
				rest[w] &^= x
			}
			dst[r] += float64(n*goal.value) / 100
		}
	}
}
