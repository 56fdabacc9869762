package ground

import (
	"context"

	"semisplit/reasoner/gdl"
)

// A tableau tries to show that a set of literals, about unknown constants, can
// hold in no reachable state under any legal joint move. It draws conclusions
// until nothing is new (saturate), then distinguishes the rules by which one
// of the facts may have been derived, and goes on in each case. Every case
// must end in a contradiction.
//
// What it knows beside the literals:
//   - the rules, and the extensions of small static relations;
//   - the hypotheses: invariants of the state in which the move is done;
//   - a role does at most one move, and a legal one.

// Bounds of a proof. When one is reached the proof has failed.
const (
	maxProofCases   = 4_000     // cases of one proof
	freeProofSteps  = 150_000   // terms looked at in one proof
	maxExtraSteps   = 1_500_000 // the same beyond that, while there are some to spare
	maxSpareSteps   = 5_000_000 // what all proofs that fail may take beyond that
	maxProofLevel   = 60        // nested distinctions, bits of a set of assumptions
	maxUnfolding    = 24        // rules inside each other that derive a fact
	maxDenials      = 3         // the same for a denied fact
	maxProofFacts   = 150       // facts in one case
	maxStaticSplit  = 24        // rows of a static relation that are distinguished
	maxConclusions  = 24        // drawn from one denied fact at once
	maxSearchNested = 2         // rules inside each other in a search
	maxSearchSteps  = 800       // terms looked at in one search
)

// fact is a literal of a case: that an atom holds, or that it does not.
type fact struct {
	rel   gdl.RelID
	args  []gdl.Term
	off   int32
	why   uint64
	depth int
	done  bool // it has been unfolded
	copy  bool // another fact has become the same
	seen  int  // it has been narrowed under that name of values
	about int  // of a domain's fact: one more than the number of the fluent's fact; 0 for others
}

// difference is the fact that two terms differ.
type difference struct {
	a, b sharedTerm
	why  uint64
}

// tableau is a proof in progress.
type tableau struct {
	bindings
	k        *knowledge
	ctx      context.Context
	holds    []fact
	denied   []fact // their flexible variables mean: for no value
	differs  []difference
	undone   []int32 // facts that have become done, or copies (complemented), in order
	version  int     // changes when anything has been concluded
	bound    int     // names the values that the facts' unknown constants have
	bounds   int     // the last such name that was given
	paired   int     // pairs of the first so many facts have been checked under pairedIn
	pairedIn int
	cases    int
	began    int    // steps taken before this proof
	budget   int    // steps at which this proof gives up
	used     []bool // hypotheses that have been used
	skip     skipping
	until    int // steps at which the search in progress gives up
}

type tableauMark struct {
	slots, trail, holds, denied, differs, undone int
	bound, paired, pairedIn                      int
}

func (t *tableau) mark() tableauMark {
	return tableauMark{len(t.slots), len(t.trail), len(t.holds), len(t.denied), len(t.differs), len(t.undone), t.bound, t.paired, t.pairedIn}
}

func (t *tableau) back(m tableauMark) {
	t.undo(m.trail)
	t.slots = t.slots[:m.slots]
	for _, i := range t.undone[m.undone:] {
		if i >= 0 {
			t.holds[i].done = false
		} else {
			t.holds[^i].copy = false
		}
	}
	t.undone = t.undone[:m.undone]
	t.holds, t.denied, t.differs = t.holds[:m.holds], t.denied[:m.denied], t.differs[:m.differs]
	t.bound, t.paired, t.pairedIn = m.bound, m.paired, m.pairedIn
	t.version++
}

// rebind notes that unknown constants below a number may have got values since
// a mark of the trail.
func (t *tableau) rebind(trail int, below int32) {
	for _, v := range t.trail[trail:] {
		if v < below {
			t.bounds++
			t.bound = t.bounds
			t.version++
			return
		}
	}
}

// reset empties the tableau for the next proof.
func (t *tableau) reset() {
	t.slots, t.trail = t.slots[:0], t.trail[:0]
	t.holds, t.denied, t.differs, t.undone = t.holds[:0], t.denied[:0], t.differs[:0], t.undone[:0]
	t.cases, t.why = 0, 0
	t.paired, t.pairedIn = 0, -1
	t.bounds++
	t.bound = t.bounds
	t.began = t.steps
	t.budget = t.steps + freeProofSteps + min(maxExtraSteps, t.k.spare)
}

