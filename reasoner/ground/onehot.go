package ground

import (
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/propnet"
)

// oneHot turns the invariants into groups of fluents of which at most one
// holds.
func (g *grounder) oneHot(net *propnet.Net) []propnet.Group {
	var out []propnet.Group
	if g.known == nil {
		return nil
	}
	for i := range g.known.list {
		inv := &g.known.list[i]
		number := make(map[string]int)
		var groups []propnet.Group
		var initial []bool
		for f, id := range net.Fluents {
			key, ok := g.keyOf(inv, id)
			if !ok {
				continue
			}
			n, seen := number[key]
			if !seen {
				n = len(groups)
				number[key] = n
				groups, initial = append(groups, propnet.Group{}), append(initial, false)
			}
			groups[n].Members = append(groups[n].Members, propnet.Node(2+f))
			initial[n] = initial[n] || net.Initial[f]
		}
		for n, group := range groups {
			group.Exactly = inv.total && initial[n]
			if len(group.Members) > 1 {
				out = append(out, group)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b propnet.Group) int { return slices.Compare(a.Members, b.Members) })
	return slices.CompactFunc(out, func(a, b propnet.Group) bool {
		return slices.Equal(a.Members, b.Members) && (a.Exactly || !b.Exactly)
	})
}

// keyOf spells the keys of a fluent in an invariant; false if the invariant
// does not speak of it.
func (g *grounder) keyOf(inv *invariant, id gdl.TermID) (string, bool) {
	args := g.store.Args(id)
	for i := range inv.patterns {
		p := &inv.patterns[i]
		if p.functor != g.store.Functor(id) || len(p.args) != len(args) {
			continue
		}
		keys := make([]gdl.TermID, inv.keys)
		fits := true
		for k, a := range p.args {
			switch a.role {
			case argKey:
				fits = fits && (keys[a.key] == 0 || keys[a.key] == args[k])
				keys[a.key] = args[k]
			case argConstant:
				fixed := g.pattern(a.fixed)
				fits = fits && fixed.id == args[k]
			}
		}
		if fits {
			return fmt.Sprint(keys), true
		}
	}
	return "", false
}
