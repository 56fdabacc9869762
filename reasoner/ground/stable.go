package ground

import "semisplit/reasoner/gdl"

// stable makes static what never changes: fluents that hold next just when
// they hold now, by rules like
//
//	next(wall(X, Y)) :- true(wall(X, Y))
//
// hold in every state if they hold initially. Rules then ask for a static
// relation that rests on init; the fluents themselves stay in the state.
func (tr *translator) stable() {
	next := tr.relations[gdl.RelNext].rules
	for _, r := range next {
		tr.heed()
		if !isFrame(r) || tr.changes(&r.head.args[0], next) {
			continue
		}
		rel := int32(-1)
		fluent := r.head.args[0]
		for i := range tr.relations {
			for _, user := range tr.relations[i].rules {
				if i == int(gdl.RelNext) && isFrame(user) {
					continue
				}
				for _, ls := range [][]literal{user.pos, user.neg} {
					for k := range ls {
						if ls[k].rel != int32(gdl.RelTrue) || !instance(&fluent, &ls[k].args[0], map[int32]pattern{}) {
							continue
						}
						if rel < 0 {
							rel = tr.newRelation(relation{name: "always"})
							args := []pattern{fluent}
							tr.addRule(&rule{head: literal{rel, args}, pos: []literal{{int32(gdl.RelInit), args}}, vars: r.vars})
						}
						ls[k].rel = rel
					}
				}
			}
		}
	}
}

// isFrame tells whether a rule only keeps fluents as they are, each variable
// standing for any term.
func isFrame(r *rule) bool {
	if len(r.pos) != 1 || len(r.neg)+len(r.distinct) > 0 || r.pos[0].rel != int32(gdl.RelTrue) || r.head.args[0].v >= 0 {
		return false
	}
	seen := make(map[int32]bool)
	linear := true
	r.head.vars(func(v int32) {
		linear = linear && !seen[v]
		seen[v] = true
	})
	return linear && samePattern(&r.head.args[0], &r.pos[0].args[0])
}

// changes tells whether a rule may add a fluent of this form: one that is no
// frame rule and whose head has an instance in common with it.
func (tr *translator) changes(fluent *pattern, next []*rule) bool {
	for _, r := range next {
		if isFrame(r) {
			continue
		}
		n := int32(r.vars)
		vars := n
		other := fluent.replace(tr.store, func(v int32) pattern {
			vars = max(vars, n+v+1)
			return variable(n + v)
		})
		u := substitution{store: tr.store, to: make([]*pattern, vars)}
		if u.unify(r.head.args[0], other) {
			return true
		}
	}
	return false
}
