package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// target is an instruction set: vectors of 512 bits with any function of
// three operands in one instruction, or of 256 bits without.
type target struct {
	name  string
	lanes int
	wide  bool // AVX-512
	// planes is how many bit planes of a choice are kept in registers; the
	// others stay in memory.
	planes int
}

var (
	avx2   = &target{name: "avx2", lanes: 256, planes: 5}
	avx512 = &target{name: "avx512", lanes: 512, wide: true, planes: 16}
)

// bytes is the size of a slot.
func (t *target) bytes() int { return t.lanes / 8 }

// asm writes instructions for a target.
type asm struct {
	*build.Context
	t *target
}

func newAsm(t *target) *asm {
	return &asm{Context: build.NewContext(), t: t}
}

// vec is a new vector register.
func (a *asm) vec() reg.VecVirtual {
	if a.t.wide {
		return a.ZMM()
	}
	return a.YMM()
}

// numbered are the vector registers that the pieces of Exec use.
var numbered = []reg.VecPhysical{
	reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7,
	reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15,
}

// move loads, stores or copies.
func (a *asm) move(from, to operand.Op) {
	if a.t.wide {
		a.VMOVDQU64(from, to)
	} else {
		a.VMOVDQU(from, to)
	}
}

// load is the vector at an address, in a new register.
func (a *asm) load(m operand.Mem) reg.VecVirtual {
	v := a.vec()
	a.move(m, v)
	return v
}

// zero clears a register.
func (a *asm) zero(v reg.Register) {
	if a.t.wide {
		a.VPXORQ(v, v, v)
	} else {
		a.VPXOR(v, v, v)
	}
}

// and, or and xor put x op y into d; x may be in memory.
func (a *asm) and(x, y, d operand.Op) {
	if a.t.wide {
		a.VPANDQ(x, y, d)
	} else {
		a.VPAND(x, y, d)
	}
}

func (a *asm) or(x, y, d operand.Op) {
	if a.t.wide {
		a.VPORQ(x, y, d)
	} else {
		a.VPOR(x, y, d)
	}
}

func (a *asm) xor(x, y, d operand.Op) {
	if a.t.wide {
		a.VPXORQ(x, y, d)
	} else {
		a.VPXOR(x, y, d)
	}
}

// andNot puts x &^ not into d; x may be in memory.
func (a *asm) andNot(x, not, d operand.Op) {
	if a.t.wide {
		a.VPANDNQ(x, not, d)
	} else {
		a.VPANDN(x, not, d)
	}
}

// ternary sets x to a function of x, y and z, given by its bits; z may be in
// memory. Wide targets only.
func (a *asm) ternary(f func(x, y, z uint8) uint8, x, y, z operand.Op) {
	a.VPTERNLOGQ(operand.U8(f(tableA, tableB, tableC)), z, y, x)
}

// fullAdd adds three bits: s becomes the sum and x the carry.
func (a *asm) fullAdd(s, x, y reg.Register) {
	if a.t.wide {
		a.ternary(func(s, x, y uint8) uint8 { return s ^ x ^ y }, s, x, y)
		// From the sum and two of the bits the third follows.
		a.ternary(func(x, y, sum uint8) uint8 {
			s := sum ^ x ^ y
			return s&x | s&y | x&y
		}, x, y, s)
		return
	}
	u, k := a.vec(), a.vec()
	a.xor(s, x, u)
	a.and(s, x, k)
	a.xor(u, y, s)
	a.and(u, y, u)
	a.or(k, u, x)
}

// halfAdd adds two bits: s becomes the sum, c the carry.
func (a *asm) halfAdd(s, c reg.Register) {
	a.xor(c, s, s)
	a.andNot(c, s, c)
}

// fullSubtract subtracts c and borrow from s: s becomes the difference and
// borrow the next borrow. It spoils c.
func (a *asm) fullSubtract(s, c, borrow reg.Register) {
	if a.t.wide {
		a.ternary(func(s, c, b uint8) uint8 { return s ^ c ^ b }, s, c, borrow)
		a.ternary(func(b, c, diff uint8) uint8 {
			s := diff ^ c ^ b
			return ^s&c | ^s&b | c&b
		}, borrow, c, s)
		return
	}
	// Borrow is c &^ s, or the old borrow where s equals c.
	u, k := a.vec(), a.vec()
	a.xor(s, c, u)
	a.andNot(c, s, k)
	a.xor(u, borrow, s)
	a.andNot(borrow, u, borrow)
	a.or(k, borrow, borrow)
}

// halfSubtract subtracts borrow from s: borrow becomes the next borrow.
func (a *asm) halfSubtract(s, borrow reg.Register) {
	// Where a bit is borrowed from zero, the difference is one.
	a.xor(borrow, s, s)
	a.and(borrow, s, borrow)
}
