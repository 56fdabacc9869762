package split

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
)

// clause is a rule that is being rewritten. Its variables are numbered by
// vars, which grows as patterns are unified with it.
type clause struct {
	head gdl.Atom
	body []gdl.Literal
	vars []string
	pos  kif.Pos
}

func newClause(r *gdl.Rule) clause {
	return clause{r.Head, slices.Clone(r.Body), slices.Clone(r.Vars), r.Pos}
}

// fresh adds a variable and returns it as a term.
func (c *clause) fresh(name string) gdl.Term {
	c.vars = append(slices.Clip(c.vars), name)
	return gdl.Term{Var: int32(len(c.vars) - 1)}
}

// apart returns the pattern with its variables, which are numbered from 0,
// replaced by fresh ones of the clause.
func (c *clause) apart(pattern gdl.Term, names []string) gdl.Term {
	own := make([]gdl.Term, len(names))
	for i, n := range names {
		own[i] = c.fresh(n)
	}
	return replace(pattern, own)
}

// replace puts terms for the variables of t.
func replace(t gdl.Term, by []gdl.Term) gdl.Term {
	if t.Var >= 0 {
		return by[t.Var]
	}
	if t.Args == nil {
		return t
	}
	args := make([]gdl.Term, len(t.Args))
	for i, a := range t.Args {
		args[i] = replace(a, by)
	}
	t.Args = args
	return t
}

// binding is a substitution: the term for each variable, if bound says that
// there is one. Terms may contain bound variables themselves.
type binding struct {
	terms []gdl.Term
	bound []bool
	steps int // terms looked at
}

// maxBindingSteps bounds what one substitution may look at or write: variables
// share structure, so that terms can double with each of them.
const maxBindingSteps = 1 << 17

// unwind is thrown where a substitution has no end in sight, or the context has
// ended.
type unwind struct{ err error }

var errTooLarge = errors.New("split: terms of rules grow too large")

// catch makes an error of what was thrown.
func catch(err *error) {
	if r := recover(); r != nil {
		u, ok := r.(unwind)
		if !ok {
			panic(r)
		}
		*err = u.err
	}
}

func heed(ctx context.Context) {
	if ctx.Err() != nil {
		panic(unwind{fmt.Errorf("split: %w", context.Cause(ctx))})
	}
}

func newBinding(vars int) *binding {
	return &binding{terms: make([]gdl.Term, vars), bound: make([]bool, vars)}
}

func (b *binding) walk(t gdl.Term) gdl.Term {
	if b.steps++; b.steps > maxBindingSteps {
		panic(unwind{errTooLarge})
	}
	for t.Var >= 0 && b.bound[t.Var] {
		t = b.terms[t.Var]
	}
	return t
}

// unify makes the terms equal, or reports that nothing does.
func (b *binding) unify(x, y gdl.Term) bool {
	x, y = b.walk(x), b.walk(y)
	switch {
	case x.Var >= 0 && y.Var >= 0 && x.Var == y.Var:
		return true
	case x.Var >= 0:
		return b.bind(x.Var, y)
	case y.Var >= 0:
		return b.bind(y.Var, x)
	case x.Name != y.Name || len(x.Args) != len(y.Args):
		return false
	}
	return b.unifyAll(x.Args, y.Args)
}

func (b *binding) unifyAll(x, y []gdl.Term) bool {
	for i := range x {
		if !b.unify(x[i], y[i]) {
			return false
		}
	}
	return true
}

func (b *binding) bind(v int32, t gdl.Term) bool {
	if b.occurs(v, t) {
		return false
	}
	b.terms[v], b.bound[v] = t, true
	return true
}

func (b *binding) occurs(v int32, t gdl.Term) bool {
	if t = b.walk(t); t.Var >= 0 {
		return t.Var == v
	}
	return slices.ContainsFunc(t.Args, func(a gdl.Term) bool { return b.occurs(v, a) })
}

func (b *binding) apply(t gdl.Term) gdl.Term {
	t = b.walk(t)
	if t.Args != nil {
		t.Args = b.applyAll(t.Args)
	}
	return t
}

func (b *binding) applyAll(terms []gdl.Term) []gdl.Term {
	if terms == nil {
		return nil
	}
	out := make([]gdl.Term, len(terms))
	for i, t := range terms {
		out[i] = b.apply(t)
	}
	return out
}

