package lanes

import (
	"errors"
	"fmt"
	"sync/atomic"
)

// ErrStopped is returned by Step when it was told to stop.
var ErrStopped = errors.New("lanes: stopped")

// laneCount is the number of positions side by side: the bits of a word.
const laneCount = 64

// Engine plays a machine's game in 64 lanes. It satisfies the Engine of
// package search, which describes the methods, and belongs to one goroutine.
//
// Loads wait until the next Step, which brings them into the slots together;
// so the readers always see what the last Step reached.
type Engine struct {
	m      *Machine
	p      *plan
	slots  []uint64             // a word for each slot, bit k for lane k
	narrow *[narrowSlots]uint64 // the same, where the plan is small enough
	counts []uint64             // of the level being chosen: 3 planes a block
	random splitmix

	held  uint64 // loaded lanes whose state is in the slots and not terminal
	look  uint64 // lanes loaded since the last Step, without a joint move
	play  uint64 // the same, with a joint move
	ended [1]uint64
	fault error // the first load that made no sense

	states   []uint64 // loads that wait: words a lane
	joints   []uint32 // their joint moves
	words    int      // of a state
	semi     int      // semimoves in a joint move
	loading  []int    // scratch: lanes that are being brought in
	goals    bool     // the goals of the present states are computed
	gathers  int      // single states read since the last Step
	gathered bool     // all holds the present states of all lanes
	all      []uint64
}

func newEngine(m *Machine, seed uint64) *Engine {
	p := m.plan
	e := &Engine{
		m: m, p: p, random: splitmix(seed),
		words: m.words, semi: m.semimoves,
		states:  make([]uint64, laneCount*m.words),
		all:     make([]uint64, laneCount*m.words),
		joints:  make([]uint32, laneCount*m.semimoves),
		loading: make([]int, 0, laneCount),
	}
	if p.slots <= narrowSlots {
		e.narrow = new([narrowSlots]uint64)
		e.slots = e.narrow[:p.slots]
	} else {
		e.slots = make([]uint64, p.slots)
	}
	e.slots[1] = ^uint64(0)
	blocks := 0
	for _, r := range p.roles {
		for _, lv := range r.levels {
			blocks = max(blocks, len(lv.offers)/block)
		}
	}
	e.counts = make([]uint64, 3*blocks)
	return e
}

// Lanes is 64.
func (e *Engine) Lanes() int { return laneCount }

// Load puts a state into a lane; see the Engine of package search. The next
// Step reports a state of another length than the machine's, or a joint move
// that is none.
func (e *Engine) Load(lane int, state []uint64, joint []uint32) {
	bit := uint64(1) << lane
	e.held &^= bit
	e.look &^= bit
	e.play &^= bit
	if len(state) != e.words {
		e.fail(fmt.Errorf("lanes: a state of %d words instead of %d was loaded", len(state), e.words))
		return
	}
	copy(e.states[lane*e.words:], state)
	if joint == nil {
		e.look |= bit
		return
	}
	if err := e.m.checkJoint(joint); err != nil {
		e.fail(err)
		return
	}
	copy(e.joints[lane*e.semi:], joint)
	e.play |= bit
}

func (e *Engine) fail(err error) {
	if e.fault == nil {
		e.fault = err
	}
}

// Unload empties a lane.
func (e *Engine) Unload(lane int) {
	bit := uint64(1) << lane
	e.held &^= bit
	e.look &^= bit
	e.play &^= bit
}

// drop empties all lanes.
func (e *Engine) drop() {
	e.held, e.look, e.play, e.fault = 0, 0, 0, nil
	e.ended[0] = 0
}

// Step advances the loaded lanes; see the Engine of package search. After an
// error nothing is loaded.
func (e *Engine) Step(stop *atomic.Bool) (ended []uint64, err error) {
	if stop != nil && stop.Load() {
		e.drop()
		return nil, ErrStopped
	}
	if err := e.fault; err != nil {
		e.drop()
		return nil, err
	}
	e.bring(e.play)
	if err := e.advance(); err != nil {
		e.drop()
		return nil, err
	}
	e.bring(e.look)
	loaded := e.held | e.look | e.play
	e.look, e.play = 0, 0
	e.exec(&e.p.state)
	e.goals, e.gathered, e.gathers = false, false, 0
	e.ended[0] = e.slots[e.p.terminal] & loaded
	e.held = loaded &^ e.ended[0]
	return e.ended[:], nil
}

