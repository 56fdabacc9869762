package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// variants are the numbers of bit planes for which there is code; a choice
// takes the next one above what it needs.
var variants = []int{3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 20}

// block is how many columns are counted together.
const block = 7

// Offsets in kernel.Random.
const (
	vectorStride = 64 // of its arrays of vectors
	stateAt      = 0
	totalAt      = 4 * vectorStride
	leftAt       = totalAt + 32*vectorStride
)

// chooseKernels writes the counting of offers and the choice, for each number
// of planes.
func chooseKernels(t *target) ([]byte, error) {
	a := newAsm(t)
	for _, p := range variants {
		writeCount(a, p)
		writeChoose(a, p)
	}
	writeTake(a)
	return assemble(a.Context)
}

// planes are the bit planes of a number: the lower ones in registers, the
// others in memory.
type planes struct {
	a    *asm
	base reg.Register
	at   int
	regs []reg.VecVirtual
}

// newPlanes are n planes, zero, with those in memory at an offset from base.
func (a *asm) newPlanes(n int, base reg.Register, at int) *planes {
	p := &planes{a: a, base: base, at: at}
	for range min(n, a.t.planes) {
		v := a.vec()
		a.zero(v)
		p.regs = append(p.regs, v)
	}
	if n > len(p.regs) {
		zero := a.vec()
		a.zero(zero)
		for b := len(p.regs); b < n; b++ {
			a.move(zero, p.mem(b))
		}
	}
	return p
}

func (p *planes) mem(b int) operand.Mem {
	return operand.Mem{Base: p.base, Disp: p.at + vectorStride*b}
}

// get is plane b in a register, to be changed and given back by put.
func (p *planes) get(b int) reg.Register {
	if b < len(p.regs) {
		return p.regs[b]
	}
	return p.a.load(p.mem(b))
}

func (p *planes) put(b int, v reg.Register) {
	if b >= len(p.regs) {
		p.a.move(v, p.mem(b))
	}
}

// begin starts a function and loads its parameters.
func (a *asm) begin(name, signature string, params ...string) map[string]reg.GPVirtual {
	a.Function(name)
	a.Attributes(attr.NOSPLIT)
	a.SignatureExpr("func(" + signature + ")")
	in := map[string]reg.GPVirtual{}
	for _, p := range params {
		in[p] = a.GP64()
		a.Load(a.Param(p), in[p])
	}
	return in
}

// end returns from a function.
func (a *asm) end() {
	a.VZEROUPPER()
	a.RET()
}

// column is the address of column k of the current block of offers.
func (a *asm) column(from, offers reg.GPVirtual, k int) operand.Mem {
	index := a.GP64()
	a.MOVL(operand.Mem{Base: offers, Disp: 4 * k}, index.As32())
	return operand.Mem{Base: from, Index: index, Scale: 1}
}

// selection is the address of the selection of column k.
func (a *asm) selection(sel reg.GPVirtual, k int) operand.Mem {
	return operand.Mem{Base: sel, Disp: k * a.t.bytes()}
}

// nextBlock goes on to the next block of columns, and to label if there is
// one.
func (a *asm) nextBlock(p map[string]reg.GPVirtual, label string) {
	a.ADDQ(operand.Imm(4*block), p["offers"])
	a.ADDQ(operand.U32(block*a.t.bytes()), p["sel"])
	a.DECQ(p["blocks"])
	a.JNZ(operand.LabelRef(label))
}

const countSignature = "from *uint64, offers *uint32, sel *uint64, r *uint64, blocks int"

// writeCount counts all offers into r.total, and each block's into the first three
// of its selections.
func writeCount(a *asm, n int) {
	p := a.begin(fmt.Sprintf("count%dx%d", a.t.lanes, n), countSignature, "from", "offers", "sel", "r", "blocks")
	total := a.newPlanes(n, p["r"], totalAt)
	a.Label("next")
	var x [block]reg.VecVirtual
	load := func(from, to int) {
		for k := from; k < to; k++ {
			x[k] = a.load(a.column(p["from"], p["offers"], k))
		}
	}
	load(0, 3)
	a.fullAdd(x[0], x[1], x[2])
	load(3, 6)
	a.fullAdd(x[3], x[4], x[5])
	load(6, 7)
	a.fullAdd(x[0], x[3], x[6])
	a.fullAdd(x[1], x[4], x[3])
	c := []reg.VecVirtual{x[0], x[1], x[4]}
	for k := range c {
		a.move(c[k], a.selection(p["sel"], k))
	}
	t := total.get(0)
	a.halfAdd(t, c[0])
	total.put(0, t)
	carry := c[0]
	for b := 1; b < n; b++ {
		t := total.get(b)
		if b < 3 {
			a.fullAdd(t, c[b], carry)
			carry = c[b]
		} else {
			a.halfAdd(t, carry)
		}
		total.put(b, t)
	}
	a.nextBlock(p, "next")
	for b, v := range total.regs {
		a.move(v, total.mem(b))
	}
	a.end()
}

