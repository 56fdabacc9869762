package prover

import (
	"fmt"
	"strings"
	"sync/atomic"

	"semisplit/reasoner/gdl"
)

// compiler turns rules into plans, pattern by pattern as they are called for.
type compiler struct {
	p       *gdl.Program
	store   *gdl.Store
	statics []*rows // by relation; nil: not materialised
	facts   []*rows // by relation: its ground facts, where they are many; nil: none
	stats   *stats
	code    *code
	ids     map[patternKey]int32
	layout  *layout // nil: moves are taken whole
	stop    *atomic.Bool
	size    int // symbols of the plans of the code
	indexed int // rows in the indexes of static relations
}

// Bounds of indexes: of those of a relation, there can be as many as subsets of its
// arguments, and of the rows in all of those of static relations. Where there is no
// index, all rows are looked at. Published games need up to 14 of a relation.
const (
	maxIndexes = 64
	maxIndexed = 1 << 24
)

// maxSize bounds the code. A rule is compiled for each pattern of bound arguments in
// which it is called, of which there are as many as subsets of the arguments where rules
// exchange them. Published games have up to eleven thousand, less than minSize.
const (
	minSize = 1 << 15
	maxSize = 1 << 21
)

type patternKey struct {
	rel   gdl.RelID
	adorn string
}

// manyFacts is the number of ground facts from which a relation that has
// rules too keeps them in indexed rows.
const manyFacts = 4

func newCompiler(p *gdl.Program, store *gdl.Store, lay *layout, stop *atomic.Bool) *compiler {
	c := &compiler{
		p: p, store: store, layout: lay, stop: stop,
		statics: make([]*rows, len(p.Relations)),
		facts:   make([]*rows, len(p.Relations)),
	}
	for rel := range p.Relations {
		var facts []gdl.Atom
		for _, r := range p.Relations[rel].Rules {
			if c.isFact(&p.Rules[r]) {
				facts = append(facts, p.Rules[r].Head)
			}
		}
		if len(facts) < manyFacts {
			continue
		}
		c.facts[rel] = &rows{width: p.Relations[rel].Arity}
		seen := make(map[gdl.TermID]bool)
		for _, f := range facts {
			var row []gdl.TermID
			for _, a := range f.Args {
				row = append(row, c.ground(a))
			}
			if len(row) > 0 {
				if whole := store.Compound(p.Relations[rel].Name, row); !seen[whole] {
					seen[whole] = true
					c.facts[rel].add(row)
				}
			}
		}
	}
	return c
}

func (c *compiler) isFact(r *gdl.Rule) bool {
	return len(r.Body) == 0 && len(r.Vars) == 0 && len(r.Head.Args) > 0
}

// ground interns a term without variables.
func (c *compiler) ground(t gdl.Term) gdl.TermID {
	if len(t.Args) == 0 {
		return c.store.Const(t.Name)
	}
	args := make([]gdl.TermID, len(t.Args))
	for i, a := range t.Args {
		args[i] = c.ground(a)
	}
	return c.store.Compound(t.Name, args)
}

// compile makes the code for the questions that an engine asks. It fails with
// ErrStopped or ErrLimit.
func (c *compiler) compile(st *stats) (*code, error) {
	c.begin(st)
	root := func(rel gdl.RelID, adorn string) *pattern {
		if int(rel) >= len(c.p.Relations) || len(c.p.Relations[rel].Rules) == 0 {
			return nil
		}
		return &pattern{id: c.pattern(rel, adorn)}
	}
	code := c.code
	code.terminal = root(gdl.RelTerminal, "")
	code.legal = root(gdl.RelLegal, "bf")
	code.isLegal = root(gdl.RelLegal, "bb")
	code.next = root(gdl.RelNext, "f")
	code.goal = root(gdl.RelGoal, "bf")
	code.init = root(gdl.RelInit, "f")
	asked := []**pattern{&code.terminal, &code.legal, &code.isLegal, &code.next, &code.goal, &code.init}
	if c.layout != nil {
		code.offers = make([]*pattern, len(c.layout.choices))
		for k := range code.offers {
			o := &c.layout.choices[k]
			code.offers[k] = root(o.offer, strings.Repeat(string(free), o.arity))
			asked = append(asked, &code.offers[k])
		}
	}
	if err := c.finish(); err != nil {
		return nil, err
	}
	for _, p := range asked {
		if *p != nil {
			*p = &code.patterns[(*p).id]
		}
	}
	return code, nil
}

