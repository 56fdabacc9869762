package ground

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

// skipping is the state of a search that may leave out one condition.
type skipping struct {
	allowed bool
	left    *goalList
}

// proves shows that some instance of the atom holds. t.why grows by the
// assumptions used.
func (t *tableau) proves(rel gdl.RelID, args []gdl.Term, off int32, nested int) bool {
	save := t.skip
	t.skip, t.until = skipping{}, t.steps+maxSearchSteps
	mark, slots := len(t.trail), len(t.slots)
	l := gdl.Literal{Kind: gdl.Positive, Atom: gdl.Atom{Rel: rel, Args: args}}
	ok := t.search(&goalList{l: &l, off: off, nested: nested}, func() bool { return true })
	t.undo(mark)
	t.slots = t.slots[:slots]
	t.skip = save
	return ok
}

// search shows the conditions and calls found for each way to do so, until it
// returns true.
func (t *tableau) search(g *goalList, found func() bool) bool {
	if g == nil {
		return found()
	}
	if t.steps++; t.steps > t.until {
		return false
	}
	if g.may && t.skip.allowed && t.skip.left == nil {
		t.skip.left = g
		if t.search(g.next, found) {
			return true
		}
		t.skip.left = nil
	}
	save := t.why
	var ok bool
	switch g.l.Kind {
	case gdl.Positive:
		ok = t.searchPositive(g, found)
	case gdl.Negative:
		ok = t.searchNegative(g, found)
	case gdl.Distinct:
		ok = t.differ(sharedTerm{&g.l.Args[0], g.off}, sharedTerm{&g.l.Args[1], g.off}) && t.search(g.next, found)
	case gdl.Same:
		ok = t.same(sharedTerm{&g.l.Args[0], g.off}, sharedTerm{&g.l.Args[1], g.off}) && t.search(g.next, found)
	}
	if !ok {
		t.why = save
	}
	return ok
}

func (t *tableau) searchPositive(g *goalList, found func() bool) bool {
	why, mark := t.why, len(t.trail)
	try := func(args []gdl.Term, off int32, next *goalList) bool {
		ok := t.unifyAll(g.l.Args, g.off, args, off, true) && t.search(next, found)
		t.undo(mark)
		if !ok {
			t.why = why
		}
		return ok
	}
	for i := range t.holds {
		h := &t.holds[i]
		if h.rel != g.l.Rel || h.copy {
			continue
		}
		t.why |= h.why
		if try(h.args, h.off, g.next) {
			return true
		}
	}
	if table := t.k.facts.known[g.l.Rel]; table != nil {
		return t.searchRows(g, table, try)
	}
	if g.nested == 0 || g.l.Rel == gdl.RelTrue || g.l.Rel == gdl.RelDoes {
		return false
	}
	for _, r := range t.k.rules[g.l.Rel] {
		rule := t.k.rule(r)
		slots := len(t.slots)
		off := t.instance(r, true)
		next := g.next
		for i := len(rule.Body) - 1; i >= 0; i-- {
			next = &goalList{l: &rule.Body[i], off: off, nested: g.nested - 1, next: next}
		}
		ok := try(rule.Head.Args, off, next)
		t.slots = t.slots[:slots]
		if ok {
			return true
		}
	}
	return false
}

