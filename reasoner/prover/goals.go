package prover

import (
	"slices"
	"sync/atomic"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
)

// evaluateGoals evaluates the goals of all roles, which stay in their tables.
func (e *evaluator) evaluateGoals() {
	if e.code.goal == nil {
		return
	}
	for _, role := range e.roles {
		e.call(e.code.goal, []gdl.TermID{role})
	}
}

// goalTerms are the answers to the goal of a role.
func (e *evaluator) goalTerms(role int) []gdl.TermID {
	return e.ask(e.code.goal, e.roles[role:role+1], nil)
}

// goalValues are the values of the role's goals, 0..100, rising, each once.
func (e *evaluator) goalValues(role int) []int {
	var out []int
	store := e.terms.store
	for _, t := range e.goalTerms(role) {
		if store.Args(t) != nil {
			continue
		}
		if v, ok := store.Symbols().Goal(store.Functor(t)); ok {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// GoalTerms are all the v for which (goal role v) holds in a state, as the
// rules give them: for who checks rules, and must see what is no goal value as
// well. It fails with ErrStopped or ErrLimit.
func (m *Machine) GoalTerms(role int, state []uint64, stop *atomic.Bool) (values []kif.Term, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.own
	err = e.guard(stop, func() {
		e.enterState(state)
		e.decideMovable()
		for _, t := range e.eval.goalTerms(role) {
			values = append(values, e.eval.terms.store.KIF(t))
		}
	})
	return values, err
}

// goalWork bounds the operations of GoalValues, which nothing can stop: about
// a second.
const goalWork = 1 << 24

// GoalValues are all the values v for which (goal role v) holds in a state,
// rising. It is nil as well when the rules cannot be evaluated.
func (m *Machine) GoalValues(role int, state []uint64) []int {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.own
	var values []int
	e.eval.budget = e.eval.work + goalWork
	err := e.guard(nil, func() {
		e.enterState(state)
		e.decideMovable()
		values = e.eval.goalValues(role)
	})
	if err != nil {
		return nil
	}
	return values
}
