package invariant

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// Bounds on the pairs of fluents that are proved to exclude each other, and of those that are
// looked at for it, each in the whole initial state.
const (
	maxGroupPairs = 60
	maxGroupTries = 20_000
)

// groups proves that fluents of different functors exclude one another for the
// same keys, as a piece on a square and the square's emptiness do, and unites
// those that do so pairwise.
func (s *inductions) groups() {
	members := s.members()
	number := make(map[[2]int]int) // of the hypothesis, by pair of members
	tries := 0
	for i := range members {
		for j := i + 1; j < len(members) && len(number) < maxGroupPairs && tries < maxGroupTries && s.ctx.Err() == nil; j++ {
			pair := Invariant{Patterns: []Pattern{members[i], members[j]}, Keys: keysIn(&members[i])}
			if keysIn(&members[j]) != pair.Keys || members[i].Functor == members[j].Functor || !s.meet(&members[i], &members[j]) {
				continue
			}
			tries++
			before := len(s.k.hypotheses)
			if s.add(pair); len(s.k.hypotheses) > before {
				number[[2]int{i, j}] = before
			}
		}
	}
	s.settle(nil)
	exclusive := make(map[[2]int]bool)
	for pair, h := range number {
		c := &s.k.hypotheses[h]
		exclusive[pair] = c.assumed && c.proved
	}
	taken := make([]bool, len(members))
	for i := range members {
		group := []int{i}
		for j := i + 1; j < len(members); j++ {
			if !taken[j] && !slices.ContainsFunc(group, func(k int) bool { return !exclusive[[2]int{k, j}] }) {
				group = append(group, j)
			}
		}
		if taken[i] || len(group) == 1 {
			continue
		}
		inv := Invariant{Keys: keysIn(&members[i])}
		for _, j := range group {
			taken[j] = true
			inv.Patterns = append(inv.Patterns, members[j])
		}
		s.united = append(s.united, inv)
	}
}

// phases tries fluents again of which it could not be proved that at most one holds, now
// together with the fluents that they exclude: there is one turn because there is none before
// the opening is over. Phases and turns have one argument at most; with more, nearly all that
// is tried fails.
func (s *inductions) phases() {
	var known, failed []Pattern
	for _, shape := range s.shapes() {
		inv := keyed(shape, 0, nil)
		if shape.arity > 1 || !s.startsWith(&inv) {
			continue
		}
		proved := func(c candidate) bool { return c.assumed && c.proved && sameInvariant(&c.Invariant, &inv) }
		if shape.arity == 0 || slices.ContainsFunc(s.k.hypotheses, proved) {
			known = append(known, inv.Patterns[0])
		} else {
			failed = append(failed, inv.Patterns[0])
		}
	}
	if len(failed)*(len(known)+len(failed)) > maxGroupPairs {
		return
	}
	for i := range failed {
		s.add(Invariant{Patterns: failed[i : i+1]})
		for _, other := range slices.Concat(known, failed[i+1:]) {
			if other.Functor != failed[i].Functor {
				s.add(Invariant{Patterns: []Pattern{failed[i], other}})
			}
		}
	}
	s.settle(nil)
}

// members lists what a group can be made of: functional fluents, and fluents
// of functors that have no values, all arguments as keys.
func (s *inductions) members() []Pattern {
	var out []Pattern
	for _, inv := range s.result() {
		if p := inv.Patterns[0]; !slices.ContainsFunc(p.Args, func(a Arg) bool { return a.Kind == Constant }) {
			out = append(out, p)
		}
	}
	for _, shape := range s.shapes() {
		known := slices.ContainsFunc(out, func(p Pattern) bool {
			return p.Functor == shape.functor && len(p.Args) == shape.arity
		})
		if !known && shape.arity <= maxFluentArity {
			out = append(out, keyed(shape, 1<<shape.arity-1, nil).Patterns[0])
		}
	}
	return out
}

func keysIn(p *Pattern) int {
	n := 0
	for i := range p.Args {
		if p.Args[i].Kind == Key {
			n++
		}
	}
	return n
}

// meet tells whether the patterns may have keys in common.
func (s *inductions) meet(p, q *Pattern) bool {
	a := s.k.domain[fluentShape{p.Functor, len(p.Args)}]
	b := s.k.domain[fluentShape{q.Functor, len(q.Args)}]
	for i := range p.Args {
		for j := range q.Args {
			if p.Args[i].Kind != Key || q.Args[j].Kind != Key || p.Args[i].Key != q.Args[j].Key || a[i] < 0 || b[j] < 0 {
				continue
			}
			x, y := s.k.facts.known[a[i]].terms, s.k.facts.known[b[j]].terms
			if !slices.ContainsFunc(x, func(t gdl.Term) bool {
				return slices.ContainsFunc(y, func(u gdl.Term) bool { return sameGround(&t, &u) })
			}) {
				return false
			}
		}
	}
	return true
}
