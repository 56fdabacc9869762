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
	g       *grounder
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
	return true
}

// statics takes out the static literals that hold, and substitutes the only
// solution of those that have one.
func (w *rewriting) statics() (changed, ok bool) {
	var pos, neg []literal
	for _, l := range w.in.pos {
		if w.g.relations[l.rel].dynamic {
			pos = append(pos, l)
			continue
		}
		switch n, a := w.g.solutions(&l); {
		case n == 0:
			return false, false
		case n == 1:
			for i, id := range w.g.atoms.argsOf(a) {
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
		if !w.g.relations[l.rel].dynamic && len(l.varSet()) == 0 {
			if n, _ := w.g.solutions(&l); n > 0 {
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
func (g *grounder) solutions(l *literal) (int, atomID) {
	ext := &g.atoms.rels[l.rel]
	if vars := l.varSet(); len(vars) > 0 && len(ext.atoms) > 1 && !slices.ContainsFunc(l.args, func(p pattern) bool { return p.id != 0 }) {
		return 2, 0
	}
	access := g.atoms.access(g.store, l.rel, l.args, func(int32) bool { return false })
	j := &g.joiner
	l.vars(func(v int32) {
		for len(j.binding.value) <= int(v) {
			j.binding.value = append(j.binding.value, 0)
		}
	})
	n, found := 0, atomID(0)
	for e := access.first(&j.binding); e >= 0 && n < 2; e = access.index.next[e] {
		if j.match(l, access.index.atoms[e]) {
			n, found = n+1, access.index.atoms[e]
		}
		j.binding.undo(0)
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
		src, values, is := w.g.sourceOf(&w.in.pos[i])
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

func samePattern(a, b *pattern) bool {
	if a.v != b.v || a.id != b.id || a.fn != b.fn || len(a.args) != len(b.args) {
		return false
	}
	for i := range a.args {
		if !samePattern(&a.args[i], &b.args[i]) {
			return false
		}
	}
	return true
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
		if src, values, is := w.g.sourceOf(&l); is && (w.g.isSelect[l.rel] || w.worth(i)) {
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
		w.g.demand(w.out.pos[i].rel)
	}
	for i := range w.out.neg {
		w.g.demand(w.out.neg[i].rel)
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
		w.out.pos = append(w.out.pos, w.g.selected(sl.source, []int32{sl.v}, []pattern{value}))
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
		return w.g.helper(nil, &rule{pos: []literal{w.g.selected(a.source, []int32{a.v, b.v}, []pattern{variable(0), variable(0)})}})
	}
	return w.g.helper(nil, &rule{pos: []literal{
		w.g.selected(a.source, []int32{a.v}, []pattern{variable(0)}),
		w.g.selected(b.source, []int32{b.v}, []pattern{variable(0)}),
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
		w.out.pos = append(w.out.pos, w.g.selected(src, slots, values))
	}
}

// recursive tells whether a literal calls the group of the relation whose
// rule this is.
func (w *rewriting) recursive(l *literal) bool {
	a, b := &w.g.relations[l.rel], &w.g.relations[w.special.rel]
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

func (w *rewriting) positive(l literal) {
	mine, others := w.split(&l)
	if w.g.relations[l.rel].dynamic {
		out := w.dynamic(l)
		w.out.pos = append(w.out.pos, out)
		if out.rel != l.rel {
			w.imply(mine)
		}
		return
	}
	switch {
	case len(mine) == 0, w.allShown(mine):
		w.out.pos = append(w.out.pos, l)
	case len(others) == 0 && w.oneSource(mine):
		f := &w.guard(w.pick[mine[0]].source).filters
		f.pos = append(f.pos, l)
	case w.complement(l, mine, others):
	default:
		w.out.pos = append(w.out.pos, w.lookup(l, mine, others))
		w.imply(mine)
	}
}

// imply notes that a positive literal holds only if the sources of some
// variables have values.
func (w *rewriting) imply(vars []int32) {
	for _, v := range vars {
		w.guard(w.pick[v].source).implied = true
	}
}

func (w *rewriting) negative(l literal) {
	if w.g.relations[l.rel].dynamic {
		w.out.neg = append(w.out.neg, w.dynamic(l))
		return
	}
	mine, others := w.split(&l)
	switch {
	case len(mine) == 0, w.allShown(mine):
		w.out.neg = append(w.out.neg, l)
	case len(others) == 0 && w.oneSource(mine):
		f := &w.guard(w.pick[mine[0]].source).filters
		f.neg = append(f.neg, l)
	default:
		w.out.neg = append(w.out.neg, w.lookup(l, mine, others))
	}
}

// dynamic returns what stands for a literal of a relation that changes.
func (w *rewriting) dynamic(l literal) literal {
	mine, others := w.split(&l)
	rel := &w.g.relations[l.rel]
	if !rel.input && !rel.final && (w.recursive(&l) || w.g.large(&l, w)) {
		places, leaves, args := w.places(&l)
		if trivial(places, leaves) {
			return l
		}
		return literal{rel: w.g.special(l.rel, places, leaves), args: args}
	}
	if len(mine) == 0 || w.allShown(mine) && len(others) > 0 {
		return l
	}
	return w.lookup(l, mine, others)
}

// places says what is known about the arguments of a literal, and lists what
// stands at its free leaves.
func (w *rewriting) places(l *literal) (places []pattern, leaves []pick, args []pattern) {
	recursive := w.recursive(l)
	leaf := func(sl pick, p pattern) pattern {
		if leaves = append(leaves, sl); sl == noPick {
			args = append(args, p)
		}
		return variable(int32(len(leaves) - 1))
	}
	var walk func(p pattern, caller *pattern) pattern
	walk = func(p pattern, caller *pattern) pattern {
		switch {
		case p.v >= 0:
			sl := w.pick[p.v]
			if recursive {
				if sl = w.origin[p.v]; caller == nil || caller.v < 0 || w.special.leaves[caller.v] != sl {
					sl = noPick
				}
			}
			return leaf(sl, p)
		case p.id != 0:
			if recursive && (caller == nil || caller.id != p.id) {
				return leaf(noPick, p)
			}
			return p
		}
		if recursive && (caller == nil || caller.args == nil || caller.fn != p.fn || len(caller.args) != len(p.args)) {
			return leaf(noPick, p)
		}
		out := pattern{v: -1, fn: p.fn}
		for i := range p.args {
			var c *pattern
			if recursive {
				c = &caller.args[i]
			}
			out.args = append(out.args, walk(p.args[i], c))
		}
		return out
	}
	for i, p := range l.args {
		var caller *pattern
		if recursive && l.rel == w.special.rel {
			caller = &w.special.places[i]
		}
		places = append(places, walk(p, caller))
	}
	return places, leaves, args
}

// trivial tells whether nothing is known.
func trivial(places []pattern, leaves []pick) bool {
	return len(places) == len(leaves) &&
		!slices.ContainsFunc(places, func(p pattern) bool { return p.v < 0 }) &&
		!slices.ContainsFunc(leaves, func(s pick) bool { return s != noPick })
}

// lookup is the literal at the selected values, one source after the other:
// what a source is joined with has already been summed over those before it.
func (w *rewriting) lookup(l literal, mine, others []int32) literal {
	left := slices.Clone(mine)
	for len(left) > 0 {
		src := w.pick[left[0]].source
		var slots []int32
		var values []pattern
		left = slices.DeleteFunc(left, func(v int32) bool {
			if w.pick[v].source != src {
				return false
			}
			slots, values = append(slots, w.pick[v].v), append(values, variable(v))
			return true
		})
		l = w.g.helper(variables(append(slices.Clone(others), left...)), &rule{pos: []literal{w.g.selected(src, slots, values), l}})
	}
	return l
}

// complement looks up a static relation that holds for most values as the
// negation of the few for which it does not.
func (w *rewriting) complement(l literal, mine, others []int32) bool {
	if len(others) == 0 {
		first := w.pick[mine[0]].source
		all := mine
		mine = slices.DeleteFunc(slices.Clone(all), func(v int32) bool { return w.pick[v].source != first })
		others = slices.DeleteFunc(slices.Clone(all), func(v int32) bool { return w.pick[v].source == first })
		if !w.oneSource(others) {
			return false
		}
	} else if !w.oneSource(mine) {
		return false
	}
	c, ok := w.g.complementOf(l, mine, others)
	if !ok {
		return false
	}
	w.positive(literal{c.mine, variables(mine)})
	w.positive(literal{c.others, variables(others)})
	missing := literal{c.missing, variables(append(slices.Clone(mine), others...))}
	m, o := w.split(&missing)
	w.out.neg = append(w.out.neg, w.lookup(missing, m, o))
	return true
}

// unequal rewrites an inequality: z differs from the selected v if v = z is
// not selected.
func (w *rewriting) unequal(d [2]pattern) {
	l := literal{args: d[:]}
	mine, others := w.split(&l)
	switch {
	case len(mine) == 0, w.allShown(mine):
		w.out.distinct = append(w.out.distinct, d)
	case len(others) == 0 && w.oneSource(mine):
		f := &w.guard(w.pick[mine[0]].source).filters
		f.distinct = append(f.distinct, d)
	case len(others) == 0:
		w.out.neg = append(w.out.neg, w.equal(w.pick[d[0].v], w.pick[d[1].v]))
	default:
		sl := w.pick[mine[0]]
		w.out.neg = append(w.out.neg, w.g.selected(sl.source, []int32{sl.v}, variables(others)))
	}
}

// guardLiterals adds what is asked of each source.
func (w *rewriting) guardLiterals() {
	for _, src := range w.order {
		g := w.guards[src]
		f := &g.filters
		if (!g.needed || g.implied && len(g.slots) == 0) && len(f.pos)+len(f.neg)+len(f.distinct) == 0 {
			continue
		}
		if len(f.pos)+len(f.neg)+len(f.distinct) == 0 {
			w.out.pos = append(w.out.pos, w.g.selected(src, g.slots, g.values))
			continue
		}
		var kept []pattern
		for _, p := range g.values {
			if p.v >= 0 {
				kept = append(kept, p)
			}
		}
		slots, values := slices.Clone(g.slots), slices.Clone(g.values)
		for v, sl := range w.pick {
			if sl.source == src && !slices.Contains(slots, sl.v) && f.mentions(int32(v)) {
				slots, values = append(slots, sl.v), append(values, variable(int32(v)))
			}
		}
		body := *f
		body.pos = append([]literal{w.g.selected(src, slots, values)}, body.pos...)
		w.out.pos = append(w.out.pos, w.g.helper(kept, &body))
	}
}

func (r *rule) mentions(v int32) (yes bool) {
	see := func(x int32) { yes = yes || x == v }
	for i := range r.pos {
		r.pos[i].vars(see)
	}
	for i := range r.neg {
		r.neg[i].vars(see)
	}
	for i := range r.distinct {
		r.distinct[i][0].vars(see)
		r.distinct[i][1].vars(see)
	}
	return yes
}
