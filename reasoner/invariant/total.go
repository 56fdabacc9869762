package invariant

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// totals proves of invariants that for the keys of the initial state there is
// always a fluent: if there is one, and every role does a legal move, there is
// one in the next state. Those without keys help to prove the others.
func (s *inductions) totals(found []Invariant) {
	order := make([]int, 0, len(found))
	for i := range found {
		if keys, _ := holdsIn(&found[i], s.initial); keys > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return found[a].Keys - found[b].Keys })
	for _, i := range order {
		s.tableau.b.used = make([]bool, len(s.k.hypotheses))
		found[i].Total = found[i].Total || s.proveTotal(&found[i], found)
	}
}

func (s *inductions) proveTotal(inv *Invariant, found []Invariant) bool {
	for p := range inv.Patterns {
		if !s.closes(func() bool { return s.refutesNone(inv, p, found) }) {
			return false
		}
	}
	return true
}

// refutesNone refutes that after a fluent of one pattern there is none of any.
func (s *inductions) refutesNone(inv *Invariant, p int, found []Invariant) bool {
	b := s.tableau.b
	keys := b.fresh(inv.Keys, false)
	b.hold(gdl.RelTrue, []gdl.Term{*b.patternTerm(&inv.Patterns[p], keys)}, 0, 0, 0)
	for i := range found {
		if other := &found[i]; other != inv && other.Total && other.Keys == 0 && len(other.Patterns) == 1 {
			b.hold(gdl.RelTrue, []gdl.Term{*b.patternTerm(&other.Patterns[0], 0)}, 0, 0, 0)
		}
	}
	for _, role := range s.k.p.Roles {
		b.hold(gdl.RelDoes, []gdl.Term{role, {Var: b.fresh(1, false)}}, 0, 0, 0)
	}
	for q := range inv.Patterns {
		first := len(b.slots)
		f := b.patternTerm(&inv.Patterns[q], keys)
		for i := first; i < len(b.slots); i++ {
			b.slots[i].flex = true
		}
		b.denied = append(b.denied, fact{rel: gdl.RelNext, args: []gdl.Term{*f}})
	}
	closed, _ := s.tableau.refute(0)
	return closed
}
