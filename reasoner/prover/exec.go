package prover

import "semisplit/reasoner/gdl"

// frame is a plan in execution.
type frame struct {
	plan   *plan
	regs   []gdl.TermID
	space  *space // of the table that is answered
	target int32  // that table
}

// goOn is what exec returns when the caller should try its next row. A
// smaller number is the operation that should; those after it are done.
const goOn = 1 << 30

// call returns the table of a call to another group, complete.
func (e *evaluator) call(p *pattern, key []gdl.TermID) int32 {
	s := e.spaces[p.space]
	t, fresh := s.find(p, key)
	if !fresh {
		return t
	}
	if p.cyclic {
		e.fixpoint(s, t)
	} else {
		s.tables[t].started = true
		e.evaluate(s, t)
	}
	return t
}

// evaluate runs the rules of a table's pattern.
func (e *evaluator) evaluate(s *space, t int32) {
	p := &e.code.patterns[s.tables[t].pattern]
	for i := range p.plans {
		pl := &p.plans[i]
		f := frame{plan: pl, regs: e.terms.alloc(pl.regs), space: s, target: t}
		e.work++
		if e.work&pollMask == 0 {
			e.poll()
		}
		at := int(s.tables[t].key)
		ok := true
		for j := range pl.entry {
			if !e.terms.match(&pl.entry[j], s.keys[at+j], f.regs) {
				ok = false
				break
			}
		}
		if ok {
			e.exec(&f, 0)
		}
		e.terms.release(pl.regs)
		if p.width == 0 && s.tables[t].n > 0 {
			return
		}
	}
}

// exec runs a plan from an operation on.
func (e *evaluator) exec(f *frame, pc int) int {
	ops := f.plan.ops
	for ; pc < len(ops); pc++ {
		o := &ops[pc]
		e.work++
		if e.work&pollMask == 0 {
			e.poll()
		}
		key := e.terms.keyOf(o, f.regs)
		holds := false
		switch o.kind {
		case opFail:
		case opDistinct:
			holds = key[0] != key[1]
		case opSame:
			holds = key[0] == key[1]
		case opTrue:
			holds = e.position.isTrue(key[0])
		case opFluents, opStatic:
			r := o.rows
			if o.kind == opFluents {
				r = &e.position.tables[o.table]
			}
			if !o.once && !o.neg {
				return e.eachRow(f, pc, r)
			}
			holds = e.anyRow(o, r, key, f.regs)
		case opEach:
			if !o.once && !o.neg {
				return e.eachFluent(f, pc)
			}
			holds = e.anyFluent(o, f.regs)
		case opDoes:
			if !o.once && !o.neg {
				return e.eachMove(f, pc)
			}
			holds = e.anyMove(o, key, f.regs)
		case opCall:
			p := &e.code.patterns[o.callee]
			t := e.call(p, key)
			if !o.once && !o.neg {
				return e.eachAnswer(f, pc, e.spaces[p.space], t)
			}
			holds = e.anyAnswer(o, e.spaces[p.space], t, f.regs)
		case opRec:
			e.suspend(f, pc, key)
			return goOn
		}
		if holds == o.neg {
			return goOn
		}
	}
	return e.answer(f)
}

// first is where a walk over the rows that may fit starts, -1 for
// nowhere, and the index to follow, nil to go through all rows in order.
func (r *rows) first(o *op, key []gdl.TermID) (int32, *index) {
	if r.n == 0 {
		return -1, nil
	}
	if o.index < 0 || r.n <= fewRows {
		return 0, nil
	}
	ix := &r.indexes[o.index]
	if !ix.fresh {
		r.build(ix)
	}
	return ix.bucket(key), ix
}

func (e *evaluator) anyRow(o *op, r *rows, key, regs []gdl.TermID) bool {
	i, ix := r.first(o, key)
	for w := r.width; i >= 0; {
		at := int(i) * w
		if e.terms.fits(o, r.data[at:at+w], key, regs) {
			return true
		}
		if ix != nil {
			i = ix.next[i]
		} else if i++; int(i) == r.n {
			break
		}
	}
	return false
}

