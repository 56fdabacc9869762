package prover

import "semisplit/reasoner/gdl"

// fixpoint computes a table of a recursive group, and every table of the
// group that it calls for, to completion.
func (e *evaluator) fixpoint(s *space, first int32) {
	base := len(s.queue)
	s.tables[first].queued = true
	s.queue = append(s.queue, first)
	for len(s.queue) > base {
		t := s.queue[len(s.queue)-1]
		s.queue = s.queue[:len(s.queue)-1]
		s.tables[t].queued = false
		if !s.tables[t].started {
			s.tables[t].started = true
			e.evaluate(s, t)
		}
		for c := s.tables[t].readers; c != 0; c = s.consumers[c].next {
			e.deliver(s, t, c)
		}
	}
}

// wake queues a table that has something new for its consumers.
func (s *space) wake(t int32) {
	if tab := &s.tables[t]; tab.readers != 0 && !tab.queued {
		tab.queued = true
		s.queue = append(s.queue, t)
	}
}

// suspend makes the frame a consumer of the table that its operation calls.
func (e *evaluator) suspend(f *frame, pc int, key []gdl.TermID) {
	o := &f.plan.ops[pc]
	s := f.space
	t, fresh := s.find(&e.code.patterns[o.callee], key)
	c := int32(len(s.consumers))
	s.consumers = append(s.consumers, consumer{
		plan: f.plan, target: f.target, pc: int32(pc), regs: int32(len(s.saved)),
	})
	s.saved = append(s.saved, f.regs...)
	if len(s.saved) > e.terms.limits.Facts {
		e.poll() // a long rule saves too much between two polls
	}
	tab := &s.tables[t]
	if tab.readers == 0 {
		tab.readers = c
	} else {
		s.consumers[tab.lastReader].next = c
	}
	tab.lastReader = c
	if (fresh || tab.n > 0) && !tab.queued {
		tab.queued = true
		s.queue = append(s.queue, t)
	}
}

// deliver resumes a consumer with the answers that it has not seen.
func (e *evaluator) deliver(s *space, t, c int32) {
	k := s.consumers[c]
	goal := &s.tables[k.target]
	if k.seen < 0 || s.tables[t].n == 0 || goal.width == 0 && goal.n > 0 {
		return
	}
	n := k.plan.regs
	f := frame{plan: k.plan, regs: e.terms.alloc(n), space: s, target: k.target}
	copy(f.regs, s.saved[k.regs:int(k.regs)+n])
	e.resume(&f, t, c)
	e.terms.release(n)
}

func (e *evaluator) resume(f *frame, t, c int32) {
	s := f.space
	k := s.consumers[c]
	o := &k.plan.ops[k.pc]
	w := len(o.frees)
	if w == 0 {
		s.consumers[c].seen = -1
		e.exec(f, int(k.pc)+1)
		return
	}
	for {
		at := s.tables[t].first
		if k.seen != 0 {
			at = int32(s.rows[k.seen])
		}
		if at == 0 {
			return
		}
		k.seen = at
		s.consumers[c].seen = at
		if !e.terms.takes(o, s.rows[at+1:int(at)+1+w], f.regs) {
			continue
		}
		back := e.exec(f, int(k.pc)+1)
		if back < int(k.pc) || o.once {
			s.consumers[c].seen = -1
			return
		}
	}
}
