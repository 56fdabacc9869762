package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const rowsSignature = "columns *uint64, groups int, dst *uint64, masks *uint64"

// writeRows turns groups of 8 columns into a word for each lane: 8 bits of it from
// each group, the first lowest. Masks are those of the last three steps of
// transpose.
func writeRows(a *asm) {
	p := a.begin(fmt.Sprintf("rows%d", a.t.lanes), rowsSignature, "columns", "groups", "dst", "masks")
	bytes, shift := a.GP64(), a.GP64()
	a.LEAQ(a.AllocLocal(a.t.lanes), bytes)
	a.XORQ(shift, shift)
	a.groupBytes(p["columns"], p["masks"], bytes)
	a.widen(bytes, p["dst"], nil)
	a.DECQ(p["groups"])
	a.JZ(operand.LabelRef("done"))
	a.Label("next")
	a.ADDQ(operand.U32(8*a.t.bytes()), p["columns"])
	a.ADDQ(operand.Imm(8), shift)
	a.groupBytes(p["columns"], p["masks"], bytes)
	a.widen(bytes, p["dst"], shift)
	a.again(p["groups"])
	a.Label("done")
	a.end()
}

// groupBytes writes a byte for each lane, with the bits of 8 columns.
func (a *asm) groupBytes(columns, masks, bytes reg.GPVirtual) {
	var steps [3]reg.VecVirtual
	for i := range steps {
		steps[i] = a.vec()
		a.VPBROADCASTQ(operand.Mem{Base: masks, Disp: 8 * i}, steps[i])
	}
	var rows [8]reg.VecVirtual
	for i := range rows {
		rows[i] = a.load(operand.Mem{Base: columns, Disp: i * a.t.bytes()})
	}
	a.flipRows(&rows, 1, &steps)
	// Byte q of row i now belongs to lane 8q+i. Taken in turns: two rows, four
	// rows, all rows; in each part of 128 bits first the low half, then the
	// high half.
	turns := [][]reg.VecVirtual{rows[:]}
	for step := range 3 {
		var next [][]reg.VecVirtual
		for _, group := range turns {
			var low, high []reg.VecVirtual
			for i := 0; i < len(group); i += 2 {
				l, h := a.interleave(step, group[i], group[i+1])
				low, high = append(low, l), append(high, h)
			}
			next = append(next, low, high)
		}
		turns = next
	}
	// Vector m holds in part k the bytes of the lanes 128k+16m to 128k+16m+15.
	for m, v := range turns {
		for k := range a.t.bytes() / 16 {
			to := operand.Mem{Base: bytes, Disp: 128*k + 16*m}
			switch part := operand.Imm(uint64(k)); {
			case k == 0:
				a.VMOVDQU(v[0].AsX(), to)
			case a.t.wide:
				a.VEXTRACTI32X4(part, v[0], to)
			default:
				a.VEXTRACTI128(part, v[0], to)
			}
		}
	}
}

// interleave takes pieces of 1, 2 or 4 bytes of x and y in turns, in each part
// of 128 bits: those of the low half, and those of the high half.
func (a *asm) interleave(step int, x, y reg.VecVirtual) (low, high reg.VecVirtual) {
	low, high = a.vec(), a.vec()
	switch step {
	case 0:
		a.VPUNPCKLBW(y, x, low)
		a.VPUNPCKHBW(y, x, high)
	case 1:
		a.VPUNPCKLWD(y, x, low)
		a.VPUNPCKHWD(y, x, high)
	case 2:
		a.VPUNPCKLDQ(y, x, low)
		a.VPUNPCKHDQ(y, x, high)
	}
	return low, high
}

// widen writes each byte as a word; with a shift it adds them to the words that
// are there, shifted.
func (a *asm) widen(bytes, dst, shift reg.GPVirtual) {
	const unroll = 8
	from, to, n, count := a.GP64(), a.GP64(), a.GP64(), a.XMM()
	a.MOVQ(bytes, from)
	a.MOVQ(dst, to)
	a.MOVQ(operand.U32(uint32(64/unroll)), n)
	label := "first"
	if shift != nil {
		label = "add"
		a.VMOVQ(shift, count)
	}
	a.Label(label)
	words := a.t.bytes() / 8 // in a vector
	for i := range unroll {
		x := a.vec()
		a.VPMOVZXBQ(operand.Mem{Base: from, Disp: i * words}, x)
		out := operand.Mem{Base: to, Disp: i * a.t.bytes()}
		if shift != nil {
			a.VPSLLQ(count, x, x)
			a.or(out, x, x)
		}
		a.move(x, out)
	}
	a.ADDQ(operand.U32(uint32(unroll*words)), from)
	a.ADDQ(operand.U32(uint32(unroll*a.t.bytes())), to)
	a.DECQ(n)
	a.JNZ(operand.LabelRef(label))
}
