package split

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"semisplit/reasoner/gdl"
)

// Rewrite makes the game of a plan for the program.
//
// Every group of arguments has an Offer and a Select relation. An offer holds
// under the part of a legal move's conditions that speaks of its group and
// those before; the last level of a form, or the verify level, holds under all
// of them, so that complete paths are exactly the legal moves. The plan of the
// game is a copy, with the conditions of each level.
//
// It fails when the context ends.
func Rewrite(ctx context.Context, p *gdl.Program, plan *Plan) (*Game, error) {
	b, err := newBase(ctx, p)
	if err != nil {
		return nil, err
	}
	return b.rewrite(plan)
}

// splitter builds the program of a plan.
type splitter struct {
	base   *base
	plan   *Plan
	out    *gdl.Program
	roles  []Role
	forms  map[gdl.RelID]*splitForm // by the Select and the Offer relation of the orthodox game
	seen   map[string]bool
	notes  []string
	ahead  map[string]gdl.RelID
	inside map[gdl.RelID]clause // the rule of a relation that looks ahead
}

// splitForm is a form of moves with the relations of its groups.
type splitForm struct {
	role    int
	orth    Choice
	plan    *FormPlan
	groups  [][]int
	offer   []gdl.RelID // by group
	sel     []gdl.RelID
	whole   gdl.RelID // relation of all arguments that says what is selected; -1 until it is needed
	waiting map[gdl.RelID]bool
	tested  []map[string]int // by rule: literals that all rules have, with the level at which they are tested
}

// unbound is thrown where a rule cannot be taken apart, and caught by rewrite.
type unbound struct{ rule string }

func (b *base) rewrite(plan *Plan) (g *Game, err error) {
	defer catch(&err)
	defer func() {
		if r := recover(); r != nil {
			u, ok := r.(unbound)
			if !ok {
				panic(r)
			}
			g, err = nil, fmt.Errorf("split: %s: no condition binds a variable of %s", plan.Name, u.rule)
		}
	}()
	src := b.game.Program
	if len(plan.Roles) != len(b.game.Roles) {
		return nil, fmt.Errorf("split: the plan has %d roles, the program %d", len(plan.Roles), len(b.game.Roles))
	}
	own := *plan
	own.Roles = slices.Clone(plan.Roles)
	for i := range own.Roles {
		own.Roles[i].Forms = slices.Clone(own.Roles[i].Forms)
		if err := b.fits(i, &own.Roles[i]); err != nil {
			return nil, err
		}
	}
	s := &splitter{
		base: b, plan: &own,
		out: &gdl.Program{
			Symbols:   src.Symbols.Clone(),
			Relations: slices.Clone(src.Relations),
			Roles:     src.Roles,
		},
		forms:  make(map[gdl.RelID]*splitForm),
		seen:   make(map[string]bool),
		ahead:  make(map[string]gdl.RelID),
		inside: make(map[gdl.RelID]clause),
	}
	for i := range b.game.Roles {
		s.role(i)
	}
	s.others()
	inputs := make(map[gdl.RelID]gdl.Dependence)
	for _, r := range s.roles {
		for _, l := range r.Levels {
			for _, c := range l.Choices {
				inputs[c.Select] = gdl.OnMoves
			}
		}
		if r.HasLegalMove >= 0 {
			inputs[r.HasLegalMove] = gdl.OnState
		}
	}
	prune(s.out, s.roles)
	own.Notes = slices.Clone(own.Notes)
	for _, n := range s.notes {
		if !slices.Contains(own.Notes, n) {
			own.Notes = append(own.Notes, n)
		}
	}
	for i := range own.Roles {
		own.Roles[i].AsksLegalMove = s.roles[i].HasLegalMove >= 0
	}
	if err := gdl.Rebuild(s.out, inputs); err != nil {
		return nil, fmt.Errorf("split: %w", err)
	}
	return &Game{Program: s.out, Plan: s.plan, Roles: s.roles}, nil
}