// under returns the clause with the substitution made.
func (c clause) under(b *binding) clause {
	c.head.Args = b.applyAll(c.head.Args)
	body := make([]gdl.Literal, len(c.body))
	for i, l := range c.body {
		l.Args = b.applyAll(l.Args)
		body[i] = l
	}
	c.body = body
	return c
}

// with returns the clause with literal i replaced by others.
func (c clause) with(i int, by ...gdl.Literal) clause {
	c.body = slices.Concat(c.body[:i], by, c.body[i+1:])
	return c
}

// rule numbers the variables in order of appearance, and gives each a spelling
// of its own.
func (c clause) rule() gdl.Rule {
	n := numbering{from: c.vars, to: make(map[int32]int32), used: make(map[string]bool)}
	r := gdl.Rule{Pos: c.pos}
	r.Head = n.atom(c.head)
	for _, l := range c.body {
		r.Body = append(r.Body, gdl.Literal{Kind: l.Kind, Atom: n.atom(l.Atom)})
	}
	r.Vars = n.names
	return r
}

type numbering struct {
	from  []string
	to    map[int32]int32
	used  map[string]bool
	names []string
}

func (n *numbering) atom(a gdl.Atom) gdl.Atom {
	a.Args = n.terms(a.Args)
	return a
}

func (n *numbering) terms(terms []gdl.Term) []gdl.Term {
	if terms == nil {
		return nil
	}
	out := make([]gdl.Term, len(terms))
	for i, t := range terms {
		if t.Var >= 0 {
			t.Var = n.number(t.Var)
		}
		t.Args = n.terms(t.Args)
		out[i] = t
	}
	return out
}

func (n *numbering) number(v int32) int32 {
	if to, ok := n.to[v]; ok {
		return to
	}
	name := n.from[v]
	for i := 1; n.used[name]; i++ {
		name = fmt.Sprintf("%s#%d", n.from[v], i)
	}
	n.used[name] = true
	to := int32(len(n.names))
	n.to[v] = to
	n.names = append(n.names, name)
	return to
}

// ruleKey spells a rule so that equal rules, up to the spelling of variables, have
// equal keys.
func ruleKey(r *gdl.Rule) string {
	b := atomKey(nil, r.Head)
	for _, l := range r.Body {
		b = append(b, byte('0'+l.Kind))
		b = atomKey(b, l.Atom)
	}
	return string(b)
}

func atomKey(b []byte, a gdl.Atom) []byte {
	b = fmt.Appendf(b, "%d", a.Rel)
	return termsKey(b, a.Args)
}

func termsKey(b []byte, terms []gdl.Term) []byte {
	b = append(b, '(')
	for _, t := range terms {
		if t.Var >= 0 {
			b = fmt.Appendf(b, "?%d ", t.Var)
			continue
		}
		b = fmt.Appendf(b, "%d ", t.Name)
		if t.Args != nil {
			b = termsKey(b, t.Args)
		}
	}
	return append(b, ')')
}

// varsIn calls f for every occurrence of a variable.
func varsIn(terms []gdl.Term, f func(int32)) {
	for _, t := range terms {
		if t.Var >= 0 {
			f(t.Var)
		}
		varsIn(t.Args, f)
	}
}

func isGround(terms []gdl.Term) bool {
	ground := true
	varsIn(terms, func(int32) { ground = false })
	return ground
}

func equalTerms(a, b gdl.Term) bool {
	return a.Var == b.Var && a.Name == b.Name && slices.EqualFunc(a.Args, b.Args, equalTerms)
}

// occurrences counts how often each variable occurs in the clause.
func (c *clause) occurrences() []int {
	n := make([]int, len(c.vars))
	count := func(v int32) { n[v]++ }
	varsIn(c.head.Args, count)
	for _, l := range c.body {
		varsIn(l.Args, count)
	}
	return n
}

// boundVars are the variables of positive literals.
func (c *clause) boundVars() []bool {
	out := make([]bool, len(c.vars))
	for _, l := range c.body {
		if l.Kind == gdl.Positive {
			varsIn(l.Args, func(v int32) { out[v] = true })
		}
	}
	return out
}