func (t *tableau) exhausted() bool {
	return t.steps > t.budget || t.cases > maxProofCases || t.k.exhausted(t.steps)
}

// assert adds the literals of a rule's body. It returns false on a
// contradiction, with the reason in t.why.
func (t *tableau) assert(body []gdl.Literal, off int32, why uint64, depth int) bool {
	for i := range body {
		l := &body[i]
		switch l.Kind {
		case gdl.Positive:
			t.hold(l.Rel, l.Args, off, why, depth)
		case gdl.Negative:
			t.deny(l, off, why)
		case gdl.Distinct:
			t.differs = append(t.differs, difference{sharedTerm{&l.Args[0], off}, sharedTerm{&l.Args[1], off}, why})
		case gdl.Same:
			if !t.equate(sharedTerm{&l.Args[0], off}, sharedTerm{&l.Args[1], off}, why) {
				return false
			}
		}
	}
	t.version++
	return true
}

// equate concludes that two terms are equal.
func (t *tableau) equate(a, b sharedTerm, why uint64) bool {
	t.why = why
	before := len(t.trail)
	if !t.unify(a, b, false) {
		return false
	}
	t.rebind(before, int32(len(t.slots)))
	return true
}

// deny adds a negated literal. Its own variables, which no other literal
// binds, become flexible.
func (t *tableau) deny(l *gdl.Literal, off int32, why uint64) {
	t.denied = append(t.denied, fact{rel: l.Rel, args: l.Args, off: off, why: why})
	t.version++
}

// hold adds a fact and what follows from it at once.
func (t *tableau) hold(rel gdl.RelID, args []gdl.Term, off int32, why uint64, depth int) {
	for i := range t.holds {
		if h := &t.holds[i]; h.rel == rel && t.sameArgs(h, args, off) {
			return
		}
	}
	t.holds = append(t.holds, fact{rel: rel, args: args, off: off, why: why, depth: depth})
	t.version++
	if rel == gdl.RelTrue {
		t.holdDomains(len(t.holds)-1, why)
	} else if t.k.facts.known[rel] == nil {
		t.holdLemmas(rel, args, off, why, depth)
	}
	if rel == gdl.RelDoes {
		t.hold(gdl.RelLegal, args, off, why, depth)
		t.hold(gdl.RelRole, args[:1], off, why, depth)
	}
}

// holdDomains adds for a fluent that its arguments are in their domains.
func (t *tableau) holdDomains(at int, why uint64) {
	h := t.holds[at]
	save := t.why
	t.why = why
	f, v := t.resolve(sharedTerm{&h.args[0], h.off})
	why, t.why = t.why, save
	if v >= 0 {
		return
	}
	for i, rel := range t.k.domain[fluentShape{f.t.Name, len(f.t.Args)}] {
		if rel < 0 {
			continue
		}
		h := fact{rel: rel, args: f.t.Args[i : i+1], off: f.off, why: why, about: at + 1}
		if t.ground(sharedTerm{&h.args[0], h.off}) {
			if n, _ := t.alternatives(&h, 0); n > 0 {
				continue
			}
		}
		t.holds = append(t.holds, h)
	}
}

// sameArgs tells whether a fact has these arguments.
func (t *tableau) sameArgs(h *fact, args []gdl.Term, off int32) bool {
	for i := range args {
		if !t.same(sharedTerm{&h.args[i], h.off}, sharedTerm{&args[i], off}) {
			return false
		}
	}
	return true
}

