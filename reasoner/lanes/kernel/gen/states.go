package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// stateKernels writes the ways of states into and out of the lanes.
func stateKernels(t *target) ([]byte, error) {
	a := newAsm(t)
	writeSpread(a)
	writeCollect(a)
	writeTranspose(a)
	writeRows(a)
	return assemble(a.Context)
}

const spreadSignature = "columns *uint64, n int, state *uint64, mask *uint64"

// writeSpread writes n bits of a state for each word of the slots, from the lowest
// on, into n columns: in each word to the lanes in mask.
func writeSpread(a *asm) {
	p := a.begin(fmt.Sprintf("spread%d", a.t.lanes), spreadSignature, "columns", "n", "state", "mask")
	state, mask := a.load(operand.Mem{Base: p["state"]}), a.load(operand.Mem{Base: p["mask"]})
	// The state goes by from its highest bit down, which the sign tells.
	a.shiftTo63(state, p["n"])
	column := a.lastColumn(p)
	zero := a.vec()
	if !a.t.wide {
		a.zero(zero)
	}
	a.Label("next")
	bits := a.vec()
	if a.t.wide {
		a.VPSRAQ(operand.Imm(63), state, bits)
		// Now bits are 0 or -1: mask chooses between them and the column.
		a.ternary(func(bits, mask, old uint8) uint8 { return mask&bits | old&^mask }, bits, mask, column)
	} else {
		a.VPCMPGTQ(state, zero, bits)
		a.VPXOR(column, bits, bits)
		a.VPAND(mask, bits, bits)
		a.VPXOR(column, bits, bits)
	}
	a.move(bits, column)
	a.VPADDQ(state, state, state)
	a.previousColumn(p)
	a.end()
}

const collectSignature = "columns *uint64, n int, shift *uint64, out *uint64"

// writeCollect is the inverse of spread: from each word of n columns it takes the
// lane that shift, by word, brings to the top.
func writeCollect(a *asm) {
	p := a.begin(fmt.Sprintf("collect%d", a.t.lanes), collectSignature, "columns", "n", "shift", "out")
	shift := a.load(operand.Mem{Base: p["shift"]})
	state := a.vec()
	a.zero(state)
	column := a.lastColumn(p)
	a.Label("next")
	bit := a.load(column)
	a.VPADDQ(state, state, state)
	a.VPSLLVQ(shift, bit, bit)
	a.VPSRLQ(operand.Imm(63), bit, bit)
	a.or(bit, state, state)
	a.previousColumn(p)
	a.move(state, operand.Mem{Base: p["out"]})
	a.end()
}

// shiftTo63 shifts the lowest n bits of each word to its top.
func (a *asm) shiftTo63(v reg.VecVirtual, n reg.GPVirtual) {
	count := a.GP64()
	a.MOVQ(operand.U32(64), count)
	a.SUBQ(n, count)
	x := a.XMM()
	a.VMOVQ(count, x)
	a.VPSLLQ(x, v, v)
}

// lastColumn is the address of the last column; previousColumn goes down to
// the one before and to the label next, until the first is done.
func (a *asm) lastColumn(p map[string]reg.GPVirtual) operand.Mem {
	last := a.GP64()
	a.MOVQ(p["n"], last)
	a.IMUL3Q(operand.U32(a.t.bytes()), last, last)
	a.ADDQ(last, p["columns"])
	return operand.Mem{Base: p["columns"], Disp: -a.t.bytes()}
}

func (a *asm) previousColumn(p map[string]reg.GPVirtual) {
	a.SUBQ(operand.U32(a.t.bytes()), p["columns"])
	a.DECQ(p["n"])
	a.JNZ(operand.LabelRef("next"))
}

const transposeSignature = "rows *uint64, masks *uint64"

// writeTranspose flips 64 x 64 bits in each word of 64 slots, as transpose of
// package kernel: in two passes of three steps each over groups of 8 rows,
// which are 8 rows and then 1 row apart. Masks are those of the six steps.
func writeTranspose(a *asm) {
	p := a.begin(fmt.Sprintf("transpose%d", a.t.lanes), transposeSignature, "rows", "masks")
	for pass, apart := range []int{8, 1} {
		var masks [3]reg.VecVirtual
		for i := range masks {
			masks[i] = a.vec()
			a.VPBROADCASTQ(operand.Mem{Base: p["masks"], Disp: 8 * (3*pass + i)}, masks[i])
		}
		at, groups := a.GP64(), a.GP64()
		a.MOVQ(p["rows"], at)
		a.MOVQ(operand.U32(8), groups)
		label := fmt.Sprintf("pass%d", pass)
		a.Label(label)
		a.flipGroup(at, apart, &masks)
		a.ADDQ(operand.U32((9-apart)*a.t.bytes()), at)
		a.DECQ(groups)
		a.JNZ(operand.LabelRef(label))
	}
	a.end()
}

// flipGroup takes three steps on the 8 rows from at on.
func (a *asm) flipGroup(at reg.GPVirtual, apart int, masks *[3]reg.VecVirtual) {
	address := func(i int) operand.Mem {
		return operand.Mem{Base: at, Disp: i * apart * a.t.bytes()}
	}
	var rows [8]reg.VecVirtual
	for i := range rows {
		rows[i] = a.load(address(i))
	}
	a.flipRows(&rows, apart, masks)
	for i := range rows {
		a.move(rows[i], address(i))
	}
}

// flipRows takes three steps on 8 rows.
func (a *asm) flipRows(rows *[8]reg.VecVirtual, apart int, masks *[3]reg.VecVirtual) {
	for step, mask := range masks {
		width := 4 >> step
		for i := range rows {
			if i&width == 0 {
				a.flip(rows[i], rows[i+width], uint64(width*apart), mask)
			}
		}
	}
}

// flip exchanges the bits of x above those in mask, by width, with those of y
// in mask.
func (a *asm) flip(x, y reg.VecVirtual, width uint64, mask reg.VecVirtual) {
	t := a.vec()
	a.VPSRLQ(operand.Imm(width), x, t)
	if a.t.wide {
		a.ternary(func(t, y, mask uint8) uint8 { return (t ^ y) & mask }, t, y, mask)
	} else {
		a.xor(y, t, t)
		a.and(mask, t, t)
	}
	a.xor(t, y, y)
	a.VPSLLQ(operand.Imm(width), t, t)
	a.xor(t, x, x)
}
