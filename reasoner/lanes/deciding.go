package lanes

import (
	"sync/atomic"

	"semisplit/reasoner/lanes/kernel"
)

// decider plays nets whose rules ask whether a role has a legal move: that is
// found out by completing a path.
//
// So these nets choose early: at the end of a Step, as soon as the states are
// evaluated, and for all roles; the next Step plays what was chosen. A state
// is reported when it is decided; with a bound on passes that may be in a
// later Step.
type decider struct {
	*circuit
	status *status
	loads  *loader
	turns  *turns

	lanes   []uint64 // lanes in a state that was not reported yet
	recheck []uint64 // those among them that wait for an evaluation: a role was found unable to move
	must    []uint64 // lanes that were loaded with this state: they are decided at once
	left    []uint64 // scratch
	part    []uint64 // scratch
}

func newDecider(c *circuit, s *status, l *loader, t *turns) decider {
	return decider{
		circuit: c, status: s, loads: l, turns: t,
		lanes: c.empty(), recheck: c.empty(), must: c.empty(), left: c.empty(), part: c.empty(),
	}
}

// playChosen plays the joint moves that were chosen or given. Lanes that are
// not decided keep their state, and so do those in which a role cannot move.
func (d *decider) playChosen() {
	d.turns.noteStuck()
	given := !kernel.Empty(d.loads.play)
	if !given && kernel.Empty(d.status.held) {
		return
	}
	keep := d.slot(d.plan.held)
	for w, x := range d.lanes {
		keep[w] = x | d.status.noLegalMove[w]
	}
	if given {
		d.loads.bring(d.loads.play)
		d.selectGiven()
	}
	d.turns.picker.trace.record(keep)
	if given || d.stale {
		d.run(d.code.fresh)
	} else {
		d.run(d.code.next)
	}
}

// selectGiven selects the semimoves that were loaded with states, in place of
// what was selected there, and says that all roles can move in these lanes: the
// joint move is legal, and next may ask.
func (d *decider) selectGiven() {
	play := d.loads.play
	for r := range d.plan.roles {
		rp := &d.plan.roles[r]
		d.assumeMove(r, play)
		for i := range rp.levels {
			d.columns(d.plan.mergeScratch, rp.levels[i].count).Clear()
			copy(d.slot(d.plan.mask), play)
			d.exec(d.code.roles[r][i].merge)
			d.turns.picker.trace.changed(r, i)
		}
	}
	for i := range len(d.plan.deeper) + 1 {
		d.loads.selectGiven(i)
	}
}

// assumeMove says that a role can move in some lanes.
func (d *decider) assumeMove(role int, lanes []uint64) {
	if input := d.plan.roles[role].hasLegalMove; input >= 0 {
		slot := d.slot(input)
		for w, x := range lanes {
			slot[w] |= x
		}
	}
}

// arrive lets lanes whose state is new choose from the beginning, and assumes
// that all roles can move there.
func (d *decider) arrive(loaded []uint64) {
	d.turns.begin(loaded, d.lanes)
	for r := range d.plan.roles {
		d.assumeMove(r, loaded)
	}
	for w, x := range loaded {
		d.lanes[w] |= x
	}
}

// decide evaluates the states, and lets all undecided lanes choose, until the
// passes are used up and no lane is left that must be decided.
func (d *decider) decide(stop *atomic.Bool) error {
	clear(d.turns.given)
	clear(d.turns.chosen)
	for pass, level := 1, 0; ; pass++ {
		d.turns.runPass(level, false)
		d.cannotMove()
		copy(d.left, d.lanes)
		d.unfinished(d.left)
		if kernel.Empty(d.left) || !meet(d.left, d.must) && !d.turns.passAgain(pass) {
			return nil
		}
		if stop != nil && stop.Load() {
			return ErrStopped
		}
		if level = d.turns.lowestLevel(); level > len(d.plan.deeper) {
			return nil
		}
	}
}

// meet tells whether two sets have a lane in common.
func meet(a, b []uint64) bool {
	common := uint64(0)
	for w, x := range a {
		common |= x & b[w]
	}
	return common != 0
}

// unfinished keeps those of the lanes that must go on choosing before they
// can be reported: where terminal does not hold, for every role.
func (d *decider) unfinished(lanes []uint64) {
	done := d.part
	copy(done, lanes)
	terminal := d.slot(d.plan.terminal)
	for r := range d.turns.roles {
		turn := &d.turns.roles[r]
		for w, x := range turn.done() {
			finished := x | turn.stuck[w]
			if d.plan.roles[r].hasLegalMove < 0 {
				finished |= terminal[w] &^ d.recheck[w]
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
func (d *decider) cannotMove() {
	for r := range d.plan.roles {
		if d.plan.roles[r].hasLegalMove < 0 {
			continue
		}
		input := d.slot(d.plan.roles[r].hasLegalMove)
		for w, x := range d.turns.roles[r].stuck {
			d.recheck[w] |= x & input[w] & d.lanes[w]
			input[w] &^= x
		}
	}
}

// report makes the decided lanes known: as ended, or as holding a state.
func (d *decider) report() {
	if meet(d.recheck, d.must) || d.turns.passes == 0 && !kernel.Empty(d.recheck) {
		d.run(d.code.state)
		d.stale = true
		clear(d.recheck)
	}
	copy(d.left, d.lanes)
	d.unfinished(d.left)
	s, terminal := d.status, d.slot(d.plan.terminal)
	for w, x := range d.lanes {
		done := x &^ d.left[w] &^ d.recheck[w]
		s.ended[w] = done & terminal[w]
		s.held[w] = done &^ terminal[w]
		d.lanes[w] &^= done
		s.stalled[w] = d.lanes[w]
	}
}
