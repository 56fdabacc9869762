package gdl

import (
	"errors"
	"slices"
)

// Rebuild settles what follows from the rules of a program that was rewritten:
// the rules of every relation, and what they depend on, in what order. Inputs
// are relations without rules whose extension is given from outside, with what
// it depends on; true and does need not be listed.
//
// It fails if a relation depends on its own negation.
func Rebuild(p *Program, inputs map[RelID]Dependence) error {
	for r := range p.Relations {
		p.Relations[r].Rules = nil
	}
	for i := range p.Rules {
		rel := &p.Relations[p.Rules[i].Head.Rel]
		rel.Rules = append(rel.Rules, int32(i))
	}
	a := &analysis{program: p}
	if bad := a.sort(); len(bad) > 0 {
		return errors.New("gdl: " + bad[0].names[0] + " depends on its own negation: " + bad[0].String())
	}
	if len(inputs) == 0 {
		return nil
	}
	for r, d := range inputs {
		p.Relations[r].Depends |= d
	}
	p.spread(a.edges())
	return nil
}

// spread carries dependence from the relations that are used to those that use
// them, in the order of the groups.
func (p *Program) spread(edges [][]edge) {
	order := make([]RelID, len(p.Relations))
	for r := range order {
		order[r] = RelID(r)
	}
	group := func(r RelID) int { return p.Relations[r].Group }
	slices.SortStableFunc(order, func(a, b RelID) int { return group(a) - group(b) })
	for len(order) > 0 {
		n := 1
		for n < len(order) && group(order[n]) == group(order[0]) {
			n++
		}
		var depends Dependence
		for _, r := range order[:n] {
			depends |= p.Relations[r].Depends
			for _, e := range edges[r] {
				depends |= p.Relations[e.to].Depends
			}
		}
		for _, r := range order[:n] {
			p.Relations[r].Depends = depends
		}
		order = order[n:]
	}
}
