package ground

import "slices"

// bundle takes out of the rules what all their instances have in common: the
// literals without variables become one, and so do negated literals over the
// same variables when the rule has more than these.
//
//	h(x, y, p) :- a, not b, cell(x, y, p), not c(x, y), not d(x, y)
//
// becomes
//
//	h(x, y, p) :- ab, cell(x, y, p), not cd(x, y)
//	ab :- a, not b
//	cd(x, y) :- c(x, y)
//	cd(x, y) :- d(x, y)
//
// Positive literals over the same variables stay: joining them apart from the
// rest of the rule makes some circuits larger (pentago by a third).
func (h *helpers) bundle() {
	rules := h.dynamic
	h.dynamic = nil
	for _, r := range rules {
		h.heed()
		if all := r.positiveVars(); len(all) > 0 {
			h.bundleConstant(r)
			h.bundleNegated(r, len(all))
		}
		h.dynamic = append(h.dynamic, r)
	}
}

// bundleConstant joins the literals without variables.
func (h *helpers) bundleConstant(r *rule) {
	body := &rule{}
	constant := func(l literal) bool { return len(l.varSet()) == 0 && h.relations[l.rel].dynamic }
	pos := slices.DeleteFunc(slices.Clone(r.pos), func(l literal) bool { return moved(l, constant(l), &body.pos) })
	neg := slices.DeleteFunc(slices.Clone(r.neg), func(l literal) bool { return moved(l, constant(l), &body.neg) })
	if len(body.pos)+len(body.neg) > 1 {
		r.pos, r.neg = append(pos, h.helper(nil, body)), neg
	}
}

// bundleNegated joins negated literals over the same variables, fewer than
// all of the rule's.
func (h *helpers) bundleNegated(r *rule, all int) {
	var out []literal
	for from := slices.Clone(r.neg); len(from) > 0; {
		vars := from[0].varSet()
		slices.Sort(vars)
		var same []literal
		from = slices.DeleteFunc(from, func(l literal) bool {
			v := l.varSet()
			slices.Sort(v)
			return moved(l, slices.Equal(v, vars), &same)
		})
		if len(same) == 1 || len(vars) == all || slices.ContainsFunc(same, func(l literal) bool { return !h.relations[l.rel].dynamic }) {
			out = append(out, same...)
			continue
		}
		out = append(out, h.anyOf(vars, same))
	}
	r.neg = out
}

// anyOf is a literal over the variables that holds if one of the literals,
// which mention just these, does.
func (h *helpers) anyOf(vars []int32, ls []literal) literal {
	rels := make([]int32, len(ls))
	for i, l := range ls {
		rels[i] = h.helper(variables(vars), &rule{pos: []literal{l}}).rel
	}
	slices.Sort(rels)
	bodies := make([]literal, len(rels))
	for i, rel := range rels {
		bodies[i] = literal{rel: rel, args: variables(vars)}
	}
	return h.disjunction(variables(vars), bodies)
}
