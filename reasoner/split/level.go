package split

import (
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
)

// waiting are the relations whose negation is tested at the verify level: those
// that need a recursion over fluents, and that some rule negates for arguments
// of two groups, as a test whether the king is attacked after the move.
func (b *base) waiting(rules []clause, groups [][]int) map[gdl.RelID]bool {
	out := make(map[gdl.RelID]bool)
	for _, r := range rules {
		for _, l := range r.body {
			if l.Kind != gdl.Negative || !b.recurs[l.Rel] {
				continue
			}
			spans := 0
			for _, g := range groups {
				if mentionsAny(l, headVars(r, g)) {
					spans++
				}
			}
			if spans >= 2 {
				out[l.Rel] = true
			}
		}
	}
	return out
}

// waits says whether a literal is left to the verify level. Without arguments
// it is tested at once.
func (f *splitForm) waits(r *clause, l gdl.Literal) bool {
	return l.Kind == gdl.Negative && f.waiting[l.Rel] && mentionsAny(l, headVars(*r, allArguments(len(r.head.Args))))
}

// findTested finds the literals that all rules of the form have in common and
// that are settled by an early level: later levels need not ask them again.
func (s *splitter) findTested(f *splitForm) {
	rules := s.base.rules[f.orth.Offer]
	f.tested = make([]map[string]int, len(rules))
	for i := range rules {
		f.tested[i] = make(map[string]int)
		for _, l := range rules[i].body {
			if key, level, ok := f.literalKey(&rules[i], l); ok && !f.waits(&rules[i], l) {
				f.tested[i][key] = level
			}
		}
	}
	for i := range rules {
		for key := range f.tested[i] {
			heed(s.base.ctx)
			for j := range rules {
				if _, ok := f.tested[j][key]; !ok {
					f.tested[i][key] = len(f.groups)
				}
			}
		}
	}
}

// literalKey spells a literal in terms of arguments, and tells the level at
// which the last of them is chosen. ok is false if it has variables that are no
// arguments.
func (f *splitForm) literalKey(r *clause, l gdl.Literal) (key string, level int, ok bool) {
	by := make([]gdl.Term, len(r.vars))
	for i := range by {
		by[i] = gdl.Term{Var: -1}
	}
	for i := len(r.head.Args) - 1; i >= 0; i-- {
		if v := r.head.Args[i].Var; v >= 0 {
			by[v] = gdl.Term{Var: int32(i)}
		}
	}
	ok = true
	varsIn(l.Args, func(v int32) {
		if by[v].Var < 0 {
			ok = false
			return
		}
		level = max(level, f.levelOf(int(by[v].Var)))
	})
	if !ok {
		return "", 0, false
	}
	a := l.Atom
	a.Args = make([]gdl.Term, len(l.Args))
	for i, t := range l.Args {
		a.Args[i] = replace(t, by)
	}
	return string(atomKey([]byte{byte('0' + l.Kind)}, a)), level, true
}

func (f *splitForm) levelOf(argument int) int {
	return slices.IndexFunc(f.groups, func(g []int) bool { return slices.Contains(g, argument) })
}

// view is a rule of legal seen from a level: what it knows of the variables.
type view struct {
	known []bool // chosen at this level or before
	later []bool // chosen later
}

func (f *splitForm) view(r *clause, level int) view {
	v := view{make([]bool, len(r.vars)), make([]bool, len(r.vars))}
	for i, t := range r.head.Args {
		if f.levelOf(i) <= level {
			varsIn([]gdl.Term{t}, func(x int32) { v.known[x] = true })
		}
	}
	for i, t := range r.head.Args {
		if f.levelOf(i) > level {
			varsIn([]gdl.Term{t}, func(x int32) { v.later[x] = !v.known[x] })
		}
	}
	return v
}

func anyVar(l gdl.Literal, set []bool) bool {
	found := false
	varsIn(l.Args, func(v int32) { found = found || set[v] })
	return found
}

// level is the offer of a level by one of the rules of legal.
func (s *splitter) level(f *splitForm, rule, level int) clause {
	r := s.base.rules[f.orth.Offer][rule]
	c := clause{vars: slices.Clone(r.vars), pos: r.pos, head: gdl.Atom{Rel: f.offer[level], Pos: r.pos}}
	for _, argument := range f.groups[level] {
		c.head.Args = append(c.head.Args, r.head.Args[argument])
	}
	c.body = f.selected(r.head.Args, level)
	conditions := s.untested(f, rule, level)
	if level == len(f.groups)-1 {
		c.body = append(c.body, slices.DeleteFunc(conditions, func(l gdl.Literal) bool { return f.waits(&r, l) })...)
	} else {
		s.early(f, &r, level, conditions, &c)
	}
	return f.withoutIdle(s.bind(c, &r))
}