const chooseSignature = "from *uint64, offers *uint32, sel *uint64, r *uint64, want *uint64, missing *uint64, blocks int, draws int"

// writeChoose draws for each lane how many offers it passes over, and walks to the
// offer that it takes: the same as draw and walk of package kernel.
func writeChoose(a *asm, n int) {
	p := a.begin(fmt.Sprintf("choose%dx%d", a.t.lanes, n), chooseSignature, "from", "offers", "sel", "r", "blocks", "draws")
	left := a.newPlanes(n, p["r"], leftAt)
	writeDraw(a, n, p, left)
	want := a.wanting(n, p)
	writeWalk(a, n, p, left, want)
	a.end()
}

// writeDraw writes floor(total x u / 2^draws) into left.
func writeDraw(a *asm, n int, p map[string]reg.GPVirtual, left *planes) {
	s := a.loadState(p["r"])
	a.Label("draw")
	u := a.random(&s)
	total := func(b int) operand.Mem { return operand.Mem{Base: p["r"], Disp: totalAt + vectorStride*b} }
	carry := a.vec()
	a.and(total(0), u, carry)
	low := left.get(0)
	a.and(low, carry, carry)
	for b := 1; b < n; b++ {
		y := a.vec()
		a.and(total(b), u, y)
		x := left.get(b)
		// The sum goes one plane down: it takes the register of the plane
		// below, whose own value is used up.
		if a.t.wide && b < len(left.regs) {
			sum := left.regs[b-1]
			a.move(x, sum)
			a.fullAdd(sum, y, carry)
			carry = y
			continue
		}
		a.fullAdd(x, y, carry)
		carry = y
		a.lower(left, b-1, x)
	}
	a.lower(left, n-1, carry)
	a.DECQ(p["draws"])
	a.JNZ(operand.LabelRef("draw"))
	a.storeState(p["r"], &s)
}

// lower sets plane b to a vector.
func (a *asm) lower(left *planes, b int, v reg.Register) {
	if b < len(left.regs) {
		a.move(v, left.regs[b])
		return
	}
	left.put(b, v)
}

// random is the next vector of xoshiro256++, and steps its state.
func (a *asm) random(s *[4]reg.VecVirtual) reg.VecVirtual {
	out, t := a.vec(), a.vec()
	a.VPADDQ(s[0], s[3], out)
	a.rotate(23, out)
	a.VPADDQ(out, s[0], out)
	a.VPSLLQ(operand.Imm(17), s[1], t)
	a.xor(s[1], s[3], s[3])
	if a.t.wide {
		three := func(x, y, z uint8) uint8 { return x ^ y ^ z }
		a.ternary(three, s[1], s[2], s[0])
		a.ternary(three, s[2], s[0], t)
	} else {
		a.xor(s[0], s[2], s[2])
		a.xor(s[2], s[1], s[1])
		a.xor(t, s[2], s[2])
	}
	a.xor(s[3], s[0], s[0])
	a.rotate(45, s[3])
	return out
}

// rotate rotates each word to the left.
func (a *asm) rotate(n uint64, v reg.VecVirtual) {
	if a.t.wide {
		a.VPROLQ(operand.Imm(n), v, v)
		return
	}
	t := a.vec()
	a.VPSRLQ(operand.Imm(64-n), v, t)
	a.VPSLLQ(operand.Imm(n), v, v)
	a.or(t, v, v)
}

