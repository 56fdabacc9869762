package ground

import "slices"

// eliminate splits rule bodies: a variable that the head does not mention is
// joined away early. The literals that mention it move to a helper over their
// other variables, and what was a product of choices becomes a sum:
//
//	total(t) :- a(x), b(y), plus(x, y, s), c(z), plus(s, z, t)
//
// becomes
//
//	total(t) :- h(s), c(z), plus(s, z, t)
//	h(s) :- a(x), b(y), plus(x, y, s)
func (h *helpers) eliminate() {
	rules := h.dynamic
	h.dynamic = nil
	for _, r := range rules {
		for h.split(r) {
			h.heed()
		}
		h.dynamic = append(h.dynamic, r)
	}
}

// spared is the number of variables by which a helper's join must be smaller
// than the rule's for the split to pay.
const spared = 1

// scope is what a variable is joined away with.
type scope struct {
	vars []int32 // all variables of its literals
	kept []int32 // those that the head or other literals mention
}

// split moves the literals of one variable to a helper; false if no variable
// is worth it.
func (h *helpers) split(r *rule) bool {
	all := r.positiveVars()
	if len(all) < 3+spared {
		return false
	}
	head := r.head.varSet()
	var best scope
	found := false
	for _, v := range all {
		if slices.Contains(head, v) {
			continue
		}
		s, ok := h.scopeOf(r, v, head)
		if ok && len(s.vars)+spared <= len(all) && (!found || len(s.kept) < len(best.kept)) {
			best, found = s, true
		}
	}
	if !found {
		return false
	}
	body := &rule{}
	inside := func(vars func(func(int32))) bool { return touches(vars, best.gone()) }
	r.pos = slices.DeleteFunc(r.pos, func(l literal) bool { return moved(l, inside(l.vars), &body.pos) })
	r.neg = slices.DeleteFunc(r.neg, func(l literal) bool { return moved(l, inside(l.vars), &body.neg) })
	r.distinct = slices.DeleteFunc(r.distinct, func(d [2]pattern) bool {
		return moved(d, inside((&literal{args: d[:]}).vars), &body.distinct)
	})
	r.pos = append(r.pos, h.helper(variables(best.kept), body))
	return true
}

// gone lists the variables that end in the helper.
func (s *scope) gone() []int32 {
	return slices.DeleteFunc(slices.Clone(s.vars), func(v int32) bool { return slices.Contains(s.kept, v) })
}

// scopeOf collects the literals that mention v. It fails if they do not bind
// all their variables themselves, or none of the binding ones changes: a join
// of static relations alone may be far larger than what the state allows.
func (h *helpers) scopeOf(r *rule, v int32, head []int32) (scope, bool) {
	var s scope
	rest := slices.Clone(head)
	bound := []int32{}
	changing, others := false, 0
	note := func(vars []int32) bool {
		in := slices.Contains(vars, v)
		if in {
			s.vars = append(s.vars, vars...)
		} else {
			rest = append(rest, vars...)
		}
		return in
	}
	for i := range r.pos {
		vars := r.pos[i].varSet()
		if note(vars) {
			bound = append(bound, vars...)
			changing = changing || h.relations[r.pos[i].rel].dynamic
		} else {
			others++
		}
	}
	for i := range r.neg {
		note(r.neg[i].varSet())
	}
	for _, d := range r.distinct {
		note((&literal{args: d[:]}).varSet())
	}
	slices.Sort(s.vars)
	s.vars = slices.Compact(s.vars)
	for _, x := range s.vars {
		if !slices.Contains(bound, x) {
			return s, false
		}
		if slices.Contains(rest, x) {
			s.kept = append(s.kept, x)
		}
	}
	return s, changing && others > 0
}
