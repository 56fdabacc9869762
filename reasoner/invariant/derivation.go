package invariant

import "semisplit/reasoner/gdl"

// unfoldable tells whether the fact is still to be traced to rules or rows.
func (b *branch) unfoldable(h *fact) bool {
	return !h.done && !h.copy && h.rel != gdl.RelTrue && h.rel != gdl.RelDoes && h.depth < maxUnfolding
}

// alternatives counts the rules, or rows, that may have derived the fact, up
// to a number, and returns the last one counted. why collects the reasons
// against the others.
func (b *branch) alternatives(h *fact, most int) (n, last int) {
	mark := len(b.trail)
	if table := b.k.facts.known[h.rel]; table != nil {
		pick, picked := b.pick(h, table)
		count := table.count
		if picked {
			count = len(pick)
		}
		for k := 0; k < count && n <= most; k++ {
			r := k
			if picked {
				r = int(pick[k])
			}
			if b.unifyAll(h.args, h.off, table.row(int32(r)), 0, false) && !(count <= maxDomain && b.ruledOut(h)) {
				n, last = n+1, r
			}
			b.undo(mark)
		}
		return n, last
	}
	for _, r := range b.k.rules[h.rel] {
		if n > most {
			break
		}
		rule := b.k.rule(r)
		slots := len(b.slots)
		off := b.fresh(len(rule.Vars), false)
		if b.unifyAll(h.args, h.off, rule.Head.Args, off, false) {
			n, last = n+1, int(r)
		}
		b.undo(mark)
		b.slots = b.slots[:slots]
	}
	return n, last
}

// ruledOut tells whether, with a row tentatively chosen, terms that differ are
// equal, or the fluent that the row belongs to is denied.
func (b *branch) ruledOut(h *fact) bool {
	why := b.why
	for i := range b.differs {
		d := &b.differs[i]
		if b.why = why | d.why; b.same(d.a, d.b) {
			return true
		}
	}
	b.why = why
	if h.about == 0 {
		return false
	}
	f := &b.holds[h.about-1]
	for i := range b.denied {
		d := &b.denied[i]
		if d.rel != gdl.RelTrue {
			continue
		}
		b.why = why | d.why | f.why
		mark := len(b.trail)
		ok := b.unifyAll(d.args, d.off, f.args, f.off, true)
		if b.undo(mark); ok {
			return true
		}
	}
	b.why = why
	return false
}

// pick narrows the rows of a table by the argument that leaves the fewest.
func (b *branch) pick(h *fact, table *factTable) (rows []int32, ok bool) {
	for i := range h.args {
		s, v := b.resolve(sharedTerm{&h.args[i], h.off})
		if v >= 0 {
			continue
		}
		if r := table.index[i][s.t.Name]; !ok || len(r) < len(rows) {
			rows, ok = r, true
		}
	}
	return rows, ok
}

// hypotheses lists those that speak of fluents like this one.
func (b *branch) hypotheses(x sharedTerm) []int {
	why := b.why
	f, v := b.resolve(x)
	b.why = why
	if v >= 0 {
		return nil
	}
	return b.k.about[fluentShape{f.t.Name, len(f.t.Args)}]
}

// exclude tells whether the fluents fit two patterns of the hypothesis with
// the same keys: then they are one and the same, or cannot hold together.
func (b *branch) exclude(hyp *candidate, p, q int, x, y sharedTerm) bool {
	x, okx := b.fits(&hyp.Patterns[p], x)
	y, oky := b.fits(&hyp.Patterns[q], y)
	if !okx || !oky {
		return false
	}
	for i, arg := range hyp.Patterns[p].Args {
		if arg.Kind != Key {
			continue
		}
		for j, other := range hyp.Patterns[q].Args {
			if other.Kind == Key && other.Key == arg.Key &&
				!b.same(sharedTerm{&x.t.Args[i], x.off}, sharedTerm{&y.t.Args[j], y.off}) {
				return false
			}
		}
	}
	return true
}

// fits tells whether the term certainly has the form of the pattern, and
// returns it resolved.
func (b *branch) fits(p *Pattern, s sharedTerm) (sharedTerm, bool) {
	s, v := b.resolve(s)
	if v >= 0 || s.t.Name != p.Functor || len(s.t.Args) != len(p.Args) {
		return s, false
	}
	for i := range p.Args {
		if p.Args[i].Kind == Constant && !b.same(sharedTerm{&s.t.Args[i], s.off}, sharedTerm{&p.Args[i].Fixed, 0}) {
			return s, false
		}
	}
	return s, true
}

// differ tells whether two terms certainly differ: by their form, or because
// a fact says so of them or of their arguments.
func (b *branch) differ(x, y sharedTerm) bool {
	why := b.why
	x, v := b.resolve(x)
	y, w := b.resolve(y)
	if v >= 0 && b.slots[v].flex || w >= 0 && b.slots[w].flex {
		b.why = why
		return false
	}
	known := b.why
	for i := range b.differs {
		d := &b.differs[i]
		for _, p := range [2][2]sharedTerm{{d.a, d.b}, {d.b, d.a}} {
			b.why = known | d.why
			if b.same(p[0], x) && b.same(p[1], y) {
				return true
			}
		}
	}
	b.why = known
	if v < 0 && w < 0 {
		if x.t.Name != y.t.Name || len(x.t.Args) != len(y.t.Args) {
			return true
		}
		for i := range x.t.Args {
			if b.differ(sharedTerm{&x.t.Args[i], x.off}, sharedTerm{&y.t.Args[i], y.off}) {
				return true
			}
		}
	}
	b.why = why
	return false
}

// alike tells whether a denied fact is the same but for the numbers of
// flexible variables.
func (b *branch) alike(d *fact, args []gdl.Term) bool {
	for i := range args {
		if !b.alikeTerms(sharedTerm{&d.args[i], d.off}, sharedTerm{&args[i], 0}) {
			return false
		}
	}
	return true
}

func (b *branch) alikeTerms(x, y sharedTerm) bool {
	x, v := b.resolve(x)
	y, w := b.resolve(y)
	if v >= 0 || w >= 0 {
		return v == w || v >= 0 && w >= 0 && b.slots[v].flex && b.slots[w].flex
	}
	if x.t.Name != y.t.Name || len(x.t.Args) != len(y.t.Args) {
		return false
	}
	for i := range x.t.Args {
		if !b.alikeTerms(sharedTerm{&x.t.Args[i], x.off}, sharedTerm{&y.t.Args[i], y.off}) {
			return false
		}
	}
	return true
}
