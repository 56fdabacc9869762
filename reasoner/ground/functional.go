package ground

import (
	"semisplit/reasoner/invariant"
)

// functional is a fluent of which at most one instance holds: a pattern of a
// fluent in which keys and constants are to be fixed.
type functional struct {
	args []invariant.Arg
	keys int
}

// learn files the invariants that speak of one fluent.
func (rw *rewriter) learn(known []invariant.Invariant) {
	for i := range known {
		if inv := &known[i]; len(inv.Patterns) == 1 {
			p := &inv.Patterns[0]
			rw.functional[p.Functor] = append(rw.functional[p.Functor], functional{p.Args, inv.Keys})
		}
	}
}

// functionalSource returns the source of a fluent's literal whose keys are
// fixed, and the patterns that stand in the places of the values.
func (rw *rewriter) functionalSource(l *literal) (int32, []pattern, bool) {
	f := &l.args[0]
	if f.args == nil {
		return 0, nil, false
	}
	best := -1
	for i := range rw.functional[f.fn] {
		inv := &rw.functional[f.fn][i]
		if rw.fits(inv, f) && (best < 0 || inv.keys < rw.functional[f.fn][best].keys) {
			best = i
		}
	}
	if best < 0 {
		return 0, nil, false
	}
	var values []pattern
	var args []pattern
	for i, a := range rw.functional[f.fn][best].args {
		if a.Kind == invariant.Value {
			args = append(args, generalize(&f.args[i], &values))
		} else {
			args = append(args, f.args[i])
		}
	}
	if len(values) == 0 {
		return 0, nil, false
	}
	return rw.source(literal{rel: l.rel, args: []pattern{open(f.fn, args)}}, len(values)), values, true
}

// fits tells whether the keys of an invariant are ground in a fluent, and its
// constants the same.
func (rw *rewriter) fits(inv *functional, f *pattern) bool {
	if len(inv.args) != len(f.args) {
		return false
	}
	for i, a := range inv.args {
		switch a.Kind {
		case invariant.Key:
			if f.args[i].id == 0 {
				return false
			}
		case invariant.Constant:
			if fixed := rw.pattern(a.Fixed); f.args[i].id == 0 || f.args[i].id != fixed.id {
				return false
			}
		}
	}
	return true
}
