package prover

import (
	"slices"
	"sync/atomic"

	"semisplit/reasoner/gdl"
)

// Lanes is 1.
func (e *Engine) Lanes() int { return 1 }

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
		e.unpack(e.given)
		e.enter(e.spare)
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
		e.takeRandom()
		e.recordChosen()
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

// take makes the numbers of a joint move the one that is played next.
func (e *Engine) take(joint []uint32) {
	if e.code.layout != nil {
		e.takePaths(joint)
		return
	}
	for r, n := range joint {
		e.does[r] = e.localMove(n)
	}
}

// takeRandom draws the joint move that is played next, as policies and choosers
// say.
func (e *Engine) takeRandom() {
	if e.code.layout != nil {
		e.takeChosen()
		return
	}
	e.forgetMoves()
	for r, moves := range e.legal {
		if len(moves) > 0 {
			e.does[r] = moves[e.pickMove(r)]
		}
	}
}

// State appends the state of the lane to dst: the numbers of its fluents,
// rising, two to a word, the lower half first; 0 fills the last word.
func (e *Engine) State(_ int, dst []uint64) []uint64 { return e.pack(e.fluents, dst) }

// Goals writes the goal value of every role, in [0, 1].
func (e *Engine) Goals(_ int, dst []float64) {
	_ = e.guard(e.stop, func() { e.goals() })
	for r := range e.roles {
		dst[r] = 0
		_ = e.guard(e.stop, func() {
			if v := e.goalValues(r); len(v) > 0 {
				dst[r] = float64(min(max(v[len(v)-1], 0), 100)) / 100
			}
		})
	}
}

// Offers appends the semimoves of a role after a prefix as numbers, rising.
// Moves that are taken whole are legal moves, and nothing is offered after them.
func (e *Engine) Offers(_, role int, prefix []uint32, dst []uint32) []uint32 {
	if e.code.layout != nil {
		return e.splitOffers(role, prefix, dst)
	}
	if len(prefix) > 0 {
		return dst
	}
	start := len(dst)
	for _, t := range e.legal[role] {
		dst = append(dst, e.sharedMove(t))
	}
	slices.Sort(dst[start:])
	return dst
}

// pack writes fluents as a state.
func (e *Engine) pack(fluents []gdl.TermID, dst []uint64) []uint64 {
	e.numbers = e.numbers[:0]
	for _, t := range fluents {
		e.numbers = append(e.numbers, e.sharedFluent(t))
	}
	slices.Sort(e.numbers)
	return packWords(e.numbers, dst)
}

// packWords appends numbers two to a word.
func packWords(numbers []uint32, dst []uint64) []uint64 {
	for i := 0; i < len(numbers); i += 2 {
		w := uint64(numbers[i])
		if i+1 < len(numbers) {
			w |= uint64(numbers[i+1]) << 32
		}
		dst = append(dst, w)
	}
	return dst
}

// unpack reads a state into e.spare.
func (e *Engine) unpack(state []uint64) {
	if e.crowded() {
		e.begin(e.m.base.Clone())
	}
	e.spare = e.spare[:0]
	for _, w := range state {
		for _, n := range [2]uint32{uint32(w), uint32(w >> 32)} {
			if n != 0 {
				e.spare = append(e.spare, e.localFluent(n))
			}
		}
	}
}
