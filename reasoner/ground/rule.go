package ground

import (
	"slices"
)

// literal is an atom with variables.
type literal struct {
	rel  int32
	args []pattern
}

// rule is a clause in the form that is joined: what binds, what is looked up
// once everything is bound, and inequalities.
type rule struct {
	head     literal
	pos, neg []literal
	distinct [][2]pattern
	vars     int // number of variables
	plans    []*plan
}

func (l *literal) vars(f func(int32)) {
	for i := range l.args {
		l.args[i].vars(f)
	}
}

// varSet lists the variables of a literal, each once, in order of occurrence.
func (l *literal) varSet() []int32 {
	var out []int32
	l.vars(func(v int32) {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	})
	return out
}

// bound tells which variables the positive literals bind.
func (r *rule) bound() []bool {
	b := make([]bool, r.vars)
	for i := range r.pos {
		r.pos[i].vars(func(v int32) { b[v] = true })
	}
	return b
}

// positiveVars lists the variables of the positive literals.
func (r *rule) positiveVars() []int32 {
	return (&literal{args: slices.Concat(args(r.pos)...)}).varSet()
}

func (r *rule) mentions(v int32) (yes bool) {
	see := func(x int32) { yes = yes || x == v }
	for i := range r.pos {
		r.pos[i].vars(see)
	}
	for i := range r.neg {
		r.neg[i].vars(see)
	}
	for i := range r.distinct {
		r.distinct[i][0].vars(see)
		r.distinct[i][1].vars(see)
	}
	return yes
}

// pairs takes inequalities for literals.
func pairs(r *rule) []literal {
	out := make([]literal, len(r.distinct))
	for i := range r.distinct {
		out[i] = literal{rel: -1, args: r.distinct[i][:]}
	}
	return out
}

func touches(vars func(func(int32)), some []int32) (yes bool) {
	vars(func(v int32) { yes = yes || slices.Contains(some, v) })
	return yes
}

func args(ls []literal) [][]pattern {
	out := make([][]pattern, len(ls))
	for i, l := range ls {
		out[i] = l.args
	}
	return out
}

// relation is a relation of the game or one that the rewriting made.
type relation struct {
	name      string // for people
	rules     []*rule
	dynamic   bool // its extension depends on the state or on what is selected
	input     bool // its atoms are inputs of the circuit, or come from atoms of another relation
	postponed bool // static, but treated as dynamic
	group     int  // strongly connected component; above those of all relations that it uses
	cyclic    bool // the group is recursive
	final     bool // its rules need no rewriting
}

// uses lists the relations that rules for this one ask for.
func (r *relation) uses() (out []int32) {
	for _, rule := range r.rules {
		for _, ls := range [][]literal{rule.pos, rule.neg} {
			for i := range ls {
				out = append(out, ls[i].rel)
			}
		}
	}
	return out
}

// plan is an order in which the positive literals of a rule are joined.
// Checks run as soon as their variables are bound.
type plan struct {
	epoch   int
	trigger int // the literal that is given; -1: none
	start   []check
	steps   []step
}

// step looks up one literal.
type step struct {
	literal int
	access  access
	checks  []check
}

// check is an inequality or a negated static literal.
type check struct {
	distinct *[2]pattern
	neg      *literal
}

func moved[T any](item T, move bool, to *[]T) bool {
	if move {
		*to = append(*to, item)
	}
	return move
}
