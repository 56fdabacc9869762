package invariant

import (
	"context"

	"semisplit/reasoner/gdl"
)

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

// branch is the case that is to be refuted: its literals and what is known of
// its unknown constants.
type branch struct {
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
}

// branchMark is how large a branch was.
type branchMark struct {
	slots, trail, holds, denied, differs, undone int
	bound, paired, pairedIn                      int
}

func (b *branch) mark() branchMark {
	return branchMark{len(b.slots), len(b.trail), len(b.holds), len(b.denied), len(b.differs), len(b.undone), b.bound, b.paired, b.pairedIn}
}

func (b *branch) back(m branchMark) {
	b.undo(m.trail)
	b.slots = b.slots[:m.slots]
	for _, i := range b.undone[m.undone:] {
		if i >= 0 {
			b.holds[i].done = false
		} else {
			b.holds[^i].copy = false
		}
	}
	b.undone = b.undone[:m.undone]
	b.holds, b.denied, b.differs = b.holds[:m.holds], b.denied[:m.denied], b.differs[:m.differs]
	b.bound, b.paired, b.pairedIn = m.bound, m.paired, m.pairedIn
	b.version++
}

// rebind notes that unknown constants below a number may have got values since
// a mark of the trail.
func (b *branch) rebind(trail int, below int32) {
	for _, v := range b.trail[trail:] {
		if v < below {
			b.bounds++
			b.bound = b.bounds
			b.version++
			return
		}
	}
}

// reset empties the tableau for the next proof.
func (b *branch) reset() {
	b.slots, b.trail = b.slots[:0], b.trail[:0]
	b.holds, b.denied, b.differs, b.undone = b.holds[:0], b.denied[:0], b.differs[:0], b.undone[:0]
	b.cases, b.why = 0, 0
	b.paired, b.pairedIn = 0, -1
	b.bounds++
	b.bound = b.bounds
	b.began = b.steps
	b.budget = b.steps + freeProofSteps + min(maxExtraSteps, b.k.spare)
}

// maxOverrun is by how many steps a proof may go beyond its budget in a single
// conclusion: 150 ms, and 80 MB of terms.
const maxOverrun = 1_000_000

// attempt runs what follows a reset, and fails if that goes on for far too long
// without looking at its budget.
func (b *branch) attempt(run func() bool) (ok bool) {
	b.last = b.budget + maxOverrun
	defer func() {
		b.last = 0
		if r := recover(); r != nil {
			if _, is := r.(overrun); !is {
				panic(r)
			}
			ok = false
		}
	}()
	return run()
}

func (b *branch) exhausted() bool {
	return b.steps > b.budget || b.cases > maxProofCases || b.k.exhausted(b.steps)
}

// assert adds the literals of a rule's body. It returns false on a
// contradiction, with the reason in why.
func (b *branch) assert(body []gdl.Literal, off int32, why uint64, depth int) bool {
	for i := range body {
		l := &body[i]
		switch l.Kind {
		case gdl.Positive:
			b.hold(l.Rel, l.Args, off, why, depth)
		case gdl.Negative:
			b.deny(l, off, why)
		case gdl.Distinct:
			b.differs = append(b.differs, difference{sharedTerm{&l.Args[0], off}, sharedTerm{&l.Args[1], off}, why})
		case gdl.Same:
			if !b.equate(sharedTerm{&l.Args[0], off}, sharedTerm{&l.Args[1], off}, why) {
				return false
			}
		}
	}
	b.version++
	return true
}

// equate concludes that two terms are equal.
func (b *branch) equate(x, y sharedTerm, why uint64) bool {
	b.why = why
	before := len(b.trail)
	if !b.unify(x, y, false) {
		return false
	}
	b.rebind(before, int32(len(b.slots)))
	return true
}

// deny adds a negated literal. Its own variables, which no other literal
// binds, become flexible.
func (b *branch) deny(l *gdl.Literal, off int32, why uint64) {
	b.denied = append(b.denied, fact{rel: l.Rel, args: l.Args, off: off, why: why})
	b.version++
}