// refute tries to close the case. why names the assumptions that the
// contradiction rests on.
func (t *tableau) refute(level int) (closed bool, why uint64) {
	t.cases++
	if t.exhausted() || t.ctx.Err() != nil {
		return false, 0
	}
	if !t.saturate() {
		return true, t.why
	}
	if level >= maxProofLevel || len(t.holds) > maxProofFacts {
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
	for i := range t.holds {
		h := &t.holds[i]
		if !t.unfoldable(h) {
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
	if t.k.facts.known[h.rel] == nil {
		n, _ := t.alternatives(h, most)
		switch {
		case t.k.p.Relations[h.rel].Cyclic:
			return n + 10_000*(1+h.depth)
		case h.rel != gdl.RelLegal:
			return n + 10*h.depth
		}
		return n
	}
	n, _ := t.alternatives(h, maxStaticSplit)
	switch {
	case n > maxStaticSplit:
		return most
	case h.about > 0:
		return n*(n+1) + 100_000
	}
	return n * (n + 1)
}

// unfoldable tells whether the fact is still to be traced to rules or rows.
func (t *tableau) unfoldable(h *fact) bool {
	return !h.done && !h.copy && h.rel != gdl.RelTrue && h.rel != gdl.RelDoes && h.depth < maxUnfolding
}

// alternatives counts the rules, or rows, that may have derived the fact, up
// to a number, and returns the last one counted. t.why collects the reasons
// against the others.
func (t *tableau) alternatives(h *fact, most int) (n, last int) {
	mark := len(t.trail)
	if table := t.k.facts.known[h.rel]; table != nil {
		pick, picked := t.pick(h, table)
		count := table.count
		if picked {
			count = len(pick)
		}
		for k := 0; k < count && n <= most; k++ {
			r := k
			if picked {
				r = int(pick[k])
			}
			if t.unifyAll(h.args, h.off, table.row(int32(r)), 0, false) && !(count <= maxDomain && t.ruledOut(h)) {
				n, last = n+1, r
			}
			t.undo(mark)
		}
		return n, last
	}
	for _, r := range t.k.rules[h.rel] {
		if n > most {
			break
		}
		rule := t.k.rule(r)
		slots := len(t.slots)
		off := t.fresh(len(rule.Vars), false)
		if t.unifyAll(h.args, h.off, rule.Head.Args, off, false) {
			n, last = n+1, int(r)
		}
		t.undo(mark)
		t.slots = t.slots[:slots]
	}
	return n, last
}

// ruledOut tells whether, with a row tentatively chosen, terms that differ are
// equal, or the fluent that the row belongs to is denied.
func (t *tableau) ruledOut(h *fact) bool {
	why := t.why
	for i := range t.differs {
		d := &t.differs[i]
		if t.why = why | d.why; t.same(d.a, d.b) {
			return true
		}
	}
	t.why = why
	if h.about == 0 {
		return false
	}
	f := &t.holds[h.about-1]
	for i := range t.denied {
		d := &t.denied[i]
		if d.rel != gdl.RelTrue {
			continue
		}
		t.why = why | d.why | f.why
		mark := len(t.trail)
		ok := t.unifyAll(d.args, d.off, f.args, f.off, true)
		if t.undo(mark); ok {
			return true
		}
	}
	t.why = why
	return false
}

// pick narrows the rows of a table by the argument that leaves the fewest.
func (t *tableau) pick(h *fact, table *factTable) (rows []int32, ok bool) {
	for i := range h.args {
		s, v := t.resolve(sharedTerm{&h.args[i], h.off})
		if v >= 0 {
			continue
		}
		if r := table.index[i][s.t.Name]; !ok || len(r) < len(rows) {
			rows, ok = r, true
		}
	}
	return rows, ok
}

// distinguish closes the case by closing it for every derivation of a fact.
func (t *tableau) distinguish(at, level int) (closed bool, why uint64) {
	h := t.holds[at]
	bit := uint64(1) << level
	t.why = h.why
	total := h.why
	var options []int
	t.why = 0
	if table := t.k.facts.known[h.rel]; table != nil {
		pick, picked := t.pick(&h, table)
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
		for _, r := range t.k.rules[h.rel] {
			options = append(options, int(r))
		}
	}
	total |= t.why
	for _, option := range options {
		m := t.mark()
		ok := t.derive(at, option, h.why|bit)
		why := t.why
		if ok {
			ok, why = t.refute(level + 1)
			if !ok {
				t.back(m)
				return false, 0
			}
		}
		t.back(m)
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
	h := t.holds[at]
	t.holds[at].done = true
	t.undone = append(t.undone, int32(at))
	t.why = why
	t.version++
	trail, slots := len(t.trail), int32(len(t.slots))
	if table := t.k.facts.known[h.rel]; table != nil {
		ok := t.unifyAll(h.args, h.off, table.row(int32(option)), 0, false)
		t.rebind(trail, slots)
		return ok
	}
	rule := t.k.rule(int32(option))
	off := t.instance(int32(option), false)
	if !t.unifyAll(h.args, h.off, rule.Head.Args, off, false) {
		return false
	}
	t.rebind(trail, slots)
	return t.assert(rule.Body, off, why, h.depth+1)
}

// instance makes variables for a rule: those that only a negated literal
// mentions are flexible in any case.
func (t *tableau) instance(r int32, flex bool) int32 {
	off := t.fresh(len(t.k.rule(r).Vars), flex)
	for _, v := range t.k.local[r] {
		t.slots[off+v].flex = true
	}
	return off
}
