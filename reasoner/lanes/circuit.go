package lanes

import (
	"sync/atomic"

	"semisplit/reasoner/lanes/kernel"
)

// circuit is a compiled net in one width with the slots that it works on: what
// all parts of an engine share.
//
// A set of lanes is as long as a slot: bit k%64 of word k/64 stands for lane k.
type circuit struct {
	plan    *plan
	code    *encoded
	set     *kernel.Set
	words   int // of a slot
	slots   []uint64
	fluents kernel.Columns
	stale   bool // what the state and deeper programs computed is lost

	stop *atomic.Bool // of the Step that is under way; nil: nothing ends a loop early
	cut  bool         // it did, so that the slots mean nothing
}

func newCircuit(p *plan, code *encoded) *circuit {
	set := code.set
	slots := kernel.Alloc(p.slots, set.Words())
	return &circuit{
		plan: p, code: code, set: set, words: set.Words(),
		slots: slots, fluents: set.Columns(slots, p.fluents, p.count),
	}
}

// empty is a new set of lanes.
func (c *circuit) empty() []uint64 { return make([]uint64, c.words) }

// slot is the slot with that number.
func (c *circuit) slot(slot int32) []uint64 {
	return c.slots[int(slot)*c.words : (int(slot)+1)*c.words]
}

// bit tells whether a slot has a lane.
func (c *circuit) bit(slot int32, lane int) bool {
	return c.slots[int(slot)*c.words+lane/64]>>(lane%64)&1 != 0
}

// columns are slots in a row.
func (c *circuit) columns(first int32, count int) kernel.Columns {
	return c.set.Columns(c.slots, first, int32(count))
}

// exec runs code on the slots.
func (c *circuit) exec(code *kernel.Code) { c.set.Exec(code, c.slots) }

// roundsPerLook is how many rounds of a loop pass before it is seen whether to stop.
const roundsPerLook = 64

// run runs a program. A loop ends when nothing changes. In each lane a round
// turns a gate on that is read early, or was the last one for it: of thousands of
// such gates that can take minutes.
func (c *circuit) run(p coded) {
	for i := range p {
		st := &p[i]
		c.exec(st.code)
		for round := range st.rounds {
			changed := uint64(0)
			for _, v := range c.slot(st.changed) {
				changed |= v
			}
			if changed == 0 {
				break
			}
			if (round+1)%roundsPerLook == 0 && c.stop != nil && c.stop.Load() {
				c.cut = true
				return
			}
			c.exec(st.again)
			c.exec(st.code)
		}
	}
}
