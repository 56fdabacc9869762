package invariant

import (
	"semisplit/reasoner/gdl"
)

// A search shows that conditions hold in a case, from its facts, whatever the
// unknown constants are. It binds flexible variables only.

// goalList are conditions to be shown, one after the other.
type goalList struct {
	l      *gdl.Literal
	off    int32
	nested int  // rules that may still be applied
	may    bool // the condition may be left out, if no other is
	next   *goalList
}

// search looks for ways in which conditions hold in a branch.
type search struct {
	b     *branch
	skip  skipping
	until int // steps at which it gives up
}

// skipping is the state of a search that may leave out one condition.
type skipping struct {
	allowed bool
	left    *goalList
}

// proves shows that some instance of the atom holds. why grows by the
// assumptions used.
func (s *search) proves(rel gdl.RelID, args []gdl.Term, off int32, nested int) bool {
	save := s.skip
	s.skip, s.until = skipping{}, s.b.steps+maxSearchSteps
	mark, slots := len(s.b.trail), len(s.b.slots)
	l := gdl.Literal{Kind: gdl.Positive, Atom: gdl.Atom{Rel: rel, Args: args}}
	ok := s.show(&goalList{l: &l, off: off, nested: nested}, func() bool { return true })
	s.b.undo(mark)
	s.b.slots = s.b.slots[:slots]
	s.skip = save
	return ok
}

// search shows the conditions and calls found for each way to do so, until it
// returns true.
func (s *search) show(g *goalList, found func() bool) bool {
	if g == nil {
		return found()
	}
	if s.b.steps++; s.b.steps > s.until {
		return false
	}
	if g.may && s.skip.allowed && s.skip.left == nil {
		s.skip.left = g
		if s.show(g.next, found) {
			return true
		}
		s.skip.left = nil
	}
	save := s.b.why
	var ok bool
	switch g.l.Kind {
	case gdl.Positive:
		ok = s.showPositive(g, found)
	case gdl.Negative:
		ok = s.showNegative(g, found)
	case gdl.Distinct:
		ok = s.b.differ(sharedTerm{&g.l.Args[0], g.off}, sharedTerm{&g.l.Args[1], g.off}) && s.show(g.next, found)
	case gdl.Same:
		ok = s.b.same(sharedTerm{&g.l.Args[0], g.off}, sharedTerm{&g.l.Args[1], g.off}) && s.show(g.next, found)
	}
	if !ok {
		s.b.why = save
	}
	return ok
}

func (s *search) showPositive(g *goalList, found func() bool) bool {
	why, mark := s.b.why, len(s.b.trail)
	try := func(args []gdl.Term, off int32, next *goalList) bool {
		ok := s.b.unifyAll(g.l.Args, g.off, args, off, true) && s.show(next, found)
		s.b.undo(mark)
		if !ok {
			s.b.why = why
		}
		return ok
	}
	for i := range s.b.holds {
		h := &s.b.holds[i]
		if h.rel != g.l.Rel || h.copy {
			continue
		}
		s.b.why |= h.why
		if try(h.args, h.off, g.next) {
			return true
		}
	}
	if table := s.b.k.facts.known[g.l.Rel]; table != nil {
		return s.showInRows(g, table, try)
	}
	if g.nested == 0 || g.l.Rel == gdl.RelTrue || g.l.Rel == gdl.RelDoes {
		return false
	}
	for _, r := range s.b.k.rules[g.l.Rel] {
		rule := s.b.k.rule(r)
		slots := len(s.b.slots)
		off := s.b.instance(r, true)
		next := g.next
		for i := len(rule.Body) - 1; i >= 0; i-- {
			next = &goalList{l: &rule.Body[i], off: off, nested: g.nested - 1, next: next}
		}
		ok := try(rule.Head.Args, off, next)
		s.b.slots = s.b.slots[:slots]
		if ok {
			return true
		}
	}
	return false
}

// showInRows looks the condition up in a table. An unknown constant in it
// matches nothing.
func (s *search) showInRows(g *goalList, table *factTable, try func([]gdl.Term, int32, *goalList) bool) bool {
	f := fact{args: g.l.Args, off: g.off}
	why := s.b.why
	pick, picked := s.b.pick(&f, table)
	s.b.why = why
	n := table.count
	if picked {
		n = len(pick)
	}
	for k := range n {
		if picked {
			k = int(pick[k])
		}
		if try(table.row(int32(k)), 0, g.next) {
			return true
		}
	}
	return false
}

// showNegative shows that no instance of the atom holds. Its free variables
// become unknown constants for that.
func (s *search) showNegative(g *goalList, found func() bool) bool {
	mark, slots := len(s.b.trail), len(s.b.slots)
	defer func() {
		s.b.undo(mark)
		s.b.slots = s.b.slots[:slots]
	}()
	s.b.fix(g.l.Args, g.off)
	return s.excluded(g.l.Rel, g.l.Args, g.off) && s.show(g.next, found)
}

// excluded tells whether the atom, without flexible variables, cannot hold.
func (s *search) excluded(rel gdl.RelID, args []gdl.Term, off int32) bool {
	why := s.b.why
	for i := range s.b.denied {
		d := &s.b.denied[i]
		if d.rel != rel {
			continue
		}
		s.b.why |= d.why
		mark := len(s.b.trail)
		ok := s.b.unifyAll(d.args, d.off, args, off, true)
		s.b.undo(mark)
		if ok {
			return true
		}
		s.b.why = why
	}
	switch {
	case rel == gdl.RelTrue:
		return s.excludedFluent(sharedTerm{&args[0], off})
	case rel == gdl.RelDoes:
		return s.excludedMove(args, off)
	}
	f := fact{rel: rel, args: args, off: off}
	if n, _ := s.b.alternatives(&f, 0); n == 0 {
		return true
	}
	s.b.why = why
	return false
}

