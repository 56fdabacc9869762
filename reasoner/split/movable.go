package split

import (
	"fmt"
	"slices"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
)

// ending rewrites a rule that only terminal and goal lead to. Where it asks
// whether a role has any legal move, the role's HasLegalMove input answers.
func (s *splitter) ending(c clause, e *endings) {
	c = e.renamed(c)
	for i := 0; i < len(c.body); i++ {
		f := s.asksOffer(c.body[i])
		if f == nil {
			continue
		}
		without, ok := s.freed(c, i, f)
		if !ok {
			continue
		}
		if l := c.body[i]; l.Kind == gdl.Negative {
			if less, ok := s.noMove(c, f.role); ok {
				c, i = less, -1
			}
			continue
		}
		l := c.body[i]
		forms := e.siblings[siblingKey(without, l, f)]
		if !slices.Contains(forms, f) {
			forms = []*splitForm{f} // the rule has been changed since
		}
		if any, ok := s.anyMove(f.role, forms, l.Pos); ok {
			at := slices.IndexFunc(without.body, func(m gdl.Literal) bool { return sameLiteral(m, l) })
			c = without.with(at, gdl.Literal{Kind: gdl.Positive, Atom: any})
			i = -1
		}
	}
	s.plainRule(c)
}

// endings is what is known of the rules that terminal and goal lead to.
type endings struct {
	copies   map[gdl.RelID]gdl.RelID // relations of their own, where others use them, too
	siblings map[string][]*splitForm // the forms that rules ask for which are else alike
}

// renamed makes the rule use the copies.
func (e *endings) renamed(c clause) clause {
	if to, ok := e.copies[c.head.Rel]; ok {
		c.head.Rel = to
	}
	for i, l := range c.body {
		if to, ok := e.copies[l.Rel]; ok && l.Rel >= 0 {
			l.Rel = to
			c = c.with(i, l)
		}
	}
	return c
}

// asksOffer is the form whose whole moves the literal asks for; nil if none.
func (s *splitter) asksOffer(l gdl.Literal) *splitForm {
	if l.Rel < 0 {
		return nil
	}
	if f := s.forms[l.Rel]; f != nil && f.orth.Offer == l.Rel {
		return f
	}
	return nil
}

// addSiblings notes which forms a rule asks for.
func (s *splitter) addSiblings(c clause, e *endings) {
	c = e.renamed(c)
	for i, l := range c.body {
		if f := s.asksOffer(l); f != nil && l.Kind == gdl.Positive {
			if without, ok := s.freed(c, i, f); ok {
				key := siblingKey(without, l, f)
				e.siblings[key] = append(e.siblings[key], f)
			}
		}
	}
}

// siblingKey spells a rule that asks for any move of a form without the form.
func siblingKey(c clause, offer gdl.Literal, f *splitForm) string {
	at := slices.IndexFunc(c.body, func(m gdl.Literal) bool { return sameLiteral(m, offer) })
	r := c.with(at).rule()
	return string(fmt.Appendf(nil, "%d %s", f.role, ruleKey(&r)))
}

// noMove replaces the negations of offers of a role in a rule by one, where
// together they say that the role has no move of some forms.
func (s *splitter) noMove(c clause, role int) (less clause, ok bool) {
	var forms []*splitForm
	var rest []gdl.Literal
	var pos kif.Pos
	for i, l := range c.body {
		if f := s.asksOffer(l); f != nil && f.role == role && l.Kind == gdl.Negative {
			if _, ok := s.freed(c, i, f); ok {
				forms, pos = append(forms, f), l.Pos
				continue
			}
		}
		rest = append(rest, l)
	}
	any, ok := s.anyMove(role, forms, pos)
	if ok {
		c.body = append(rest, gdl.Literal{Kind: gdl.Negative, Atom: any})
	}
	return c, ok
}

// freed drops from the rule the conditions on the arguments of an offer that
// every legal move fulfils. ok says that no others are left: the rule asks for
// any move of the form.
func (s *splitter) freed(c clause, at int, f *splitForm) (without clause, ok bool) {
	offer := c.body[at]
	vars := make([]bool, len(c.vars))
	for i, t := range offer.Args {
		if t.Var < 0 || vars[t.Var] {
			return c, false
		}
		vars[offer.Args[i].Var] = true
	}
	headed := false
	varsIn(c.head.Args, func(v int32) { headed = headed || vars[v] })
	if headed {
		return c, false
	}
	count := c.occurrences()
	var body []gdl.Literal
	for i, l := range c.body {
		if i == at || !anyVar(l, vars) {
			body = append(body, l)
			continue
		}
		if offer.Kind != gdl.Positive || l.Kind != gdl.Positive || !s.implied(f, offer, l, vars, count) {
			return c, false
		}
	}
	c.body = body
	return c, true
}

