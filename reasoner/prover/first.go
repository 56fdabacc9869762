package prover

import (
	"slices"
	"sync/atomic"
)

// FirstMove finds one legal move of a role in a state by the rules of legal
// alone, whatever terminal, goal and the moves of others would cost: of each rule
// the first answer will do. found is false if there is none. It leaves the lane
// empty. For moves that are taken whole; the error wraps ErrStopped or ErrLimit.
func (e *Engine) FirstMove(state []uint64, role int, stop *atomic.Bool) (move uint32, found bool, err error) {
	e.phase = empty
	legal := e.eval.code.legal
	if legal == nil {
		return 0, false, nil
	}
	defer func(before *code) { e.eval.code = before }(e.eval.code)
	err = e.guard(stop, func() {
		e.enterState(state)
		if !legal.cyclic {
			e.eval.code = e.eval.code.firstAnswers(legal)
		}
		answers := e.eval.ask(legal, e.eval.roles[role:role+1], nil)
		if found = len(answers) > 0; found {
			move = e.numbers.sharedMove(answers[0])
		}
		if !legal.cyclic {
			e.eval.spaces[legal.space].reset() // not all answers are in its table
		}
	})
	return move, found && err == nil, err
}

// firstAnswers is the code in which each rule of a pattern ends with its first
// answer. No other relation may ask for the pattern.
func (c *code) firstAnswers(p *pattern) *code {
	short := *c
	short.patterns = slices.Clone(c.patterns)
	plans := slices.Clone(p.plans)
	for i := range plans {
		plans[i].cut = -1
	}
	short.patterns[p.id].plans = plans
	return &short
}

// After is the state that a joint move leads to by the rules of next alone: one
// number of a move for each role. It leaves the lane empty. For moves that are
// taken whole; the error wraps ErrStopped or ErrLimit.
func (e *Engine) After(state []uint64, joint []uint32, stop *atomic.Bool) (after []uint64, err error) {
	e.phase = empty
	err = e.guard(stop, func() {
		e.enterState(state)
		e.take(joint)
		e.play()
		after = e.numbers.pack(e.eval.position.fluents, nil)
	})
	return after, err
}
