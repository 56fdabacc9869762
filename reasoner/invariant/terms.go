package invariant

import (
	"semisplit/reasoner/gdl"
)

// Terms of a proof share the structure of the rules: a shared term is a term
// of a rule and the number that its variables start from. A proof's variables
// are unknown constants, except flexible ones: those stand for any value, in a
// negated fact or in a rule that is being applied.

// sharedTerm is a term whose variables are numbered from off.
type sharedTerm struct {
	t   *gdl.Term
	off int32
}

// slot is a variable of a proof.
type slot struct {
	to   sharedTerm // to.t is nil while it is unbound
	why  uint64     // the assumptions that the binding rests on, a bit each
	flex bool
}

// bindings are the variables of a proof, with all that is known of their
// values.
type bindings struct {
	slots []slot
	trail []int32
	why   uint64 // collects the assumptions of all bindings that are looked at
	steps int    // terms looked at, the measure of all work
	last  int    // steps at which what is being done is given up; 0: it is not
}

// overrun is thrown to leave a proof whose terms have grown without end: where
// variables share structure, a term of a few symbols can be a tree of any size.
type overrun struct{}

// fresh makes n variables and returns the number of the first.
func (b *bindings) fresh(n int, flex bool) int32 {
	first := int32(len(b.slots))
	for range n {
		b.slots = append(b.slots, slot{flex: flex})
	}
	return first
}

func (b *bindings) undo(mark int) {
	for _, v := range b.trail[mark:] {
		b.slots[v].to.t = nil
	}
	b.trail = b.trail[:mark]
}

// resolve follows bindings to a term that is no bound variable. v is the
// number of an unbound variable, or -1.
func (b *bindings) resolve(s sharedTerm) (out sharedTerm, v int32) {
	if b.steps++; b.last > 0 && b.steps >= b.last {
		panic(overrun{})
	}
	for s.t.Var >= 0 {
		v = s.t.Var + s.off
		at := &b.slots[v]
		if at.to.t == nil {
			return s, v
		}
		b.why |= at.why
		s = at.to
	}
	return s, -1
}

// unify makes two terms equal. With flex only flexible variables are bound:
// then it succeeds only where the terms are equal whatever the unknown
// constants are. Bindings rest on why as it is. Bindings of a failed attempt
// are for the caller to undo.
func (b *bindings) unify(x, y sharedTerm, flex bool) bool {
	x, v := b.resolve(x)
	y, w := b.resolve(y)
	switch {
	case v >= 0 && v == w:
		return true
	case v >= 0 && (!flex || b.slots[v].flex):
		return b.bind(v, y)
	case w >= 0 && (!flex || b.slots[w].flex):
		return b.bind(w, x)
	case v >= 0 || w >= 0 || x.t.Name != y.t.Name || len(x.t.Args) != len(y.t.Args):
		return false
	}
	for i := range x.t.Args {
		if !b.unify(sharedTerm{&x.t.Args[i], x.off}, sharedTerm{&y.t.Args[i], y.off}, flex) {
			return false
		}
	}
	return true
}

func (b *bindings) bind(v int32, to sharedTerm) bool {
	if len(to.t.Args) > 0 && b.occurs(v, to) {
		return false
	}
	b.slots[v].to, b.slots[v].why = to, b.why
	b.trail = append(b.trail, v)
	return true
}

func (b *bindings) occurs(v int32, in sharedTerm) bool {
	in, w := b.resolve(in)
	if w >= 0 {
		return w == v
	}
	for i := range in.t.Args {
		if b.occurs(v, sharedTerm{&in.t.Args[i], in.off}) {
			return true
		}
	}
	return false
}

// unifyAll unifies argument lists.
func (b *bindings) unifyAll(x []gdl.Term, xoff int32, y []gdl.Term, yoff int32, flex bool) bool {
	for i := range x {
		if !b.unify(sharedTerm{&x[i], xoff}, sharedTerm{&y[i], yoff}, flex) {
			return false
		}
	}
	return true
}

// same tells whether the terms are equal whatever the unknown constants are.
func (b *bindings) same(x, y sharedTerm) bool {
	x, v := b.resolve(x)
	y, w := b.resolve(y)
	if v >= 0 || w >= 0 {
		return v == w
	}
	if x.t.Name != y.t.Name || len(x.t.Args) != len(y.t.Args) {
		return false
	}
	for i := range x.t.Args {
		if !b.same(sharedTerm{&x.t.Args[i], x.off}, sharedTerm{&y.t.Args[i], y.off}) {
			return false
		}
	}
	return true
}

// ground tells whether the term has no variable left.
func (b *bindings) ground(s sharedTerm) bool {
	s, v := b.resolve(s)
	if v >= 0 {
		return false
	}
	for i := range s.t.Args {
		if !b.ground(sharedTerm{&s.t.Args[i], s.off}) {
			return false
		}
	}
	return true
}

// placeholder numbers the flexible variables of a copied term, from this on.
const placeholder = 1 << 24

// copyTerm writes out a term with its bindings. Variables get their absolute
// numbers, unbound flexible ones are numbered from placeholder in the order of
// loose.
func (b *bindings) copyTerm(s sharedTerm, loose *[]int32) gdl.Term {
	s, v := b.resolve(s)
	if v >= 0 {
		if !b.slots[v].flex {
			return gdl.Term{Var: v}
		}
		for i, w := range *loose {
			if w == v {
				return gdl.Term{Var: placeholder + int32(i)}
			}
		}
		*loose = append(*loose, v)
		return gdl.Term{Var: placeholder + int32(len(*loose)-1)}
	}
	out := gdl.Term{Var: -1, Name: s.t.Name}
	if len(s.t.Args) > 0 {
		out.Args = b.copyTerms(s.t.Args, s.off, loose)
	}
	return out
}

func (b *bindings) copyTerms(terms []gdl.Term, off int32, loose *[]int32) []gdl.Term {
	out := make([]gdl.Term, len(terms))
	for i := range terms {
		out[i] = b.copyTerm(sharedTerm{&terms[i], off}, loose)
	}
	return out
}

// settlePlaceholders gives the placeholders of copied terms their variables.
func settlePlaceholders(terms []gdl.Term, first int32) {
	for i := range terms {
		if terms[i].Var >= placeholder {
			terms[i].Var += first - placeholder
		}
		settlePlaceholders(terms[i].Args, first)
	}
}

// fix binds the flexible variables of terms to new unknown constants.
func (b *bindings) fix(terms []gdl.Term, off int32) {
	for i := range terms {
		s, v := b.resolve(sharedTerm{&terms[i], off})
		switch {
		case v >= 0 && b.slots[v].flex:
			b.bind(v, sharedTerm{&anyVariable, b.fresh(1, false)})
		case v < 0:
			b.fix(s.t.Args, s.off)
		}
	}
}

// anyVariable is the variable 0, for terms that are one variable.
var anyVariable gdl.Term
