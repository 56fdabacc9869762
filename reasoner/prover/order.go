package prover

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// order chooses the order of the literals: greedily, the best filter if
// there is one, else the loop with the fewest rows. A call of a derived
// relation waits until at least those arguments are bound that the text
// binds before it, so that a recursion which the author kept finite stays so.
func (b *builder) order() []int {
	body := b.rule.Body
	bindable := slices.Clone(b.head)
	text := make([][]bool, len(body)) // variables bound before the literal in text order
	for i, l := range body {
		text[i] = slices.Clone(bindable)
		if l.Kind == gdl.Positive {
			markAtom(l.Args, bindable)
		}
	}
	have := slices.Clone(b.head)
	done := make([]bool, len(body))
	var out []int
	for range body {
		best, bestScore := -1, 0.0
		for i := range body {
			if done[i] || !b.ready(&body[i], have, bindable, text[i]) {
				continue
			}
			if s := b.score(&body[i], have); best < 0 || s < bestScore {
				best, bestScore = i, s
			}
		}
		if best < 0 {
			panic("BUG: no literal can be next")
		}
		done[best] = true
		out = append(out, best)
		if body[best].Kind == gdl.Positive {
			markAtom(body[best].Args, have)
		}
	}
	return out
}

// ready says whether a literal may come next. The first positive literal in
// text order that is left always may; if none is left, every test may.
func (b *builder) ready(l *gdl.Literal, have, bindable, text []bool) bool {
	vars := make([]bool, len(have))
	markAtom(l.Args, vars)
	need := text
	if l.Kind != gdl.Positive {
		need = bindable
	} else if b.extensional(l.Rel) {
		return true
	}
	for v := range vars {
		if vars[v] && need[v] && !have[v] {
			return false
		}
	}
	return true
}

// extensional says whether a relation is a stored set of rows.
func (b *builder) extensional(rel gdl.RelID) bool {
	return rel == gdl.RelTrue || rel == gdl.RelDoes || b.c.statics[rel] != nil || b.input(rel) >= 0
}

// score is negative for a filter, by what it saves for its cost; else it
// grows with the number of rows that come out for one that goes in.
func (b *builder) score(l *gdl.Literal, have []bool) float64 {
	var fan, cost float64
	penalty := 0.0
	switch {
	case l.Kind == gdl.Distinct || l.Kind == gdl.Same:
		fan, cost = 0.8, 0.4
	case b.input(l.Rel) >= 0:
		fan = selected(l, have)
		cost = 1 + fan
	case b.extensional(l.Rel):
		fan = b.c.stats.stored(b.c, l, have)
		cost = 1 + fan
	default:
		fan = b.c.stats.derived(b.c, l, have)
		cost = 12 + 2*fan
		penalty = 1
	}
	if l.Kind == gdl.Negative {
		fan = 1 - min(fan, 0.8)
	}
	if fan < 1 {
		return (fan - 1) / cost
	}
	return (fan-1)*(1+penalty) + penalty
}