// bring writes the waiting states of the lanes in mask into the fluents.
func (e *Engine) bring(mask uint64) {
	if mask == 0 {
		return
	}
	e.loading = e.loading[:0]
	for m := mask; m != 0; m &= m - 1 {
		e.loading = append(e.loading, lowest(m))
	}
	scatter(e.columns(), e.states, e.words, mask, e.loading)
}

// columns are the slots of the fluents.
func (e *Engine) columns() []uint64 {
	return e.slots[e.p.fluents : e.p.fluents+len(e.m.net.Fluents)]
}

// advance plays one joint move in the lanes that hold a state, or were given
// one with a joint move.
func (e *Engine) advance() error {
	if e.held|e.play == 0 {
		return nil
	}
	e.clearSelections(1) // a stale one could pass a guard of a level before it
	for i := 0; i <= len(e.p.deeper); i++ {
		if i > 0 {
			e.exec(&e.p.deeper[i-1])
		}
		at := 0
		for r := range e.p.roles {
			levels := e.p.roles[r].levels
			if i < len(levels) {
				lv := &levels[i]
				if missing := e.choose(lv, e.held); missing != 0 {
					return e.m.noOffer(r, i)
				}
				for m := e.play; m != 0; m &= m - 1 {
					lane := lowest(m)
					k := e.joints[lane*e.semi+at+i]
					e.slots[lv.sel+int32(k)] |= 1 << lane
				}
			}
			at += len(levels)
		}
	}
	if e.play == 0 {
		e.exec(&e.p.next)
	} else {
		// What the state program computed is stale in the lanes just loaded.
		e.exec(&e.p.fresh)
	}
	return nil
}

// State appends the state of a lane to dst. From the fourth state read after
// a Step, all of them are made at once.
func (e *Engine) State(lane int, dst []uint64) []uint64 {
	if !e.gathered {
		e.gathers++
		if e.gathers < gatherMany {
			return gatherOne(e.columns(), e.words, lane, dst)
		}
		gather(e.columns(), e.all, e.words)
		e.gathered = true
	}
	return append(dst, e.all[lane*e.words:(lane+1)*e.words]...)
}

// Goals writes the goal value of every role, in [0, 1].
func (e *Engine) Goals(lane int, dst []float64) {
	e.needGoals()
	for r := range e.p.roles {
		dst[r] = 0
		for i, slot := range e.p.roles[r].goals {
			if e.slots[slot]>>lane&1 != 0 {
				dst[r] = float64(e.m.net.Roles[r].Goals[i].Value) / 100
				break
			}
		}
	}
}

func (e *Engine) needGoals() {
	if !e.goals {
		e.exec(&e.p.goals)
		e.goals = true
	}
}

// Offers appends the semimoves that a role may choose next, in rising order.
// In a terminal state there are none, whatever the rules say of it.
func (e *Engine) Offers(lane, role int, prefix []uint32, dst []uint32) []uint32 {
	levels := e.p.roles[role].levels
	if len(prefix) >= len(levels) || e.ended[0]>>lane&1 != 0 {
		return dst
	}
	if len(prefix) > 0 {
		e.prefix(lane, role, prefix)
	}
	lv := &levels[len(prefix)]
	for k, slot := range lv.offers[:lv.count] {
		if e.slots[slot]>>lane&1 != 0 {
			dst = append(dst, uint32(k))
		}
	}
	return dst
}

// prefix selects a prefix of semimoves in one lane and nothing elsewhere, and
// evaluates the offers that come after it. Nothing else reads selections
// between two Steps.
func (e *Engine) prefix(lane, role int, prefix []uint32) {
	e.clearSelections(0)
	for i, k := range prefix {
		lv := &e.p.roles[role].levels[i]
		if int(k) < lv.count {
			e.slots[lv.sel+int32(k)] |= 1 << lane
		}
		e.exec(&e.p.deeper[i])
	}
}

// clearSelections takes back the selections from a level on.
func (e *Engine) clearSelections(level int) {
	for r := range e.p.roles {
		levels := e.p.roles[r].levels
		for i := level; i < len(levels); i++ {
			lv := &levels[i]
			clear(e.slots[lv.sel : int(lv.sel)+len(lv.offers)])
		}
	}
}
