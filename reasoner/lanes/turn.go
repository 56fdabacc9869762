package lanes

import (
	"math/bits"
	"sync/atomic"

	"semisplit/reasoner/lanes/kernel"
)

// turn is how far the lanes have come with the choice of one role. Roles
// choose side by side, level by level, all lanes together; a lane that finds
// nothing to choose takes back its last semimove, remembers it as tried under
// its prefix, and chooses there again in a later pass.
//
// A lane that chooses is in one of the sets of at, or in stuck.
type turn struct {
	at     [][]uint64 // by level: lanes that choose there next; at the end lanes that have chosen at all
	marked [][]uint64 // by level: lanes with a mark in the columns of what was tried
	stuck  []uint64   // lanes that have nothing left to try
	marks  bool       // some of marked are not empty
	policy []policy   // by level
	folded []bool     // by level: the planes of the trace say what is selected
}

// choiceScratch holds sets of lanes between the steps of a choice.
type choiceScratch struct {
	keep, missing, given, chosen, coin, part []uint64
}

func (e *Engine) newTurns() {
	slot := func() []uint64 { return make([]uint64, e.w) }
	for _, r := range e.p.roles {
		t := turn{stuck: slot(), policy: make([]policy, len(r.levels)), folded: make([]bool, len(r.levels))}
		for range r.levels {
			t.at = append(t.at, slot())
			t.marked = append(t.marked, slot())
		}
		t.at = append(t.at, slot())
		e.turns = append(e.turns, t)
	}
	e.choice = choiceScratch{slot(), slot(), slot(), slot(), slot(), slot()}
}

// chooseMoves lets all lanes that hold a state choose, where every role has
// one level. Lanes that find no move are stranded.
func (e *Engine) chooseMoves() {
	missing := e.choice.missing
	for r := range e.turns {
		t := &e.turns[r]
		if t.policy[0].uniform() {
			t.folded[0] = false
			e.set.Choose(e.code.roles[r][0].level, e.slots, e.held, missing, e.random)
		} else {
			copy(t.at[0], e.held)
			e.pick(r, 0, false)
		}
		if !kernel.Empty(missing) {
			e.strand(missing)
		}
	}
	e.giveLevel(0)
}

// strand notes lanes that hold a state in which some role has no legal move.
// The rules of such a game are not well formed (GDL asks for a move in every
// state that is not terminal), but published games have such states: the match
// ends there, with the goals of that state.
func (e *Engine) strand(lanes []uint64) {
	for w, x := range lanes {
		e.stranded[w] |= x
	}
	e.stranding = true
}

// strandStuck strands the lanes in which a role has nothing left to try.
func (e *Engine) strandStuck() {
	for r := range e.turns {
		for w, x := range e.turns[r].stuck {
			if x &= e.held[w]; x != 0 {
				e.stranded[w] |= x
				e.stranding = true
			}
		}
	}
}

// saveStranded takes the states of stranded lanes aside, to be brought in again
// after the next states were made.
func (e *Engine) saveStranded() {
	e.set.GatherLanes(e.slots, e.p.fluents, e.p.count, e.stranded, e.states, e.words)
	for w, x := range e.stranded {
		e.held[w] &^= x
		e.look[w] |= x
	}
}

// endStranded reports the stranded lanes as ended, and as stalled: they have
// not moved.
func (e *Engine) endStranded() {
	if !e.stranding {
		return
	}
	e.stranding = false
	for w, x := range e.stranded {
		e.ended[w] |= x
		e.stalled[w] |= x
		e.held[w] &^= x
		e.stranded[w] = 0
	}
}

// resume lets every lane that holds a state choose: from where it stopped, or
// else from the first level.
func (e *Engine) resume() {
	for r := range e.turns {
		t := &e.turns[r]
		clear(t.stuck)
		begun := e.choice.keep
		clear(begun)
		for _, lanes := range t.at {
			for w := range lanes {
				lanes[w] &= e.held[w]
				begun[w] |= lanes[w]
			}
		}
		for w := range begun {
			t.at[0][w] |= e.held[w] &^ begun[w]
		}
		e.forgetAll(r, begun)
	}
}

// forgetAll drops the marks of all lanes but some.
func (e *Engine) forgetAll(role int, but []uint64) {
	t := &e.turns[role]
	if !t.marks {
		return
	}
	t.marks = false
	for i := range t.marked {
		stale := e.choice.part
		for w, x := range t.marked[i] {
			stale[w] = x &^ but[w]
		}
		e.forget(role, i, stale)
		t.marks = t.marks || !kernel.Empty(t.marked[i])
	}
}

// forget drops the marks of some lanes at a level.
func (e *Engine) forget(role, level int, lanes []uint64) {
	marked, mask := e.turns[role].marked[level], e.slot(e.p.mask)
	any := uint64(0)
	for w, x := range lanes {
		mask[w] = x & marked[w]
		any |= mask[w]
		marked[w] &^= x
	}
	if any != 0 {
		e.set.Exec(e.code.roles[role][level].forget, e.slots)
	}
}