// implied says whether every rule for the offer has a condition that the
// literal follows from. Variables that occur nowhere else stand for any value.
func (s *splitter) implied(f *splitForm, offer, l gdl.Literal, argument []bool, count []int) bool {
	return !slices.ContainsFunc(s.base.rules[f.orth.Offer], func(r clause) bool {
		heed(s.base.ctx)
		return !slices.ContainsFunc(s.withFacts(r, l.Rel), func(m gdl.Literal) bool {
			return m.Kind == gdl.Positive && m.Rel == l.Rel && s.instance(offer, r, l, m, argument, count)
		})
	})
}

// withFacts are the conditions of a rule, and the facts of a relation, which
// hold as well.
func (s *splitter) withFacts(r clause, rel gdl.RelID) []gdl.Literal {
	out := slices.Clone(r.body)
	p := s.base.game.Program
	if rel >= gdl.NumKeywordRelations && isTable(p, rel) {
		for _, i := range p.Relations[rel].Rules {
			out = append(out, gdl.Literal{Kind: gdl.Positive, Atom: p.Rules[i].Head})
		}
	}
	return out
}

// instance: the condition m of a rule for the offer is an instance of l, read
// with the arguments that the rule's head gives.
func (s *splitter) instance(offer gdl.Literal, r clause, l, m gdl.Literal, argument []bool, count []int) bool {
	for i, t := range l.Args {
		switch {
		case t.Var >= 0 && argument[t.Var]:
			at := slices.IndexFunc(offer.Args, func(a gdl.Term) bool { return a.Var == t.Var })
			if !equalTerms(r.head.Args[at], m.Args[i]) {
				return false
			}
		case t.Var >= 0 && count[t.Var] == 1:
		case t.Var >= 0 || !isGround([]gdl.Term{t}) || !equalTerms(t, m.Args[i]):
			return false
		}
	}
	return true
}

// anyMove is an atom that says that the role has a legal move of one of the
// forms. ok is false if that cannot be told from whether it has a legal move at
// all.
//
// It can if the other forms are not split, and are never legal together with
// these: then there is a move of these if there is one and none of the others.
func (s *splitter) anyMove(role int, forms []*splitForm, pos kif.Pos) (atom gdl.Atom, ok bool) {
	var rest []*splitForm
	key := "movable "
	for _, c := range s.base.game.Roles[role].Levels[0].Choices {
		g := s.forms[c.Offer]
		if slices.Contains(forms, g) {
			key += fmt.Sprintf("%d ", c.Offer)
			continue
		}
		if len(s.base.rules[c.Offer]) == 0 {
			continue
		}
		if len(g.plan.Groups) > 1 || slices.ContainsFunc(forms, func(f *splitForm) bool { return !s.exclusive(f, g) }) {
			return gdl.Atom{}, false
		}
		rest = append(rest, g)
	}
	r := &s.roles[role]
	name := s.out.Symbols.Name(s.out.Roles[role].Name)
	if r.HasLegalMove < 0 {
		r.HasLegalMove = addRelation(s.out, "movable#"+name, 0)
	}
	if len(rest) == 0 {
		return gdl.Atom{Rel: r.HasLegalMove, Pos: pos}, true
	}
	rel, made := s.ahead[key]
	if !made {
		rel = addRelation(s.out, "movable#"+name+"#forms", 0)
		s.ahead[key] = rel
		s.emit(s.butNot(rel, r.HasLegalMove, rest))
	}
	return gdl.Atom{Rel: rel, Pos: pos}, true
}

// butNot is the rule: movable, and no move of the forms.
func (s *splitter) butNot(head, movable gdl.RelID, forms []*splitForm) clause {
	c := clause{head: gdl.Atom{Rel: head}}
	c.body = []gdl.Literal{{Kind: gdl.Positive, Atom: gdl.Atom{Rel: movable}}}
	for _, g := range forms {
		a := gdl.Atom{Rel: g.orth.Offer}
		for _, n := range g.plan.Names {
			a.Args = append(a.Args, c.fresh(n))
		}
		c.body = append(c.body, gdl.Literal{Kind: gdl.Negative, Atom: a})
	}
	return c
}

// exclusive says whether no state has legal moves of both forms.
func (s *splitter) exclusive(f, g *splitForm) bool {
	return s.base.exclusiveOffers(f.orth.Offer, g.orth.Offer)
}

func (b *base) exclusiveOffers(x, y gdl.RelID) bool {
	for _, r := range b.rules[x] {
		for _, q := range b.rules[y] {
			heed(b.ctx)
			if !contradict(r, q, b.single) {
				return false
			}
		}
	}
	return true
}
