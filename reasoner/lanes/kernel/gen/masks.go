package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// maskKernels writes what is done to the offers of a level at once.
func maskKernels(t *target) ([]byte, error) {
	a := newAsm(t)
	writeGreedy(a)
	writeWithout(a)
	writeAddMasked(a)
	writeBernoulli(a)
	return assemble(a.Context)
}

const greedySignature = "from *uint64, offers *uint32, sel *uint64, order *int32, n int, want *uint64, missing *uint64"

// writeGreedy adds to the selections, for each lane in want, the first of its
// offers in an order of n semimoves.
func writeGreedy(a *asm) {
	p := a.begin(fmt.Sprintf("greedy%d", a.t.lanes), greedySignature, "from", "offers", "sel", "order", "n", "want", "missing")
	want := a.load(operand.Mem{Base: p["want"]})
	a.Label("next")
	a.branchIfZero(want, "done")
	k, column := a.GP64(), a.GP64()
	a.MOVLQSX(operand.Mem{Base: p["order"]}, k)
	a.MOVL(operand.Mem{Base: p["offers"], Index: k, Scale: 4}, column.As32())
	x := a.vec()
	a.and(operand.Mem{Base: p["from"], Index: column, Scale: 1}, want, x)
	a.IMUL3Q(operand.U32(a.t.bytes()), k, k)
	a.andNot(want, x, want)
	sel := operand.Mem{Base: p["sel"], Index: k, Scale: 1}
	a.or(sel, x, x)
	a.move(x, sel)
	a.ADDQ(operand.Imm(4), p["order"])
	a.DECQ(p["n"])
	a.JNZ(operand.LabelRef("next"))
	a.Label("done")
	a.move(want, operand.Mem{Base: p["missing"]})
	a.end()
}

const withoutSignature = "dst *uint64, from *uint64, offers *uint32, tried *uint64, n int"

// writeWithout puts offer k without column k of tried into column k of dst.
func writeWithout(a *asm) {
	p := a.begin(fmt.Sprintf("without%d", a.t.lanes), withoutSignature, "dst", "from", "offers", "tried", "n")
	a.Label("next")
	tried, column := a.load(operand.Mem{Base: p["tried"]}), a.GP64()
	a.MOVL(operand.Mem{Base: p["offers"]}, column.As32())
	a.andNot(operand.Mem{Base: p["from"], Index: column, Scale: 1}, tried, tried)
	a.move(tried, operand.Mem{Base: p["dst"]})
	a.ADDQ(operand.Imm(4), p["offers"])
	a.advance(p["dst"], p["tried"])
	a.again(p["n"])
	a.end()
}

const addMaskedSignature = "dst *uint64, from *uint64, mask *uint64, n int"

// writeAddMasked adds to n columns of dst those of from in the lanes of mask.
func writeAddMasked(a *asm) {
	p := a.begin(fmt.Sprintf("addMasked%d", a.t.lanes), addMaskedSignature, "dst", "from", "mask", "n")
	mask := a.load(operand.Mem{Base: p["mask"]})
	a.Label("next")
	x := a.vec()
	a.and(operand.Mem{Base: p["from"]}, mask, x)
	a.or(operand.Mem{Base: p["dst"]}, x, x)
	a.move(x, operand.Mem{Base: p["dst"]})
	a.advance(p["dst"], p["from"])
	a.again(p["n"])
	a.end()
}

// advance goes to the next column of each address.
func (a *asm) advance(addresses ...reg.GPVirtual) {
	for _, r := range addresses {
		a.ADDQ(operand.U32(a.t.bytes()), r)
	}
}

// again repeats from the label next until n is zero.
func (a *asm) again(n reg.GPVirtual) {
	a.DECQ(n)
	a.JNZ(operand.LabelRef("next"))
}

const bernoulliSignature = "dst *uint64, r *uint64, chance uint64, n int"

// writeBernoulli compares n random bits with the lowest n of chance, from the
// lowest on: dst gets the lanes whose random number is less.
func writeBernoulli(a *asm) {
	p := a.begin(fmt.Sprintf("bernoulli%d", a.t.lanes), bernoulliSignature, "dst", "r", "chance", "n")
	s := a.loadState(p["r"])
	less := a.vec()
	a.zero(less)
	a.Label("next")
	u := a.random(&s)
	a.SHRQ(operand.Imm(1), p["chance"])
	a.JCS(operand.LabelRef("one"))
	a.and(u, less, less)
	a.again(p["n"])
	a.JMP(operand.LabelRef("done"))
	a.Label("one")
	a.or(u, less, less)
	a.again(p["n"])
	a.Label("done")
	a.storeState(p["r"], &s)
	a.move(less, operand.Mem{Base: p["dst"]})
	a.end()
}

// loadState and storeState move the state of kernel.Random.
func (a *asm) loadState(r reg.GPVirtual) (s [4]reg.VecVirtual) {
	for i := range s {
		s[i] = a.load(operand.Mem{Base: r, Disp: stateAt + vectorStride*i})
	}
	return s
}

func (a *asm) storeState(r reg.GPVirtual, s *[4]reg.VecVirtual) {
	for i := range s {
		a.move(s[i], operand.Mem{Base: r, Disp: stateAt + vectorStride*i})
	}
}
