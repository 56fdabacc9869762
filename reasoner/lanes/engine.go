package lanes

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/reasoner/lanes/kernel"
)

// ErrStopped is returned by Step when it was told to stop.
var ErrStopped = errors.New("lanes: stopped")

// Engine plays a machine's game in its lanes. It satisfies the Engine of
// package search/engine, which describes the methods, and belongs to one goroutine.
//
// Loads wait until the next Step, which brings them into the slots together;
// so the readers always see what the last Step reached.
//
// Sets of lanes are slots: bit k%64 of word k/64 stands for lane k.
type Engine struct {
	m      *Machine
	p      *plan
	set    *kernel.Set
	code   *encoded
	w      int // words of a slot
	slots  []uint64
	random *kernel.Random

	held    []uint64 // loaded lanes whose state is in the slots and not terminal
	look    []uint64 // lanes loaded since the last Step, without a joint move
	play    []uint64 // the same, with a joint move
	ended   []uint64
	stalled []uint64 // held lanes that did not come to a joint move in the last Step
	loaded  []uint64 // scratch

	stranded  []uint64 // during a Step: held lanes in which a role has no legal move
	stranding bool     // there are some

	fault error // the first load that made no sense

	states   []uint64 // loads that wait: words a lane
	joints   []uint32 // their joint moves
	shared   []shared // loads of one state into many lanes
	again    []uint64 // lanes that wait for the initial state, to be looked at
	words    int      // of a state
	semi     int      // semimoves in a joint move
	loading  []int32  // scratch: lanes that are being brought in
	goals    bool     // the goals of the present states are computed
	gathers  []int    // by word: single states read since the last Step
	gathered []bool   // by word: all holds the present states of its lanes
	all      []uint64
	one      []uint64 // scratch: a state
	query    [1]Query // scratch of Offers
	lister   lister

	turns     []turn // by role
	undecided undecided
	passes    int // bound on the passes of a Step; 0: none
	choice    choiceScratch
	seen      []bool // scratch of SetPolicy
	shown     askScratch
	trace     trace
	bank      bank

	counters Counters
	timed    bool
}

// shared is a state that waits to be looked at in many lanes.
type shared struct {
	state []uint64
	lanes []uint64
}

func newEngine(m *Machine, seed uint64) *Engine {
	p, set := m.plan, m.code.set
	w, n := set.Words(), set.Lanes()
	e := &Engine{
		m: m, p: p, set: set, code: m.code, w: w,
		slots:  kernel.Alloc(p.slots, w),
		random: kernel.NewRandom(seed, w),
		words:  m.words, semi: m.semimoves,
		states: make([]uint64, n*m.words), joints: make([]uint32, n*m.semimoves),
		loading: make([]int32, 0, n), one: make([]uint64, m.words),
		gathers: make([]int, w), gathered: make([]bool, w),
	}
	u := &e.undecided
	for _, mask := range []*[]uint64{&u.lanes, &u.recheck, &u.must, &u.left, &e.held, &e.look, &e.play, &e.again, &e.ended, &e.stalled, &e.loaded, &e.stranded} {
		*mask = make([]uint64, w)
	}
	e.newTurns()
	e.query[0].saved = make([]int, 0, len(p.deeper))
	e.bank.lanes = make([]uint64, w)
	e.bank.sums = make([]float64, len(p.roles))
	return e
}

// Lanes is the number of positions side by side.
func (e *Engine) Lanes() int { return 64 * e.w }

// in is the slot with that number.
func (e *Engine) in(slots []uint64, slot int32) []uint64 {
	return slots[int(slot)*e.w : (int(slot)+1)*e.w]
}

// slot is the same of the engine's own slots.
func (e *Engine) slot(slot int32) []uint64 { return e.in(e.slots, slot) }

// bit tells whether a slot has a lane.
func (e *Engine) bit(slot int32, lane int) bool {
	return e.slots[int(slot)*e.w+lane/64]>>(lane%64)&1 != 0
}

// Load puts a state into a lane; see the Engine of package search/engine. The next
// Step reports a state of another length than the machine's, or a joint move
// that is none.
func (e *Engine) Load(lane int, state []uint64, joint []uint32) {
	e.Unload(lane)
	if len(state) != e.words {
		e.fail(fmt.Errorf("lanes: a state of %d words instead of %d was loaded", len(state), e.words))
		return
	}
	if joint != nil {
		if err := e.m.checkJoint(joint); err != nil {
			e.fail(err)
			return
		}
		copy(e.joints[lane*e.semi:], joint)
		e.play[lane/64] |= 1 << (lane % 64)
	} else {
		e.look[lane/64] |= 1 << (lane % 64)
	}
	copy(e.states[lane*e.words:], state)
}