// wanting splits want into the lanes with and without an offer: those
// without are stored, the others returned.
func (a *asm) wanting(n int, p map[string]reg.GPVirtual) reg.VecVirtual {
	any := a.load(operand.Mem{Base: p["r"], Disp: totalAt})
	for b := 1; b < n; b++ {
		a.or(operand.Mem{Base: p["r"], Disp: totalAt + vectorStride*b}, any, any)
	}
	address := a.GP64()
	a.Load(a.Param("want"), address)
	lanes := a.load(operand.Mem{Base: address})
	none := a.vec()
	a.andNot(lanes, any, none)
	a.and(lanes, any, any)
	address = a.GP64()
	a.Load(a.Param("missing"), address)
	a.move(none, operand.Mem{Base: address})
	return any
}

// writeWalk sets the selections: each lane in want takes the offer that comes
// after as many others as left says.
func writeWalk(a *asm, n int, p map[string]reg.GPVirtual, left *planes, want reg.VecVirtual) {
	a.Label("walk")
	var r [3]reg.VecVirtual
	for b := range r {
		r[b] = a.vec()
		a.move(left.regs[b], r[b])
	}
	borrow := a.load(a.selection(p["sel"], 0))
	// The lowest plane: the difference, and a borrow where it is one and the
	// count's bit too.
	a.halfSubtract(left.regs[0], borrow)
	for b := 1; b < n; b++ {
		t := left.get(b)
		if b < 3 {
			a.fullSubtract(t, a.load(a.selection(p["sel"], b)), borrow)
		} else {
			a.halfSubtract(t, borrow)
		}
		left.put(b, t)
	}
	in := borrow
	a.and(want, in, in)
	a.branchIfZero(in, "none")
	a.andNot(want, in, want)
	for k := range block {
		a.pass(p, k, &r, in)
	}
	a.nextBlock(p, "walk")
	a.JMP(operand.LabelRef("done"))

	a.Label("none")
	for k := range block {
		a.move(in, a.selection(p["sel"], k))
	}
	a.nextBlock(p, "walk")
	a.Label("done")
}

// pass lets the lanes in take column k whose r is zero, and counts r down for
// the others that are offered it.
func (a *asm) pass(p map[string]reg.GPVirtual, k int, r *[3]reg.VecVirtual, in reg.VecVirtual) {
	x, z := a.vec(), a.vec()
	a.and(a.column(p["from"], p["offers"], k), in, x)
	a.or(r[0], r[1], z)
	if a.t.wide {
		// r[2] changes just where x &^ z, and is then one if it was zero.
		a.ternary(func(r, x, z uint8) uint8 { return r ^ x&^z }, r[2], x, z)
		a.ternary(func(z, x, r uint8) uint8 { return x &^ z & r }, z, x, r[2])
		a.move(z, a.selection(p["sel"], k))
		a.andNot(in, z, in)
		a.ternary(func(r1, r0, x uint8) uint8 { return r1 ^ x&^r0 }, r[1], r[0], x)
		a.xor(x, r[0], r[0])
		return
	}
	a.andNot(x, z, z)
	a.xor(z, r[2], r[2])
	a.and(r[2], z, z)
	a.move(z, a.selection(p["sel"], k))
	a.andNot(in, z, in)
	y := a.vec()
	a.andNot(x, r[0], y)
	a.xor(y, r[1], r[1])
	a.xor(x, r[0], r[0])
}

// branchIfZero jumps to a label if a vector is zero.
func (a *asm) branchIfZero(v reg.VecVirtual, label string) {
	if a.t.wide {
		k := a.K()
		a.VPTESTMQ(v, v, k)
		a.KORTESTB(k, k)
	} else {
		a.VPTEST(v, v)
	}
	a.JZ(operand.LabelRef(label))
}

const takeSignature = "from *uint64, offers *uint32, sel *uint64, want *uint64, blocks int"

// writeTake sets the selections where no lane has more than one offer: it takes
// all.
func writeTake(a *asm) {
	p := a.begin(fmt.Sprintf("take%d", a.t.lanes), takeSignature, "from", "offers", "sel", "want", "blocks")
	want := a.load(operand.Mem{Base: p["want"]})
	a.Label("next")
	for k := range block {
		x := a.vec()
		a.and(a.column(p["from"], p["offers"], k), want, x)
		a.move(x, a.selection(p["sel"], k))
	}
	a.nextBlock(p, "next")
	a.end()
}
