package ground

import "math"

// plan is an order in which the positive literals of a rule are joined.
// Checks run as soon as their variables are bound.
type plan struct {
	epoch   int
	trigger int // the literal that is given; -1: none
	start   []check
	steps   []step
}

// step looks up one literal.
type step struct {
	literal int
	access  access
	checks  []check
}

// check is an inequality or a negated static literal.
type check struct {
	distinct *[2]pattern
	neg      *literal
}

// plan returns the order for a rule with a given literal. It is made anew
// whenever the relations have doubled since.
func (g *grounder) plan(r *rule, trigger int) *plan {
	if r.plans == nil {
		r.plans = make([]*plan, len(r.pos)+1)
	}
	if p := r.plans[trigger+1]; p != nil && p.epoch == g.epoch {
		return p
	}
	p := g.newPlan(r, trigger)
	r.plans[trigger+1] = p
	return p
}

func (g *grounder) newPlan(r *rule, trigger int) *plan {
	p := &plan{epoch: g.epoch, trigger: trigger}
	bound := make([]bool, r.vars)
	used := make([]bool, len(r.pos))
	take := func(i int) {
		used[i] = true
		r.pos[i].vars(func(v int32) { bound[v] = true })
	}
	if trigger >= 0 {
		take(trigger)
	}
	pending := g.checks(r)
	p.start, pending = ready(pending, bound)
	for range r.pos {
		best, cost := -1, math.Inf(1)
		for i := range r.pos {
			if !used[i] {
				if c := g.estimate(&r.pos[i], bound); c < cost {
					best, cost = i, c
				}
			}
		}
		if best < 0 {
			break
		}
		l := &r.pos[best]
		s := step{literal: best, access: g.atoms.access(g.store, l.rel, l.args, func(v int32) bool { return bound[v] })}
		take(best)
		s.checks, pending = ready(pending, bound)
		p.steps = append(p.steps, s)
	}
	return p
}

// checks lists what is tested during a join: negated literals of relations
// that change are left to the circuit.
func (g *grounder) checks(r *rule) []check {
	var out []check
	for i := range r.distinct {
		out = append(out, check{distinct: &r.distinct[i]})
	}
	for i := range r.neg {
		if !g.relations[r.neg[i].rel].dynamic {
			out = append(out, check{neg: &r.neg[i]})
		}
	}
	return out
}

// ready takes out the checks whose variables are all bound.
func ready(pending []check, bound []bool) (now, later []check) {
	for _, c := range pending {
		all := true
		need := func(v int32) { all = all && bound[v] }
		if c.neg != nil {
			c.neg.vars(need)
		} else {
			c.distinct[0].vars(need)
			c.distinct[1].vars(need)
		}
		if all {
			now = append(now, c)
		} else {
			later = append(later, c)
		}
	}
	return now, later
}

// measured is the size of a relation up to which the planner makes an index
// to know how many atoms a literal matches on average; beyond it, it guesses.
const measured = 1 << 14

// estimate is the expected number of matches of a literal.
func (g *grounder) estimate(l *literal, bound []bool) float64 {
	ext := &g.atoms.rels[l.rel]
	if len(ext.atoms) == 0 {
		return 0
	}
	if places, fixed := places(l, bound); fixed == places {
		return 0.5
	} else if len(ext.atoms) > measured {
		// As if the atoms were evenly spread over the values at each place.
		return math.Pow(float64(g.size(l)), 1-float64(fixed)/float64(places))
	}
	c := g.atoms.access(g.store, l.rel, l.args, func(v int32) bool { return bound[v] })
	if len(c.index.head) == 0 {
		return 0
	}
	return float64(len(c.index.atoms)) / float64(len(c.index.head))
}

// size is the number of atoms of a literal's relation whose last argument has
// the literal's functor.
func (g *grounder) size(l *literal) int {
	ext := &g.atoms.rels[l.rel]
	if n := len(l.args); n > 0 {
		switch last := &l.args[n-1]; {
		case last.id != 0:
			return ext.size[g.store.Functor(last.id)]
		case last.v < 0:
			return ext.size[last.fn]
		}
	}
	return len(ext.atoms)
}

// places counts the variables and constants of a literal, and those of them
// that have a value.
func places(l *literal, bound []bool) (all, fixed int) {
	var walk func(p *pattern)
	walk = func(p *pattern) {
		if p.args == nil {
			all++
			if p.id != 0 || bound[p.v] {
				fixed++
			}
		}
		for i := range p.args {
			walk(&p.args[i])
		}
	}
	for i := range l.args {
		walk(&l.args[i])
	}
	return all, fixed
}
