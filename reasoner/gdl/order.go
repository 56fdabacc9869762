package gdl

import (
	"slices"
	"strings"

	"semisplit/kif"
	"semisplit/reasoner/internal/graph"
)

// edge is a use of a relation in the body of a rule for another.
type edge struct {
	to       RelID
	negative bool
	pos      kif.Pos
}

// order sorts the relations by what they depend on: groups of mutual recursion
// (strongly connected components, found as Tarjan does), strata of negation,
// and dependence on the state and the moves.
//
// Negation inside a group is first taken for one of names only, as in
// (<= (goal r 0) (not (goal r 100))), and the rules of the group are made
// relations of their own. What is then left has no meaning that all readers
// share, and is an error.
func (a *analysis) order() {
	bad := a.sort()
	if len(bad) > 0 && a.separate(bad) {
		bad = a.sort()
	}
	for _, c := range bad {
		a.fail("unstratified", c.pos, "break the cycle, or take out the negation",
			"%s depends on its own negation: %s", c.names[0], c)
	}
}

// cycle is a group with a negation inside, and the names along a way through
// it: each uses the next, the first one the second negated.
type cycle struct {
	group int
	pos   kif.Pos
	names []string
}

func (c cycle) String() string {
	return c.names[0] + " uses not " + strings.Join(c.names[1:], ", which uses ")
}

// sort fills in Group, Stratum, Cyclic and Depends, and returns the groups
// with a negation inside.
func (a *analysis) sort() []cycle {
	edges := a.edges()
	uses := func(r RelID) (out []RelID) {
		for _, e := range edges[r] {
			out = append(out, e.to)
		}
		return out
	}
	var groups [][]RelID
	components := graph.NewComponents(len(edges), uses, func(group []RelID) {
		for _, r := range group {
			rel := &a.program.Relations[r]
			rel.Group, rel.Depends = len(groups), 0
		}
		group = slices.Clone(group)
		slices.Sort(group)
		groups = append(groups, group)
	})
	for r := range edges {
		components.Visit(RelID(r))
	}
	a.program.Relations[RelTrue].Depends = OnState
	a.program.Relations[RelDoes].Depends = OnMoves
	var bad []cycle
	for _, group := range groups {
		if c, ok := a.sortGroup(group, edges); !ok {
			bad = append(bad, c)
		}
	}
	return bad
}

// sortGroup settles the relations of one group; those below are settled. ok is
// false if there is a negation inside.
func (a *analysis) sortGroup(group []RelID, edges [][]edge) (inside cycle, ok bool) {
	relations := a.program.Relations
	stratum, cyclic := 0, len(group) > 1
	ok = true
	var depends Dependence
	for _, r := range group {
		depends |= relations[r].Depends
		for _, e := range edges[r] {
			to := &relations[e.to]
			if to.Group == relations[r].Group {
				cyclic = true
				if e.negative && ok {
					inside, ok = a.cycle(r, e, edges), false
				}
				continue
			}
			depends |= to.Depends
			if e.negative {
				stratum = max(stratum, to.Stratum+1)
			} else {
				stratum = max(stratum, to.Stratum)
			}
		}
	}
	for _, r := range group {
		relations[r].Stratum, relations[r].Cyclic, relations[r].Depends = stratum, cyclic, depends
	}
	return inside, ok
}

// edges lists for every relation what its rules use.
func (a *analysis) edges() [][]edge {
	edges := make([][]edge, len(a.program.Relations))
	for _, rule := range a.program.Rules {
		for _, l := range rule.Body {
			if l.Rel >= 0 {
				edges[rule.Head.Rel] = append(edges[rule.Head.Rel], edge{l.Rel, l.Kind == Negative, l.Pos})
			}
		}
	}
	return edges
}

// cycle finds a shortest way through the negative edge from r and back to r.
func (a *analysis) cycle(r RelID, e edge, edges [][]edge) cycle {
	relations := a.program.Relations
	from := map[RelID]RelID{e.to: e.to}
	for queue := []RelID{e.to}; len(queue) > 0; queue = queue[1:] {
		for _, next := range edges[queue[0]] {
			if _, ok := from[next.to]; !ok && relations[next.to].Group == relations[r].Group {
				from[next.to] = queue[0]
				queue = append(queue, next.to)
			}
		}
	}
	var names []string
	for at := r; at != e.to; at = from[at] {
		names = append(names, a.writtenName(at))
	}
	names = append(names, a.writtenName(e.to), a.writtenName(r))
	slices.Reverse(names)
	return cycle{relations[r].Group, e.pos, names}
}

// writtenName is the name that a relation has in the text.
func (a *analysis) writtenName(r RelID) string {
	if whole, ok := a.partOf[r]; ok {
		r = whole
	}
	return a.relationName(r)
}