// complete finds the lanes that have not come to a joint move, and ends the
// turn of the others.
func (e *Engine) complete() {
	for r := range e.turns {
		at := e.turns[r].at
		for w, x := range at[len(at)-1] {
			e.stalled[w] |= e.held[w] &^ x
		}
	}
	for r := range e.turns {
		for _, lanes := range e.turns[r].at {
			for w := range lanes {
				lanes[w] &= e.stalled[w]
			}
		}
		e.forgetAll(r, e.stalled)
	}
}

// choose lets the lanes choose semimoves for all roles, until they have a
// joint move or the passes of a Step are used up.
func (e *Engine) choose(stop *atomic.Bool) error {
	copy(e.choice.given, e.play)
	clear(e.choice.chosen)
	for pass, from := 1, 0; ; pass++ {
		e.runPass(from, pass == 1)
		if pass == 1 {
			copy(e.choice.chosen, e.choice.given) // to be kept from now on
			clear(e.choice.given)
		}
		from = e.lowestLevel()
		switch {
		case from > len(e.p.deeper) || !e.passAgain(pass):
			return nil
		case stop != nil && stop.Load():
			return ErrStopped
		}
	}
}

// runPass goes through the levels from one on. The first pass must begin with
// the first level and so run all programs between levels, whose values are
// read later.
func (e *Engine) runPass(from int, give bool) {
	for i := from; i <= len(e.p.deeper); i++ {
		if i > 0 {
			e.exec(e.code.deeper[i-1], e.slots)
		}
		for r := range e.turns {
			if i < len(e.p.roles[r].levels) {
				e.chooseLevel(r, i)
			}
		}
		if give {
			e.giveLevel(i)
		}
	}
}

// passAgain tells whether a Step should let lanes choose again that ran into
// dead prefixes: if it was not bounded, or where what they gain is worth more
// than the pass costs all lanes.
func (e *Engine) passAgain(pass int) bool {
	if e.passes != AutoPasses {
		return e.passes == 0 || pass < e.passes
	}
	left := e.choice.part
	clear(left)
	for r := range e.turns {
		at := e.turns[r].at
		for _, lanes := range at[:len(at)-1] {
			for w, x := range lanes {
				left[w] |= x
			}
		}
	}
	alive := 1 - float64(e.counters.Dead)/float64(e.counters.Tries+1)
	return float64(kernel.Popcount(left))*alive*e.p.stepCost > float64(e.Lanes())*e.p.passCost
}

// lowestLevel is the first level at which some lane chooses next; beyond all
// levels if none does.
func (e *Engine) lowestLevel() int {
	for i := range len(e.p.deeper) + 1 {
		for r := range e.turns {
			if at := e.turns[r].at; i < len(at)-1 && !kernel.Empty(at[i]) {
				return i
			}
		}
	}
	return len(e.p.deeper) + 1
}

// giveLevel selects the semimoves of a level that were loaded with the states
// of the lanes in e.loading.
func (e *Engine) giveLevel(level int) {
	for _, lane := range e.loading {
		for r := range e.p.roles {
			rp := &e.p.roles[r]
			if level < len(rp.levels) {
				k := e.joints[int(lane)*e.semi+rp.first+level]
				e.slot(rp.levels[level].sel + int32(k))[lane/64] |= 1 << (lane % 64)
			}
		}
	}
}

// chooseLevel lets the lanes choose that are at a level of a role.
//
// What other lanes have selected there is kept: if there are such, the choice
// is made aside and merged. The given lanes are left without a selection.
func (e *Engine) chooseLevel(role, level int) {
	t := &e.turns[role]
	want, keep, missing := t.at[level], e.choice.keep, e.choice.missing
	copy(keep, e.choice.chosen)
	for _, lanes := range t.at[level+1:] {
		for w, x := range lanes {
			keep[w] |= x
		}
	}
	merge := !kernel.Empty(keep)
	if merge && kernel.Empty(want) && kernel.Empty(e.choice.given) {
		return
	}
	e.pick(role, level, merge)
	failed, chosen := false, 0
	for w, x := range want {
		t.at[level+1][w] |= x &^ missing[w]
		chosen += bits.OnesCount64(x &^ missing[w])
		failed = failed || missing[w] != 0
		want[w] = 0
	}
	if level == len(t.at)-2 && level > 0 {
		e.counters.Tries += int64(chosen)
	}
	if failed {
		e.retreat(role, level, missing)
	}
}

// retreat sends lanes without an offer at a level one level back.
func (e *Engine) retreat(role, level int, lanes []uint64) {
	t := &e.turns[role]
	if level == 0 {
		for w, x := range lanes {
			t.stuck[w] |= x
		}
		return
	}
	n := int64(kernel.Popcount(lanes))
	e.counters.Tries += n
	e.counters.Dead += n
	e.forget(role, level, lanes) // tried under another prefix
	lv := &e.p.roles[role].levels[level-1]
	e.set.AddMasked(lv.tried, lv.sel, int32(lv.count), e.slots, lanes)
	t.marks = true
	for w, x := range lanes {
		t.marked[level-1][w] |= x
		t.at[level-1][w] |= x
	}
}
