package ground

import "math"

// plan returns the order for a rule with a given literal. It is made anew
// whenever the relations have doubled since.
func (f *fixpoint) plan(r *rule, trigger int) *plan {
	if r.plans == nil {
		r.plans = make([]*plan, len(r.pos)+1)
	}
	if p := r.plans[trigger+1]; p != nil && p.epoch == f.epoch {
		return p
	}
	p := f.newPlan(r, trigger)
	r.plans[trigger+1] = p
	return p
}

func (f *fixpoint) newPlan(r *rule, trigger int) *plan {
	p := &plan{epoch: f.epoch, trigger: trigger}
	bound := make([]bool, r.vars)
	used := make([]bool, len(r.pos))
	take := func(i int) {
		used[i] = true
		r.pos[i].vars(func(v int32) { bound[v] = true })
	}
	if trigger >= 0 {
		take(trigger)
	}
	pending := f.checks(r)
	p.start, pending = ready(pending, bound)
	for range r.pos {
		if len(r.pos) > longBody {
			f.heed()
		}
		best, cost := -1, math.Inf(1)
		for i := range r.pos {
			if !used[i] {
				if c := f.estimate(&r.pos[i], bound); c < cost {
					best, cost = i, c
				}
			}
		}
		if best < 0 {
			break
		}
		l := &r.pos[best]
		s := step{literal: best, access: f.atoms.access(f.store, l.rel, l.args, func(v int32) bool { return bound[v] })}
		take(best)
		s.checks, pending = ready(pending, bound)
		p.steps = append(p.steps, s)
	}
	return p
}

// longBody is the number of literals of which a plan takes its time: the square of it.
const longBody = 64

// checks lists what is tested during a join: negated literals of relations
// that change are left to the circuit.
func (f *fixpoint) checks(r *rule) []check {
	var out []check
	for i := range r.distinct {
		out = append(out, check{distinct: &r.distinct[i]})
	}
	for i := range r.neg {
		if !f.relations[r.neg[i].rel].dynamic {
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
func (f *fixpoint) estimate(l *literal, bound []bool) float64 {
	ext := &f.atoms.rels[l.rel]
	if len(ext.atoms) == 0 {
		return 0
	}
	if places, fixed := places(l, bound); fixed == places {
		return 0.5
	} else if len(ext.atoms) > measured {
		// As if the atoms were evenly spread over the values at each place.
		return math.Pow(float64(f.size(l)), 1-float64(fixed)/float64(places))
	}
	c := f.atoms.access(f.store, l.rel, l.args, func(v int32) bool { return bound[v] })
	if len(c.index.head) == 0 {
		return 0
	}
	return float64(len(c.index.atoms)) / float64(len(c.index.head))
}

// size is the number of atoms of a literal's relation whose last argument has
// the literal's functor.
func (f *fixpoint) size(l *literal) int {
	ext := &f.atoms.rels[l.rel]
	if n := len(l.args); n > 0 {
		switch last := &l.args[n-1]; {
		case last.id != 0:
			return ext.size[f.store.Functor(last.id)]
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
