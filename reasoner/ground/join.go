package ground

import (
	"fmt"

	"semisplit/reasoner/gdl"
)

// joiner enumerates the instances of a rule.
type joiner struct {
	g       *grounder
	rule    *rule
	plan    *plan
	given   atomID // the atom of the triggering literal
	binding binding
	matched []atomID // by positive literal
	err     error
	body    []int32
	args    []gdl.TermID
}

// evaluate enumerates the instances over the atoms that are done.
func (g *grounder) evaluate(r *rule) error {
	return g.joiner.run(r, -1, -1)
}

// extend enumerates the instances in which a literal is the given atom, which
// is done, and the same atom is at no literal before it: so each instance is
// found once, when its last atom comes.
func (g *grounder) extend(r *rule, literal int, a atomID) error {
	return g.joiner.run(r, literal, a)
}

func (j *joiner) run(r *rule, trigger int, given atomID) error {
	for len(j.binding.value) < r.vars {
		j.binding.value = append(j.binding.value, 0)
	}
	for len(j.matched) < len(r.pos) {
		j.matched = append(j.matched, 0)
	}
	j.rule, j.given, j.err = r, given, nil
	if trigger >= 0 {
		j.matched[trigger] = given
		if !j.match(&r.pos[trigger], given) {
			j.binding.undo(0)
			return nil
		}
	}
	j.plan = j.g.plan(r, trigger)
	if j.holds(j.plan.start) {
		j.step(0)
	}
	j.binding.undo(0)
	return j.err
}

func (j *joiner) match(l *literal, a atomID) bool {
	t := j.g.atoms
	at := int(t.start[a])
	for i := range l.args {
		if !j.binding.match(j.g.store, &l.args[i], t.args[at+i]) {
			return false
		}
	}
	return true
}

func (j *joiner) step(n int) {
	if n == len(j.plan.steps) {
		j.emit()
		return
	}
	s := &j.plan.steps[n]
	x := s.access.index
	l := &j.rule.pos[s.literal]
	for e := s.access.first(&j.binding); e >= 0; e = x.next[e] {
		if j.err = j.g.tick(); j.err != nil {
			return
		}
		a := x.atoms[e]
		if a == j.given && s.literal < j.plan.trigger {
			continue
		}
		mark := len(j.binding.trail)
		if j.match(l, a) && j.holds(s.checks) {
			j.matched[s.literal] = a
			j.step(n + 1)
		}
		j.binding.undo(mark)
		if j.err != nil {
			return
		}
	}
}

func (j *joiner) holds(checks []check) bool {
	store := j.g.store
	for _, c := range checks {
		if c.distinct != nil {
			if j.binding.term(store, &c.distinct[0]) == j.binding.term(store, &c.distinct[1]) {
				return false
			}
			continue
		}
		if a, _ := j.g.atoms.find(c.neg.rel, j.ground(c.neg)); a >= 0 && j.g.atoms.flags[a]&done != 0 {
			return false
		}
	}
	return true
}

// ground is the arguments of a literal under the binding, valid until the
// next call.
func (j *joiner) ground(l *literal) []gdl.TermID {
	j.args = j.args[:0]
	for i := range l.args {
		j.args = append(j.args, j.binding.term(j.g.store, &l.args[i]))
	}
	return j.args
}

// emit records the instance that is bound.
func (j *joiner) emit() {
	g := j.g
	t := g.atoms
	head := t.add(j.rule.head.rel, j.ground(&j.rule.head))
	if d := maxDepth; d > 0 {
		for _, id := range t.argsOf(head) {
			if g.store.Depth(id) > d {
				j.err = fmt.Errorf("%w: terms deeper than %d", ErrLimit, d)
				return
			}
		}
	}
	g.queueAtom(head)
	if t.flags[head]&always != 0 {
		return
	}
	if !g.relations[j.rule.head.rel].dynamic {
		t.flags[head] |= always
		return
	}
	body := j.body[:0]
	for i := range j.rule.pos {
		if a := j.matched[i]; t.flags[a]&always == 0 {
			if a == head {
				return // an atom that supports itself
			}
			body = append(body, int32(a))
		}
	}
	for i := range j.rule.neg {
		l := &j.rule.neg[i]
		if g.relations[l.rel].dynamic {
			body = append(body, ^int32(t.add(l.rel, j.ground(l))))
		}
	}
	j.body = body
	if len(body) == 0 {
		t.flags[head] |= always
		return
	}
	g.record(head, body)
}
