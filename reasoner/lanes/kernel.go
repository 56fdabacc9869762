package lanes

// narrowSlots is the number of slots that code16 can address.
const narrowSlots = 1 << 16

// exec runs a program on the slots of an engine. A loop ends when nothing
// changes; as its gates can only turn on, that is after at most one
// evaluation for each of them and one more.
func (e *Engine) exec(p *program) {
	for i := range p.stages {
		st := &p.stages[i]
		if st.feedback == nil {
			e.execRuns(p, st.runs)
			continue
		}
		for _, f := range st.feedback {
			e.slots[f.prev] = 0
		}
		for range len(st.feedback) + 1 {
			e.execRuns(p, st.runs)
			changed := uint64(0)
			for _, f := range st.feedback {
				v := e.slots[f.next]
				changed |= e.slots[f.prev] ^ v
				e.slots[f.prev] = v
			}
			if changed == 0 {
				break
			}
		}
	}
}

func (e *Engine) execRuns(p *program, runs []run) {
	if e.narrow != nil {
		execNarrow(e.narrow, p.narrow, runs)
	} else {
		execWide(e.slots, p.wide, runs)
	}
}

// execNarrow is the kernel. It is one dispatch switch with a loop for each op
// so that the loops stay free of branches; its length is the number of ops.
func execNarrow(s *[narrowSlots]uint64, code []code16, runs []run) {
	for _, r := range runs {
		part := code[r.lo:r.hi]
		switch r.op {
		case opMov:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a]
			}
		case opNot:
			for i := range part {
				p := &part[i]
				s[p.d] = ^s[p.a]
			}
		case opAnd2:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] & s[p.b]
			}
		case opAnd3:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] & s[p.b] & s[p.c]
			}
		case opAndNot:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] &^ s[p.b]
			}
		case opAnd2Not:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] & s[p.b] &^ s[p.c]
			}
		case opAndNot2:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] &^ (s[p.b] | s[p.c])
			}
		case opNor2:
			for i := range part {
				p := &part[i]
				s[p.d] = ^(s[p.a] | s[p.b])
			}
		case opNor3:
			for i := range part {
				p := &part[i]
				s[p.d] = ^(s[p.a] | s[p.b] | s[p.c])
			}
		case opOr2:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | s[p.b]
			}
		case opOr3:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | s[p.b] | s[p.c]
			}
		case opOrNot:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | ^s[p.b]
			}
		case opOr2Not:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | s[p.b] | ^s[p.c]
			}
		case opOrNot2:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | ^(s[p.b] & s[p.c])
			}
		case opNand2:
			for i := range part {
				p := &part[i]
				s[p.d] = ^(s[p.a] & s[p.b])
			}
		case opNand3:
			for i := range part {
				p := &part[i]
				s[p.d] = ^(s[p.a] & s[p.b] & s[p.c])
			}
		case opAndOr:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | s[p.b]&s[p.c]
			}
		case opAndNotOr:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | s[p.b]&^s[p.c]
			}
		case opNorOr:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | ^(s[p.b] | s[p.c])
			}
		case opOrAnd:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] & (s[p.b] | s[p.c])
			}
		case opOrNotAnd:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] & (s[p.b] | ^s[p.c])
			}
		case opNandAnd:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] &^ (s[p.b] & s[p.c])
			}
		}
	}
}

// execWide is execNarrow for circuits with more slots.
func execWide(s []uint64, code []code32, runs []run) {
	for _, r := range runs {
		part := code[r.lo:r.hi]
		switch r.op {
		case opMov:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a]
			}
		case opNot:
			for i := range part {
				p := &part[i]
				s[p.d] = ^s[p.a]
			}
		case opAnd2:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] & s[p.b]
			}
		case opAnd3:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] & s[p.b] & s[p.c]
			}
		case opAndNot:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] &^ s[p.b]
			}
		case opAnd2Not:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] & s[p.b] &^ s[p.c]
			}
		case opAndNot2:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] &^ (s[p.b] | s[p.c])
			}
		case opNor2:
			for i := range part {
				p := &part[i]
				s[p.d] = ^(s[p.a] | s[p.b])
			}
		case opNor3:
			for i := range part {
				p := &part[i]
				s[p.d] = ^(s[p.a] | s[p.b] | s[p.c])
			}
		case opOr2:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | s[p.b]
			}
		case opOr3:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | s[p.b] | s[p.c]
			}
		case opOrNot:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | ^s[p.b]
			}
		case opOr2Not:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | s[p.b] | ^s[p.c]
			}
		case opOrNot2:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | ^(s[p.b] & s[p.c])
			}
		case opNand2:
			for i := range part {
				p := &part[i]
				s[p.d] = ^(s[p.a] & s[p.b])
			}
		case opNand3:
			for i := range part {
				p := &part[i]
				s[p.d] = ^(s[p.a] & s[p.b] & s[p.c])
			}
		case opAndOr:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | s[p.b]&s[p.c]
			}
		case opAndNotOr:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | s[p.b]&^s[p.c]
			}
		case opNorOr:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] | ^(s[p.b] | s[p.c])
			}
		case opOrAnd:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] & (s[p.b] | s[p.c])
			}
		case opOrNotAnd:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] & (s[p.b] | ^s[p.c])
			}
		case opNandAnd:
			for i := range part {
				p := &part[i]
				s[p.d] = s[p.a] &^ (s[p.b] & s[p.c])
			}
		}
	}
}
