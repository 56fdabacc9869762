package lanes

import (
	"fmt"
	"math/bits"
	"slices"

	"semisplit/reasoner/lanes/kernel"
)

// loader holds the states that wait for the next Step, which brings them into
// the slots together; so the readers always see what the last Step reached.
type loader struct {
	*circuit
	machine *compiled
	look    []uint64 // lanes loaded since the last Step, without a joint move
	play    []uint64 // the same, with a joint move

	states  []uint64 // loads that wait: a state each lane
	joints  []uint32 // their joint moves
	shared  []shared // loads of one state into many lanes
	initial []uint64 // lanes that wait for the initial state, to be looked at

	fault error // the first load that made no sense
}

// shared is a state that waits to be looked at in many lanes.
type shared struct {
	state []uint64
	lanes []uint64
}

func newLoader(c *circuit, m *compiled) *loader {
	lanes := 64 * c.words
	return &loader{
		circuit: c, machine: m,
		look: c.empty(), play: c.empty(), initial: c.empty(),
		states: make([]uint64, lanes*m.words), joints: make([]uint32, lanes*m.semimoves),
	}
}

// load notes a state for an empty lane.
func (l *loader) load(lane int, state []uint64, joint []uint32) {
	if !l.fits(state) {
		return
	}
	if joint != nil {
		if err := l.machine.checkJoint(joint); err != nil {
			l.fail(err)
			return
		}
		copy(l.joints[lane*l.machine.semimoves:], joint)
		l.play[lane/64] |= 1 << (lane % 64)
	} else {
		l.look[lane/64] |= 1 << (lane % 64)
	}
	l.keep(l.states[lane*l.machine.words:][:l.machine.words], state)
}

// keep copies a state without its spare fluents.
func (l *loader) keep(into, state []uint64) {
	copy(into, state)
	for w, x := range l.machine.spare {
		into[w] &^= x
	}
}

// loadMany notes a state for many empty lanes, to be looked at.
func (l *loader) loadMany(lanes, state []uint64) {
	if !l.fits(state) {
		return
	}
	if slices.Equal(state, l.machine.initial) {
		for w, x := range lanes[:l.words] {
			l.initial[w] |= x
		}
		return
	}
	n := len(l.shared)
	if n < cap(l.shared) {
		l.shared = l.shared[:n+1]
	} else {
		l.shared = append(l.shared, shared{make([]uint64, l.machine.words), l.empty()})
	}
	l.keep(l.shared[n].state, state)
	copy(l.shared[n].lanes, lanes)
}

func (l *loader) fits(state []uint64) bool {
	if len(state) != l.machine.words {
		l.fail(fmt.Errorf("lanes: a state of %d words instead of %d was loaded", len(state), l.machine.words))
		return false
	}
	return true
}

func (l *loader) fail(err error) {
	if l.fault == nil {
		l.fault = err
	}
}

// unload takes back what waits for lanes of a word.
func (l *loader) unload(word int, lanes uint64) {
	l.look[word] &^= lanes
	l.play[word] &^= lanes
	l.initial[word] &^= lanes
	for i := range l.shared {
		l.shared[i].lanes[word] &^= lanes
	}
}

// drop takes back everything.
func (l *loader) drop() {
	l.done()
	clear(l.initial)
	l.shared, l.fault = l.shared[:0], nil
}

// done ends a Step.
func (l *loader) done() {
	clear(l.look)
	clear(l.play)
}

// bring writes the waiting states of the lanes in mask into the fluents.
func (l *loader) bring(mask []uint64) {
	if !kernel.Empty(mask) {
		l.fluents.Scatter(mask, l.states, l.machine.words)
	}
}

// bringLooked brings in the states that are to be looked at, and adds the lanes
// of those that go into many to look.
func (l *loader) bringLooked() {
	l.bring(l.look)
	if !kernel.Empty(l.initial) {
		copy(l.slot(l.plan.mask), l.initial)
		l.exec(l.code.reloadInitial)
		for w, x := range l.initial {
			l.look[w] |= x
		}
		clear(l.initial)
	}
	for i := range l.shared {
		s := &l.shared[i]
		l.fluents.Broadcast(s.state, s.lanes)
		for w, x := range s.lanes {
			l.look[w] |= x
		}
	}
	l.shared = l.shared[:0]
}

// reload lets lanes wait for the state that they have.
func (l *loader) reload(lanes []uint64) {
	l.fluents.Gather(lanes, l.states, l.machine.words)
	for w, x := range lanes {
		l.look[w] |= x
	}
}

// selectGiven selects the semimoves of a level that were loaded with states.
func (l *loader) selectGiven(level int) {
	for w, x := range l.play {
		for ; x != 0; x &= x - 1 {
			joint := l.joints[(64*w+bits.TrailingZeros64(x))*l.machine.semimoves:]
			for r := range l.plan.roles {
				rp := &l.plan.roles[r]
				if level < len(rp.levels) {
					k := joint[rp.first+level]
					l.slot(rp.levels[level].sel + int32(k))[w] |= x & -x
				}
			}
		}
	}
}