// fits checks that the groups of a role's plan are partitions of the arguments
// that the program has.
func (b *base) fits(role int, p *RolePlan) error {
	choices := b.game.Roles[role].Levels[0].Choices
	if len(p.Forms) != len(choices) {
		return fmt.Errorf("split: the plan of %s has %d forms, the program %d", p.Role, len(p.Forms), len(choices))
	}
	for j, f := range p.Forms {
		n := b.game.Program.Relations[choices[j].Offer].Arity
		arguments := slices.Sorted(slices.Values(slices.Concat(f.Groups...)))
		if len(f.Groups) == 0 || len(f.Names) != n || !slices.Equal(arguments, allArguments(n)) {
			return fmt.Errorf("split: the plan of %s does not divide the %d arguments of %s", p.Role, n, f.Form)
		}
	}
	return nil
}

func (s *splitter) emit(c clause) {
	r := c.rule()
	key := ruleKey(&r)
	if s.seen[key] {
		return
	}
	s.seen[key] = true
	s.out.Rules = append(s.out.Rules, r)
}

// role makes the levels of a role, with the rules of their offers.
func (s *splitter) role(i int) {
	plan, orth := &s.plan.Roles[i], &s.base.game.Roles[i]
	if !plan.isSplit() {
		role := Role{Levels: []Level{{Choices: slices.Clone(orth.Levels[0].Choices)}}, HasLegalMove: -1}
		s.roles = append(s.roles, role)
		for j, c := range role.Levels[0].Choices {
			f := &splitForm{plan: &plan.Forms[j]}
			f.plan.Levels = make([][]string, 1)
			for _, r := range s.base.game.Program.Relations[c.Offer].Rules {
				heed(s.base.ctx)
				rule := newClause(&s.base.game.Program.Rules[r])
				s.emit(rule)
				f.describe(s, 0, rule)
			}
		}
		return
	}
	var forms []*splitForm
	depth := 0
	for j, c := range orth.Levels[0].Choices {
		f := s.form(i, c, &plan.Forms[j])
		forms = append(forms, f)
		depth = max(depth, len(f.groups))
	}
	role := Role{Levels: make([]Level, depth), HasLegalMove: -1}
	for _, f := range forms {
		for l := range f.groups {
			role.Levels[l].Choices = append(role.Levels[l].Choices, Choice{Offer: f.offer[l], Select: f.sel[l], Code: s.code(f, l)})
		}
	}
	name := s.out.Symbols.Name(s.out.Roles[i].Name)
	for l := range depth {
		if over := slices.DeleteFunc(slices.Clone(forms), func(f *splitForm) bool { return len(f.groups) > l }); len(over) > 0 {
			c := s.hole(name, l)
			role.Levels[l].Choices = append(role.Levels[l].Choices, c)
			s.pass(c.Offer, over)
		}
	}
	if plan.Verify {
		c := s.hole(name, depth)
		role.Levels = append(role.Levels, Level{Choices: []Choice{c}, Verify: true})
		s.verify(c.Offer, forms)
	}
	s.roles = append(s.roles, role)
}

// hole is a choice that says nothing about the move.
func (s *splitter) hole(role string, level int) Choice {
	name := fmt.Sprintf("#%s#%d", role, level+1)
	return Choice{
		Offer:  addRelation(s.out, "offer"+name, 0),
		Select: addRelation(s.out, "does"+name, 0),
		Code:   gdl.Term{Var: -1, Name: s.out.Symbols.Intern(Hole)},
	}
}

// pass offers a hole after moves that are complete.
func (s *splitter) pass(offer gdl.RelID, forms []*splitForm) {
	for _, f := range forms {
		last := len(f.groups) - 1
		c := clause{head: gdl.Atom{Rel: offer}}
		args := make([]gdl.Term, len(f.groups[last]))
		for k, argument := range f.groups[last] {
			args[k] = c.fresh(f.plan.Names[argument])
		}
		c.body = []gdl.Literal{{Kind: gdl.Positive, Atom: gdl.Atom{Rel: f.sel[last], Args: args}}}
		s.emit(c)
	}
}

