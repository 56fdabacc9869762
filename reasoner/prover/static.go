package prover

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// What materialising static relations may cost. A relation that takes more,
// or has no end, is asked top-down instead, and its answers are kept.
const (
	staticWork  = 1 << 20 // operations for one relation
	staticTotal = 1 << 23 // operations for all
	staticRows  = 200_000 // answers of one relation
)

// materialise computes the static relations that the game asks for, lowest
// group first.
func (c *compiler) materialise(l Limits, roles []gdl.TermID) {
	roots := []gdl.RelID{gdl.RelInit, gdl.RelNext, gdl.RelLegal, gdl.RelGoal, gdl.RelTerminal}
	if c.layout != nil {
		for k := range c.layout.choices {
			roots = append(roots, c.layout.choices[k].offer)
		}
	}
	used := reachable(c.p, roots...)
	var rels []gdl.RelID
	for rel := range c.p.Relations {
		if used[rel] && c.isStatic(gdl.RelID(rel)) && gdl.RelID(rel) != gdl.RelInit {
			rels = append(rels, gdl.RelID(rel))
		}
	}
	slices.SortStableFunc(rels, func(a, b gdl.RelID) int {
		return c.p.Relations[a].Group - c.p.Relations[b].Group
	})
	spent := 0
	for _, rel := range rels {
		if rel == gdl.RelTrue || rel == gdl.RelDoes {
			continue
		}
		if c.onlyFacts(rel) {
			c.statics[rel] = c.facts[rel]
			continue
		}
		if spent >= staticTotal {
			continue
		}
		found, work := c.enumerate(rel, l, roles)
		spent += work
		c.statics[rel] = found
	}
}

func (c *compiler) onlyFacts(rel gdl.RelID) bool {
	for _, r := range c.p.Relations[rel].Rules {
		if !c.isFact(&c.p.Rules[r]) {
			return false
		}
	}
	return c.facts[rel] != nil
}

// enumerate asks for all instances of a relation; nil if that costs too much.
func (c *compiler) enumerate(rel gdl.RelID, l Limits, roles []gdl.TermID) (*rows, int) {
	r := &c.p.Relations[rel]
	adorn := slices.Repeat([]byte{free}, r.Arity)
	c.begin(nil)
	c.pattern(rel, string(adorn))
	if c.finish() != nil {
		return nil, 0
	}
	e := newEvaluator(c.code, c.store, l, roles)
	e.terms.limits.Facts = min(e.terms.limits.Facts, staticRows*(r.Arity+4))
	e.terms.limits.Terms = min(e.terms.limits.Terms, staticRows)
	e.terms.limits.Depth = min(e.terms.limits.Depth, 200)
	e.budget = staticWork
	out := &rows{width: r.Arity}
	err := e.try(l.Stop, func() {
		e.enter(nil)
		p := &c.code.patterns[0]
		t := e.call(p, nil)
		s := e.spaces[p.space]
		if r.Arity == 0 {
			out.n = int(s.tables[t].n)
			return
		}
		for at := s.tables[t].first; at != 0; at = int32(s.rows[at]) {
			out.add(s.rows[at+1 : int(at)+1+r.Arity])
		}
	})
	if err != nil {
		return nil, e.work
	}
	return out, e.work
}
