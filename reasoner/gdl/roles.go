package gdl

import (
	"slices"

	"semisplit/kif"
)

// findRoles lists the roles in the order of the text. Facts are taken as they
// are; rules for role are evaluated, without state and moves.
func (a *analysis) findRoles() {
	a.checkDependence()
	p := a.program
	known := NewStore(p.Symbols)
	rules := newStatic(p)
	seen := make(map[TermID]bool)
	add := func(t Term, pos kif.Pos, again bool) {
		id := known.FromKIF(p.TermKIF(t, nil))
		if seen[id] {
			if again {
				a.warn("role-twice", pos, "remove it", "the role %s is there already", p.TermKIF(t, nil))
			}
			return
		}
		seen[id] = true
		p.Roles = append(p.Roles, t)
	}
	for _, i := range p.Relations[RelRole].Rules {
		rule := &p.Rules[i]
		if len(rule.Body) == 0 {
			add(rule.Head.Args[0], rule.Pos, true)
			continue
		}
		derived, ok := rules.derive(rule)
		if !ok {
			a.fail("role-rule", rule.Pos, "write the roles as facts", "the roles that this rule derives are too much work to find")
			return
		}
		for _, t := range derived {
			add(t[0], rule.Pos, false)
		}
	}
	if len(p.Roles) == 0 {
		a.fail("no-role", p.Rules[p.Relations[RelRole].Rules[0]].Pos, "write the roles as facts", "nobody plays: the rules for role derive none")
		return
	}
	if p.Relations[RelRole].Depends != 0 {
		a.keepRoles()
	}
}

// keepRoles makes facts of roles that depend on the state: who plays was read
// before there was one, and stays so where rules ask for it later.
func (a *analysis) keepRoles() {
	p := a.program
	pos := p.Rules[p.Relations[RelRole].Rules[0]].Pos
	p.Rules = slices.DeleteFunc(p.Rules, func(r Rule) bool { return r.Head.Rel == RelRole })
	for i := range p.Roles {
		p.Rules = append(p.Rules, Rule{Head: Atom{RelRole, p.Roles[i : i+1], pos}, Pos: pos})
	}
	if err := Rebuild(p, nil); err != nil {
		a.fail("role-rule", pos, "write the roles as facts", "%v", err)
	}
}