// LoadMany is Load of one state, without a joint move, into all lanes of a
// set.
func (e *Engine) LoadMany(lanes, state []uint64) {
	e.UnloadMany(lanes)
	if len(state) != e.words {
		e.fail(fmt.Errorf("lanes: a state of %d words instead of %d was loaded", len(state), e.words))
		return
	}
	if slices.Equal(state, e.m.initial) {
		for w, x := range lanes[:e.w] {
			e.again[w] |= x
		}
		return
	}
	n := len(e.shared)
	if n < cap(e.shared) {
		e.shared = e.shared[:n+1]
	} else {
		e.shared = append(e.shared, shared{make([]uint64, e.words), make([]uint64, e.w)})
	}
	copy(e.shared[n].state, state)
	copy(e.shared[n].lanes, lanes)
}

func (e *Engine) fail(err error) {
	if e.fault == nil {
		e.fault = err
	}
}

// Unload empties a lane.
func (e *Engine) Unload(lane int) {
	w, bit := lane/64, uint64(1)<<(lane%64)
	e.held[w] &^= bit
	e.look[w] &^= bit
	e.play[w] &^= bit
	e.again[w] &^= bit
	e.undecided.lanes[w] &^= bit
	for i := range e.shared {
		e.shared[i].lanes[w] &^= bit
	}
}

// UnloadMany empties the lanes of a set.
func (e *Engine) UnloadMany(lanes []uint64) {
	for w, x := range lanes[:e.w] {
		e.held[w] &^= x
		e.look[w] &^= x
		e.play[w] &^= x
		e.again[w] &^= x
		e.undecided.lanes[w] &^= x
		for i := range e.shared {
			e.shared[i].lanes[w] &^= x
		}
	}
}

// drop empties all lanes.
func (e *Engine) drop() {
	for _, mask := range [][]uint64{e.held, e.look, e.play, e.again, e.ended, e.stalled, e.stranded, e.undecided.lanes} {
		clear(mask)
	}
	e.shared, e.fault, e.stranding = e.shared[:0], nil, false
}

// Step advances the loaded lanes; see the Engine of package search/engine. After an
// error nothing is loaded.
func (e *Engine) Step(stop *atomic.Bool) (ended []uint64, err error) {
	err = e.fault
	if stop != nil && stop.Load() {
		err = ErrStopped
	}
	e.counters.Steps++
	e.goals = false
	clear(e.gathers)
	clear(e.gathered)
	switch {
	case err != nil:
	case e.p.movable:
		err = e.stepDeciding(stop)
	default:
		err = e.step(stop)
	}
	if err == nil {
		err = e.fault // of a chooser
	}
	if err != nil {
		e.drop()
		return nil, err
	}
	clear(e.look)
	clear(e.play)
	return e.ended, nil
}

func (e *Engine) step(stop *atomic.Bool) error {
	if err := e.advance(stop); err != nil {
		return err
	}
	from := e.now()
	e.bring(e.look)
	e.bringShared()
	for w := range e.loaded {
		e.loaded[w] = e.held[w] | e.look[w] | e.play[w]
	}
	e.spent(&e.counters.Next, from)
	from = e.now()
	e.exec(e.code.state, e.slots)
	e.spent(&e.counters.Evaluate, from)
	for w, x := range e.slot(e.p.terminal) {
		e.ended[w] = x & e.loaded[w]
		e.held[w] = e.loaded[w] &^ x
	}
	e.endStranded()
	return nil
}

// bring writes the waiting states of the lanes in mask into the fluents.
func (e *Engine) bring(mask []uint64) {
	if kernel.Empty(mask) {
		return
	}
	e.loading = kernel.AppendLanes(e.loading[:0], mask)
	e.set.Scatter(e.slots, e.p.fluents, e.p.count, e.states, e.words, e.loading)
}

// bringShared writes the states that go into many lanes, and adds these to
// e.look.
func (e *Engine) bringShared() {
	if !kernel.Empty(e.again) {
		copy(e.slot(e.p.mask), e.again)
		e.set.Exec(e.code.restart, e.slots)
		for w, x := range e.again {
			e.look[w] |= x
		}
		clear(e.again)
	}
	for i := range e.shared {
		s := &e.shared[i]
		e.set.Broadcast(e.slots, e.p.fluents, e.p.count, s.state, s.lanes)
		for w, x := range s.lanes {
			e.look[w] |= x
		}
	}
	e.shared = e.shared[:0]
}