func (e *evaluator) eachRow(f *frame, pc int, r *rows) int {
	o := &f.plan.ops[pc]
	key := f.regs[o.keyReg : int(o.keyReg)+len(o.key)]
	i, ix := r.first(o, key)
	for w := r.width; i >= 0; {
		at := int(i) * w
		if e.terms.fits(o, r.data[at:at+w], key, f.regs) {
			if back := e.exec(f, pc+1); back < pc {
				return back
			}
		}
		if ix != nil {
			i = ix.next[i]
		} else if i++; int(i) == r.n {
			break
		}
	}
	return goOn
}

func (e *evaluator) anyFluent(o *op, regs []gdl.TermID) bool {
	for _, t := range e.position.fluents {
		if len(o.frees) == 0 || e.terms.match(&o.frees[0], t, regs) {
			return true
		}
	}
	return false
}

func (e *evaluator) eachFluent(f *frame, pc int) int {
	o := &f.plan.ops[pc]
	for _, t := range e.position.fluents {
		if e.terms.match(&o.frees[0], t, f.regs) {
			if back := e.exec(f, pc+1); back < pc {
				return back
			}
		}
	}
	return goOn
}

func (e *evaluator) anyMove(o *op, key, regs []gdl.TermID) bool {
	for r, m := range e.does {
		if row := [2]gdl.TermID{e.roles[r], m}; m != 0 && e.terms.fits(o, row[:], key, regs) {
			return true
		}
	}
	return false
}

func (e *evaluator) eachMove(f *frame, pc int) int {
	o := &f.plan.ops[pc]
	key := f.regs[o.keyReg : int(o.keyReg)+len(o.key)]
	for r, m := range e.does {
		if row := [2]gdl.TermID{e.roles[r], m}; m != 0 && e.terms.fits(o, row[:], key, f.regs) {
			if back := e.exec(f, pc+1); back < pc {
				return back
			}
		}
	}
	return goOn
}

func (e *evaluator) anyAnswer(o *op, s *space, t int32, regs []gdl.TermID) bool {
	if len(o.frees) == 0 {
		return s.tables[t].n > 0
	}
	w := len(o.frees)
	for at := int(s.tables[t].first); at != 0; at = int(s.rows[at]) {
		if e.terms.takes(o, s.rows[at+1:at+1+w], regs) {
			return true
		}
	}
	return false
}

func (e *evaluator) eachAnswer(f *frame, pc int, s *space, t int32) int {
	o := &f.plan.ops[pc]
	w := len(o.frees)
	if w == 0 {
		if s.tables[t].n == 0 {
			return goOn
		}
		return e.exec(f, pc+1)
	}
	for at := int(s.tables[t].first); at != 0; at = int(s.rows[at]) {
		if e.terms.takes(o, s.rows[at+1:at+1+w], f.regs) {
			if back := e.exec(f, pc+1); back < pc {
				return back
			}
		}
	}
	return goOn
}

// answer adds an answer to the table of a frame.
func (e *evaluator) answer(f *frame) int {
	e.work++
	if e.work&pollMask == 0 {
		e.poll()
	}
	s := f.space
	tab := &s.tables[f.target]
	if tab.width == 0 {
		if tab.n == 0 {
			tab.n = 1
			s.wake(f.target)
		}
		return -1
	}
	s.rows = append(s.rows, gdl.TermID(f.target), 0)
	off := len(s.rows) - 1
	for i := range f.plan.row {
		v := &f.plan.row[i]
		if v.kind == valReg {
			s.rows = append(s.rows, f.regs[v.reg])
		} else {
			s.rows = append(s.rows, e.terms.make(v, f.regs))
		}
	}
	if s.commit(f.target, off, len(f.plan.row)) {
		s.wake(f.target)
	}
	return f.plan.cut
}