// form makes the relations of a form, and the rules of its offers.
func (s *splitter) form(role int, orth Choice, plan *FormPlan) *splitForm {
	f := &splitForm{role: role, orth: orth, plan: plan, groups: plan.Groups, whole: -1}
	if s.plan.Roles[role].FunctorLevel && (len(f.groups) > 1 || len(f.groups[0]) > 0) {
		f.groups = slices.Concat([][]int{nil}, f.groups)
	}
	name := s.out.Symbols.Name(s.out.Relations[orth.Select].Name)[len("does"):]
	for l, g := range f.groups {
		at := fmt.Sprintf("%s#%d", name, l+1)
		f.offer = append(f.offer, addRelation(s.out, "offer"+at, len(g)))
		f.sel = append(f.sel, addRelation(s.out, "does"+at, len(g)))
	}
	s.forms[orth.Select], s.forms[orth.Offer] = f, f
	if s.plan.Roles[role].Verify {
		f.waiting = s.base.waiting(s.base.rules[orth.Offer], f.groups)
	}
	s.findTested(f)
	plan.Levels = make([][]string, len(plan.Groups))
	for l := range f.groups {
		for i := range s.base.rules[orth.Offer] {
			heed(s.base.ctx)
			c := s.level(f, i, l)
			s.emit(c)
			f.describe(s, l-(len(f.groups)-len(plan.Groups)), c)
		}
	}
	return f
}

// describe notes the conditions of a rule in the plan, without the selections.
func (f *splitForm) describe(s *splitter, level int, c clause) {
	if level < 0 {
		return
	}
	c.body = slices.DeleteFunc(slices.Clone(c.body), func(l gdl.Literal) bool {
		return l.Rel >= 0 && slices.Contains(f.sel, l.Rel)
	})
	r := c.rule()
	text := s.conditions(r.Body, r.Vars)
	if text == "" {
		text = "true"
		if level > 0 {
			text = "selected"
		}
	}
	if !slices.Contains(f.plan.Levels[level], text) {
		f.plan.Levels[level] = append(f.plan.Levels[level], text)
	}
}

// conditions spells literals. What a level sees of the next ones is spelled
// out, as some value for which it all holds.
func (s *splitter) conditions(body []gdl.Literal, vars []string) string {
	var texts []string
	for _, l := range body {
		in, ok := s.inside[l.Rel]
		if !ok || l.Rel < 0 {
			texts = append(texts, s.out.LiteralKIF(l, vars).String())
			continue
		}
		r := in.rule()
		texts = append(texts, "(some "+s.conditions(r.Body, r.Vars)+")")
	}
	return strings.Join(texts, " ")
}

// code spells the semimoves of a level: holes for the arguments of others.
func (s *splitter) code(f *splitForm, level int) gdl.Term {
	by := make([]gdl.Term, len(f.plan.Names))
	for i := range by {
		by[i] = gdl.Term{Var: -1, Name: s.out.Symbols.Intern(Hole)}
	}
	for k, argument := range f.groups[level] {
		by[argument] = gdl.Term{Var: int32(k)}
	}
	return replace(f.orth.Code, by)
}

// selected are the literals that say that the groups are selected as the
// arguments, of all arguments, say.
func (f *splitForm) selected(args []gdl.Term, groups int) []gdl.Literal {
	var out []gdl.Literal
	for l, g := range f.groups[:groups] {
		a := gdl.Atom{Rel: f.sel[l]}
		for _, argument := range g {
			a.Args = append(a.Args, args[argument])
		}
		out = append(out, gdl.Literal{Kind: gdl.Positive, Atom: a})
	}
	return out
}

// withoutIdle drops selections of groups that nothing else asks for. One stays
// in any case, which says that a move of the form is selected.
func (f *splitForm) withoutIdle(c clause) clause {
	count := c.occurrences()
	idle := func(l gdl.Literal) bool {
		return l.Kind == gdl.Positive && slices.Contains(f.sel, l.Rel) &&
			!slices.ContainsFunc(l.Args, func(t gdl.Term) bool { return t.Var < 0 || count[t.Var] > 1 })
	}
	guard, busy := -1, false
	for i, l := range c.body {
		if l.Kind != gdl.Positive || !slices.Contains(f.sel, l.Rel) {
			continue
		}
		if !idle(l) {
			busy = true
		} else if guard < 0 || len(l.Args) < len(c.body[guard].Args) {
			guard = i
		}
	}
	var body []gdl.Literal
	for i, l := range c.body {
		if !idle(l) || !busy && i == guard {
			body = append(body, l)
		}
	}
	c.body = body
	return c
}
