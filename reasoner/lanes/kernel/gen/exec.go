package main

import (
	"bytes"
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
	"github.com/mmcloughlin/avo/x86"
)

// chunks are the numbers of instructions that one piece of code executes. A
// row of instructions of one class is cut into chunks; the code of each ends
// with a jump to the next one's. Without loops there is nothing to mispredict
// but the jumps, which follow a fixed order.
var chunks = []int{1, 2, 4}

// Registers that all pieces share: the stream of instructions, the slots, and
// a vector of ones.
const ones = 15

var (
	stream = reg.RSI
	slots  = reg.RDI
)

// execKernels writes the pieces of code for all classes and chunks, a table
// of their addresses, and the function that jumps to the first one.
//
// A chunk in the stream is the address of its code (8 bytes) and for each
// instruction the byte offsets of its operands and of its destination, of
// 4 bytes each.
func execKernels(t *target, classes []class) ([]byte, error) {
	a := newAsm(t)
	for i, c := range classes {
		for _, n := range chunks {
			writeRow(a, i, c, n)
		}
	}
	text, err := assemble(a.Context)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Write(makeLocal(text))
	writeEntry(&b, t, len(classes))
	return b.Bytes(), nil
}

func rowName(t *target, class, n int) string { return fmt.Sprintf("row%dx%d_%d", t.lanes, class, n) }

// writeRow writes the code for a chunk of n instructions.
func writeRow(a *asm, number int, c class, n int) {
	a.Function(rowName(a.t, number, n))
	a.Attributes(attr.NOSPLIT)
	a.SignatureExpr("func()")
	size := 4 * (c.arity + 1)
	next := 8 + n*size
	a.MOVQ(operand.Mem{Base: stream, Disp: next}, reg.R8)
	offsets := []reg.GPPhysical{reg.RAX, reg.RBX, reg.RCX, reg.RDX}
	for i := range n {
		var at []operand.Mem
		for k := range c.arity + 1 {
			a.MOVL(operand.Mem{Base: stream, Disp: 8 + i*size + 4*k}, offsets[k].As32())
			at = append(at, operand.Mem{Base: slots, Index: offsets[k], Scale: 1})
		}
		a.compute(c, at)
	}
	a.ADDQ(operand.U32(next), stream)
	jump, err := x86.JMP(reg.R8)
	if err != nil {
		panic(err)
	}
	jump.IsBranch, jump.IsTerminal = false, true // for the analysis, the function ends here
	a.Instruction(jump)
}

// compute puts a function of the slots at the first addresses into the last.
func (a *asm) compute(c class, at []operand.Mem) {
	out := at[c.arity]
	for k := range c.arity {
		a.move(at[k], numbered[k])
	}
	value := func(v int) reg.Register {
		if v == 3 {
			return numbered[ones]
		}
		return numbered[v]
	}
	for i, st := range c.steps {
		x, y, d := value(st.x), value(st.y), value(4+i)
		switch st.op {
		case "and":
			a.and(x, y, d)
		case "or":
			a.or(x, y, d)
		case "xor":
			a.xor(x, y, d)
		default:
			a.andNot(x, y, d)
		}
	}
	last := 0
	if n := len(c.steps); n > 0 {
		last = 3 + n
	}
	a.move(value(last), out)
}

// writeEntry writes, by hand because the assembler's generator knows no
// tables of addresses, the functions that begin and end the execution.
func writeEntry(b *bytes.Buffer, t *target, classes int) {
	table := fmt.Sprintf("rows%d<>", t.lanes)
	n := 0
	datum := func(symbol string) {
		fmt.Fprintf(b, "DATA %s+%d(SB)/8, $%s<>(SB)\n", table, 8*n, symbol)
		n++
	}
	last := fmt.Sprintf("row%dend", t.lanes)
	fmt.Fprintf(b, `
TEXT %s<>(SB), NOSPLIT, $0
	VZEROUPPER
	RET

// Addresses of the code by class and chunk, and of the end.
`, last)
	for i := range classes {
		for _, k := range chunks {
			datum(rowName(t, i, k))
		}
	}
	datum(last)
	fmt.Fprintf(b, "GLOBL %s(SB), NOPTR, $%d\n", table, 8*n)
	setup := fmt.Sprintf("\tVPCMPEQD Y%d, Y%[1]d, Y%[1]d\n", ones)
	fmt.Fprintf(b, `
// func row%[1]d(i int) uintptr
TEXT ·row%[1]d(SB), NOSPLIT, $0-16
	MOVQ i+0(FP), AX
	LEAQ %[2]s(SB), BX
	MOVQ (BX)(AX*8), AX
	MOVQ AX, ret+8(FP)
	RET

// func exec%[1]d(stream *uint32, slots *uint64)
TEXT ·exec%[1]d(SB), NOSPLIT, $0-16
	MOVQ stream+0(FP), SI
	MOVQ slots+8(FP), DI
	MOVQ (SI), AX
%[3]s	JMP AX
`, t.lanes, table, setup)
}