// excludedFluent tells whether a fluent of the state excludes this one.
func (s *search) excludedFluent(x sharedTerm) bool {
	why := s.b.why
	for i := range s.b.holds {
		h := &s.b.holds[i]
		if h.rel != gdl.RelTrue {
			continue
		}
		for _, c := range s.b.hypotheses(x) {
			hyp := &s.b.k.hypotheses[c]
			if !hyp.assumed {
				continue
			}
			for p := range hyp.Patterns {
				for q := range hyp.Patterns {
					s.b.why = why | h.why
					y := sharedTerm{&h.args[0], h.off}
					if s.b.exclude(hyp, p, q, x, y) && (p != q || s.b.differ(x, y)) {
						s.b.used[c] = true
						return true
					}
				}
			}
		}
	}
	s.b.why = why
	return false
}

// excludedMove tells whether the role does another move.
func (s *search) excludedMove(args []gdl.Term, off int32) bool {
	why := s.b.why
	for i := range s.b.holds {
		h := &s.b.holds[i]
		if h.rel != gdl.RelDoes {
			continue
		}
		s.b.why = why | h.why
		if s.b.same(sharedTerm{&h.args[0], h.off}, sharedTerm{&args[0], off}) &&
			s.b.differ(sharedTerm{&h.args[1], h.off}, sharedTerm{&args[1], off}) {
			return true
		}
	}
	s.b.why = why
	return false
}

// conclusion is what is left of a denied fact's rule when all its other
// conditions hold.
type conclusion struct {
	kind  gdl.LiteralKind // of the condition that does not hold
	rel   gdl.RelID
	args  []gdl.Term
	loose int // placeholders in it
	why   uint64
}

// leave applies the rules of a denied fact backwards. It returns false on a
// contradiction.
func (s *search) leave(d fact) bool {
	var out []conclusion
	for _, r := range s.b.k.rules[d.rel] {
		rule := s.b.k.rule(r)
		mark, slots := len(s.b.trail), len(s.b.slots)
		off := s.b.instance(r, true)
		s.b.why = d.why
		if s.b.unifyAll(d.args, d.off, rule.Head.Args, off, true) {
			var goals *goalList
			for i := len(rule.Body) - 1; i >= 0; i-- {
				goals = &goalList{l: &rule.Body[i], off: off, nested: maxSearchNested - 1, may: true, next: goals}
			}
			s.skip, s.until = skipping{allowed: true}, s.b.steps+maxSearchSteps
			s.show(goals, func() bool {
				if s.skip.left != nil {
					if c := s.conclude(s.skip.left); !mentionsFrom(c.args, int32(slots)) {
						out = append(out, c)
					}
				}
				return len(out) >= maxConclusions
			})
			s.skip = skipping{}
		}
		s.b.undo(mark)
		s.b.slots = s.b.slots[:slots]
	}
	for i := range out {
		if !s.accept(&out[i], d.depth+1) {
			return false
		}
	}
	return true
}

// mentionsFrom tells whether terms hold a variable that the search made.
func mentionsFrom(terms []gdl.Term, from int32) bool {
	for i := range terms {
		if v := terms[i].Var; v >= from && v < placeholder || mentionsFrom(terms[i].Args, from) {
			return true
		}
	}
	return false
}

func (s *search) conclude(g *goalList) conclusion {
	var loose []int32
	why := s.b.why
	args := s.b.copyTerms(g.l.Args, g.off, &loose)
	c := conclusion{kind: g.l.Kind, rel: g.l.Rel, args: args, loose: len(loose), why: s.b.why}
	s.b.why = why
	return c
}

// accept adds a conclusion unless it is known.
func (s *search) accept(c *conclusion, depth int) bool {
	slots := len(s.b.slots)
	settlePlaceholders(c.args, s.b.fresh(c.loose, true))
	switch c.kind {
	case gdl.Positive:
		s.b.why = 0
		for i := range s.b.denied {
			if d := &s.b.denied[i]; d.rel == c.rel && s.b.alike(d, c.args) {
				s.b.slots = s.b.slots[:slots]
				return true
			}
		}
		s.b.denied = append(s.b.denied, fact{rel: c.rel, args: c.args, why: c.why, depth: depth})
		s.b.version++
	case gdl.Negative: // some instance holds
		if s.proves(c.rel, c.args, 0, 0) {
			s.b.slots = s.b.slots[:slots]
			return true
		}
		for i := range c.loose {
			s.b.slots[slots+i].flex = false
		}
		s.b.hold(c.rel, c.args, 0, c.why, depth)
	case gdl.Distinct:
		if c.loose > 0 {
			s.b.slots = s.b.slots[:slots]
			return true
		}
		return s.b.equate(sharedTerm{&c.args[0], 0}, sharedTerm{&c.args[1], 0}, c.why)
	case gdl.Same:
		a, b := sharedTerm{&c.args[0], 0}, sharedTerm{&c.args[1], 0}
		if c.loose == 0 && !s.b.differ(a, b) {
			s.b.differs = append(s.b.differs, difference{a, b, c.why})
			s.b.version++
		}
	}
	return true
}
