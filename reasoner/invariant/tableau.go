package invariant

import (
	"semisplit/reasoner/gdl"
)

// tableau is a proof. It tries to show that a set of literals, about unknown constants, can
// hold in no reachable state under any legal joint move. It draws conclusions
// until nothing is new (saturate), then distinguishes the rules by which one
// of the facts may have been derived, and goes on in each case, a branch. Every
// branch must end in a contradiction.
//
// What it knows beside the literals:
//   - the rules, and the extensions of small static relations;
//   - the hypotheses: invariants of the state in which the move is done;
//   - a role does at most one move, and a legal one, as long as moves do not
//     decide what is legal.
type tableau struct {
	b      *branch
	search search
}

// refute tries to close the case. why names the assumptions that the
// contradiction rests on.
func (t *tableau) refute(level int) (closed bool, why uint64) {
	t.b.cases++
	if t.b.exhausted() || t.b.ctx.Err() != nil {
		return false, 0
	}
	if !t.saturate() {
		return true, t.b.why
	}
	if level >= maxProofLevel || len(t.b.holds) > maxProofFacts {
		return false, 0
	}
	at, ok := t.choose()
	if !ok {
		return false, 0
	}
	return t.distinguish(at, level)
}

// choose picks the fact whose derivations are distinguished next: what has
// the fewest, and recursive relations last.
func (t *tableau) choose() (at int, ok bool) {
	best := 1 << 30
	for i := range t.b.holds {
		h := &t.b.holds[i]
		if !t.b.unfoldable(h) {
			continue
		}
		if cost := t.cost(h, best); cost < best {
			best, at, ok = cost, i, true
		}
	}
	return at, ok
}

// cost rates the distinction of a fact's derivations, up to a number. Many
// rows are worse than many rules, from which more follows; what a fluent's
// argument can be is tried last.
func (t *tableau) cost(h *fact, most int) int {
	if t.b.k.facts.known[h.rel] == nil {
		n, _ := t.b.alternatives(h, most)
		switch {
		case t.b.k.p.Relations[h.rel].Cyclic:
			return n + 10_000*(1+h.depth)
		case h.rel != gdl.RelLegal:
			return n + 10*h.depth
		}
		return n
	}
	n, _ := t.b.alternatives(h, maxStaticSplit)
	switch {
	case n > maxStaticSplit:
		return most
	case h.about > 0:
		return n*(n+1) + 100_000
	}
	return n * (n + 1)
}

// distinguish closes the case by closing it for every derivation of a fact.
func (t *tableau) distinguish(at, level int) (closed bool, why uint64) {
	h := t.b.holds[at]
	bit := uint64(1) << level
	t.b.why = h.why
	total := h.why
	var options []int
	t.b.why = 0
	if table := t.b.k.facts.known[h.rel]; table != nil {
		pick, picked := t.b.pick(&h, table)
		for k := range table.count {
			if picked && k >= len(pick) {
				break
			}
			if picked {
				k = int(pick[k])
			}
			options = append(options, k)
		}
	} else {
		for _, r := range t.b.k.rules[h.rel] {
			options = append(options, int(r))
		}
	}
	total |= t.b.why
	for _, option := range options {
		m := t.b.mark()
		ok := t.derive(at, option, h.why|bit)
		why := t.b.why
		if ok {
			ok, why = t.refute(level + 1)
			if !ok {
				t.b.back(m)
				return false, 0
			}
		}
		t.b.back(m)
		if why&bit == 0 {
			return true, why // the distinction was not needed
		}
		total |= why &^ bit
	}
	return true, total
}

// derive supposes that the fact was derived by a rule or stands in a row, on
// the assumptions of why. It returns false on a contradiction.
func (t *tableau) derive(at, option int, why uint64) bool {
	h := t.b.holds[at]
	t.b.holds[at].done = true
	t.b.undone = append(t.b.undone, int32(at))
	t.b.why = why
	t.b.version++
	trail, slots := len(t.b.trail), int32(len(t.b.slots))
	if table := t.b.k.facts.known[h.rel]; table != nil {
		ok := t.b.unifyAll(h.args, h.off, table.row(int32(option)), 0, false)
		t.b.rebind(trail, slots)
		return ok
	}
	rule := t.b.k.rule(int32(option))
	off := t.b.instance(int32(option), false)
	if !t.b.unifyAll(h.args, h.off, rule.Head.Args, off, false) {
		return false
	}
	t.b.rebind(trail, slots)
	return t.b.assert(rule.Body, off, why, h.depth+1)
}
