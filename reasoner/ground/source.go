package ground

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// source is a literal that at most one atom fits in any turn: what a level
// has selected, or a functional fluent. Its variables 0.. are its slots.
type source struct {
	lit  literal
	vars int
}

// sourceOf returns the source of a literal and what the literal has in the
// places of its variables, or false if none is known. Constants and repeated
// variables are not part of a source of selections, so that rules which ask
// for different selections of one level share its slots.
func (rw *rewriter) sourceOf(l *literal) (int32, []pattern, bool) {
	if rw.isSelect[l.rel] {
		var values []pattern
		t := literal{rel: l.rel}
		for i := range l.args {
			t.args = append(t.args, generalize(&l.args[i], &values))
		}
		return rw.source(t, len(values)), values, true
	}
	if l.rel == int32(gdl.RelTrue) {
		return rw.functionalSource(l)
	}
	return 0, nil, false
}

// generalize puts variables 0.. for the constants and variables of a pattern,
// and lists what it has replaced.
func generalize(p *pattern, values *[]pattern) pattern {
	if p.args == nil {
		*values = append(*values, *p)
		return variable(int32(len(*values) - 1))
	}
	args := make([]pattern, 0, len(p.args))
	for i := range p.args {
		args = append(args, generalize(&p.args[i], values))
	}
	return open(p.fn, args)
}

// source numbers a template.
func (rw *rewriter) source(t literal, vars int) int32 {
	_, key := canonical(nil, &rule{pos: []literal{t}})
	if n, ok := rw.sourceNumber[key]; ok {
		return n
	}
	n := int32(len(rw.sources))
	rw.sources = append(rw.sources, source{t, vars})
	rw.sourceNumber[key] = n
	return n
}

// selected is a literal over the values of some slots of one source: it holds
// if these are the selected ones.
func (rw *rewriter) selected(src int32, slots []int32, values []pattern) literal {
	s := &rw.sources[src]
	fit := make([]pattern, s.vars)
	for i := range fit {
		fit[i] = variable(int32(i))
	}
	if len(slots) == s.vars {
		for i, v := range slots {
			fit[v] = values[i]
		}
		return replaceLiteral(rw.store, s.lit, fit)
	}
	order := make([]int, len(slots))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return int(slots[a] - slots[b]) })
	var kept, args []pattern
	for _, i := range order {
		kept = append(kept, variable(slots[i]))
		args = append(args, values[i])
	}
	h := rw.helper(kept, &rule{pos: []literal{s.lit}})
	return literal{rel: h.rel, args: args}
}

// replaceLiteral puts patterns for the variables of a literal.
func replaceLiteral(store *gdl.Store, l literal, by []pattern) literal {
	out := literal{rel: l.rel, args: make([]pattern, len(l.args))}
	for i, a := range l.args {
		out.args[i] = a.replace(store, func(v int32) pattern { return by[v] })
	}
	return out
}
