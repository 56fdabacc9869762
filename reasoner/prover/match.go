package prover

import "semisplit/reasoner/gdl"

// alloc takes registers from the stack. Slices handed out stay
// valid when the stack moves.
func (t *terms) alloc(n int) []gdl.TermID {
	if t.top+n > len(t.registers) {
		t.registers = make([]gdl.TermID, 2*len(t.registers)+n)
		// the frames below keep the old array; their room here stays unused
	}
	regs := t.registers[t.top : t.top+n : t.top+n]
	t.top += n
	return regs
}

func (t *terms) release(n int) { t.top -= n }

// keyOf evaluates the key of an operation into its registers.
func (t *terms) keyOf(o *op, regs []gdl.TermID) []gdl.TermID {
	key := regs[o.keyReg : int(o.keyReg)+len(o.key)]
	for i := range o.key {
		switch v := &o.key[i]; v.kind {
		case valReg:
			key[i] = regs[v.reg]
		case valConst:
			key[i] = v.id
		default:
			key[i] = t.make(v, regs)
		}
	}
	return key
}

// make builds a term.
func (t *terms) make(v *value, regs []gdl.TermID) gdl.TermID {
	switch v.kind {
	case valReg:
		return regs[v.reg]
	case valConst:
		return v.id
	}
	n := len(v.args)
	args := t.alloc(n)
	for i := range v.args {
		args[i] = t.make(&v.args[i], regs)
	}
	id := t.store.Compound(v.fn, args)
	t.release(n)
	t.check(id)
	return id
}

// match tests a term against a pattern and sets the registers that it binds.
func (t *terms) match(q *pat, id gdl.TermID, regs []gdl.TermID) bool {
	switch q.kind {
	case patConst:
		return q.id == id
	case patCheck:
		return regs[q.reg] == id
	case patBind:
		regs[q.reg] = id
	case patCompound:
		if t.store.Functor(id) != q.fn {
			return false
		}
		args := t.store.Args(id)
		if len(args) != len(q.args) {
			return false
		}
		for i := range q.args {
			if !t.match(&q.args[i], args[i], regs) {
				return false
			}
		}
	}
	return true
}

// fits tests a row of a stored relation.
func (t *terms) fits(o *op, row, key, regs []gdl.TermID) bool {
	for i, c := range o.keyCols {
		if row[c] != key[i] {
			return false
		}
	}
	return t.takes(o, row, regs)
}

// takes matches the free columns of a row.
func (t *terms) takes(o *op, row, regs []gdl.TermID) bool {
	for i := range o.frees {
		q := &o.frees[i]
		if q.kind == patBind {
			regs[q.reg] = row[q.col]
		} else if !t.match(q, row[q.col], regs) {
			return false
		}
	}
	return true
}