// searchRows looks the condition up in a table. An unknown constant in it
// matches nothing.
func (t *tableau) searchRows(g *goalList, table *factTable, try func([]gdl.Term, int32, *goalList) bool) bool {
	f := fact{args: g.l.Args, off: g.off}
	why := t.why
	pick, picked := t.pick(&f, table)
	t.why = why
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

// searchNegative shows that no instance of the atom holds. Its free variables
// become unknown constants for that.
func (t *tableau) searchNegative(g *goalList, found func() bool) bool {
	mark, slots := len(t.trail), len(t.slots)
	defer func() {
		t.undo(mark)
		t.slots = t.slots[:slots]
	}()
	t.fix(g.l.Args, g.off)
	return t.excluded(g.l.Rel, g.l.Args, g.off) && t.search(g.next, found)
}

// fix binds the flexible variables of terms to new unknown constants.
func (t *tableau) fix(terms []gdl.Term, off int32) {
	for i := range terms {
		s, v := t.resolve(sharedTerm{&terms[i], off})
		switch {
		case v >= 0 && t.slots[v].flex:
			t.bind(v, sharedTerm{&anyVariable, t.fresh(1, false)})
		case v < 0:
			t.fix(s.t.Args, s.off)
		}
	}
}

// anyVariable is the variable 0, for terms that are one variable.
var anyVariable gdl.Term

// excluded tells whether the atom, without flexible variables, cannot hold.
func (t *tableau) excluded(rel gdl.RelID, args []gdl.Term, off int32) bool {
	why := t.why
	for i := range t.denied {
		d := &t.denied[i]
		if d.rel != rel {
			continue
		}
		t.why |= d.why
		mark := len(t.trail)
		ok := t.unifyAll(d.args, d.off, args, off, true)
		t.undo(mark)
		if ok {
			return true
		}
		t.why = why
	}
	switch {
	case rel == gdl.RelTrue:
		return t.excludedFluent(sharedTerm{&args[0], off})
	case rel == gdl.RelDoes:
		return t.excludedMove(args, off)
	}
	f := fact{rel: rel, args: args, off: off}
	if n, _ := t.alternatives(&f, 0); n == 0 {
		return true
	}
	t.why = why
	return false
}

// excludedFluent tells whether a fluent of the state excludes this one.
func (t *tableau) excludedFluent(x sharedTerm) bool {
	why := t.why
	for i := range t.holds {
		h := &t.holds[i]
		if h.rel != gdl.RelTrue {
			continue
		}
		for _, c := range t.hypotheses(x) {
			hyp := &t.k.hypotheses[c]
			if !hyp.assumed {
				continue
			}
			for p := range hyp.patterns {
				for q := range hyp.patterns {
					t.why = why | h.why
					y := sharedTerm{&h.args[0], h.off}
					if t.exclude(hyp, p, q, x, y) && (p != q || t.differ(x, y)) {
						t.used[c] = true
						return true
					}
				}
			}
		}
	}
	t.why = why
	return false
}

// excludedMove tells whether the role does another move.
func (t *tableau) excludedMove(args []gdl.Term, off int32) bool {
	why := t.why
	for i := range t.holds {
		h := &t.holds[i]
		if h.rel != gdl.RelDoes {
			continue
		}
		t.why = why | h.why
		if t.same(sharedTerm{&h.args[0], h.off}, sharedTerm{&args[0], off}) &&
			t.differ(sharedTerm{&h.args[1], h.off}, sharedTerm{&args[1], off}) {
			return true
		}
	}
	t.why = why
	return false
}

// differ tells whether two terms certainly differ: by their form, or because
// a fact says so of them or of their arguments.
func (t *tableau) differ(a, b sharedTerm) bool {
	why := t.why
	a, v := t.resolve(a)
	b, w := t.resolve(b)
	if v >= 0 && t.slots[v].flex || w >= 0 && t.slots[w].flex {
		t.why = why
		return false
	}
	known := t.why
	for i := range t.differs {
		d := &t.differs[i]
		for _, p := range [2][2]sharedTerm{{d.a, d.b}, {d.b, d.a}} {
			t.why = known | d.why
			if t.same(p[0], a) && t.same(p[1], b) {
				return true
			}
		}
	}
	t.why = known
	if v < 0 && w < 0 {
		if a.t.Name != b.t.Name || len(a.t.Args) != len(b.t.Args) {
			return true
		}
		for i := range a.t.Args {
			if t.differ(sharedTerm{&a.t.Args[i], a.off}, sharedTerm{&b.t.Args[i], b.off}) {
				return true
			}
		}
	}
	t.why = why
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
func (t *tableau) leave(d fact) bool {
	var out []conclusion
	for _, r := range t.k.rules[d.rel] {
		rule := t.k.rule(r)
		mark, slots := len(t.trail), len(t.slots)
		off := t.instance(r, true)
		t.why = d.why
		if t.unifyAll(d.args, d.off, rule.Head.Args, off, true) {
			var goals *goalList
			for i := len(rule.Body) - 1; i >= 0; i-- {
				goals = &goalList{l: &rule.Body[i], off: off, nested: maxSearchNested - 1, may: true, next: goals}
			}
			t.skip, t.until = skipping{allowed: true}, t.steps+maxSearchSteps
			t.search(goals, func() bool {
				if t.skip.left != nil {
					if c := t.conclude(t.skip.left); !mentionsFrom(c.args, int32(slots)) {
						out = append(out, c)
					}
				}
				return len(out) >= maxConclusions
			})
			t.skip = skipping{}
		}
		t.undo(mark)
		t.slots = t.slots[:slots]
	}
	for i := range out {
		if !t.accept(&out[i], d.depth+1) {
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

func (t *tableau) conclude(g *goalList) conclusion {
	var loose []int32
	why := t.why
	args := t.copyTerms(g.l.Args, g.off, &loose)
	c := conclusion{kind: g.l.Kind, rel: g.l.Rel, args: args, loose: len(loose), why: t.why}
	t.why = why
	return c
}

// accept adds a conclusion unless it is known.
func (t *tableau) accept(c *conclusion, depth int) bool {
	slots := len(t.slots)
	settlePlaceholders(c.args, t.fresh(c.loose, true))
	switch c.kind {
	case gdl.Positive:
		t.why = 0
		for i := range t.denied {
			if d := &t.denied[i]; d.rel == c.rel && t.alike(d, c.args) {
				t.slots = t.slots[:slots]
				return true
			}
		}
		t.denied = append(t.denied, fact{rel: c.rel, args: c.args, why: c.why, depth: depth})
		t.version++
	case gdl.Negative: // some instance holds
		if t.proves(c.rel, c.args, 0, 0) {
			t.slots = t.slots[:slots]
			return true
		}
		for i := range c.loose {
			t.slots[slots+i].flex = false
		}
		t.hold(c.rel, c.args, 0, c.why, depth)
	case gdl.Distinct:
		if c.loose > 0 {
			t.slots = t.slots[:slots]
			return true
		}
		return t.equate(sharedTerm{&c.args[0], 0}, sharedTerm{&c.args[1], 0}, c.why)
	case gdl.Same:
		a, b := sharedTerm{&c.args[0], 0}, sharedTerm{&c.args[1], 0}
		if c.loose == 0 && !t.differ(a, b) {
			t.differs = append(t.differs, difference{a, b, c.why})
			t.version++
		}
	}
	return true
}

// alike tells whether a denied fact is the same but for the numbers of
// flexible variables.
func (t *tableau) alike(d *fact, args []gdl.Term) bool {
	for i := range args {
		if !t.alikeTerms(sharedTerm{&d.args[i], d.off}, sharedTerm{&args[i], 0}) {
			return false
		}
	}
	return true
}

func (t *tableau) alikeTerms(x, y sharedTerm) bool {
	x, v := t.resolve(x)
	y, w := t.resolve(y)
	if v >= 0 || w >= 0 {
		return v == w || v >= 0 && w >= 0 && t.slots[v].flex && t.slots[w].flex
	}
	if x.t.Name != y.t.Name || len(x.t.Args) != len(y.t.Args) {
		return false
	}
	for i := range x.t.Args {
		if !t.alikeTerms(sharedTerm{&x.t.Args[i], x.off}, sharedTerm{&y.t.Args[i], y.off}) {
			return false
		}
	}
	return true
}