func (c *compiler) begin(st *stats) {
	c.stats, c.size = st, 0
	c.code = &code{byName: make(map[fluentName]int32), layout: c.layout, spaces: numSpaces}
	if lay := c.layout; lay != nil {
		c.code.spaces = lay.last
		for k := range lay.choices {
			c.code.fluents = append(c.code.fluents, fluentSpec{name: fluentName{noName, lay.choices[k].arity}})
		}
		for range lay.roles {
			c.code.fluents = append(c.code.fluents, fluentSpec{name: fluentName{noName, 0}})
		}
	}
	c.ids = make(map[patternKey]int32)
}

// finish compiles the plans of all patterns that are called, directly or not.
func (c *compiler) finish() error {
	for i := 0; i < len(c.code.patterns); i++ {
		rel, adorn := c.code.patterns[i].rel, c.code.patterns[i].adorn
		var plans []plan
		if c.facts[rel] != nil && c.facts[rel].n > 0 {
			plans = append(plans, c.factPlan(rel, adorn))
		}
		for _, r := range c.p.Relations[rel].Rules {
			rule := &c.p.Rules[r]
			if c.facts[rel] != nil && c.isFact(rule) {
				continue
			}
			if err := c.heed(rule); err != nil {
				return err
			}
			if p, ok := c.plan(rule, adorn); ok {
				plans = append(plans, p)
			}
		}
		c.code.patterns[i].plans = plans
	}
	for _, r := range c.statics {
		if r != nil {
			r.freeze()
		}
	}
	for _, r := range c.facts {
		if r != nil {
			r.freeze()
		}
	}
	return nil
}

// heed says whether a rule may be compiled: the maker may have been told to stop, which
// is no matter as long as it is done at once, or the code have grown too large.
func (c *compiler) heed(r *gdl.Rule) error {
	if c.size > minSize && c.stop != nil && c.stop.Load() {
		return ErrStopped
	}
	c.size += 1 + gdl.CountSymbols(r.Head.Args)
	for _, l := range r.Body {
		c.size += 1 + gdl.CountSymbols(l.Args)
	}
	if c.size > maxSize {
		return fmt.Errorf("%w: rules are called in too many ways", ErrLimit)
	}
	return nil
}

// pattern returns the number of a pattern; its plans follow in finish.
func (c *compiler) pattern(rel gdl.RelID, adorn string) int32 {
	k := patternKey{rel, adorn}
	if id, ok := c.ids[k]; ok {
		return id
	}
	r := &c.p.Relations[rel]
	p := pattern{rel: rel, adorn: adorn, id: int32(len(c.code.patterns)), group: r.Group, cyclic: r.Cyclic}
	switch {
	case c.layout != nil:
		p.space = c.layout.space(rel)
	case r.Depends&gdl.OnMoves != 0:
		p.space = perMove
	case r.Depends&gdl.OnState != 0:
		p.space = perState
	}
	for _, a := range adorn {
		switch a {
		case bound:
			p.keys++
		case free:
			p.width++
		}
	}
	c.code.patterns = append(c.code.patterns, p)
	c.ids[k] = p.id
	return p.id
}

// isStatic says whether a relation is the same in all states.
func (c *compiler) isStatic(rel gdl.RelID) bool {
	if c.layout != nil {
		return c.layout.space(rel) == forever
	}
	return c.p.Relations[rel].Depends == 0
}

// indexOn returns the number of the index of a static relation on the columns, making
// it if need be; -1 if there are too many.
func (c *compiler) indexOn(r *rows, cols []int) int32 {
	if i := r.hasIndexOn(cols); i >= 0 || len(r.indexes) == maxIndexes || c.indexed+r.n > maxIndexed {
		return i
	}
	c.indexed += r.n
	return r.indexOn(cols)
}

// factPlan answers a call from the ground facts of a relation.
func (c *compiler) factPlan(rel gdl.RelID, adorn string) plan {
	n := len(adorn)
	args := make([]gdl.Term, n)
	for i := range args {
		args[i] = gdl.Term{Var: int32(i)}
	}
	r := &gdl.Rule{
		Head: gdl.Atom{Rel: rel, Args: args},
		Body: []gdl.Literal{{Kind: gdl.Positive, Atom: gdl.Atom{Rel: rel, Args: args}}},
		Vars: make([]string, n),
	}
	b := newBuilder(c, r, adorn)
	b.facts = c.facts[rel]
	p, _ := b.build([]int{0})
	return p
}

// plan compiles a rule; false if it cannot answer such a call.
func (c *compiler) plan(r *gdl.Rule, adorn string) (plan, bool) {
	b := newBuilder(c, r, adorn)
	return b.build(b.order())
}
