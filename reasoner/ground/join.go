package ground

import (
	"fmt"

	"semisplit/reasoner/gdl"
)

// joiner enumerates the instances of a rule.
type joiner struct {
	matcher
	f       *fixpoint
	rule    *rule
	plan    *plan
	given   atomID   // the atom of the triggering literal
	matched []atomID // by positive literal
	err     error
	body    []int32
}

// matcher matches literals with atoms.
type matcher struct {
	store   *gdl.Store
	atoms   *atomTable
	binding binding
	args    []gdl.TermID
}

// evaluate enumerates the instances over the atoms that are done.
func (f *fixpoint) evaluate(r *rule) error {
	return f.joiner.run(r, -1, -1)
}

// extend enumerates the instances in which a literal is the given atom, which
// is done, and the same atom is at no literal before it: so each instance is
// found once, when its last atom comes.
func (f *fixpoint) extend(r *rule, literal int, a atomID) error {
	return f.joiner.run(r, literal, a)
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
	j.plan = j.f.plan(r, trigger)
	if len(j.plan.steps) == 0 { // nothing else is counted
		j.err = j.f.tick()
	}
	if j.err == nil && j.holds(j.plan.start) {
		j.step(0)
	}
	j.binding.undo(0)
	return j.err
}

func (m *matcher) match(l *literal, a atomID) bool {
	t := m.atoms
	at := int(t.start[a])
	for i := range l.args {
		if !m.binding.match(m.store, &l.args[i], t.args[at+i]) {
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
		if j.err = j.f.tick(); j.err != nil {
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
	store := j.f.store
	for _, c := range checks {
		if c.distinct != nil {
			if j.binding.term(store, &c.distinct[0]) == j.binding.term(store, &c.distinct[1]) {
				return false
			}
			continue
		}
		if a, _ := j.atoms.find(c.neg.rel, j.ground(c.neg)); a >= 0 && j.atoms.flags[a]&done != 0 {
			return false
		}
	}
	return true
}

// ground is the arguments of a literal under the binding, valid until the
// next call.
func (m *matcher) ground(l *literal) []gdl.TermID {
	m.args = m.args[:0]
	for i := range l.args {
		m.args = append(m.args, m.binding.term(m.store, &l.args[i]))
	}
	return m.args
}

// emit records the instance that is bound.
func (j *joiner) emit() {
	f := j.f
	t := f.atoms
	head := t.add(j.rule.head.rel, j.ground(&j.rule.head))
	if d := maxDepth; d > 0 {
		for _, id := range t.argsOf(head) {
			if f.store.Depth(id) > d {
				j.err = fmt.Errorf("%w: terms deeper than %d", ErrLimit, d)
				return
			}
		}
	}
	f.atoms.enqueue(head)
	if t.flags[head]&always != 0 {
		return
	}
	if !f.relations[j.rule.head.rel].dynamic {
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
		if f.relations[l.rel].dynamic {
			body = append(body, ^int32(t.add(l.rel, j.ground(l))))
		}
	}
	j.body = body
	if len(body) == 0 {
		t.flags[head] |= always
		return
	}
	f.instances.record(head, body)
}
