package prover

import (
	"slices"
	"sync/atomic"

	"semisplit/reasoner/gdl"
)

// Engine plays one position at a time. It belongs to one goroutine.
//
// It is made of an evaluator, which knows the position, of what finds and draws
// moves with it, whole ones or split ones, and of how random moves are steered.
// Inside, terms have the numbers of the engine's own store; the machine's numbers
// appear only in State, Offers and Load.
type Engine struct {
	trace
	base     *gdl.Store // what a fresh store is a copy of
	eval     *evaluator
	numbers  translator
	steering steering
	whole    wholeMoves
	split    *splitMoves  // nil: moves are taken whole
	fluents  []gdl.TermID // scratch: of the position that comes next

	// the lane
	phase    phase
	given    []uint64 // state given with Load
	joint    []uint32 // joint move given with Load
	hasJoint bool
	terminal bool
	stuck    bool  // not terminal, but some role has no legal move
	failure  error // why offers could not be evaluated; the next Step says it
	ended    [1]uint64
	stalled  [1]uint64
}

type phase uint8

const (
	empty   phase = iota
	loaded        // given and joint are to be looked at
	arrived       // the position is entered
)

// NewEngine makes an engine with its own random numbers and tables.
func (m *Machine) NewEngine(seed uint64) *Engine {
	shape := make(moveShape, len(m.roles))
	for r := range shape {
		shape[r] = m.Levels(r)
	}
	e := &Engine{
		trace:    trace{shape: shape},
		steering: newSteering(shape, seed),
		base:     m.base,
		eval:     newEvaluator(m.code, m.base.Clone(), m.limits, m.roles),
	}
	e.numbers = translator{codec: m.codec, terms: &e.eval.terms, layout: m.layout}
	e.whole = newWholeMoves(e.eval, &e.numbers, &e.steering, &e.trace)
	if m.layout != nil {
		e.split = newSplitMoves(e.eval, &e.numbers, &e.steering, &e.trace)
	}
	return e
}

// restart gives up all terms but those of the rules.
func (e *Engine) restart() {
	e.eval.begin(e.base.Clone())
	e.numbers.forget()
	if e.split != nil {
		e.split.forget()
	}
}

// guard runs an evaluation and returns why it was left, nil if it was not. Where a
// list of moves was cut short, it looks at the position once more, for the rest.
func (e *Engine) guard(stop *atomic.Bool, run func()) error {
	err := e.eval.try(stop, run)
	for err == errEnough {
		e.whole.cutShort()
		err = e.eval.try(stop, e.look)
	}
	return err
}

// patience is how many polls an answer may take after the stop flag of the last
// Step was set: a few tenths of a second.
const patience = 500

// guardAnswer is guard for what cannot say that it was stopped: what is missing
// would be taken for an answer. So it goes on for a while, in which everything
// that is not hopeless ends.
func (e *Engine) guardAnswer(run func()) error {
	e.eval.patient = patience
	defer func() { e.eval.patient = 0 }()
	return e.guard(e.eval.stop, run)
}

// enter makes the fluents the position. Duplicates are fine.
func (e *Engine) enter(fluents []gdl.TermID) {
	e.eval.enter(fluents)
	clear(e.whole.partial)
	e.failure = nil
}

// enterState makes a state of the machine the position.
func (e *Engine) enterState(state []uint64) {
	if e.crowded() {
		e.restart()
	}
	e.fluents = e.numbers.unpack(state, e.fluents[:0])
	e.enter(e.fluents)
}

// look computes what is asked of every position: whether it is terminal,
// and if not, the legal moves.
func (e *Engine) look() {
	e.terminal, e.stuck = false, false
	e.decideMovable()
	if p := e.eval.code.terminal; p != nil {
		e.terminal = e.eval.spaces.holds(p, e.eval.call(p, nil))
	}
	switch {
	case e.terminal:
		e.whole.clear()
		e.eval.evaluateGoals()
	case e.split != nil:
		e.stuck = !e.split.choosePaths()
	default:
		e.stuck = !e.whole.list()
	}
}

// decideMovable finds out which roles can move, where rules ask for it.
func (e *Engine) decideMovable() {
	if e.split != nil {
		e.split.decideMovable()
	}
}

// take makes a joint move the one that is played next.
func (e *Engine) take(joint []uint32) {
	if e.split != nil {
		e.split.take(joint)
	} else {
		e.whole.take(joint)
	}
}

// draw makes a random joint move the one that is played next, as policies and
// choosers say, and notes it as played.
func (e *Engine) draw() {
	if e.split != nil {
		e.split.draw()
	} else {
		e.whole.draw()
	}
}

// play plays the joint move that was taken or drawn.
func (e *Engine) play() {
	next := e.eval.ask(e.eval.code.next, nil, e.fluents[:0])
	e.fluents = next
	e.eval.terms.checkState(next)
	if e.crowded() {
		next = e.recycle(next)
	}
	e.enter(next)
}

// crowded says that what past states left behind is too much to keep.
func (e *Engine) crowded() bool {
	t := &e.eval.terms
	return t.exceeds(t.fresh, t.limits.Terms/2) || e.eval.spaces[forever].size() > t.limits.Facts/4
}

// recycle gives up the terms of past states and returns the fluents anew.
func (e *Engine) recycle(fluents []gdl.TermID) []gdl.TermID {
	old := e.eval.terms.store
	e.restart()
	out := make([]gdl.TermID, len(fluents))
	var known []gdl.TermID
	for i, t := range fluents {
		out[i] = copyTerm(e.eval.terms.store, old, t, &known)
	}
	return out
}

// splitOffers is Offers for a split game. An evaluation that outgrows the limits,
// or goes on for long after the last Step was told to stop, offers nothing, and
// the next Step says why.
func (e *Engine) splitOffers(role int, prefix []uint32, dst []uint32) []uint32 {
	if e.phase != arrived || e.terminal || len(prefix) >= e.shape[role] {
		return dst
	}
	start := len(dst)
	err := e.guardAnswer(func() { dst = e.split.offers(role, prefix, dst) })
	if err != nil {
		e.failure = err
		return dst[:start]
	}
	return dst
}

// Partial tells whether a role has more legal moves than Offers lists, which are
// at most Limits.Moves. Legal knows the others all the same. Random moves are some
// of those that are listed. It may have more as well where Offers has failed.
func (e *Engine) Partial(role int) bool {
	return !e.terminal && (e.whole.partial[role] || e.failure != nil)
}

// Legal tells whether a move, given as a path of semimoves, is legal for a role in
// the state that was looked at. It is false as well where the rules cannot be
// evaluated.
func (e *Engine) Legal(_, role int, path []uint32) bool {
	if e.phase != arrived || e.terminal || len(path) != e.shape[role] {
		return false
	}
	if e.split != nil {
		for l := range path {
			if !slices.Contains(e.splitOffers(role, path[:l], nil), path[l]) {
				return false
			}
		}
		return true
	}
	legal := false
	_ = e.guardAnswer(func() { legal = e.whole.isLegal(role, path[0]) })
	return legal
}
