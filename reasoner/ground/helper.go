package ground

import (
	"fmt"
	"strings"
)

// helper returns the literal h(kept...) of a helper relation with the body as
// its only rule, whose variables are numbered as those of kept. Bodies that
// differ only in the numbers of their variables share one helper.
func (g *grounder) helper(kept []pattern, body *rule) literal {
	r, key := canonical(kept, body)
	if rel, ok := g.helpers[key]; ok {
		return literal{rel: rel, args: kept}
	}
	rel := g.newRelation(relation{})
	g.helpers[key] = rel
	for _, l := range append(append([]literal(nil), r.pos...), r.neg...) {
		g.relations[rel].dynamic = g.relations[rel].dynamic || g.relations[l.rel].dynamic
	}
	r.head.rel = rel
	g.addRule(r)
	if g.relations[rel].final = g.rewriting; g.rewriting {
		g.dynamic = append(g.dynamic, r)
		for _, l := range append(append([]literal(nil), r.pos...), r.neg...) {
			g.demand(l.rel)
		}
	}
	return literal{rel: rel, args: kept}
}

// disjunction returns the literal h(kept...) of a helper relation that holds if
// one of the bodies does, which mention just the variables of kept.
func (g *grounder) disjunction(kept []pattern, bodies []literal) literal {
	_, key := canonical(kept, &rule{pos: bodies})
	key = "or " + key
	if rel, ok := g.helpers[key]; ok {
		return literal{rel: rel, args: kept}
	}
	rel := g.newRelation(relation{dynamic: true, final: true})
	g.helpers[key] = rel
	for _, l := range bodies {
		r, _ := canonical(kept, &rule{pos: []literal{l}})
		r.head.rel = rel
		g.dynamic = append(g.dynamic, r)
		g.demand(l.rel)
	}
	return literal{rel: rel, args: kept}
}

func (g *grounder) newRelation(rel relation) int32 {
	g.relations = append(g.relations, rel)
	g.atoms.rels = append(g.atoms.rels, extension{})
	return int32(len(g.relations) - 1)
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
		out := pattern{v: -1, fn: p.fn}
		for _, a := range p.args {
			out.args = append(out.args, copyOf(a))
		}
		b.WriteString(") ")
		return out
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
