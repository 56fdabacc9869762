package ground

import (
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/invariant"
	"semisplit/reasoner/propnet"
)

// oneHot turns the invariants into groups of fluents of which at most one
// holds.
func (w *wiring) oneHot(net *propnet.Net, known []invariant.Invariant) []propnet.Group {
	var out []propnet.Group
	for i := range known {
		w.heed()
		inv := &known[i]
		number := make(map[string]int)
		var groups []propnet.Group
		var initial []bool
		for f, id := range net.Fluents {
			key, ok := w.keyOf(inv, id)
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
			group.Exactly = inv.Total && initial[n]
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
func (w *wiring) keyOf(inv *invariant.Invariant, id gdl.TermID) (string, bool) {
	args := w.store.Args(id)
	for i := range inv.Patterns {
		p := &inv.Patterns[i]
		if p.Functor != w.store.Functor(id) || len(p.Args) != len(args) {
			continue
		}
		keys := make([]gdl.TermID, inv.Keys)
		fits := true
		for k, a := range p.Args {
			switch a.Kind {
			case invariant.Key:
				fits = fits && (keys[a.Key] == 0 || keys[a.Key] == args[k])
				keys[a.Key] = args[k]
			case invariant.Constant:
				fixed := w.pattern(a.Fixed)
				fits = fits && fixed.id == args[k]
			}
		}
		if fits {
			return fmt.Sprint(keys), true
		}
	}
	return "", false
}
