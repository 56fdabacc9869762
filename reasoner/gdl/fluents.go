package gdl

import (
	"slices"

	"semisplit/kif"
)

// Bounds of what Fluents looks at, gives for one functor, and gives at all.
const (
	fluentPasses  = 50
	fluentWork    = 2_000_000 // literals
	mostValues    = 256       // of an argument
	mostPossible  = 4096
	mostOfFluents = 1 << 15
)

// Fluents lists fluents that may come to hold, by what the rules let stand at
// each argument: every combination, or where these are more than some thousands,
// each value of an argument beside the first ones of the others. It is quick
// and knows no state: some of them never hold, and what stands in an argument
// only inside of another term is not seen.
func (p *Program) Fluents() []kif.Term {
	c := columns{program: p, values: map[column][]Symbol{}}
	c.fill()
	var all []kif.Term
	seen := map[column]bool{}
	for i := range p.Rules {
		head := &p.Rules[i].Head
		if head.Rel != RelNext && head.Rel != RelInit {
			continue
		}
		f := head.Args[0]
		of := column{relation: RelTrue, functor: f.Name, arity: len(f.Args)}
		if f.Var < 0 && len(f.Args) > 0 && !seen[of] && len(all) < mostOfFluents {
			seen[of] = true
			all = append(all, c.fluentsOf(of)...)
		}
	}
	return all
}

// column is an argument of a relation, or of a fluent or a move within true or
// does.
type column struct {
	relation RelID
	functor  Symbol // of the fluent or move; 0 for an argument of the relation itself
	arity    int
	argument int
}

// columns hold which constants may stand where.
type columns struct {
	program *Program
	values  map[column][]Symbol // in the order in which they were found
	grown   bool
}

// fill goes through the rules until nothing new is found.
func (c *columns) fill() {
	work := fluentWork
	for pass := 0; pass < fluentPasses; pass++ {
		c.grown = false
		for i := range c.program.Rules {
			r := &c.program.Rules[i]
			if work -= 1 + len(r.Body); work < 0 {
				return
			}
			c.derive(r)
		}
		if !c.grown {
			return
		}
	}
}

// derive adds what a rule lets stand in its head.
func (c *columns) derive(r *Rule) {
	eachPlace(&r.Head, func(at column, t *Term) {
		switch {
		case t.Var >= 0:
			for _, value := range c.bound(r, t.Var) {
				c.add(at, value)
			}
		case len(t.Args) == 0:
			c.add(at, t.Name)
		}
	})
}

func (c *columns) add(at column, value Symbol) {
	if have := c.values[at]; len(have) < mostValues && !slices.Contains(have, value) {
		c.values[at] = append(have, value)
		c.grown = true
	}
}

// bound is what a variable can be: the values of the smallest column in which
// the body has it.
func (c *columns) bound(r *Rule, v int32) []Symbol {
	var best []Symbol
	found := false
	for i := range r.Body {
		if r.Body[i].Kind != Positive {
			continue
		}
		eachPlace(&r.Body[i].Atom, func(at column, t *Term) {
			if values := c.values[at]; t.Var == v && (!found || len(values) < len(best)) {
				best, found = values, true
			}
		})
	}
	return best
}

// eachPlace calls f for each argument of an atom, with the column it is in:
// next and init fill true, legal fills does.
func eachPlace(a *Atom, f func(at column, t *Term)) {
	relation := a.Rel
	switch relation {
	case RelNext, RelInit:
		relation = RelTrue
	case RelLegal:
		relation = RelDoes
	}
	for i := range a.Args {
		t := &a.Args[i]
		if inside := relation == RelTrue || relation == RelDoes && i == 1; inside && t.Var < 0 {
			for j := range t.Args {
				f(column{relation, t.Name, len(t.Args), j}, &t.Args[j])
			}
			continue
		}
		f(column{relation: relation, argument: i}, t)
	}
}

// fluentsOf lists the fluents of a functor.
func (c *columns) fluentsOf(of column) []kif.Term {
	values := make([][]Symbol, of.arity)
	product := 1
	for i := range values {
		of.argument = i
		if values[i] = c.values[of]; len(values[i]) == 0 {
			return nil
		}
		product = min(mostPossible+1, product*len(values[i]))
	}
	at := make([]int, of.arity)
	term := func() kif.Term {
		items := []kif.Term{c.spelled(of.functor)}
		for i, k := range at {
			items = append(items, c.spelled(values[i][k]))
		}
		return kif.List(items...)
	}
	var all []kif.Term
	if product <= mostPossible {
		for range product {
			all = append(all, term())
			for i := of.arity - 1; i >= 0; i-- {
				if at[i]++; at[i] < len(values[i]) {
					break
				}
				at[i] = 0
			}
		}
		return all
	}
	for i := range values {
		for k := range values[i] {
			at[i] = k
			all = append(all, term())
		}
		at[i] = 0
	}
	return all
}

func (c *columns) spelled(s Symbol) kif.Term { return kif.Symbol(c.program.Symbols.Name(s)) }
