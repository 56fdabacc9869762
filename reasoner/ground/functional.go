package ground

import (
	"context"

	"semisplit/reasoner/gdl"
)

// Invariants are what is known of all reachable states of a game, however its
// moves are split. They make circuits smaller; none is needed.
type Invariants struct {
	symbols *gdl.Symbols
	list    []invariant
}

// Prove looks for invariants of a game, for as long as the context allows and
// within bounds of its own.
func Prove(ctx context.Context, p *gdl.Program) *Invariants {
	return &Invariants{p.Symbols, proveInvariants(ctx, p)}
}

// functional is a fluent of which at most one instance holds: a pattern of a
// fluent in which keys and constants are to be fixed.
type functional struct {
	args []fluentArg
	keys int
}

// learn files the invariants that speak of one fluent.
func (g *grounder) learn() {
	g.functional = make(map[gdl.Symbol][]functional)
	if g.known == nil {
		return
	}
	for i := range g.known.list {
		if inv := &g.known.list[i]; len(inv.patterns) == 1 {
			p := &inv.patterns[0]
			g.functional[p.functor] = append(g.functional[p.functor], functional{p.args, inv.keys})
		}
	}
}

// functionalSource returns the source of a fluent's literal whose keys are
// fixed, and the patterns that stand in the places of the values.
func (g *grounder) functionalSource(l *literal) (int32, []pattern, bool) {
	f := &l.args[0]
	if f.args == nil {
		return 0, nil, false
	}
	best := -1
	for i := range g.functional[f.fn] {
		inv := &g.functional[f.fn][i]
		if g.fits(inv, f) && (best < 0 || inv.keys < g.functional[f.fn][best].keys) {
			best = i
		}
	}
	if best < 0 {
		return 0, nil, false
	}
	var values []pattern
	t := pattern{v: -1, fn: f.fn}
	for i, a := range g.functional[f.fn][best].args {
		if a.role == argValue {
			t.args = append(t.args, generalize(&f.args[i], &values))
		} else {
			t.args = append(t.args, f.args[i])
		}
	}
	if len(values) == 0 {
		return 0, nil, false
	}
	return g.source(literal{rel: l.rel, args: []pattern{t}}, len(values)), values, true
}

// fits tells whether the keys of an invariant are ground in a fluent, and its
// constants the same.
func (g *grounder) fits(inv *functional, f *pattern) bool {
	if len(inv.args) != len(f.args) {
		return false
	}
	for i, a := range inv.args {
		switch a.role {
		case argKey:
			if f.args[i].id == 0 {
				return false
			}
		case argConstant:
			if fixed := g.pattern(a.fixed); f.args[i].id == 0 || f.args[i].id != fixed.id {
				return false
			}
		}
	}
	return true
}
