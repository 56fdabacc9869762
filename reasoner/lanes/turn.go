package lanes

import (
	"errors"
	"math/bits"
	"sync/atomic"

	"semisplit/reasoner/lanes/kernel"
)

// ErrStopped is returned by Step when it was told to stop.
var ErrStopped = errors.New("lanes: stopped")

// AutoPasses lets a Step decide by what a pass costs and how many lanes have
// not finished.
const AutoPasses = -1

// turns lets lanes choose semimoves for all roles, until they have a joint
// move. Roles choose side by side, level by level, all lanes together. A lane
// that finds nothing to choose takes back its last semimove, remembers it as
// tried under its prefix, and chooses there again in a later pass.
type turns struct {
	*circuit
	status *status
	loads  *loader
	picker *picker

	roles  []turn
	given  []uint64 // lanes that are given their semimoves in this pass
	chosen []uint64 // lanes that keep what they were given
	keep   []uint64 // scratch
	part   []uint64 // scratch

	passes      int   // bound on the passes of a Step; 0: none
	tries, dead int64 // see Counters
}

// turn is how far the lanes have come with the choice of one role. A lane that
// chooses is in one of the sets of choosing, or in stuck.
type turn struct {
	choosing [][]uint64 // by level: lanes that choose there next; at the end lanes that have chosen at all
	marked   [][]uint64 // by level: lanes with a mark in the columns of what was tried
	stuck    []uint64   // lanes that have nothing left to try
	marks    bool       // some of marked are not empty
}

func newTurns(c *circuit, s *status, l *loader, p *picker) *turns {
	t := &turns{circuit: c, status: s, loads: l, picker: p, given: c.empty(), chosen: c.empty(), keep: c.empty(), part: c.empty()}
	for r := range c.plan.roles {
		turn := turn{stuck: c.empty()}
		for range c.plan.roles[r].levels {
			turn.choosing = append(turn.choosing, c.empty())
			turn.marked = append(turn.marked, c.empty())
		}
		turn.choosing = append(turn.choosing, c.empty())
		t.roles = append(t.roles, turn)
	}
	return t
}

// done are the lanes that have chosen at all levels.
func (t *turn) done() []uint64 { return t.choosing[len(t.choosing)-1] }

// keepLanes takes all lanes out but some.
func (t *turn) keepLanes(lanes []uint64) {
	for _, set := range t.choosing {
		for w, x := range lanes {
			set[w] &= x
		}
	}
}

// chooseWhole lets all lanes that hold a state choose, where every role has
// one level.
func (t *turns) chooseWhole() {
	held, missing := t.status.held, t.picker.missing
	for r := range t.roles {
		if t.picker.uniform(r, 0) {
			t.picker.trace.changed(r, 0)
			t.code.roles[r][0].level.Choose(t.slots, held, missing, t.picker.random)
		} else {
			t.picker.pick(choice{role: r, lanes: held})
		}
		t.status.lacksMove(missing)
	}
	t.loads.selectGiven(0)
}

// noteStuck notes the lanes in which a role has nothing left to try.
func (t *turns) noteStuck() {
	for r := range t.roles {
		t.status.lacksMove(t.roles[r].stuck)
	}
}

// resume lets every lane that holds a state choose: from where it stopped, or
// else from the first level.
func (t *turns) resume() {
	held := t.status.held
	for r := range t.roles {
		turn := &t.roles[r]
		clear(turn.stuck)
		turn.keepLanes(held)
		begun := t.keep
		clear(begun)
		for _, lanes := range turn.choosing {
			for w, x := range lanes {
				begun[w] |= x
			}
		}
		for w := range begun {
			turn.choosing[0][w] |= held[w] &^ begun[w]
		}
		t.forgetAll(r, begun)
	}
}

// begin lets lanes whose state is new choose from the first level; of the
// others only those in keep go on.
func (t *turns) begin(lanes, keep []uint64) {
	for r := range t.roles {
		turn := &t.roles[r]
		turn.keepLanes(keep)
		for w, x := range keep {
			turn.stuck[w] &= x
		}
		t.forgetAll(r, keep)
		for w, x := range lanes {
			turn.choosing[0][w] |= x
		}
	}
}

// forgetAll drops the marks of all lanes but some.
func (t *turns) forgetAll(role int, but []uint64) {
	turn := &t.roles[role]
	if !turn.marks {
		return
	}
	turn.marks = false
	for i := range turn.marked {
		for w, x := range turn.marked[i] {
			t.part[w] = x &^ but[w]
		}
		t.forget(role, i, t.part)
		turn.marks = turn.marks || !kernel.Empty(turn.marked[i])
	}
}

