package ground

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// literal is an atom with variables.
type literal struct {
	rel  int32
	args []pattern
}

// rule is a clause in the form that is joined: what binds, what is looked up
// once everything is bound, and inequalities.
type rule struct {
	head     literal
	pos, neg []literal
	distinct [][2]pattern
	vars     int // number of variables
	plans    []*plan
}

func (l *literal) vars(f func(int32)) {
	for i := range l.args {
		l.args[i].vars(f)
	}
}

// varSet lists the variables of a literal, each once, in order of occurrence.
func (l *literal) varSet() []int32 {
	var out []int32
	l.vars(func(v int32) {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	})
	return out
}

// bound tells which variables the positive literals bind.
func (r *rule) bound() []bool {
	b := make([]bool, r.vars)
	for i := range r.pos {
		r.pos[i].vars(func(v int32) { b[v] = true })
	}
	return b
}

// translate turns the rules that the game's outcome depends on into rules to
// be joined: equalities are substituted, variables that only a negated
// literal mentions go into helpers, and rules that can have no ground
// instance vanish.
func (g *grounder) translate() {
	p := g.program
	g.relations = make([]relation, len(p.Relations))
	g.atoms.rels = make([]extension, len(p.Relations))
	for i, rel := range p.Relations {
		g.relations[i].name = p.Symbols.Name(rel.Name)
	}
	g.relations[gdl.RelTrue].input = true
	for _, role := range g.game.Roles {
		if role.Movable >= 0 {
			g.relations[role.Movable].input = true
		}
		for _, level := range role.Levels {
			for _, c := range level.Choices {
				g.relations[c.Select].input = true
			}
		}
	}
	needed := g.relevant()
	for i := range p.Rules {
		src := &p.Rules[i]
		if !needed[src.Head.Rel] || g.relations[src.Head.Rel].input {
			continue
		}
		if r, ok := g.rule(src); ok {
			g.addRule(r)
		}
	}
	g.stable()
	g.group()
}

// addRule files a rule under its head.
func (g *grounder) addRule(r *rule) {
	rel := &g.relations[r.head.rel]
	rel.rules = append(rel.rules, r)
}

// roots lists the relations that are asked for from outside.
func (g *grounder) rootRelations() []int32 {
	out := []int32{int32(gdl.RelInit), int32(gdl.RelNext), int32(gdl.RelGoal), int32(gdl.RelTerminal)}
	for _, role := range g.game.Roles {
		for _, level := range role.Levels {
			for _, c := range level.Choices {
				out = append(out, int32(c.Offer))
			}
		}
	}
	return out
}

// relevant marks the relations that the roots rest on.
func (g *grounder) relevant() []bool {
	needed := make([]bool, len(g.program.Relations))
	stack := g.rootRelations()
	for len(stack) > 0 {
		rel := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if needed[rel] {
			continue
		}
		needed[rel] = true
		for _, i := range g.program.Relations[rel].Rules {
			for _, l := range g.program.Rules[i].Body {
				if l.Kind == gdl.Positive || l.Kind == gdl.Negative {
					stack = append(stack, int32(l.Rel))
				}
			}
		}
	}
	return needed
}

// rule translates one rule; false if it can never fire.
func (g *grounder) rule(src *gdl.Rule) (*rule, bool) {
	s := substitution{store: g.store, to: make([]*pattern, len(src.Vars))}
	for _, l := range src.Body {
		if l.Kind == gdl.Same && !s.unify(g.pattern(l.Args[0]), g.pattern(l.Args[1])) {
			return nil, false
		}
	}
	lit := func(a gdl.Atom) literal {
		out := literal{rel: int32(a.Rel), args: make([]pattern, len(a.Args))}
		for i, t := range a.Args {
			out.args[i] = s.apply(g.pattern(t))
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
			r.distinct = append(r.distinct, [2]pattern{s.apply(g.pattern(l.Args[0])), s.apply(g.pattern(l.Args[1]))})
		}
	}
	return r, g.settle(r)
}

// settle handles the variables that no positive literal binds.
func (g *grounder) settle(r *rule) bool {
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
			r.neg[i] = g.exists(r.neg[i], func(v int32) bool { return bound[v] })
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

// exists returns a literal over the kept variables of l that holds if l
// holds for some value of its others.
func (g *grounder) exists(l literal, keep func(int32) bool) literal {
	var kept []pattern
	for _, v := range l.varSet() {
		if keep(v) {
			kept = append(kept, variable(v))
		}
	}
	return g.helper(kept, &rule{pos: []literal{l}})
}

// pattern converts a term of the program.
func (g *grounder) pattern(t gdl.Term) pattern {
	if t.Var >= 0 {
		return variable(t.Var)
	}
	args := make([]pattern, len(t.Args))
	for i, a := range t.Args {
		args[i] = g.pattern(a)
	}
	return compound(g.store, t.Name, args)
}

// substitution replaces variables that equalities fix.
type substitution struct {
	store *gdl.Store
	to    []*pattern
}

func (s *substitution) apply(p pattern) pattern {
	return p.replace(s.store, func(v int32) pattern {
		if s.to[v] == nil {
			return variable(v)
		}
		return s.apply(*s.to[v])
	})
}

func (s *substitution) unify(a, b pattern) bool {
	a, b = s.apply(a), s.apply(b)
	switch {
	case a.v >= 0 && a.v == b.v:
		return true
	case a.v >= 0:
		occurs := false
		b.vars(func(v int32) { occurs = occurs || v == a.v })
		s.to[a.v] = &b
		if occurs {
			s.to[a.v] = nil
		}
		return !occurs
	case b.v >= 0:
		return s.unify(b, a)
	case a.id != 0 && b.id != 0:
		return a.id == b.id
	}
	a, b = s.open(a), s.open(b)
	if a.fn != b.fn || len(a.args) != len(b.args) {
		return false
	}
	for i := range a.args {
		if !s.unify(a.args[i], b.args[i]) {
			return false
		}
	}
	return true
}

// open shows a ground term as a functor with arguments.
func (s *substitution) open(p pattern) pattern {
	if p.id == 0 {
		return p
	}
	out := pattern{v: -1, fn: s.store.Functor(p.id)}
	for _, a := range s.store.Args(p.id) {
		out.args = append(out.args, constant(a))
	}
	return out
}
