package ground

import "slices"

func (w *rewriting) positive(l literal) {
	mine, others := w.split(&l)
	if w.rw.relations[l.rel].dynamic {
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
	if w.rw.relations[l.rel].dynamic {
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
	rel := &w.rw.relations[l.rel]
	if !rel.input && !rel.final && (w.recursive(&l) || w.rw.large(&l, w)) {
		places, leaves, args := w.places(&l)
		if trivial(places, leaves) {
			return l
		}
		return literal{rel: w.rw.special(l.rel, places, leaves), args: args}
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
		inner := make([]pattern, 0, len(p.args))
		for i := range p.args {
			var c *pattern
			if recursive {
				c = &caller.args[i]
			}
			inner = append(inner, walk(p.args[i], c))
		}
		return open(p.fn, inner)
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
		l = w.rw.helper(variables(append(slices.Clone(others), left...)), &rule{pos: []literal{w.rw.selected(src, slots, values), l}})
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
	c, ok := w.rw.complementOf(l, mine, others)
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
		w.out.neg = append(w.out.neg, w.rw.selected(sl.source, []int32{sl.v}, variables(others)))
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
			w.out.pos = append(w.out.pos, w.rw.selected(src, g.slots, g.values))
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
		body.pos = append([]literal{w.rw.selected(src, slots, values)}, body.pos...)
		w.out.pos = append(w.out.pos, w.rw.helper(kept, &body))
	}
}
