package lanes

import (
	"sync/atomic"

	"semisplit/reasoner/lanes/kernel"
)

// undecided holds the lanes whose state is evaluated, where the rules ask
// whether a role has a legal move: that is found out by completing a path.
//
// So these nets choose early: at the end of a Step, as soon as the states are
// evaluated, and for all roles; the next Step plays what was chosen. A state
// is reported when it is decided; with a bound on passes that may be in a
// later Step.
type undecided struct {
	lanes   []uint64 // lanes in a state that was not reported yet
	recheck []uint64 // those among them that wait for an evaluation: a role was found unable to move
	must    []uint64 // lanes that were loaded with this state: they are decided at once
	left    []uint64 // scratch
	dirty   bool     // what the state and deeper programs computed is lost
}

// stepDeciding is step for nets with Movable inputs.
func (e *Engine) stepDeciding(stop *atomic.Bool) error {
	u := &e.undecided
	from := e.now()
	e.playChosen()
	for w, x := range e.stranded {
		e.held[w] &^= x
	}
	copy(u.must, e.play)
	e.bring(e.look)
	e.bringShared()
	for w := range e.loaded {
		u.must[w] |= e.look[w]
		e.loaded[w] = e.held[w] | u.must[w]
		e.held[w] = 0
	}
	e.arrive()
	from = e.spent(&e.counters.Next, from)
	e.exec(e.code.state, e.slots)
	u.dirty = false
	clear(u.recheck)
	from = e.spent(&e.counters.Evaluate, from)
	if err := e.decide(stop); err != nil {
		return err
	}
	from = e.spent(&e.counters.Choose, from)
	e.report()
	e.endStranded()
	e.spent(&e.counters.Evaluate, from)
	return nil
}

// playChosen plays the joint moves that were chosen or given. Lanes that are
// not decided keep their state, and so do those in which a role cannot move.
func (e *Engine) playChosen() {
	e.strandStuck()
	given := !kernel.Empty(e.play)
	if !given && kernel.Empty(e.held) {
		return
	}
	keep := e.slot(e.p.held)
	for w, x := range e.undecided.lanes {
		keep[w] = x | e.stranded[w]
	}
	if given {
		e.bring(e.play)
		e.giveAll()
	}
	e.record(keep)
	if given || e.undecided.dirty {
		e.exec(e.code.fresh, e.slots)
	} else {
		e.exec(e.code.next, e.slots)
	}
}

// giveAll selects the semimoves of the lanes in e.loading, in place of what
// was selected there, and says that all roles can move in these lanes: the
// joint move is legal, and next may ask.
func (e *Engine) giveAll() {
	for r := range e.p.roles {
		rp := &e.p.roles[r]
		if rp.movable >= 0 {
			for w, x := range e.play {
				e.slot(rp.movable)[w] |= x
			}
		}
		for i := range rp.levels {
			e.set.Clear(e.slots, e.p.aside, int32(rp.levels[i].count))
			copy(e.slot(e.p.mask), e.play)
			e.set.Exec(e.code.roles[r][i].merge, e.slots)
			e.turns[r].folded[i] = false
		}
	}
	for i := range len(e.p.deeper) + 1 {
		e.giveLevel(i)
	}
}

// arrive lets the lanes in e.loaded, whose state is new, choose from the
// beginning, and assumes that all roles can move there.
func (e *Engine) arrive() {
	u := &e.undecided
	for r := range e.turns {
		t := &e.turns[r]
		for w, x := range u.lanes {
			for i := range t.at {
				t.at[i][w] &= x
			}
			t.stuck[w] &= x
		}
		e.forgetAll(r, u.lanes)
		for w, x := range e.loaded {
			t.at[0][w] |= x
		}
		if slot := e.p.roles[r].movable; slot >= 0 {
			for w, x := range e.loaded {
				e.slot(slot)[w] |= x
			}
		}
	}
	for w, x := range e.loaded {
		u.lanes[w] |= x
	}
}

// decide lets all undecided lanes choose, until the passes are used up and no
// lane is left that must be decided.
func (e *Engine) decide(stop *atomic.Bool) error {
	u := &e.undecided
	clear(e.choice.given)
	clear(e.choice.chosen)
	for pass, from := 1, 0; ; pass++ {
		e.runPass(from, false)
		e.cannotMove()
		copy(u.left, u.lanes)
		e.unfinished(u.left)
		urgent := uint64(0)
		for w, x := range u.left {
			urgent |= x & u.must[w]
		}
		if kernel.Empty(u.left) || urgent == 0 && !e.passAgain(pass) {
			return nil
		}
		if stop != nil && stop.Load() {
			return ErrStopped
		}
		if from = e.lowestLevel(); from > len(e.p.deeper) {
			return nil
		}
	}
}

// unfinished keeps those of the lanes that must go on choosing before they
// can be reported: where terminal does not hold, for every role.
func (e *Engine) unfinished(lanes []uint64) {
	done := e.choice.part
	copy(done, lanes)
	terminal := e.slot(e.p.terminal)
	for r := range e.turns {
		t := &e.turns[r]
		for w, x := range t.at[len(t.at)-1] {
			finished := x | t.stuck[w]
			if e.p.roles[r].movable < 0 {
				finished |= terminal[w] &^ e.undecided.recheck[w]
			}
			done[w] &= finished
		}
	}
	for w, x := range done {
		lanes[w] &^= x
	}
}

// cannotMove takes the assumption back in the lanes where a role has nothing
// left to choose. The offers do not depend on it, so that what was chosen
// stands.
func (e *Engine) cannotMove() {
	for r := range e.p.roles {
		if e.p.roles[r].movable < 0 {
			continue
		}
		input := e.slot(e.p.roles[r].movable)
		for w, x := range e.turns[r].stuck {
			e.undecided.recheck[w] |= x & input[w] & e.undecided.lanes[w]
			input[w] &^= x
		}
	}
}

// report makes the decided lanes known: as ended, or as holding a state.
func (e *Engine) report() {
	u := &e.undecided
	urgent := uint64(0)
	for w, x := range u.recheck {
		urgent |= x & u.must[w]
	}
	if urgent != 0 || e.passes == 0 && !kernel.Empty(u.recheck) {
		e.exec(e.code.state, e.slots)
		u.dirty = true
		clear(u.recheck)
	}
	copy(u.left, u.lanes)
	e.unfinished(u.left)
	terminal := e.slot(e.p.terminal)
	for w, x := range u.lanes {
		done := x &^ u.left[w] &^ u.recheck[w]
		e.ended[w] = done & terminal[w]
		e.held[w] = done &^ terminal[w]
		u.lanes[w] &^= done
		e.stalled[w] = u.lanes[w]
	}
}
