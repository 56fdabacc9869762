package split

import (
	"context"
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
)

// Plans derives the plans for a program from its rules: orthodox first, then
// those that split differently from all before. The notes say what was left
// out, and why.
//
// It ends with the context, with the plans that were found by then.
func Plans(ctx context.Context, p *gdl.Program) (plans []*Plan, notes []string) {
	b, err := newBase(ctx, p)
	if err != nil {
		return nil, []string{err.Error()}
	}
	_, holes := p.Symbols.Lookup(Hole)
	for _, s := range strategies {
		if holes && s.mod {
			notes = append(notes, fmt.Sprintf("%s: the rules use the constant %s, which stands for a hole in the codes of semimoves", s.name, Hole))
			continue
		}
		plan, err := b.plan(s)
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s: %v", s.name, err))
			continue
		}
		if i := slices.IndexFunc(plans, plan.same); i >= 0 {
			plans[i].SameAs = append(plans[i].SameAs, plan.Name)
			if s.noVerify {
				continue // nothing waits
			}
			notes = append(notes, fmt.Sprintf("%s splits like %s", plan.Name, plans[i].Name))
			continue
		}
		g, err := b.rewrite(plan)
		if err != nil {
			notes = append(notes, fmt.Sprintf("%s: %v", plan.Name, err))
			continue
		}
		plans = append(plans, g.Plan)
	}
	return plans, notes
}

// strategy says how a plan is derived; see the design of split strategies.
type strategy struct {
	name        string
	mod         bool // a group for each thing that a move inspects or changes
	plus, shift bool
	noVerify    bool
	coarser     string // the plan used where this one is missing or too large; "": none
}

// WholeMoves is the plan that splits nothing, which every game has.
const WholeMoves = "orthodox"

// Coarsest stands for the first plan that splits moves, whichever of those a game has.
const Coarsest = "coarsest"

var strategies = []strategy{
	{name: WholeMoves},
	{name: "mod", mod: true, coarser: WholeMoves},
	{name: "mod-noverify", mod: true, noVerify: true, coarser: "mod"},
	{name: "modplus", mod: true, plus: true, coarser: "mod"},
	{name: "modshift", mod: true, shift: true, coarser: "mod"},
	{name: "modplusshift", mod: true, plus: true, shift: true, coarser: "modplus"},
}

// Names are the names of all plans, orthodox first. A game does not have those that split
// its moves like another one, or not at all.
func Names() (names []string) {
	for _, s := range strategies {
		names = append(names, s.name)
	}
	return names
}

// Coarser is the plan used where a plan is missing or too large; "": none.
func Coarser(plan string) string {
	if plan == Coarsest {
		return WholeMoves
	}
	for _, s := range strategies {
		if s.name == plan {
			return s.coarser
		}
	}
	return ""
}

// plan derives the plan of a strategy.
func (b *base) plan(st strategy) (plan *Plan, err error) {
	defer catch(&err)
	plan = &Plan{Name: st.name}
	for i, role := range b.game.Roles {
		rp := RolePlan{Role: b.game.Plan.Roles[i].Role}
		for j, c := range role.Levels[0].Choices {
			fp := b.game.Plan.Roles[i].Forms[j]
			heed(b.ctx)
			fp.Groups = b.groupsOf(i, j, st)
			rp.Verify = rp.Verify || !st.noVerify && len(fp.Groups) > 1 && len(b.waiting(b.rules[c.Offer], fp.Groups)) > 0
			rp.Forms = append(rp.Forms, fp)
		}
		rp.FunctorLevel = st.plus && b.decisive(role.Levels[0].Choices)
		plan.Roles = append(plan.Roles, rp)
	}
	return plan, nil
}

// groupsOf splits the arguments of a form. Plus gives arguments that no group
// determines levels of their own; Shift splits a group into its arguments, but
// for those that the others determine.
func (b *base) groupsOf(role, formAt int, st strategy) [][]int {
	c := b.game.Roles[role].Levels[0].Choices[formAt]
	if !st.mod {
		return [][]int{allArguments(b.game.Program.Relations[c.Offer].Arity)}
	}
	g := b.modGroups(role, formAt)
	groups := g.groups
	if st.plus {
		groups = g.separate(groups, func(f int) bool { return g.loose[f] })
	}
	if st.shift {
		var out [][]int
		for _, group := range groups {
			var single [][]int
			var tied []int
			for _, f := range group {
				if g.tied[f] {
					tied = append(tied, f)
				} else {
					single = append(single, []int{f})
				}
			}
			if len(single) == 0 {
				single = [][]int{nil}
			}
			last := len(single) - 1
			single[last] = append(single[last], tied...)
			slices.Sort(single[last])
			out = append(out, single...)
		}
		groups = out
	}
	return groups
}

// separate gives some arguments groups of their own, after the group that they
// were in.
func (g *grouping) separate(groups [][]int, apart func(int) bool) [][]int {
	var out [][]int
	for _, group := range groups {
		rest := slices.DeleteFunc(slices.Clone(group), apart)
		if len(rest) > 0 {
			out = append(out, rest)
		}
		for _, f := range group {
			if apart(f) {
				out = append(out, []int{f})
			}
		}
	}
	if len(out) == 0 {
		return groups
	}
	return out
}

// decisive says whether a level that chooses the form of the move leaves a
// choice: not if no two forms are ever legal together.
func (b *base) decisive(choices []Choice) bool {
	for i, c := range choices {
		for _, d := range choices[:i] {
			if !b.exclusiveOffers(c.Offer, d.Offer) {
				return true
			}
		}
	}
	return false
}
