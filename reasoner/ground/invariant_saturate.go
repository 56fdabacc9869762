package ground

import (
	"semisplit/reasoner/gdl"
)

// saturate draws all conclusions that need no distinction. It returns false on
// a contradiction, with the assumptions that it rests on in t.why.
func (t *tableau) saturate() bool {
	for seen := -1; seen != t.version; {
		if t.exhausted() {
			return true
		}
		seen = t.version
		if !t.checkDiffers() || !t.checkPairs() || !t.narrow() {
			return false
		}
		// Searches cost most: they wait until nothing else is new.
		if seen == t.version && !t.checkDenied() {
			return false
		}
	}
	return true
}

// checkDiffers fails if two terms that differ are equal.
func (t *tableau) checkDiffers() bool {
	for i := range t.differs {
		d := &t.differs[i]
		t.why = d.why
		if t.same(d.a, d.b) {
			return false
		}
	}
	return true
}

// checkPairs equates what must be equal in pairs of facts: the moves of a
// role, the values of a functional fluent, and the rows of a static relation.
func (t *tableau) checkPairs() bool {
	from := 0
	if t.pairedIn == t.bound {
		from = t.paired
	}
	values := t.bound
	for i := from; i < len(t.holds); i++ {
		for j := range i {
			a, b := &t.holds[j], &t.holds[i]
			if a.rel != b.rel || a.copy || b.copy {
				continue
			}
			if t.sameArgs(a, b.args, b.off) {
				t.merge(j, i)
				continue
			}
			ok := true
			switch table := t.k.facts.known[a.rel]; {
			case a.rel == gdl.RelTrue:
				ok = t.checkFluents(a, b)
			case a.rel == gdl.RelDoes:
				t.why = a.why | b.why
				if t.same(sharedTerm{&a.args[0], a.off}, sharedTerm{&b.args[0], b.off}) {
					ok = t.equate(sharedTerm{&a.args[1], a.off}, sharedTerm{&b.args[1], b.off}, t.why)
				}
			case table != nil:
				ok = t.checkRows(table, a, b)
			}
			if !ok {
				return false
			}
		}
	}
	t.paired, t.pairedIn = len(t.holds), values
	return true
}

// merge keeps one of two facts that have become the same.
func (t *tableau) merge(first, second int) {
	if t.holds[second].done && !t.holds[first].done {
		second = first
	}
	t.holds[second].copy = true
	t.undone = append(t.undone, ^int32(second))
}

// checkRows equates two facts of a static relation if the arguments that are
// equal determine the others.
func (t *tableau) checkRows(table *factTable, a, b *fact) bool {
	why, set := a.why|b.why, uint32(0)
	for i := range a.args {
		t.why = 0
		if t.same(sharedTerm{&a.args[i], a.off}, sharedTerm{&b.args[i], b.off}) {
			set |= 1 << i
			why |= t.why
		}
	}
	if set == 1<<len(a.args)-1 || len(a.args) > 8 || !table.determines(set) {
		return true
	}
	for i := range a.args {
		if !t.equate(sharedTerm{&a.args[i], a.off}, sharedTerm{&b.args[i], b.off}, why) {
			return false
		}
	}
	return true
}

// checkFluents applies the hypotheses to two fluents of the state.
func (t *tableau) checkFluents(a, b *fact) bool {
	x, y := sharedTerm{&a.args[0], a.off}, sharedTerm{&b.args[0], b.off}
	for _, h := range t.hypotheses(x) {
		hyp := &t.k.hypotheses[h]
		for p := range hyp.patterns {
			for q := range hyp.patterns {
				t.why = a.why | b.why
				if !hyp.assumed || !t.exclude(hyp, p, q, x, y) {
					continue
				}
				t.used[h] = true
				if p != q || !t.equate(x, y, t.why) {
					return false
				}
			}
		}
	}
	return true
}

// hypotheses lists those that speak of fluents like this one.
func (t *tableau) hypotheses(x sharedTerm) []int {
	why := t.why
	f, v := t.resolve(x)
	t.why = why
	if v >= 0 {
		return nil
	}
	return t.k.about[fluentShape{f.t.Name, len(f.t.Args)}]
}

// exclude tells whether the fluents fit two patterns of the hypothesis with
// the same keys: then they are one and the same, or cannot hold together.
func (t *tableau) exclude(hyp *candidate, p, q int, x, y sharedTerm) bool {
	x, okx := t.fits(&hyp.patterns[p], x)
	y, oky := t.fits(&hyp.patterns[q], y)
	if !okx || !oky {
		return false
	}
	for i, arg := range hyp.patterns[p].args {
		if arg.role != argKey {
			continue
		}
		for j, other := range hyp.patterns[q].args {
			if other.role == argKey && other.key == arg.key &&
				!t.same(sharedTerm{&x.t.Args[i], x.off}, sharedTerm{&y.t.Args[j], y.off}) {
				return false
			}
		}
	}
	return true
}

// fits tells whether the term certainly has the form of the pattern, and
// returns it resolved.
func (t *tableau) fits(p *fluentPattern, s sharedTerm) (sharedTerm, bool) {
	s, v := t.resolve(s)
	if v >= 0 || s.t.Name != p.functor || len(s.t.Args) != len(p.args) {
		return s, false
	}
	for i := range p.args {
		if p.args[i].role == argConstant && !t.same(sharedTerm{&s.t.Args[i], s.off}, sharedTerm{&p.args[i].fixed, 0}) {
			return s, false
		}
	}
	return s, true
}

// narrow looks for facts that nothing derives, and follows those that only one
// rule or row derives.
func (t *tableau) narrow() bool {
	for i := 0; i < len(t.holds) && !t.exhausted(); i++ {
		h := &t.holds[i]
		if !t.unfoldable(h) {
			continue
		}
		table := t.k.facts.known[h.rel]
		if h.seen == t.bound && (table == nil || table.count > maxDomain) {
			continue
		}
		h.seen = t.bound
		own := h.why
		t.why = own
		if !t.checkLoose(h) {
			return false
		}
		t.why = own
		n, last := t.alternatives(h, 1)
		if n == 0 {
			return false
		}
		// What excludes the others is a reason for what follows.
		if n == 1 && !t.derive(i, last, own|t.why) {
			return false
		}
	}
	return true
}

// checkLoose fails if the fact cannot hold in any state.
func (t *tableau) checkLoose(h *fact) bool {
	if t.k.facts.known[h.rel] != nil || t.k.facts.loose[h.rel] == nil {
		return true
	}
	table := t.k.facts.loose[h.rel]
	mark := len(t.trail)
	pick, picked := t.pick(h, table)
	n := table.count
	if picked {
		n = len(pick)
	}
	for k := range n {
		if picked {
			k = int(pick[k])
		}
		ok := t.unifyAll(h.args, h.off, table.row(int32(k)), 0, false)
		t.undo(mark)
		if ok {
			return true
		}
	}
	return false
}

// checkDenied looks for denied facts that hold, and for what they leave: if
// all conditions of a rule but one hold, the last one does not.
func (t *tableau) checkDenied() bool {
	for i := 0; i < len(t.denied); i++ {
		if t.exhausted() {
			return true
		}
		d := t.denied[i]
		t.why = d.why
		if t.proves(d.rel, d.args, d.off, maxSearchNested) {
			return false
		}
		if d.depth < maxDenials && t.k.facts.known[d.rel] == nil && !t.leave(d) {
			return false
		}
	}
	return true
}