// advance plays one joint move in the lanes that hold a state, or were given
// one with a joint move. Lanes that do not come to a joint move keep their
// state.
func (e *Engine) advance(stop *atomic.Bool) error {
	given := !kernel.Empty(e.play)
	clear(e.stalled)
	if !e.p.simple {
		e.resume()
	}
	if !given && kernel.Empty(e.held) {
		return nil
	}
	from := e.now()
	e.bring(e.play) // also notes the lanes in e.loading
	if !given {
		e.loading = e.loading[:0]
	}
	if e.p.simple {
		e.chooseMoves()
		if e.stranding {
			e.saveStranded()
		}
	} else {
		if err := e.choose(stop); err != nil {
			return err
		}
		e.strandStuck()
		e.complete()
	}
	e.record(e.stalled, e.stranded)
	from = e.spent(&e.counters.Choose, from)
	if e.p.held >= 0 {
		copy(e.slot(e.p.held), e.stalled)
	}
	if given {
		// What the state program computed is stale in the lanes just loaded.
		e.exec(e.code.fresh, e.slots)
	} else {
		e.exec(e.code.next, e.slots)
	}
	e.spent(&e.counters.Next, from)
	return nil
}

// gatherMany is the number of states read from one word of lanes from which
// all 64 are made at once.
const gatherMany = 4

// State appends the state of a lane to dst.
func (e *Engine) State(lane int, dst []uint64) []uint64 {
	w := lane / 64
	if !e.gathered[w] {
		e.gathers[w]++
		if e.gathers[w] < gatherMany {
			e.set.GatherOne(e.slots, e.p.fluents, e.p.count, lane, e.one)
			return append(dst, e.one...)
		}
		if e.all == nil {
			e.all = make([]uint64, e.Lanes()*e.words)
		}
		clear(e.loaded)
		e.loaded[w] = ^uint64(0)
		e.set.GatherLanes(e.slots, e.p.fluents, e.p.count, e.loaded, e.all, e.words)
		e.gathered[w] = true
	}
	return append(dst, e.all[lane*e.words:(lane+1)*e.words]...)
}

// Goals writes the goal value of every role, in [0, 1].
func (e *Engine) Goals(lane int, dst []float64) {
	e.needGoals()
	for r := range e.p.roles {
		dst[r] = 0
		for i, slot := range e.p.roles[r].goals {
			if e.bit(slot, lane) {
				dst[r] = float64(e.m.net.Roles[r].Goals[i].Value) / 100
				break
			}
		}
	}
}

// needGoals evaluates the goals, once a Step. They share slots with what the
// deeper programs compute: where moves are chosen already, the next states must
// do without that.
func (e *Engine) needGoals() {
	if !e.goals {
		e.exec(e.code.goals, e.slots)
		e.goals, e.undecided.dirty = true, true
	}
}

// Stalled are the lanes that were to play a random joint move in the last
// Step and have not found one within the passes that were allowed (or, where
// the rules ask whether there is a legal move, not found out whether there is
// one in the next state). They go on in the next Step; what the readers say of
// them means nothing. It is valid until then. Without a bound on passes there
// are none, and never those loaded since the Step before.
//
// Lanes in which a role has no legal move, though the state is not terminal,
// are stalled and ended at once, and can be read.
func (e *Engine) Stalled() []uint64 { return e.stalled }

// AutoPasses lets a Step decide by what a pass costs and how many lanes have
// not finished.
const AutoPasses = -1

// SetPasses bounds how often one Step lets lanes choose that ran into dead
// prefixes; 0 is no bound. It makes a difference for split games only.
func (e *Engine) SetPasses(n int) { e.passes = n }

// Counters sums up what an engine did.
type Counters struct {
	Steps int64
	Tries int64 // paths of semimoves that were begun, in roles with several levels
	Dead  int64 // those among them that ended in a dead prefix

	// Where the time went, if it was asked for: evaluating states, choosing
	// moves (with the offers of deeper levels), and making the next states
	// (with loading).
	Evaluate, Choose, Next time.Duration
}

// Counters are the sums since the engine was made.
func (e *Engine) Counters() Counters { return e.counters }

// Time switches the measuring of time on or off.
func (e *Engine) Time(on bool) { e.timed = on }

func (e *Engine) now() time.Time {
	if !e.timed {
		return time.Time{}
	}
	return time.Now()
}

func (e *Engine) spent(on *time.Duration, from time.Time) time.Time {
	if !e.timed {
		return from
	}
	now := time.Now()
	*on += now.Sub(from)
	return now
}
