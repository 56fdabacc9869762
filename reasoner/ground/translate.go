package ground

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// translator takes over the rules of a program.
type translator struct{ *helpers }

// translate turns the rules that the game's outcome depends on into rules to
// be joined: equalities are substituted, variables that only a negated
// literal mentions go into helpers, and rules that can have no ground
// instance vanish.
func (tr *translator) translate() {
	p := tr.program
	tr.relations = make([]relation, len(p.Relations))
	tr.atoms.rels = make([]extension, len(p.Relations))
	for i, rel := range p.Relations {
		tr.relations[i].name = p.Symbols.Name(rel.Name)
	}
	tr.relations[gdl.RelTrue].input = true
	for _, role := range tr.game.Roles {
		if role.HasLegalMove >= 0 {
			tr.relations[role.HasLegalMove].input = true
		}
		for _, level := range role.Levels {
			for _, c := range level.Choices {
				tr.relations[c.Select].input = true
			}
		}
	}
	needed := tr.relevant()
	for i := range p.Rules {
		src := &p.Rules[i]
		if !needed[src.Head.Rel] || tr.relations[src.Head.Rel].input {
			continue
		}
		tr.heed()
		if r, ok := tr.rule(src); ok {
			tr.addRule(r)
		}
	}
	tr.stable()
	tr.group()
}

// relevant marks the relations that the roots rest on.
func (tr *translator) relevant() []bool {
	needed := make([]bool, len(tr.program.Relations))
	stack := tr.rootRelations()
	for len(stack) > 0 {
		rel := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if needed[rel] {
			continue
		}
		needed[rel] = true
		for _, i := range tr.program.Relations[rel].Rules {
			for _, l := range tr.program.Rules[i].Body {
				if l.Kind == gdl.Positive || l.Kind == gdl.Negative {
					stack = append(stack, int32(l.Rel))
				}
			}
		}
	}
	return needed
}

// rule translates one rule; false if it can never fire.
func (tr *translator) rule(src *gdl.Rule) (*rule, bool) {
	s := substitution{store: tr.store, to: make([]*pattern, len(src.Vars))}
	for _, l := range src.Body {
		if l.Kind == gdl.Same && !s.unify(tr.pattern(l.Args[0]), tr.pattern(l.Args[1])) {
			return nil, false
		}
	}
	lit := func(a gdl.Atom) literal {
		out := literal{rel: int32(a.Rel), args: make([]pattern, len(a.Args))}
		for i, t := range a.Args {
			out.args[i] = s.apply(tr.pattern(t))
		}
		return out
	}
	r := &rule{head: lit(src.Head), vars: len(src.Vars)}
	for _, l := range src.Body {
		switch l.Kind {
		case gdl.Positive:
			r.pos = append(r.pos, lit(l.Atom))
		case gdl.Negative:
			r.neg = append(r.neg, lit(l.Atom))
		case gdl.Distinct:
			r.distinct = append(r.distinct, [2]pattern{s.apply(tr.pattern(l.Args[0])), s.apply(tr.pattern(l.Args[1]))})
		}
	}
	tr.weigh(r)
	return r, tr.settle(r)
}

// settle handles the variables that no positive literal binds.
func (tr *translator) settle(r *rule) bool {
	bound := r.bound()
	free := func(vars func(func(int32))) (some bool) {
		vars(func(v int32) { some = some || !bound[v] })
		return some
	}
	if free(r.head.vars) {
		return false // no ground instance
	}
	for i := range r.neg {
		if free(r.neg[i].vars) {
			r.neg[i] = tr.exists(r.neg[i], func(v int32) bool { return bound[v] })
		}
	}
	// An inequality with an unbound side holds.
	r.distinct = slices.DeleteFunc(r.distinct, func(d [2]pattern) bool { return free(d[0].vars) || free(d[1].vars) })
	for _, d := range r.distinct {
		if d[0].id != 0 && d[0].id == d[1].id {
			return false
		}
	}
	return true
}
