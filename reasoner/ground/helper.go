package ground

import (
	"fmt"
	"strings"
)

// helpers makes relations of rules that other rules have in common, and asks
// for the relations that these need.
type helpers struct {
	*ruleBase
	byRule   map[string]int32 // helper relations by the spelling of their rule
	final    bool             // the relations that are made now are
	dynamic  []*rule          // rewritten
	demanded []bool           // by relation: it is asked for as it is
	waiting  []special
}

func newHelpers(b *ruleBase) *helpers { return &helpers{ruleBase: b, byRule: make(map[string]int32)} }

// helper returns the literal h(kept...) of a helper relation with the body as
// its only rule, whose variables are numbered as those of kept. Bodies that
// differ only in the numbers of their variables share one helper.
func (h *helpers) helper(kept []pattern, body *rule) literal {
	r, key := canonical(kept, body)
	if rel, ok := h.byRule[key]; ok {
		return literal{rel: rel, args: kept}
	}
	rel := h.newRelation(relation{})
	h.byRule[key] = rel
	for _, l := range append(append([]literal(nil), r.pos...), r.neg...) {
		h.relations[rel].dynamic = h.relations[rel].dynamic || h.relations[l.rel].dynamic
	}
	r.head.rel = rel
	h.addRule(r)
	if h.relations[rel].final = h.final; h.final {
		h.dynamic = append(h.dynamic, r)
		for _, l := range append(append([]literal(nil), r.pos...), r.neg...) {
			h.demand(l.rel)
		}
	}
	return literal{rel: rel, args: kept}
}

// disjunction returns the literal h(kept...) of a helper relation that holds if
// one of the bodies does, which mention just the variables of kept.
func (h *helpers) disjunction(kept []pattern, bodies []literal) literal {
	_, key := canonical(kept, &rule{pos: bodies})
	key = "or " + key
	if rel, ok := h.byRule[key]; ok {
		return literal{rel: rel, args: kept}
	}
	rel := h.newRelation(relation{dynamic: true, final: true})
	h.byRule[key] = rel
	for _, l := range bodies {
		r, _ := canonical(kept, &rule{pos: []literal{l}})
		r.head.rel = rel
		h.dynamic = append(h.dynamic, r)
		h.demand(l.rel)
	}
	return literal{rel: rel, args: kept}
}

// canonical numbers the variables of a helper's rule by occurrence, and
// spells it.
func canonical(kept []pattern, body *rule) (*rule, string) {
	number := make(map[int32]int32)
	var b strings.Builder
	var copyOf func(p pattern) pattern
	copyOf = func(p pattern) pattern {
		switch {
		case p.v >= 0:
			n, ok := number[p.v]
			if !ok {
				n = int32(len(number))
				number[p.v] = n
			}
			fmt.Fprintf(&b, "?%d ", n)
			return variable(n)
		case p.id != 0:
			fmt.Fprintf(&b, "%d ", p.id)
			return p
		}
		fmt.Fprintf(&b, "f%d( ", p.fn)
		args := make([]pattern, 0, len(p.args))
		for _, a := range p.args {
			args = append(args, copyOf(a))
		}
		b.WriteString(") ")
		return open(p.fn, args)
	}
	list := func(ps []pattern) (out []pattern) {
		for _, p := range ps {
			out = append(out, copyOf(p))
		}
		return out
	}
	r := &rule{head: literal{args: list(kept)}}
	for _, l := range body.pos {
		fmt.Fprintf(&b, "+%d ", l.rel)
		r.pos = append(r.pos, literal{l.rel, list(l.args)})
	}
	for _, l := range body.neg {
		fmt.Fprintf(&b, "-%d ", l.rel)
		r.neg = append(r.neg, literal{l.rel, list(l.args)})
	}
	for _, d := range body.distinct {
		b.WriteString("!= ")
		r.distinct = append(r.distinct, [2]pattern{copyOf(d[0]), copyOf(d[1])})
	}
	r.vars = len(number)
	return r, b.String()
}

// exists returns a literal over the kept variables of l that holds if l
// holds for some value of its others.
func (h *helpers) exists(l literal, keep func(int32) bool) literal {
	var kept []pattern
	for _, v := range l.varSet() {
		if keep(v) {
			kept = append(kept, variable(v))
		}
	}
	return h.helper(kept, &rule{pos: []literal{l}})
}
