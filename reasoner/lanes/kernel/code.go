package kernel

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Code is a straight row of instructions, encoded for the kernels of a Set.
type Code struct {
	size   int
	text   []byte   // machine code; else
	stream []uint32 // for assembly; else
	runs   []run    // for Go
	instrs []scaled
}

// run is a row of instructions of one class: instrs[lo:hi].
type run struct {
	class  uint8
	lo, hi int32
}

// scaled is an instruction with byte offsets in place of slots.
type scaled struct{ d, a, b, c uint32 }

// Encode prepares instructions, which will be executed in order, on that many
// slots. It panics if a slot is out of range.
func (s *Set) Encode(instrs []Instr, slots int) *Code {
	return s.EncodeFor(instrs, slots, nil)
}

// EncodeFor is Encode where of the slots that the instructions write only
// those in outputs, by slot, are read by anybody else: what the others hold
// afterwards is undefined. No outputs at all stand for all slots.
func (s *Set) EncodeFor(instrs []Instr, slots int, outputs []bool) *Code {
	if uint64(slots)*uint64(s.words)*8 >= 1<<31 {
		panic(fmt.Sprintf("BUG: %d slots are too many for 32-bit offsets", slots))
	}
	for i := range instrs {
		s.check(&instrs[i], slots)
	}
	c := &Code{size: len(instrs)}
	if s.jit && len(instrs) > 0 && len(instrs) <= MaxCompiled {
		text, err := loadText(c, s.compile(instrs, slots, outputs))
		if err == nil {
			c.text = text
			return c
		}
	}
	if s.isa == isaGo {
		s.encodeGo(c, instrs)
	} else {
		s.encodeVector(c, instrs)
	}
	return c
}

func (s *Set) check(in *Instr, slots int) {
	if in.Op >= NumOps || in.Op >= NumNamed && in.Op < firstTable {
		panic(fmt.Sprintf("BUG: op %d is unknown", in.Op))
	}
	if uint32(in.D) >= uint32(slots) {
		panic(fmt.Sprintf("BUG: %v: a slot is not below %d", *in, slots))
	}
	for _, x := range in.Operands() {
		if uint32(x) >= uint32(slots) {
			panic(fmt.Sprintf("BUG: %v: a slot is not below %d", *in, slots))
		}
	}
}

// offset is where a slot begins, in bytes.
func (s *Set) offset(slot int32) uint32 { return uint32(slot) * uint32(s.words) * 8 }

// classOf is how an op is computed. A constant is a copy of slot 0 or 1.
func classOf(o Op) class {
	c := classes[o.Truth()]
	if c.arity == 0 {
		c = classes[tableA]
	}
	return c
}

// scale is an instruction with the operands in the order that its class wants,
// as byte offsets.
func (s *Set) scale(in *Instr) scaled {
	c := classOf(in.Op)
	args := [3]int32{in.A, in.B, in.C}
	switch in.Op.Truth() {
	case 0x00:
		args = [3]int32{0, 0, 0}
	case 0xff:
		args = [3]int32{1, 1, 1}
	}
	x := scaled{d: s.offset(in.D)}
	for k, operand := range []*uint32{&x.a, &x.b, &x.c}[:c.arity] {
		*operand = s.offset(args[c.order[k]])
	}
	return x
}

func (s *Set) encodeGo(c *Code, instrs []Instr) {
	for i := range instrs {
		number := classOf(instrs[i].Op).number
		if n := len(c.runs); n == 0 || c.runs[n-1].class != number {
			c.runs = append(c.runs, run{number, int32(i), int32(i)})
		}
		c.runs[len(c.runs)-1].hi++
		c.instrs = append(c.instrs, s.scale(&instrs[i]))
	}
}

// wordAt is the word at a byte offset from s.
func wordAt(s unsafe.Pointer, offset uint32) *uint64 {
	return (*uint64)(unsafe.Add(s, offset))
}

// Exec executes instructions on slots, of which there are at least as many as
// Encode was told: nothing is checked here.
func (s *Set) Exec(c *Code, slots []uint64) {
	if c.size == 0 {
		return
	}
	if c.text != nil {
		enter(&c.text[0], unsafe.SliceData(slots))
		runtime.KeepAlive(c)
		return
	}
	if s.isa != isaGo {
		s.execVector(c, slots)
		return
	}
	for w := range s.words {
		execGo(unsafe.Pointer(&slots[w]), c.instrs, c.runs)
	}
}
