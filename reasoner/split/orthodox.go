package split

import (
	"context"
	"fmt"
	"slices"

	"semisplit/reasoner/gdl"
)

// Orthodox is the game in which every role has one level, with the whole move.
//
// Its rules are those of the program with moves flattened: each form of the
// moves of each role (a function with its number of arguments, or a constant)
// has an Offer and a Select relation whose arguments are the arguments, the
// arguments of the move. The program is not changed. It fails for no program
// that package gdl has checked.
func Orthodox(p *gdl.Program) (*Game, error) {
	g, _, err := orthodox(context.Background(), p)
	return g, err
}

func orthodox(ctx context.Context, p *gdl.Program) (g *Game, f *flattener, err error) {
	defer catch(&err)
	f = newFlattener(ctx, p)
	f.run()
	g = &Game{Program: f.out, Plan: &Plan{Name: "orthodox"}}
	inputs := make(map[gdl.RelID]gdl.Dependence)
	derived := make(map[gdl.RelID]bool)
	for i := range f.out.Rules {
		derived[f.out.Rules[i].Head.Rel] = true
	}
	for i := range p.Roles {
		fr := &f.roles[i]
		level := Level{}
		plan := RolePlan{Role: p.TermKIF(p.Roles[i], nil).String()}
		for j, m := range fr.forms {
			inputs[fr.sel[j]] = gdl.OnMoves
			if !derived[fr.offer[j]] && (len(level.Choices) > 0 || j < len(fr.forms)-1) {
				continue // a form that other roles have
			}
			plan.Forms = append(plan.Forms, FormPlan{
				Form:   p.TermKIF(m.pattern, m.names).String(),
				Names:  m.names,
				Groups: [][]int{allArguments(len(m.names))},
			})
			level.Choices = append(level.Choices, Choice{Offer: fr.offer[j], Select: fr.sel[j], Code: m.pattern})
		}
		g.Plan.Roles = append(g.Plan.Roles, plan)
		g.Roles = append(g.Roles, Role{Levels: []Level{level}, HasLegalMove: -1})
	}
	if err := gdl.Rebuild(f.out, inputs); err != nil {
		return nil, nil, fmt.Errorf("split: %w", err)
	}
	return g, f, nil
}

// prune drops the rules of relations that nothing needs any more.
func prune(p *gdl.Program, roles []Role) {
	needed := make([]bool, len(p.Relations))
	work := []gdl.RelID{gdl.RelRole, gdl.RelInit, gdl.RelNext, gdl.RelTerminal, gdl.RelGoal}
	for _, r := range roles {
		for _, l := range r.Levels {
			for _, c := range l.Choices {
				work = append(work, c.Offer)
			}
		}
	}
	of := make(map[gdl.RelID][]int)
	for i := range p.Rules {
		of[p.Rules[i].Head.Rel] = append(of[p.Rules[i].Head.Rel], i)
	}
	for len(work) > 0 {
		r := work[len(work)-1]
		work = work[:len(work)-1]
		if needed[r] {
			continue
		}
		needed[r] = true
		for _, i := range of[r] {
			for _, l := range p.Rules[i].Body {
				if l.Rel >= 0 {
					work = append(work, l.Rel)
				}
			}
		}
	}
	p.Rules = slices.DeleteFunc(p.Rules, func(r gdl.Rule) bool { return !needed[r.Head.Rel] })
}
