package ground

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// project rewrites the rules that ask for moves. In one joint move a role
// does one thing, so each literal that shares variables with a does literal
// can be looked up on its own at the move that is done:
//
//	h :- does(r, m(V)), L1(V, X), not L2(V, X), A(X)
//
// becomes, with sel(V') the projections of does(r, m(V)),
//
//	h :- sel(), L1'(X), not L2'(X), A(X)
//	L1'(X) :- sel(V1), L1(V1, X)        V1: those of V that L1 mentions
//
// and the instances are a sum over the literals instead of a product. The
// guard sel() says that a move of this shape is done; variables of V that the
// head mentions are its arguments.
func (g *grounder) project() {
	rules := g.dynamic
	g.dynamic = nil
	for _, r := range rules {
		for i := 0; i < len(r.pos); i++ {
			if r.pos[i].rel == int32(gdl.RelDoes) {
				p := projection{g: g, rule: r, move: r.pos[i]}
				if out, ok := p.run(i); ok {
					r, i = out, -1
				}
			}
		}
		g.dynamic = append(g.dynamic, r)
	}
}

// projection rewrites a rule for one of its does literals.
type projection struct {
	g      *grounder
	rule   *rule
	move   literal
	role   []pattern // the variable of the role, or nothing
	chosen []int32   // variables of the move
	shown  []int32   // those that the head mentions
	out    rule
	guard  rule // the body of the guard: the move, and what is fixed about it
}

// run returns the rewritten rule; false if there is nothing to gain, or an
// inequality stands in the way.
func (p *projection) run(at int) (*rule, bool) {
	role := p.move.args[0]
	if role.v >= 0 {
		p.role = []pattern{role}
	}
	p.move.args[1].vars(func(v int32) {
		if v != role.v && !slices.Contains(p.chosen, v) {
			p.chosen = append(p.chosen, v)
		}
	})
	head := p.rule.head.varSet()
	for _, v := range p.chosen {
		if slices.Contains(head, v) {
			p.shown = append(p.shown, v)
		}
	}
	if len(p.shown) == len(p.chosen) && p.alone(at) {
		return nil, false
	}
	p.out = rule{head: p.rule.head, vars: p.rule.vars}
	p.guard.pos = []literal{p.move}
	for i, l := range p.rule.pos {
		if i != at {
			p.positive(l)
		}
	}
	for _, l := range p.rule.neg {
		p.negative(l)
	}
	for _, d := range p.rule.distinct {
		if !p.unequal(d) {
			return nil, false
		}
	}
	guard := p.g.helper(append(slices.Clone(p.role), variables(p.shown)...), &p.guard)
	p.out.pos = append([]literal{guard}, p.out.pos...)
	return &p.out, true
}

// alone tells whether no literal could be looked up on its own: the head
// shows the whole move, and what speaks of it is static.
func (p *projection) alone(at int) bool {
	for i, l := range p.rule.pos {
		mine, others := p.split(l.varSet())
		if i != at && len(mine) > 0 && len(others) == 0 && p.g.relations[l.rel].dynamic {
			return false
		}
	}
	for _, l := range p.rule.neg {
		mine, others := p.split(l.varSet())
		if len(mine) > 0 && len(others) == 0 && p.g.relations[l.rel].dynamic {
			return false
		}
	}
	return true
}

// split parts variables into those of the move and the others; the role is
// neither.
func (p *projection) split(vars []int32) (mine, others []int32) {
	for _, v := range vars {
		switch {
		case slices.Contains(p.chosen, v):
			mine = append(mine, v)
		case len(p.role) == 0 || v != p.role[0].v:
			others = append(others, v)
		}
	}
	return mine, others
}

// joined tells whether a literal stays as it is, joined with the guard: the
// head shows all its variables of the move, and it either only filters or
// has variables of its own to bind.
func (p *projection) joined(l literal, mine, others []int32) bool {
	for _, v := range mine {
		if !slices.Contains(p.shown, v) {
			return false
		}
	}
	return len(others) > 0 || !p.g.relations[l.rel].dynamic
}

func (p *projection) positive(l literal) {
	mine, others := p.split(l.varSet())
	switch static := !p.g.relations[l.rel].dynamic; {
	case len(mine) == 0, p.joined(l, mine, others):
		p.out.pos = append(p.out.pos, l)
	case static && len(others) == 0:
		p.guard.pos = append(p.guard.pos, l)
	case static && p.complement(l, mine, others):
	default:
		p.out.pos = append(p.out.pos, p.lookup(l, mine, others))
	}
}

func (p *projection) negative(l literal) {
	mine, others := p.split(l.varSet())
	switch static := !p.g.relations[l.rel].dynamic; {
	case len(mine) == 0, p.joined(l, mine, others):
		p.out.neg = append(p.out.neg, l)
	case static && len(others) == 0:
		p.guard.neg = append(p.guard.neg, l)
	default:
		p.out.neg = append(p.out.neg, p.lookup(l, mine, others))
	}
}

// unequal rewrites an inequality: z differs from the selected v if v = z is
// not selected.
func (p *projection) unequal(d [2]pattern) bool {
	l := literal{args: d[:]}
	mine, others := p.split(l.varSet())
	shown := !slices.ContainsFunc(mine, func(v int32) bool { return !slices.Contains(p.shown, v) })
	switch {
	case len(mine) == 0, shown && len(others) > 0:
		p.out.distinct = append(p.out.distinct, d)
		return true
	case len(others) == 0:
		p.guard.distinct = append(p.guard.distinct, d)
		return true
	case d[0].v < 0 || d[1].v < 0 || len(mine) != 1:
		return false
	}
	sel := p.selected(mine)
	sel.args = append(slices.Clone(p.role), variable(others[0]))
	p.out.neg = append(p.out.neg, sel)
	return true
}

// selected is a literal over the role and some variables of the move: these
// are the values in the move that is done.
func (p *projection) selected(mine []int32) literal {
	return p.g.helper(append(slices.Clone(p.role), variables(mine)...), &rule{pos: []literal{p.move}})
}

// lookup is the literal at the move that is done.
func (p *projection) lookup(l literal, mine, others []int32) literal {
	sel := p.move
	if len(mine) < len(p.chosen) {
		sel = p.selected(mine)
	}
	return p.g.helper(append(slices.Clone(p.role), variables(others)...), &rule{pos: []literal{sel, l}})
}

// complement looks up a static relation that holds for most values as the
// negation of the few for which it does not.
func (p *projection) complement(l literal, mine, others []int32) bool {
	c, ok := p.g.complementOf(l, mine, others)
	if !ok {
		return false
	}
	p.guard.pos = append(p.guard.pos, literal{c.mine, variables(mine)})
	p.out.pos = append(p.out.pos, literal{c.others, variables(others)})
	missing := literal{c.missing, variables(append(slices.Clone(mine), others...))}
	p.out.neg = append(p.out.neg, p.lookup(missing, mine, others))
	return true
}

func variables(vs []int32) []pattern {
	out := make([]pattern, len(vs))
	for i, v := range vs {
		out[i] = variable(v)
	}
	return out
}
