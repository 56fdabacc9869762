package prover

import "sync/atomic"

// Lanes is 1.
func (e *Engine) Lanes() int { return 1 }

// Semimoves is 0: the numbers of semimoves grow as the game goes on.
func (e *Engine) Semimoves(int, int) int { return 0 }

// Load puts a state into the lane, with a joint move to play or nil.
func (e *Engine) Load(_ int, state []uint64, joint []uint32) {
	e.phase = loaded
	e.given = append(e.given[:0], state...)
	e.hasJoint = joint != nil
	e.joint = append(e.joint[:0], joint...)
}

// Unload empties the lane.
func (e *Engine) Unload(int) { e.phase = empty }

// Step looks at a state that was just loaded, plays the joint move that came
// with it, or plays a random one (see SetPolicy and SetChooser). It fails with
// ErrStopped, with ErrLimit, or where a chooser took what is not offered; the
// lane is then empty.
//
// Where a role has no legal move though the state is not terminal, no random
// joint move is played: the game ends there.
func (e *Engine) Step(stop *atomic.Bool) (ended []uint64, err error) {
	e.ended[0], e.stalled[0] = 0, 0
	if e.phase == empty {
		return e.ended[:], nil
	}
	if stop != nil && stop.Load() {
		e.phase = empty
		return nil, ErrStopped
	}
	if e.phase == loaded {
		err = e.arrive(stop)
	} else {
		err = e.advance(stop)
	}
	if err != nil {
		return nil, err
	}
	if e.terminal {
		e.ended[0] = 1
	}
	return e.ended[:], nil
}

// Stalled has the lane when the last Step found a role without a legal move,
// and so moved nothing.
func (e *Engine) Stalled() []uint64 { return e.stalled[:] }

// arrive enters the state given with Load.
func (e *Engine) arrive(stop *atomic.Bool) error {
	e.phase = empty
	return e.finish(e.guard(stop, func() {
		e.enterState(e.given)
		if e.hasJoint {
			e.take(e.joint)
			e.recordGiven(e.joint)
			e.play()
		}
		e.look()
	}))
}

// advance plays a random joint move.
func (e *Engine) advance(stop *atomic.Bool) error {
	if e.failure != nil {
		e.phase = empty
		return e.failure
	}
	if e.stuck {
		e.ended[0], e.stalled[0] = 1, 1
		return nil
	}
	e.phase = empty
	return e.finish(e.guard(stop, func() {
		e.draw()
		e.play()
		e.look()
	}))
}

// finish ends a Step, whose evaluation may have been left with an error.
func (e *Engine) finish(err error) error {
	if err == nil {
		e.phase = arrived
	}
	return err
}

// State appends the state of the lane to dst: the numbers of its fluents,
// rising, two to a word, the lower half first; 0 fills the last word.
func (e *Engine) State(_ int, dst []uint64) []uint64 {
	return e.numbers.pack(e.eval.position.fluents, dst)
}

// Goals writes the goal value of every role, in [0, 1].
func (e *Engine) Goals(_ int, dst []float64) {
	_ = e.guardAnswer(e.eval.evaluateGoals)
	for r := range e.eval.roles {
		dst[r] = 0
		_ = e.guardAnswer(func() {
			if v := e.eval.goalValues(r); len(v) > 0 {
				dst[r] = float64(v[len(v)-1]) / 100
			}
		})
	}
}

// Offers appends the semimoves of a role after a prefix as numbers, rising.
// Moves that are taken whole are legal moves, and nothing is offered after them.
func (e *Engine) Offers(_, role int, prefix []uint32, dst []uint32) []uint32 {
	if e.split != nil {
		return e.splitOffers(role, prefix, dst)
	}
	if len(prefix) > 0 {
		return dst
	}
	return e.whole.offers(role, dst)
}

// SetPolicy says how a role chooses at a level: the first offer in the given
// order of semimoves (those left out come last, rising), but with probability
// epsilon a uniformly random one. A nil order is uniform choice throughout, as
// before the first call. The order is copied.
//
// It counts for choices that are still to be made. Where moves are split, those
// for the next joint move were made in the last Step.
func (e *Engine) SetPolicy(role, level int, order []int32, epsilon float64) {
	e.steering.policyOf(role, level).set(order, epsilon)
}

// SetChooser lets a function choose for a role at a level, in place of its
// policy; nil gives that back. It is called where there are at least two
// offers. lanes is 1; offers is the set of semimoves, of so many words,
// without those that were found dead there. prefix is nil at the first level;
// else the fields of the role's levels before this one are filled in (see
// TraceField). The function puts one of the offers into into; anything else
// makes the Step fail.
//
// The function may call Choices, which tells by which joint move the lane came
// to the state in which it chooses. It must not change offers, keep anything,
// or call other methods. Where moves are split, it is asked as soon as a state
// is reached, where the rules ask whether a role can move also in one that
// turns out terminal.
func (e *Engine) SetChooser(role, level int, choose func(lanes, offers []uint64, words int, prefix []uint64, into []int32)) {
	e.steering.policyOf(role, level).chooser = choose
}
