package ground

import (
	"slices"
)

// rewriting puts selected values into a rule. In one turn a source has one
// value, so each literal that shares variables with it can be looked up on
// its own at the selected values:
//
//	h :- select(V), L1(V, X), not L2(V, X), A(X)
//
// becomes, with sel(V') the projections of select(V),
//
//	h :- sel(), L1'(X), not L2'(X), A(X)
//	L1'(X) :- sel(V1), L1(V1, X)        V1: those of V that L1 mentions
//
// and the instances are a sum over the literals instead of a product. A
// derived relation L1 that is large becomes a special relation instead, whose
// rules are rewritten in the same way. The guard sel() says that something of
// this shape is selected; variables of V that the head mentions are its
// arguments.
type rewriting struct {
	rw      *rewriter
	special *special
	rule    *rule
	u       *substitution // of the rule's variables, then the leaves of the special relation
	in, out rule
	facts   []finding

	// By variable.
	origin []pick // where its value is selected; noPick: nowhere
	pick   []pick // the same, noPick for variables that are joined all the same
	shown  []bool // the head mentions it

	guards map[int32]*guard // by source
	order  []int32          // its keys in order of their making
}

// guard collects what is asked of one source.
type guard struct {
	needed  bool
	implied bool    // by another literal, as far as anything being selected goes
	slots   []int32 // with constants and shown variables
	values  []pattern
	filters rule // conditions on its values alone
}

// settle substitutes until nothing more is known: static literals with one
// solution, and slots that stand in two places. False: the rule never fires.
func (w *rewriting) settle() bool {
	for {
		w.rw.heed()
		if !w.take() {
			return false
		}
		changed, ok := w.statics()
		if !ok {
			return false
		}
		if !changed {
			if changed, ok = w.collect(); !ok {
				return false
			}
		}
		if !changed {
			return true
		}
	}
}

// take applies the substitution to the rule.
func (w *rewriting) take() bool {
	lit := func(l literal) literal {
		out := literal{rel: l.rel, args: make([]pattern, len(l.args))}
		for i, a := range l.args {
			out.args[i] = w.u.apply(a)
		}
		return out
	}
	w.in = rule{vars: len(w.u.to)}
	for _, l := range w.rule.pos {
		w.in.pos = append(w.in.pos, lit(l))
	}
	for _, l := range w.rule.neg {
		w.in.neg = append(w.in.neg, lit(l))
	}
	for _, d := range w.rule.distinct {
		a, b := w.u.apply(d[0]), w.u.apply(d[1])
		switch {
		case a.id != 0 && b.id != 0:
			if a.id == b.id {
				return false
			}
		case a.v >= 0 && a.v == b.v:
			return false
		default:
			w.in.distinct = append(w.in.distinct, [2]pattern{a, b})
		}
	}
	w.rw.patterns -= int64(w.rw.weigh(&w.in))
	return true
}

// statics takes out the static literals that hold, and substitutes the only
// solution of those that have one.
func (w *rewriting) statics() (changed, ok bool) {
	var pos, neg []literal
	for _, l := range w.in.pos {
		if w.rw.relations[l.rel].dynamic {
			pos = append(pos, l)
			continue
		}
		switch n, a := w.rw.solutions(&l); {
		case n == 0:
			return false, false
		case n == 1:
			for i, id := range w.rw.atoms.argsOf(a) {
				if l.args[i].id == 0 {
					changed = true
					if !w.u.unify(l.args[i], constant(id)) {
						return false, false
					}
				}
			}
		default:
			pos = append(pos, l)
		}
	}
	for _, l := range w.in.neg {
		if !w.rw.relations[l.rel].dynamic && len(l.varSet()) == 0 {
			if n, _ := w.rw.solutions(&l); n > 0 {
				return false, false
			}
			continue
		}
		neg = append(neg, l)
	}
	w.in.pos, w.in.neg = pos, neg
	return changed, true
}

// solutions counts the atoms of a static relation that fit a literal: none,
// one (which is returned), or two for more.
func (rw *rewriter) solutions(l *literal) (int, atomID) {
	ext := &rw.atoms.rels[l.rel]
	if vars := l.varSet(); len(vars) > 0 && len(ext.atoms) > 1 && !slices.ContainsFunc(l.args, func(p pattern) bool { return p.id != 0 }) {
		return 2, 0
	}
	access := rw.atoms.access(rw.store, l.rel, l.args, func(int32) bool { return false })
	m := &rw.matcher
	l.vars(func(v int32) {
		for len(m.binding.value) <= int(v) {
			m.binding.value = append(m.binding.value, 0)
		}
	})
	n, found := 0, atomID(0)
	for e := access.first(&m.binding); e >= 0 && n < 2; e = access.index.next[e] {
		if m.match(l, access.index.atoms[e]) {
			n, found = n+1, access.index.atoms[e]
		}
		m.binding.undo(0)
	}
	return n, found
}

// collect finds the slots whose values stand in the rule, and makes equal
// what stands for one of them twice.
func (w *rewriting) collect() (changed, ok bool) {
	w.facts = w.facts[:0]
	n := int32(w.rule.vars)
	for i, sl := range w.special.leaves {
		if sl != noPick {
			w.facts = append(w.facts, finding{sl, w.u.apply(variable(n + int32(i)))})
		}
	}
	for i := range w.in.pos {
		src, values, is := w.rw.sourceOf(&w.in.pos[i])
		if !is {
			continue
		}
		for v, value := range values {
			w.facts = append(w.facts, finding{pick{src, int32(v)}, value})
		}
	}
	first := make(map[pick]pattern)
	for _, f := range w.facts {
		old, seen := first[f.pick]
		if !seen {
			first[f.pick] = f.value
			continue
		}
		if !samePattern(&old, &f.value) {
			changed = true
			if !w.u.unify(old, f.value) {
				return false, false
			}
		}
	}
	return changed, true
}

