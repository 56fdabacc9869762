package split

import (
	"context"
	"slices"

	"semisplit/reasoner/gdl"
)

// findSingle finds fluents, like (control ?role), of which at most one is true
// in every state that can be reached. It is proved by
// induction: one or none is true at first, and any two rules that give
// different values to the next state need different ones in this state, or
// contradict each other.
func findSingle(ctx context.Context, p *gdl.Program) map[functor]bool {
	count := make(map[functor]int)
	for _, i := range p.Relations[gdl.RelInit].Rules {
		r := &p.Rules[i]
		switch t := r.Head.Args[0]; {
		case t.Var >= 0:
			return nil
		case len(r.Body) == 0 && isGround(t.Args):
			count[functor{t.Name, len(t.Args)}]++
		default:
			count[functor{t.Name, len(t.Args)}] += 2
		}
	}
	next := make(map[functor][]clause)
	for _, i := range p.Relations[gdl.RelNext].Rules {
		r := &p.Rules[i]
		t := r.Head.Args[0]
		if t.Var >= 0 {
			return nil // (next ?f) (true ?f): would have to be counted with the others
		}
		f := functor{t.Name, len(t.Args)}
		next[f] = append(next[f], instances(p, newClause(r))...)
	}
	out := make(map[functor]bool)
	for f, n := range count {
		if n == 1 && f.arity > 0 && keepsSingle(ctx, f, next[f]) {
			out[f] = true
		}
	}
	return out
}

// instances binds the variables of a rule that stand in relations which are a
// few facts.
func instances(p *gdl.Program, c clause) []clause {
	const most = 256
	done := []clause{c}
	for i := 0; i < len(done); {
		c := done[i]
		at := slices.IndexFunc(c.body, func(l gdl.Literal) bool {
			return l.Kind == gdl.Positive && l.Rel >= gdl.NumKeywordRelations && !isGround(l.Args) && isTable(p, l.Rel)
		})
		if at < 0 {
			i++
			continue
		}
		var out []clause
		for _, fact := range p.Relations[c.body[at].Rel].Rules {
			b := newBinding(len(c.vars))
			if b.unifyAll(c.body[at].Args, p.Rules[fact].Head.Args) {
				out = append(out, c.under(b))
			}
		}
		if len(done)+len(out) > most {
			return done
		}
		done = slices.Concat(done[:i], out, done[i+1:])
	}
	return done
}

func isTable(p *gdl.Program, rel gdl.RelID) bool {
	rules := p.Relations[rel].Rules
	return len(rules) > 0 && len(rules) <= maxFacts && !slices.ContainsFunc(rules, func(i int32) bool {
		return len(p.Rules[i].Body) > 0 || !isGround(p.Rules[i].Head.Args)
	})
}

// keepsSingle: the rules for the fluents of f in the next state give one at
// most, given that one at most is true now.
func keepsSingle(ctx context.Context, f functor, rules []clause) bool {
	const most = 128
	if len(rules) > most {
		return false
	}
	now := map[functor]bool{f: true}
	for i, a := range rules {
		if !isGround(a.head.Args) && fixedBy(a, f) == nil {
			return false
		}
		for _, c := range rules[:i] {
			heed(ctx)
			if !sameValue(a, c, f) && !contradict(a, c, now) {
				return false
			}
		}
	}
	return true
}

// fixedBy is a condition on a fluent of f that binds all variables of the head,
// so that the one that is true now determines the next; nil if there is none.
func fixedBy(r clause, f functor) *gdl.Term {
	for _, l := range r.body {
		if l.Kind != gdl.Positive || l.Rel != gdl.RelTrue || l.Args[0].Var >= 0 || l.Args[0].Name != f.name || len(l.Args[0].Args) != f.arity {
			continue
		}
		all := true
		varsIn(r.head.Args, func(v int32) { all = all && mentionsAny(l, []int32{v}) })
		if all {
			return &l.Args[0]
		}
	}
	return nil
}

// sameValue: two rules give the same fluent whenever both fire.
func sameValue(a, b clause, f functor) bool {
	if !equalTerms(a.head.Args[0], b.head.Args[0]) {
		return false
	}
	if isGround(a.head.Args) {
		return true
	}
	x, y := fixedBy(a, f), fixedBy(b, f)
	return x != nil && y != nil && equalTerms(*x, *y)
}

// contradict says whether two rules can never fire in the same state, given
// the fluents that are single. Variables of the two are different.
func contradict(a, b clause, single map[functor]bool) bool {
	return contradicts(a, b, single) || contradicts(b, a, single)
}

func contradicts(a, b clause, single map[functor]bool) bool {
	for _, l := range a.body {
		if l.Kind != gdl.Positive {
			continue
		}
		for _, m := range b.body {
			switch {
			case m.Kind == gdl.Negative && m.Rel == l.Rel && isGround(l.Args) && slices.EqualFunc(l.Args, m.Args, equalTerms):
				return true
			case m.Kind == gdl.Positive && m.Rel == gdl.RelTrue && l.Rel == gdl.RelTrue && apartValues(a, b, l.Args[0], m.Args[0], single):
				return true
			}
		}
	}
	return false
}

// apartValues: both fluents cannot be true at once, since only one of them is
// true at a time, and their values differ.
func apartValues(a, b clause, x, y gdl.Term, single map[functor]bool) bool {
	if x.Var >= 0 || y.Var >= 0 || x.Name != y.Name || len(x.Args) != len(y.Args) || !single[functor{x.Name, len(x.Args)}] {
		return false
	}
	for i, u := range x.Args {
		if v := y.Args[i]; !canEqual(u, v) || isDistinct(b, v, u) || isDistinct(a, u, v) {
			return true
		}
	}
	return false
}

// isDistinct: the rule says that its variable v is not the constant c.
func isDistinct(r clause, v, c gdl.Term) bool {
	return v.Var >= 0 && c.Var < 0 && isGround([]gdl.Term{c}) && slices.ContainsFunc(r.body, func(l gdl.Literal) bool {
		return l.Kind == gdl.Distinct && (equalTerms(l.Args[0], v) && equalTerms(l.Args[1], c) || equalTerms(l.Args[1], v) && equalTerms(l.Args[0], c))
	})
}
