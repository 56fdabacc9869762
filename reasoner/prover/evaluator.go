package prover

import (
	"errors"
	"fmt"
	"sync/atomic"

	"semisplit/reasoner/gdl"
)

// evaluator answers questions about a position by the code of a program. What
// it found is kept in tables.
type evaluator struct {
	code     *code
	roles    []gdl.TermID
	terms    terms
	position position
	does     []gdl.TermID // by role: the move that is taken whole, 0 for none
	spaces   spaces

	work    int
	budget  int // work at which the evaluation gives up; 0: never
	stop    *atomic.Bool
	patient int // polls for which stop is not heeded; see Engine.guardAnswer
	quota   quota
}

// quota ends an evaluation early, with errEnough, once a call has more answers
// than are asked for.
type quota struct {
	most    int // 0: all are asked for
	pattern *pattern
	key     []gdl.TermID
	found   []gdl.TermID // what there was at the end, of the only column
}

var errEnough = errors.New("prover: enough answers")

// pollMask: stop and the limits are looked at every 4096 operations, which
// take well under a millisecond.
const pollMask = 1<<12 - 1

// newEvaluator makes an evaluator that knows no position yet.
func newEvaluator(c *code, store *gdl.Store, l Limits, roles []gdl.TermID) *evaluator {
	e := &evaluator{
		code: c, roles: roles, does: make([]gdl.TermID, len(roles)), spaces: make(spaces, c.spaces),
		terms: terms{limits: l, registers: make([]gdl.TermID, 1024)},
	}
	e.begin(store)
	return e
}

// begin makes the evaluator use a store, of which it knows nothing yet.
func (e *evaluator) begin(store *gdl.Store) {
	e.terms.begin(store)
	e.spaces.forgetAll()
	e.position = newPosition(e.code)
}

// try runs an evaluation and returns why it was left, nil if it was not.
func (e *evaluator) try(stop *atomic.Bool, run func()) (err error) {
	e.stop, e.terms.top = stop, 0
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unwind)
			if !ok {
				panic(r)
			}
			e.quota.most = 0
			e.spaces.forgetAll()
			err = u.err
		}
	}()
	run()
	return nil
}

func (e *evaluator) poll() {
	if e.stop != nil && e.stop.Load() {
		if e.patient--; e.patient < 0 {
			panic(unwind{ErrStopped})
		}
	}
	if e.quota.most > 0 {
		e.checkQuota()
	}
	if e.budget > 0 && e.work > e.budget {
		panic(unwind{fmt.Errorf("%w: work", ErrLimit)})
	}
	if size := e.spaces.size(); size > e.terms.limits.Facts {
		panic(unwind{fmt.Errorf("%w: %d words of facts", ErrLimit, size)})
	}
}

func (e *evaluator) checkQuota() {
	q := &e.quota
	s := e.spaces[q.pattern.space]
	t, _ := s.find(q.pattern, q.key)
	if int(s.tables[t].n) > q.most {
		q.found = e.spaces.column(q.pattern, t, q.found[:0])
		panic(unwind{errEnough})
	}
}

// enter makes the fluents the position. Duplicates are fine.
func (e *evaluator) enter(fluents []gdl.TermID) {
	e.spaces[perState].reset()
	e.forgetMoves()
	e.terms.before = e.terms.now()
	e.position.enter(e.terms.store, e.code, fluents)
}

// forgetMoves takes the joint move back.
func (e *evaluator) forgetMoves() {
	for which := perMove; which < len(e.spaces); which++ {
		e.spaces.forget(which)
	}
	clear(e.does)
}

// ask appends the answers to one of the questions of the code; a relation
// without rules has none.
func (e *evaluator) ask(p *pattern, key, dst []gdl.TermID) []gdl.TermID {
	if p == nil {
		return dst
	}
	return e.spaces.column(p, e.call(p, key), dst)
}
