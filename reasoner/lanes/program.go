package lanes

import (
	"fmt"
	"strings"
)

// op is what an instruction computes from the slots a, b and c. Operands that
// an op does not mention are ignored.
type op uint8

const (
	opMov      op = iota // a
	opNot                // ^a
	opAnd2               // a & b
	opAnd3               // a & b & c
	opAndNot             // a &^ b
	opAnd2Not            // a & b &^ c
	opAndNot2            // a &^ b &^ c
	opNor2               // ^(a | b)
	opNor3               // ^(a | b | c)
	opOr2                // a | b
	opOr3                // a | b | c
	opOrNot              // a | ^b
	opOr2Not             // a | b | ^c
	opOrNot2             // a | ^b | ^c
	opNand2              // ^(a & b)
	opNand3              // ^(a & b & c)
	opAndOr              // a | b&c
	opAndNotOr           // a | b&^c
	opNorOr              // a | ^(b|c)
	opOrAnd              // a & (b|c)
	opOrNotAnd           // a & (b|^c)
	opNandAnd            // a & ^(b&c)
	numOps
)

var opNames = [numOps]string{
	"mov", "not", "and2", "and3", "andnot", "and2not", "andnot2", "nor2", "nor3",
	"or2", "or3", "ornot", "or2not", "ornot2", "nand2", "nand3",
	"andor", "andnotor", "noror", "orand", "ornotand", "nandand",
}

// arity is how many operands an op reads.
func (o op) arity() int {
	switch o {
	case opMov, opNot:
		return 1
	case opAnd2, opAndNot, opNor2, opOr2, opOrNot, opNand2:
		return 2
	}
	return 3
}

// instr is one instruction over values (while compiling) or slots (when
// compiled): d receives the result, a, b and c are read.
type instr struct {
	op         op
	d, a, b, c int32
}

// operands are the values that the instruction reads.
func (in *instr) operands() []int32 {
	return []int32{in.a, in.b, in.c}[:in.op.arity()]
}

// run is a row of instructions of one op: code[lo:hi].
type run struct {
	op     op
	lo, hi int32
}

// feedback carries the value of a recursive gate from one evaluation of a
// loop to the next.
type feedback struct {
	prev, next int32
}

// stage is a row of runs. With feedback it is a loop: the prev slots start at
// zero, and the runs are repeated until every prev equals its next.
type stage struct {
	runs     []run
	feedback []feedback
}

// code16 is an instruction over at most 65,536 slots. The width of the index
// is the width of the slot array, so that the kernel needs no bounds checks,
// and an instruction is 8 bytes.
type code16 struct{ d, a, b, c uint16 }

// code32 is an instruction over any number of slots.
type code32 struct{ d, a, b, c uint32 }

// program is what a kernel executes. One of narrow and wide holds the code.
type program struct {
	stages []stage
	narrow []code16
	wide   []code32
}

// size is the number of instructions.
func (p *program) size() int { return len(p.narrow) + len(p.wide) }

// numRuns is the number of runs.
func (p *program) numRuns() int {
	n := 0
	for i := range p.stages {
		n += len(p.stages[i].runs)
	}
	return n
}

// String lists the program, one run a line.
func (p *program) String() string {
	var b strings.Builder
	for _, st := range p.stages {
		indent := ""
		if st.feedback != nil {
			indent = "  "
			b.WriteString("loop")
			for _, f := range st.feedback {
				fmt.Fprintf(&b, " %d<-%d", f.prev, f.next)
			}
			b.WriteByte('\n')
		}
		for _, r := range st.runs {
			fmt.Fprintf(&b, "%s%s", indent, opNames[r.op])
			for i := r.lo; i < r.hi; i++ {
				p.writeInstr(&b, r.op, int(i))
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func (p *program) writeInstr(b *strings.Builder, o op, i int) {
	var c code32
	if p.wide != nil {
		c = p.wide[i]
	} else {
		n := p.narrow[i]
		c = code32{uint32(n.d), uint32(n.a), uint32(n.b), uint32(n.c)}
	}
	fmt.Fprintf(b, " %d(%d", c.d, c.a)
	if o.arity() > 1 {
		fmt.Fprintf(b, " %d", c.b)
	}
	if o.arity() > 2 {
		fmt.Fprintf(b, " %d", c.c)
	}
	b.WriteByte(')')
}