// untested are the conditions of the rule but for those that were tested at
// earlier levels.
func (s *splitter) untested(f *splitForm, rule, level int) []gdl.Literal {
	r := &s.base.rules[f.orth.Offer][rule]
	var out []gdl.Literal
	for _, l := range r.body {
		if key, _, ok := f.literalKey(r, l); ok {
			if at, common := f.tested[rule][key]; common && at < level {
				continue
			}
		}
		out = append(out, l)
	}
	return out
}

// bind adds conditions of the rule until all variables of the head and of tests
// are bound.
func (s *splitter) bind(c clause, r *clause) clause {
	for {
		bound := c.boundVars()
		missing := func(v int32) bool { return !bound[v] }
		need := false
		varsIn(c.head.Args, func(v int32) { need = need || missing(v) })
		for _, l := range c.body {
			if l.Kind == gdl.Distinct || l.Kind == gdl.Same {
				varsIn(l.Args, func(v int32) { need = need || missing(v) })
			}
		}
		if !need {
			return c
		}
		at := slices.IndexFunc(r.body, func(l gdl.Literal) bool {
			if l.Kind != gdl.Positive {
				return false
			}
			binds := false
			varsIn(l.Args, func(v int32) { binds = binds || missing(v) })
			return binds
		})
		if at < 0 {
			w := r.rule()
			panic(unbound{s.base.game.Program.RuleKIF(&w).String()})
		}
		c.body = append(c.body, r.body[at])
	}
}

// early adds the conditions of a level that is not the last: those without
// later variables as they are; positive ones with later variables for any value
// of these; and what can be seen of the next level.
func (s *splitter) early(f *splitForm, r *clause, level int, conditions []gdl.Literal, c *clause) {
	v := f.view(r, level)
	ahead, covered := s.lookAhead(f, r, level, conditions)
	for _, l := range conditions {
		if l.Kind != gdl.Positive || covered(l) {
			continue
		}
		if !anyVar(l, v.later) {
			c.body = append(c.body, l)
		} else if l, ok := anyLater(c, l, &v); ok {
			c.body = append(c.body, l)
		}
	}
	if ahead != nil {
		c.body = append(c.body, *ahead)
	}
	all, now := r.boundVars(), c.boundVars()
	for _, l := range conditions {
		if l.Kind == gdl.Positive || anyVar(l, v.later) || f.waits(r, l) {
			continue
		}
		unbound := false
		varsIn(l.Args, func(x int32) {
			unbound = unbound || (all[x] || l.Kind != gdl.Negative) && !now[x] && !v.known[x]
		})
		if !unbound {
			c.body = append(c.body, l)
		}
	}
}

// anyLater is the literal for any value of the variables that are chosen later.
// ok is false if nothing else would be left of it.
func anyLater(c *clause, l gdl.Literal, v *view) (out gdl.Literal, ok bool) {
	by := make([]gdl.Term, len(c.vars))
	for x := range by {
		by[x] = gdl.Term{Var: int32(x)}
	}
	varsIn(l.Args, func(x int32) {
		if int(x) < len(v.later) && v.later[x] {
			if by[x].Var == x {
				by[x] = c.fresh(c.vars[x])
			}
		} else {
			ok = true
		}
	})
	args := make([]gdl.Term, len(l.Args))
	for i, t := range l.Args {
		args[i] = replace(t, by)
	}
	l.Args = args
	return l, ok
}

// lookAhead is a condition that the next level has a choice, as far as a level
// can say it by looking at the next one alone (and at the one after that, in the
// same way). It is worth its gates only where a tight relation ties the next
// choice to what is known: then few choices are to be tried. covered says of a
// literal that the condition implies it.
func (s *splitter) lookAhead(f *splitForm, r *clause, level int, conditions []gdl.Literal) (ahead *gdl.Literal, covered func(gdl.Literal) bool) {
	none := func(gdl.Literal) bool { return false }
	if level+1 >= len(f.groups) || s.plan.NoLookahead {
		return nil, none
	}
	v, next := f.view(r, level), f.view(r, level+1)
	steps := func(l gdl.Literal) bool { return anyVar(l, v.later) && !anyVar(l, next.later) && !f.waits(r, l) }
	tied := make([]bool, len(r.vars))
	for _, l := range conditions {
		if l.Kind != gdl.Positive || !steps(l) || !s.base.tight[l.Rel] {
			continue
		}
		holds := false
		varsIn(l.Args, func(x int32) { holds = holds || !v.later[x] })
		varsIn(l.Args, func(x int32) { tied[x] = tied[x] || holds })
	}
	inside := clause{vars: slices.Clone(r.vars), pos: r.pos}
	dynamic := false
	for _, l := range conditions {
		if l.Kind == gdl.Positive && steps(l) {
			loose := false
			varsIn(l.Args, func(x int32) { loose = loose || v.later[x] && !tied[x] })
			if loose {
				return nil, none
			}
			inside.body = append(inside.body, l)
		}
		dynamic = dynamic || steps(l) && s.base.dynamic(l.Rel)
	}
	if len(inside.body) == 0 || !dynamic {
		return nil, none
	}
	positives := len(inside.body)
	bound := inside.boundVars()
	if more, _ := s.lookAhead(f, r, level+1, conditions); more != nil {
		safe := true
		varsIn(more.Args, func(x int32) { safe = safe && bound[x] })
		if safe {
			inside.body = append(inside.body, *more)
		}
	}
	all := r.boundVars()
	for _, l := range conditions {
		if l.Kind == gdl.Positive || !steps(l) {
			continue
		}
		with, ok := bindTest(inside, l, conditions, &v, all)
		if ok {
			inside = with
			inside.body = append(inside.body, l)
		}
	}
	return s.aheadLiteral(f, r, level, inside, conditions), func(l gdl.Literal) bool {
		return slices.ContainsFunc(inside.body[:positives], func(m gdl.Literal) bool { return sameLiteral(l, m) })
	}
}