// hold adds a fact and what follows from it at once.
func (b *branch) hold(rel gdl.RelID, args []gdl.Term, off int32, why uint64, depth int) {
	for i := range b.holds {
		if h := &b.holds[i]; h.rel == rel && b.sameArgs(h, args, off) {
			return
		}
	}
	b.holds = append(b.holds, fact{rel: rel, args: args, off: off, why: why, depth: depth})
	b.version++
	if rel == gdl.RelTrue {
		b.holdDomains(len(b.holds)-1, why)
	} else if b.k.facts.known[rel] == nil {
		b.holdLemmas(rel, args, off, why, depth)
	}
	if rel == gdl.RelDoes {
		// Where legal depends on moves, what is done was legal while nothing was done yet.
		if b.k.p.Relations[gdl.RelLegal].Depends&gdl.OnMoves == 0 {
			b.hold(gdl.RelLegal, args, off, why, depth)
		}
		b.hold(gdl.RelRole, args[:1], off, why, depth)
	}
}

// holdDomains adds for a fluent that its arguments are in their domains.
func (b *branch) holdDomains(at int, why uint64) {
	h := b.holds[at]
	save := b.why
	b.why = why
	f, v := b.resolve(sharedTerm{&h.args[0], h.off})
	why, b.why = b.why, save
	if v >= 0 {
		return
	}
	for i, rel := range b.k.domain[fluentShape{f.t.Name, len(f.t.Args)}] {
		if rel < 0 {
			continue
		}
		h := fact{rel: rel, args: f.t.Args[i : i+1], off: f.off, why: why, about: at + 1}
		if b.ground(sharedTerm{&h.args[0], h.off}) {
			if n, _ := b.alternatives(&h, 0); n > 0 {
				continue
			}
		}
		b.holds = append(b.holds, h)
	}
}

// lemmaKeyOf returns the key of a fact, and its arguments.
func (b *branch) lemmaKeyOf(rel gdl.RelID, args []gdl.Term, off int32) (key lemmaKey, places []sharedTerm, ok bool) {
	key = lemmaKey{rel: rel, arity: -1}
	if rel != gdl.RelLegal {
		for i := range args {
			places = append(places, sharedTerm{&args[i], off})
		}
		return key, places, true
	}
	m, v := b.resolve(sharedTerm{&args[1], off})
	if v >= 0 {
		return key, nil, false
	}
	places = append(places, sharedTerm{&args[0], off})
	for i := range m.t.Args {
		places = append(places, sharedTerm{&m.t.Args[i], m.off})
	}
	return lemmaKey{rel, m.t.Name, len(m.t.Args)}, places, true
}

// placeVars makes the variables of lemmas, bound to the places of a fact.
func (b *branch) placeVars(l *lemmas, at []sharedTerm, why uint64) int32 {
	base := b.fresh(l.vars, false)
	save := b.why
	b.why = why
	for i := range l.places {
		b.bind(base+int32(i), at[i])
	}
	b.why = save
	for _, v := range l.flex {
		b.slots[base+v].flex = true
	}
	return base
}

// holdLemmas adds the lemmas of a new fact.
func (b *branch) holdLemmas(rel gdl.RelID, args []gdl.Term, off int32, why uint64, depth int) {
	save := b.why
	b.why = why
	key, at, ok := b.lemmaKeyOf(rel, args, off)
	why, b.why = b.why, save
	l := b.k.lemmas[key]
	if !ok || l == nil {
		return
	}
	base := b.placeVars(l, at, why)
	for i := range l.literals {
		if c := &l.literals[i]; c.Kind == gdl.Negative {
			b.deny(c, base, why)
		} else {
			b.hold(c.Rel, c.Args, base, why, depth)
		}
	}
}

// sameArgs tells whether a fact has these arguments.
func (b *branch) sameArgs(h *fact, args []gdl.Term, off int32) bool {
	for i := range args {
		if !b.same(sharedTerm{&h.args[i], h.off}, sharedTerm{&args[i], off}) {
			return false
		}
	}
	return true
}

// instance makes variables for a rule: those that only a negated literal
// mentions are flexible in any case.
func (b *branch) instance(r int32, flex bool) int32 {
	off := b.fresh(len(b.k.rule(r).Vars), flex)
	for _, v := range b.k.local[r] {
		b.slots[off+v].flex = true
	}
	return off
}

// patternTerm makes a fluent that fits the pattern, with variables from keys
// on for the keys and new ones for the values.
func (b *branch) patternTerm(p *Pattern, keys int32) *gdl.Term {
	f := &gdl.Term{Var: -1, Name: p.Functor}
	for _, a := range p.Args {
		switch a.Kind {
		case Key:
			f.Args = append(f.Args, gdl.Term{Var: keys + int32(a.Key)})
		case Constant:
			f.Args = append(f.Args, a.Fixed)
		default:
			f.Args = append(f.Args, gdl.Term{Var: b.fresh(1, false)})
		}
	}
	return f
}