// run rewrites w.in to w.out; false if the rule never fires.
func (w *rewriting) run() bool {
	w.out = rule{head: w.in.head, vars: w.in.vars}
	w.guards = make(map[int32]*guard)
	w.origin = slices.Repeat([]pick{noPick}, w.in.vars)
	w.shown = make([]bool, w.in.vars)
	w.in.head.vars(func(v int32) { w.shown[v] = true })
	for i, sl := range w.special.leaves {
		if sl != noPick {
			w.known(sl, w.u.apply(variable(int32(w.rule.vars+i))))
		}
	}
	var rest []literal
	for i := range w.in.pos {
		l := w.in.pos[i]
		if src, values, is := w.rw.sourceOf(&l); is && (w.rw.isSelect[l.rel] || w.worth(i)) {
			w.guard(src).needed = true
			for v, value := range values {
				w.known(pick{src, int32(v)}, value)
			}
			continue
		}
		rest = append(rest, l)
	}
	w.in.pos = rest
	w.pick = slices.Clone(w.origin)
	w.free()
	for v, sl := range w.pick {
		if sl != noPick && w.shown[v] {
			w.known(sl, variable(int32(v)))
		}
	}
	for _, l := range w.in.pos {
		w.positive(l)
	}
	for _, l := range w.in.neg {
		w.negative(l)
	}
	for _, d := range w.in.distinct {
		w.unequal(d)
	}
	w.guardLiterals()
	for i := range w.out.pos {
		w.rw.demand(w.out.pos[i].rel)
	}
	for i := range w.out.neg {
		w.rw.demand(w.out.neg[i].rel)
	}
	return true
}

func (w *rewriting) guard(src int32) *guard {
	if w.guards[src] == nil {
		w.guards[src] = &guard{}
		w.order = append(w.order, src)
	}
	return w.guards[src]
}

// known notes the value of a slot: a variable is selected, a constant is
// asked for, a compound is joined.
func (w *rewriting) known(sl pick, value pattern) {
	g := w.guard(sl.source)
	switch {
	case value.v >= 0 && w.origin[value.v] == noPick:
		w.origin[value.v] = sl
		return
	case value.v >= 0 && w.pick == nil:
		// Two slots hold the same value.
		if other := w.origin[value.v]; other != sl {
			w.out.pos = append(w.out.pos, w.equal(other, sl))
		}
		return
	case value.v < 0 && value.id == 0:
		w.out.pos = append(w.out.pos, w.rw.selected(sl.source, []int32{sl.v}, []pattern{value}))
		return
	}
	g.needed = true
	if !slices.Contains(g.slots, sl.v) {
		g.slots, g.values = append(g.slots, sl.v), append(g.values, value)
	}
}

// equal holds if two slots have the same value.
func (w *rewriting) equal(a, b pick) literal {
	if a.source == b.source {
		return w.rw.helper(nil, &rule{pos: []literal{w.rw.selected(a.source, []int32{a.v, b.v}, []pattern{variable(0), variable(0)})}})
	}
	return w.rw.helper(nil, &rule{pos: []literal{
		w.rw.selected(a.source, []int32{a.v}, []pattern{variable(0)}),
		w.rw.selected(b.source, []int32{b.v}, []pattern{variable(0)}),
	}})
}

// free joins variables explicitly that have slots but stand where a recursive
// call must not select: what was free in the caller stays free, or unequal
// atoms of the recursion fall together into false cycles. The same for
// inequalities of terms.
func (w *rewriting) free() {
	var freed []int32
	drop := func(v int32) {
		if w.pick[v] != noPick {
			w.pick[v] = noPick
			freed = append(freed, v)
		}
	}
	for i := range w.in.pos {
		if l := &w.in.pos[i]; w.recursive(l) {
			_, _, args := w.places(l)
			for k := range args {
				args[k].vars(drop)
			}
		}
	}
	for _, d := range w.in.distinct {
		if d[0].args != nil || d[1].args != nil {
			l := literal{args: d[:]}
			mine, others := w.split(&l)
			if len(others) > 0 || !w.oneSource(mine) {
				l.vars(drop)
			}
		}
	}
	w.join(freed)
}

// join adds literals that bind variables to the values of their slots.
func (w *rewriting) join(vars []int32) {
	for len(vars) > 0 {
		src := w.origin[vars[0]].source
		var slots []int32
		var values []pattern
		vars = slices.DeleteFunc(vars, func(v int32) bool {
			if w.origin[v].source != src {
				return false
			}
			slots, values = append(slots, w.origin[v].v), append(values, variable(v))
			return true
		})
		w.out.pos = append(w.out.pos, w.rw.selected(src, slots, values))
	}
}

// recursive tells whether a literal calls the group of the relation whose
// rule this is.
func (w *rewriting) recursive(l *literal) bool {
	a, b := &w.rw.relations[l.rel], &w.rw.relations[w.special.rel]
	return a.cyclic && b.cyclic && a.group == b.group && a.dynamic && !a.final
}

// split parts the variables of a literal into those with slots and the
// others.
func (w *rewriting) split(l *literal) (mine, others []int32) {
	for _, v := range l.varSet() {
		if w.pick[v] != noPick {
			mine = append(mine, v)
		} else {
			others = append(others, v)
		}
	}
	return mine, others
}

func (w *rewriting) oneSource(vars []int32) bool {
	return !slices.ContainsFunc(vars, func(v int32) bool { return w.pick[v].source != w.pick[vars[0]].source })
}

func (w *rewriting) allShown(vars []int32) bool {
	return !slices.ContainsFunc(vars, func(v int32) bool { return !w.shown[v] })
}