// bindTest adds conditions on what is known until all variables of a test are
// bound that the whole rule binds. ok is false if that cannot be done.
func bindTest(c clause, test gdl.Literal, conditions []gdl.Literal, v *view, all []bool) (with clause, ok bool) {
	c.body = slices.Clip(c.body)
	for {
		bound := c.boundVars()
		missing := int32(-1)
		varsIn(test.Args, func(x int32) {
			if !bound[x] && (test.Kind != gdl.Negative || all[x]) {
				missing = x
			}
		})
		if missing < 0 {
			return c, true
		}
		at := slices.IndexFunc(conditions, func(l gdl.Literal) bool {
			return l.Kind == gdl.Positive && !anyVar(l, v.later) && mentionsAny(l, []int32{missing})
		})
		if at < 0 {
			return c, false
		}
		c.body = append(c.body, conditions[at])
	}
}

func sameLiteral(a, b gdl.Literal) bool {
	return a.Kind == b.Kind && a.Rel == b.Rel && slices.EqualFunc(a.Args, b.Args, equalTerms)
}

// aheadLiteral makes the conditions a relation of what is known and of the
// variables that other conditions share.
func (s *splitter) aheadLiteral(f *splitForm, r *clause, level int, inside clause, conditions []gdl.Literal) *gdl.Literal {
	v := f.view(r, level)
	shared := slices.Clone(v.known)
	for _, l := range conditions {
		if slices.ContainsFunc(inside.body, func(m gdl.Literal) bool { return sameLiteral(l, m) }) {
			continue
		}
		varsIn(l.Args, func(x int32) { shared[x] = shared[x] || !v.later[x] })
	}
	bound := inside.boundVars()
	for x := range r.vars {
		if shared[x] && bound[x] && anyOf(inside.body, int32(x)) {
			inside.head.Args = append(inside.head.Args, gdl.Term{Var: int32(x)})
		}
	}
	atom := gdl.Atom{Args: inside.head.Args, Pos: r.pos}
	rule := inside.rule()
	key := ruleKey(&rule)
	rel, ok := s.ahead[key]
	if !ok {
		name := s.out.Symbols.Name(s.out.Relations[f.offer[level]].Name)
		rel = addRelation(s.out, fmt.Sprintf("ahead%s", name[len("offer"):]), len(inside.head.Args))
		s.ahead[key] = rel
		inside.head.Rel = rel
		s.emit(inside)
		s.inside[rel] = inside
	}
	atom.Rel = rel
	return &gdl.Literal{Kind: gdl.Positive, Atom: atom}
}

func anyOf(body []gdl.Literal, v int32) bool {
	return slices.ContainsFunc(body, func(l gdl.Literal) bool { return mentionsAny(l, []int32{v}) })
}

// verify makes the rules of the verify level: the whole rule once more for
// forms with tests that waited, nothing for the others.
func (s *splitter) verify(offer gdl.RelID, forms []*splitForm) {
	for _, f := range forms {
		if len(f.waiting) == 0 {
			s.pass(offer, []*splitForm{f})
			continue
		}
		f.plan.Levels = append(f.plan.Levels, nil)
		for i, r := range s.base.rules[f.orth.Offer] {
			c := clause{vars: slices.Clone(r.vars), pos: r.pos, head: gdl.Atom{Rel: offer, Pos: r.pos}}
			c.body = append(f.selected(r.head.Args, len(f.groups)), s.untested(f, i, len(f.groups))...)
			c = f.withoutIdle(s.bind(c, &r))
			s.emit(c)
			f.describe(s, len(f.plan.Groups), c)
		}
	}
}
