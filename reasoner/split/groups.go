package split

import (
	"cmp"
	"slices"

	"semisplit/reasoner/gdl"
)

// grouping partitions the arguments of a form.
type grouping struct {
	groups [][]int // in order; arguments ascending in each
	// loose says of an argument that it indexes no fluent of its own, and is not
	// determined by the group that it was given to.
	loose []bool
	// tied says of an argument that its group determines it.
	tied []bool
}

// modGroups finds the groups of the Mod strategy: arguments that index one
// fluent together, in an order in which the rules can bind them; what indexes
// nothing goes with the group that binds it, or with the last.
func (b *base) modGroups(role, formAt int) grouping {
	c := b.game.Roles[role].Levels[0].Choices[formAt]
	n := b.game.Program.Relations[c.Offer].Arity
	together, touched := b.pairs.arguments(c.Offer, c.Select)
	rules := b.rules[c.Offer]
	var index []int // arguments that index something
	for i := range n {
		if touched[i] && !alwaysConstant(rules, i) {
			index = append(index, i)
		}
	}
	shared := cutVertices(index, together)
	core := slices.DeleteFunc(slices.Clone(index), func(i int) bool { return slices.Contains(shared, i) })
	groups := components(core, together)
	b.sortGroups(groups, rules)
	g := grouping{groups: groups, loose: make([]bool, n), tied: make([]bool, n)}
	if len(groups) == 0 {
		if n > 0 {
			g.groups = [][]int{allArguments(n)}
		} else {
			g.groups = [][]int{nil}
		}
		return g
	}
	for i := range n {
		switch {
		case slices.Contains(core, i):
		case slices.Contains(shared, i):
			g.give(i, firstPartner(groups, i, together))
		case alwaysConstant(rules, i):
			g.tied[i] = true
			g.give(i, 0)
		default:
			at, tied := b.binder(groups, rules, i)
			g.tied[i], g.loose[i] = tied, !tied
			g.give(i, at)
		}
	}
	return g
}

func allArguments(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

func (g *grouping) give(argument, group int) {
	g.groups[group] = append(slices.Clone(g.groups[group]), argument)
	slices.Sort(g.groups[group])
}

// alwaysConstant: all rules fix the argument to the same value.
func alwaysConstant(rules []clause, argument int) bool {
	for _, r := range rules {
		if t := r.head.Args[argument]; !isGround([]gdl.Term{t}) || !equalTerms(t, rules[0].head.Args[argument]) {
			return false
		}
	}
	return len(rules) > 0
}

// components are the connected components, each ascending, in order of their
// first member.
func components(nodes []int, edges map[[2]int]bool) [][]int {
	var out [][]int
	left := slices.Clone(nodes)
	for len(left) > 0 {
		part := []int{left[0]}
		left = left[1:]
		for i := 0; i < len(part); i++ {
			left = slices.DeleteFunc(left, func(v int) bool {
				linked := edges[[2]int{min(part[i], v), max(part[i], v)}]
				if linked {
					part = append(part, v)
				}
				return linked
			})
		}
		slices.Sort(part)
		out = append(out, part)
	}
	return out
}

// cutVertices are the nodes that hold otherwise separate groups together, like
// the column of a piece that moves along its column.
func cutVertices(nodes []int, edges map[[2]int]bool) []int {
	var out []int
	whole := len(components(nodes, edges))
	for _, v := range nodes {
		rest := slices.DeleteFunc(slices.Clone(nodes), func(w int) bool { return w == v })
		if len(components(rest, edges)) > whole {
			out = append(out, v)
		}
	}
	if len(out) == len(nodes) {
		return nil
	}
	return out
}

// firstPartner is the first group with an argument that is linked to v.
func firstPartner(groups [][]int, v int, edges map[[2]int]bool) int {
	for i, g := range groups {
		for _, w := range g {
			if edges[[2]int{min(v, w), max(v, w)}] {
				return i
			}
		}
	}
	return 0
}

// sortGroups puts groups first that the rules bind first: in each rule, the
// group whose arguments an earlier condition on fluents knows wins over the
// others. Ties keep the order of the arguments.
func (b *base) sortGroups(groups [][]int, rules []clause) {
	wins := make(map[int]int)
	for _, r := range rules {
		for i, g := range groups {
			heed(b.ctx)
			for _, h := range groups[:i] {
				if sharesVars(r, g) || sharesVars(r, h) {
					continue // the arrow goes where the queen was: that tells no order
				}
				x, y := b.boundAt(r, g), b.boundAt(r, h)
				wins[g[0]] += cmp.Compare(y, x)
				wins[h[0]] += cmp.Compare(x, y)
			}
		}
	}
	slices.SortStableFunc(groups, func(a, c []int) int {
		return cmp.Or(wins[c[0]]-wins[a[0]], a[0]-c[0])
	})
}

// sharesVars says whether a variable of the group is an argument outside, too.
func sharesVars(r clause, group []int) bool {
	own := headVars(r, group)
	for i := range r.head.Args {
		if !slices.Contains(group, i) && slices.ContainsFunc(headVars(r, []int{i}), func(v int32) bool { return slices.Contains(own, v) }) {
			return true
		}
	}
	return false
}

// boundAt is the number of the condition on fluents at which the rule knows all
// arguments of the group.
func (b *base) boundAt(r clause, group []int) int {
	left := headVars(r, group)
	for i, l := range r.body {
		if l.Kind == gdl.Positive && b.dynamic(l.Rel) {
			varsIn(l.Args, func(v int32) {
				left = slices.DeleteFunc(left, func(w int32) bool { return v == w })
			})
		}
		if len(left) == 0 {
			return i
		}
	}
	return len(r.body)
}

// headVars are the variables that stand for the arguments in a rule's head.
func headVars(r clause, arguments []int) []int32 {
	var out []int32
	for _, f := range arguments {
		varsIn(r.head.Args[f:f+1], func(v int32) { out = append(out, v) })
	}
	return out
}

func mentionsAny(l gdl.Literal, vars []int32) bool {
	any := false
	varsIn(l.Args, func(v int32) { any = any || slices.Contains(vars, v) })
	return any
}

// binder is the group that binds an argument which indexes nothing: the first
// one that a positive condition mentions together with it, fluents first. tied
// says that it is the value of a fluent which the group indexes.
func (b *base) binder(groups [][]int, rules []clause, argument int) (group int, tied bool) {
	for _, fluent := range []bool{true, false} {
		best := len(groups)
		for _, r := range rules {
			heed(b.ctx)
			own, value := headVars(r, []int{argument}), r.head.Args[argument]
			for _, l := range r.body {
				if l.Kind != gdl.Positive || (l.Rel == gdl.RelTrue) != fluent {
					continue
				}
				if !mentionsAny(l, own) && (len(own) > 0 || !contains(l.Args, value)) {
					continue
				}
				at := -1
				for i, g := range groups {
					if mentionsAny(l, headVars(r, g)) {
						at = i
						if fluent {
							break
						}
					}
				}
				if at >= 0 && at < best {
					best = at
				}
			}
		}
		if best < len(groups) {
			return best, fluent
		}
	}
	return len(groups) - 1, false
}

// contains says whether a ground term stands somewhere in the terms.
func contains(terms []gdl.Term, t gdl.Term) bool {
	return slices.ContainsFunc(terms, func(a gdl.Term) bool { return equalTerms(a, t) || contains(a.Args, t) })
}