// forget drops the marks of some lanes at a level.
func (t *turns) forget(role, level int, lanes []uint64) {
	marked, mask := t.roles[role].marked[level], t.slot(t.plan.mask)
	any := uint64(0)
	for w, x := range lanes {
		mask[w] = x & marked[w]
		any |= mask[w]
		marked[w] &^= x
	}
	if any != 0 {
		t.exec(t.code.roles[role][level].forget)
	}
}

// complete finds the lanes that have not come to a joint move, and ends the
// turn of the others.
func (t *turns) complete() {
	stalled := t.status.stalled
	for r := range t.roles {
		for w, x := range t.roles[r].done() {
			stalled[w] |= t.status.held[w] &^ x
		}
	}
	for r := range t.roles {
		t.roles[r].keepLanes(stalled)
		t.forgetAll(r, stalled)
	}
}

// choose lets the lanes choose semimoves for all roles, until they have a
// joint move or the passes of a Step are used up.
func (t *turns) choose(stop *atomic.Bool) error {
	copy(t.given, t.loads.play)
	clear(t.chosen)
	for pass, level := 1, 0; ; pass++ {
		t.runPass(level, pass == 1)
		if pass == 1 {
			copy(t.chosen, t.given) // to be kept from now on
			clear(t.given)
		}
		level = t.lowestLevel()
		switch {
		case level > len(t.plan.deeper) || !t.passAgain(pass):
			return nil
		case stop != nil && stop.Load():
			return ErrStopped
		}
	}
}

// runPass goes through the levels from one on. The first pass must begin with
// the first level and so run all programs between levels, whose values are
// read later.
func (t *turns) runPass(level int, give bool) {
	for ; level <= len(t.plan.deeper); level++ {
		if level > 0 {
			t.run(t.code.deeper[level-1])
		}
		for r := range t.roles {
			if level < len(t.plan.roles[r].levels) {
				t.chooseLevel(r, level)
			}
		}
		if give {
			t.loads.selectGiven(level)
		}
	}
}

// passAgain tells whether a Step should let lanes choose again that ran into
// dead prefixes: if it was not bounded, or where what they gain is worth more
// than the pass costs all lanes.
func (t *turns) passAgain(pass int) bool {
	if t.passes != AutoPasses {
		return t.passes == 0 || pass < t.passes
	}
	left := t.part
	clear(left)
	for r := range t.roles {
		choosing := t.roles[r].choosing
		for _, lanes := range choosing[:len(choosing)-1] {
			for w, x := range lanes {
				left[w] |= x
			}
		}
	}
	alive := 1 - float64(t.dead)/float64(t.tries+1)
	return float64(kernel.Popcount(left))*alive*t.plan.stepCost > float64(64*t.words)*t.plan.passCost
}

// lowestLevel is the first level at which some lane chooses next; beyond all
// levels if none does.
func (t *turns) lowestLevel() int {
	for i := range len(t.plan.deeper) + 1 {
		for r := range t.roles {
			if choosing := t.roles[r].choosing; i < len(choosing)-1 && !kernel.Empty(choosing[i]) {
				return i
			}
		}
	}
	return len(t.plan.deeper) + 1
}

// chooseLevel lets the lanes choose that are at a level of a role.
//
// What other lanes have selected there is kept: if there are such, the choice
// is merged with it.
func (t *turns) chooseLevel(role, level int) {
	turn := &t.roles[role]
	lanes, keep, missing := turn.choosing[level], t.keep, t.picker.missing
	copy(keep, t.chosen)
	for _, above := range turn.choosing[level+1:] {
		for w, x := range above {
			keep[w] |= x
		}
	}
	merge := !kernel.Empty(keep)
	if merge && kernel.Empty(lanes) && kernel.Empty(t.given) {
		return
	}
	t.picker.pick(choice{role: role, level: level, lanes: lanes, marked: turn.marked[level], merge: merge, given: t.given})
	failed, chosen := false, 0
	for w, x := range lanes {
		turn.choosing[level+1][w] |= x &^ missing[w]
		chosen += bits.OnesCount64(x &^ missing[w])
		failed = failed || missing[w] != 0
		lanes[w] = 0
	}
	if level == len(turn.choosing)-2 && level > 0 {
		t.tries += int64(chosen)
	}
	if failed {
		t.retreat(role, level, missing)
	}
}

// retreat sends lanes without an offer at a level one level back.
func (t *turns) retreat(role, level int, lanes []uint64) {
	turn := &t.roles[role]
	if level == 0 {
		for w, x := range lanes {
			turn.stuck[w] |= x
		}
		return
	}
	n := int64(kernel.Popcount(lanes))
	t.tries += n
	t.dead += n
	t.forget(role, level, lanes) // tried under another prefix
	lv := &t.plan.roles[role].levels[level-1]
	t.columns(lv.tried, lv.count).AddMasked(t.columns(lv.sel, lv.count), lanes)
	turn.marks = true
	for w, x := range lanes {
		turn.marked[level-1][w] |= x
		turn.choosing[level-1][w] |= x
	}
}
