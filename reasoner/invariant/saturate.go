package invariant

import (
	"semisplit/reasoner/gdl"
)

// saturate draws all conclusions that need no distinction. It returns false on
// a contradiction, with the assumptions that it rests on in why.
func (t *tableau) saturate() bool {
	for seen := -1; seen != t.b.version; {
		if t.b.exhausted() {
			return true
		}
		seen = t.b.version
		if !t.checkDiffers() || !t.checkPairs() || !t.narrow() {
			return false
		}
		// Searches cost most: they wait until nothing else is new.
		if seen == t.b.version && !t.checkDenied() {
			return false
		}
	}
	return true
}

// checkDiffers fails if two terms that differ are equal.
func (t *tableau) checkDiffers() bool {
	for i := range t.b.differs {
		d := &t.b.differs[i]
		t.b.why = d.why
		if t.b.same(d.a, d.b) {
			return false
		}
	}
	return true
}

// checkPairs equates what must be equal in pairs of facts: the moves of a
// role, the values of a functional fluent, and the rows of a static relation.
func (t *tableau) checkPairs() bool {
	from := 0
	if t.b.pairedIn == t.b.bound {
		from = t.b.paired
	}
	values := t.b.bound
	for i := from; i < len(t.b.holds); i++ {
		for j := range i {
			a, b := &t.b.holds[j], &t.b.holds[i]
			if a.rel != b.rel || a.copy || b.copy {
				continue
			}
			if t.b.sameArgs(a, b.args, b.off) {
				t.merge(j, i)
				continue
			}
			ok := true
			switch table := t.b.k.facts.known[a.rel]; {
			case a.rel == gdl.RelTrue:
				ok = t.checkFluents(a, b)
			case a.rel == gdl.RelDoes:
				t.b.why = a.why | b.why
				if t.b.same(sharedTerm{&a.args[0], a.off}, sharedTerm{&b.args[0], b.off}) {
					ok = t.b.equate(sharedTerm{&a.args[1], a.off}, sharedTerm{&b.args[1], b.off}, t.b.why)
				}
			case table != nil:
				ok = t.checkRows(table, a, b)
			}
			if !ok {
				return false
			}
		}
	}
	t.b.paired, t.b.pairedIn = len(t.b.holds), values
	return true
}

// merge keeps one of two facts that have become the same.
func (t *tableau) merge(first, second int) {
	if t.b.holds[second].done && !t.b.holds[first].done {
		second = first
	}
	t.b.holds[second].copy = true
	t.b.undone = append(t.b.undone, ^int32(second))
}

// checkRows equates two facts of a static relation if the arguments that are
// equal determine the others.
func (t *tableau) checkRows(table *factTable, a, b *fact) bool {
	why, set := a.why|b.why, uint32(0)
	for i := range a.args {
		t.b.why = 0
		if t.b.same(sharedTerm{&a.args[i], a.off}, sharedTerm{&b.args[i], b.off}) {
			set |= 1 << i
			why |= t.b.why
		}
	}
	if set == 1<<len(a.args)-1 || len(a.args) > 8 || !table.determines(set) {
		return true
	}
	for i := range a.args {
		if !t.b.equate(sharedTerm{&a.args[i], a.off}, sharedTerm{&b.args[i], b.off}, why) {
			return false
		}
	}
	return true
}

// checkFluents applies the hypotheses to two fluents of the state.
func (t *tableau) checkFluents(a, b *fact) bool {
	x, y := sharedTerm{&a.args[0], a.off}, sharedTerm{&b.args[0], b.off}
	for _, h := range t.b.hypotheses(x) {
		hyp := &t.b.k.hypotheses[h]
		for p := range hyp.Patterns {
			for q := range hyp.Patterns {
				t.b.why = a.why | b.why
				if !hyp.assumed || !t.b.exclude(hyp, p, q, x, y) {
					continue
				}
				t.b.used[h] = true
				if p != q || !t.b.equate(x, y, t.b.why) {
					return false
				}
			}
		}
	}
	return true
}

// narrow looks for facts that nothing derives, and follows those that only one
// rule or row derives.
func (t *tableau) narrow() bool {
	for i := 0; i < len(t.b.holds) && !t.b.exhausted(); i++ {
		h := &t.b.holds[i]
		if !t.b.unfoldable(h) {
			continue
		}
		table := t.b.k.facts.known[h.rel]
		if h.seen == t.b.bound && (table == nil || table.count > maxDomain) {
			continue
		}
		h.seen = t.b.bound
		own := h.why
		t.b.why = own
		if !t.checkLoose(h) {
			return false
		}
		t.b.why = own
		n, last := t.b.alternatives(h, 1)
		if n == 0 {
			return false
		}
		// What excludes the others is a reason for what follows.
		if n == 1 && !t.derive(i, last, own|t.b.why) {
			return false
		}
	}
	return true
}

// checkLoose fails if the fact cannot hold in any state.
func (t *tableau) checkLoose(h *fact) bool {
	if t.b.k.facts.known[h.rel] != nil || t.b.k.facts.loose[h.rel] == nil {
		return true
	}
	table := t.b.k.facts.loose[h.rel]
	mark := len(t.b.trail)
	pick, picked := t.b.pick(h, table)
	n := table.count
	if picked {
		n = len(pick)
	}
	for k := range n {
		if picked {
			k = int(pick[k])
		}
		ok := t.b.unifyAll(h.args, h.off, table.row(int32(k)), 0, false)
		t.b.undo(mark)
		if ok {
			return true
		}
	}
	return false
}

// checkDenied looks for denied facts that hold, and for what they leave: if
// all conditions of a rule but one hold, the last one does not.
func (t *tableau) checkDenied() bool {
	for i := 0; i < len(t.b.denied); i++ {
		if t.b.exhausted() {
			return true
		}
		d := t.b.denied[i]
		t.b.why = d.why
		if t.search.proves(d.rel, d.args, d.off, maxSearchNested) {
			return false
		}
		if d.depth < maxDenials && t.b.k.facts.known[d.rel] == nil && !t.search.leave(d) {
			return false
		}
	}
	return true
}
