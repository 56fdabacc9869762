package ground

import (
	"fmt"
	"strings"

	"semisplit/reasoner/gdl"
)

// pattern is a term of a rule: a variable, a ground term, or a compound with
// variables inside.
type pattern struct {
	v    int32      // number of the variable; -1 for anything else
	id   gdl.TermID // the ground term; 0 for anything else
	fn   gdl.Symbol // functor of a compound with variables
	size int32      // of such a compound: patterns in it, ground terms counted as one
	args []pattern
}

// maxPattern is how many patterns a compound with variables may have inside.
// The terms of a description are far below that; but where one equality after
// the other is put in, they double each time.
const maxPattern = 1 << 12

func variable(v int32) pattern       { return pattern{v: v} }
func constant(id gdl.TermID) pattern { return pattern{v: -1, id: id} }

// compound folds to a ground term when all arguments are ground.
func compound(store *gdl.Store, fn gdl.Symbol, args []pattern) pattern {
	ids := make([]gdl.TermID, len(args))
	for i, a := range args {
		if a.id == 0 {
			return open(fn, args)
		}
		ids[i] = a.id
	}
	return constant(term(store, fn, ids))
}

// open is a compound that is not folded.
func open(fn gdl.Symbol, args []pattern) pattern {
	p := pattern{v: -1, fn: fn, args: args, size: 1}
	for i := range args {
		p.size += args[i].nodes()
	}
	if p.size > maxPattern {
		panic(unwind{fmt.Errorf("%w: a rule with a term of more than %d symbols", ErrLimit, maxPattern)})
	}
	return p
}

// nodes is the number of patterns in a pattern.
func (p *pattern) nodes() int32 {
	if p.args == nil {
		return 1
	}
	return p.size
}

// term is a compound in the store, within the bounds of all terms.
func term(store *gdl.Store, fn gdl.Symbol, args []gdl.TermID) gdl.TermID {
	id := store.Compound(fn, args)
	if !store.Fits(id) {
		panic(unwind{fmt.Errorf("%w: a term of more than %d symbols", ErrLimit, gdl.MaxTermSize)})
	}
	return id
}

// vars calls f on every occurrence of a variable.
func (p *pattern) vars(f func(int32)) {
	if p.v >= 0 {
		f(p.v)
	}
	for i := range p.args {
		p.args[i].vars(f)
	}
}

// replace returns the pattern with variables replaced.
func (p pattern) replace(store *gdl.Store, by func(int32) pattern) pattern {
	if p.v >= 0 {
		return by(p.v)
	}
	if p.id != 0 {
		return p
	}
	args := make([]pattern, len(p.args))
	for i, a := range p.args {
		args[i] = a.replace(store, by)
	}
	return compound(store, p.fn, args)
}

// binding holds the values of a rule's variables (0: unbound) and the order
// in which they were bound.
type binding struct {
	value []gdl.TermID
	trail []int32
}

func (b *binding) undo(mark int) {
	for _, v := range b.trail[mark:] {
		b.value[v] = 0
	}
	b.trail = b.trail[:mark]
}

// match binds variables so that the pattern is the term; what a failed match
// has bound is for the caller to undo.
func (b *binding) match(store *gdl.Store, p *pattern, id gdl.TermID) bool {
	switch {
	case p.id != 0:
		return p.id == id
	case p.v >= 0:
		if old := b.value[p.v]; old != 0 {
			return old == id
		}
		b.value[p.v] = id
		b.trail = append(b.trail, p.v)
		return true
	}
	args := store.Args(id)
	if len(args) != len(p.args) || store.Functor(id) != p.fn {
		return false
	}
	for i := range p.args {
		if !b.match(store, &p.args[i], args[i]) {
			return false
		}
	}
	return true
}

// term is the ground term of a pattern whose variables are all bound.
func (b *binding) term(store *gdl.Store, p *pattern) gdl.TermID {
	switch {
	case p.id != 0:
		return p.id
	case p.v >= 0:
		return b.value[p.v]
	}
	var few [8]gdl.TermID
	args := few[:0]
	for i := range p.args {
		args = append(args, b.term(store, &p.args[i]))
	}
	return term(store, p.fn, args)
}

func variables(vs []int32) []pattern {
	out := make([]pattern, len(vs))
	for i, v := range vs {
		out[i] = variable(v)
	}
	return out
}

func (p *pattern) spell(b *strings.Builder) {
	switch {
	case p.v >= 0:
		fmt.Fprintf(b, "?%d ", p.v)
	case p.id != 0:
		fmt.Fprintf(b, "%d ", p.id)
	default:
		fmt.Fprintf(b, "f%d( ", p.fn)
		for i := range p.args {
			p.args[i].spell(b)
		}
		b.WriteString(") ")
	}
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

// instance tells whether a pattern is an instance of a general one.
func instance(general, p *pattern, to map[int32]pattern) bool {
	if general.v >= 0 {
		if old, ok := to[general.v]; ok {
			return samePattern(&old, p)
		}
		to[general.v] = *p
		return true
	}
	if p.v >= 0 || general.id != p.id || general.fn != p.fn || len(general.args) != len(p.args) {
		return false
	}
	for i := range general.args {
		if !instance(&general.args[i], &p.args[i], to) {
			return false
		}
	}
	return true
}
