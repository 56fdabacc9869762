package ground

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// totals proves of invariants that for the keys of the initial state there is
// always a fluent: if there is one, and every role does a legal move, there is
// one in the next state. Those without keys help to prove the others.
func (s *inductions) totals(found []invariant) {
	order := make([]int, 0, len(found))
	for i := range found {
		if keys, _ := holdsIn(&found[i], s.initial); keys > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return found[a].keys - found[b].keys })
	for _, i := range order {
		s.tableau.used = make([]bool, len(s.k.hypotheses))
		found[i].total = s.proveTotal(&found[i], found)
	}
}

func (s *inductions) proveTotal(inv *invariant, found []invariant) bool {
	for p := range inv.patterns {
		if !s.keeps(inv, p, found) {
			return false
		}
	}
	return true
}

// keeps refutes that after a fluent of one pattern there is none of any.
func (s *inductions) keeps(inv *invariant, p int, found []invariant) bool {
	t := &s.tableau
	t.reset()
	keys := t.fresh(inv.keys, false)
	t.hold(gdl.RelTrue, []gdl.Term{*t.patternTerm(&inv.patterns[p], keys)}, 0, 0, 0)
	for i := range found {
		if other := &found[i]; other != inv && other.total && other.keys == 0 && len(other.patterns) == 1 {
			t.hold(gdl.RelTrue, []gdl.Term{*t.patternTerm(&other.patterns[0], 0)}, 0, 0, 0)
		}
	}
	for _, role := range s.k.p.Roles {
		t.hold(gdl.RelDoes, []gdl.Term{role, {Var: t.fresh(1, false)}}, 0, 0, 0)
	}
	for q := range inv.patterns {
		first := len(t.slots)
		f := t.patternTerm(&inv.patterns[q], keys)
		for i := first; i < len(t.slots); i++ {
			t.slots[i].flex = true
		}
		t.denied = append(t.denied, fact{rel: gdl.RelNext, args: []gdl.Term{*f}})
	}
	closed, _ := t.refute(0)
	if !closed {
		s.k.spare -= min(s.k.spare, max(0, t.steps-t.began-freeProofSteps))
	}
	return closed
}
