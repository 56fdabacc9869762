package split

import (
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
)

// others rewrites the rules that are no offers: what asked for the whole move
// asks for the selections, and what asks whether a split role has a legal move
// is answered by an input, or by the rules for whole moves.
func (s *splitter) others() {
	p := s.base.game.Program
	end := s.reach(gdl.RelTerminal, gdl.RelGoal)
	rest := s.reach(s.playing()...)
	e := &endings{copies: s.endCopies(end, rest), siblings: make(map[string][]*splitForm)}
	asks := make(map[gdl.RelID]bool)
	for r := range end {
		// what else asks for terminal and goal gets the exact answer, and so do they
		asks[r] = !s.isOffer(r) && s.asksOffers(r) && !(r < gdl.NumKeywordRelations && rest[r])
	}
	for i := range p.Rules {
		if c := newClause(&p.Rules[i]); asks[c.head.Rel] {
			s.addSiblings(c, e)
		}
	}
	for i := range p.Rules {
		heed(s.base.ctx)
		head := p.Rules[i].Head.Rel
		if s.isOffer(head) {
			continue
		}
		c := newClause(&p.Rules[i])
		if asks[head] {
			s.ending(c, e)
			if !rest[head] {
				continue
			}
		}
		s.plainRule(c)
	}
	s.exactOffers()
}

// playing are the relations that are asked for while the game goes on.
func (s *splitter) playing() []gdl.RelID {
	out := []gdl.RelID{gdl.RelNext, gdl.RelInit}
	for _, r := range s.base.game.Roles {
		for _, c := range r.Levels[0].Choices {
			out = append(out, c.Offer)
		}
	}
	return out
}

// isOffer: the relation is an Offer relation of the orthodox game.
func (s *splitter) isOffer(rel gdl.RelID) bool {
	for _, r := range s.base.game.Roles {
		if slices.ContainsFunc(r.Levels[0].Choices, func(c Choice) bool { return c.Offer == rel }) {
			return true
		}
	}
	return false
}

// reach are the relations that the given ones use, they included. It does not
// look into offers.
func (s *splitter) reach(from ...gdl.RelID) map[gdl.RelID]bool {
	p := s.base.game.Program
	out := make(map[gdl.RelID]bool)
	for _, r := range from {
		out[r] = true
	}
	roots := len(from)
	for i := 0; i < len(from); i++ {
		if i >= roots && s.isOffer(from[i]) {
			continue
		}
		for _, ri := range p.Relations[from[i]].Rules {
			for _, l := range p.Rules[ri].Body {
				if l.Rel >= 0 && !out[l.Rel] {
					out[l.Rel] = true
					from = append(from, l.Rel)
				}
			}
		}
	}
	return out
}

// asksOffers says whether a relation asks for offers of a split role, directly
// or not.
func (s *splitter) asksOffers(rel gdl.RelID) bool {
	heed(s.base.ctx)
	for r := range s.reach(rel) {
		if f := s.forms[r]; f != nil && r == f.orth.Offer && r != rel {
			return true
		}
	}
	return false
}

// endCopies gives relations that ask for offers, and are used both by terminal
// or goal and elsewhere, a second relation for the former.
func (s *splitter) endCopies(end, rest map[gdl.RelID]bool) map[gdl.RelID]gdl.RelID {
	out := make(map[gdl.RelID]gdl.RelID)
	for rel := range s.base.game.Program.Relations {
		r := gdl.RelID(rel)
		if end[r] && rest[r] && r >= gdl.NumKeywordRelations && !s.isOffer(r) && s.asksOffers(r) {
			name := s.out.Symbols.Name(s.out.Relations[r].Name)
			out[r] = addRelation(s.out, name+"#end", s.out.Relations[r].Arity)
		}
	}
	return out
}

// plainRule replaces whole moves by selections.
func (s *splitter) plainRule(c clause) {
	var body []gdl.Literal
	count := c.occurrences()
	for _, l := range c.body {
		f := s.forms[l.Rel]
		switch {
		case l.Rel < 0 || f == nil || l.Rel == f.orth.Offer:
			body = append(body, l)
		case l.Kind == gdl.Negative:
			body = append(body, s.notSelected(f, l))
		default:
			body = append(body, f.asked(l, count)...)
		}
	}
	c.body = body
	s.emit(c)
}

// asked are the selections that a literal of the whole move needs: those of
// groups that the rule says anything about, or one.
func (f *splitForm) asked(l gdl.Literal, count []int) []gdl.Literal {
	all := f.selected(l.Args, len(f.groups))
	var out []gdl.Literal
	for _, g := range all {
		if slices.ContainsFunc(g.Args, func(t gdl.Term) bool { return t.Var < 0 || count[t.Var] > 1 }) {
			out = append(out, g)
		}
	}
	if len(out) > 0 {
		return out
	}
	return []gdl.Literal{slices.MinFunc(all, func(a, b gdl.Literal) int { return len(a.Args) - len(b.Args) })}
}

// notSelected is the negation of a literal of the whole move.
func (s *splitter) notSelected(f *splitForm, l gdl.Literal) gdl.Literal {
	if f.whole < 0 {
		c := clause{}
		for _, n := range f.plan.Names {
			c.head.Args = append(c.head.Args, c.fresh(n))
		}
		f.whole = addRelation(s.out, s.out.Symbols.Name(s.out.Relations[f.orth.Select].Name)+"#all", len(c.head.Args))
		c.head.Rel = f.whole
		c.body = f.selected(c.head.Args, len(f.groups))
		s.emit(c)
	}
	l.Rel = f.whole
	return l
}

// exactOffers keeps the rules for whole moves of split roles where rules still
// ask for them.
func (s *splitter) exactOffers() {
	p := s.base.game.Program
	kept := make(map[gdl.RelID]bool)
	for i := 0; i < len(s.out.Rules); i++ {
		for _, l := range s.out.Rules[i].Body {
			f := s.asksOffer(l)
			if f == nil || kept[l.Rel] {
				continue
			}
			kept[l.Rel] = true
			for _, r := range p.Relations[l.Rel].Rules {
				s.emit(newClause(&p.Rules[r]))
			}
			if len(f.groups) > 1 {
				s.notes = append(s.notes, fmt.Sprintf("%s: rules ask which moves %s are legal, so their whole rules are kept beside the levels", s.plan.Roles[f.role].Role, f.plan.Form))
			}
		}
	}
	slices.Sort(s.notes)
	s.notes = slices.Compact(s.notes)
}
