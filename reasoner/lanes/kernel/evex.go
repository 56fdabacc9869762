package kernel

import "encoding/binary"

// evex writes machine code for the vector registers of AVX-512, of which it
// uses 512, 256 or 64 bits (Intel's manual, volume 2, section 2.7). Slots are
// addressed from base registers, each of which reaches 256 of them with one
// byte; others take four bytes.
type evex struct {
	text
	size    int // of a slot, in bytes: 64, 32 or 8
	windows windows
}

// evexRegs is the number of vector registers.
const evexRegs = 32

// bases are the numbers of the general registers that reach slots. The first
// one, RDI, points at slot 0 when the code is entered. RSP, RBP and R12 need
// other addresses, R14 and R15 belong to Go.
var bases = [...]byte{7, 6, 0, 1, 2, 3, 8, 9, 10, 11, 13}

// reach is the number of slots that a base register reaches.
const reach = 256

// opcode is an opcode with its prefix and map, as EVEX encodes them.
type opcode struct{ prefix, table, code byte }

var (
	opMove    = opcode{1, 1, 0x6f} // VMOVDQA64 register, register or memory
	opStore   = opcode{1, 1, 0x7f} // VMOVDQA64 memory, register
	opLoad64  = opcode{2, 1, 0x7e} // VMOVQ register, memory
	opStore64 = opcode{1, 1, 0xd6} // VMOVQ memory, register
	opTernary = opcode{1, 3, 0x25} // VPTERNLOGQ, with an immediate
	opAnd     = opcode{1, 1, 0xdb} // VPANDQ
	opAndNot  = opcode{1, 1, 0xdf} // VPANDNQ: the second operand without the first
	opOr      = opcode{1, 1, 0xeb} // VPORQ
	opXor     = opcode{1, 1, 0xef} // VPXORQ
)

// broadcast is the bit of the prefix by which one word of memory stands for
// all of a vector.
const broadcast = 0x10

// begin points RDI at slot reach/2, where it stays.
func (e *evex) begin() { e.lea(0, reach/2) }

// lea points a base that many slots behind RDI.
func (e *evex) lea(base, slots int) {
	// LEA base, [RDI + 32 bits]
	r := bases[base]
	e.code = append(e.code, 0x48|r>>3<<2, 0x8d, 0x80|r&7<<3|bases[0])
	e.code = binary.LittleEndian.AppendUint32(e.code, uint32(slots*e.size))
}

// again begins anew, with the windows that pay.
func (e *evex) again() {
	e.text.again()
	e.windows = e.windows.again()
}

// prefix writes the four bytes of the prefix and the opcode. reg, v and rm
// are vector registers, or rm the base register of memory. flags are those of
// the last byte.
func (e *evex) prefix(op opcode, reg, v, rm int, flags byte) {
	e.ahead()
	not := func(x, bit int) byte { return byte(^x >> bit & 1) }
	switch e.size {
	case 64:
		flags |= 0x40
	case 32:
		flags |= 0x20
	}
	e.code = append(e.code, 0x62,
		not(reg, 3)<<7|not(rm, 4)<<6|not(rm, 3)<<5|not(reg, 4)<<4|op.table,
		0x80|byte(^v&15)<<3|4|op.prefix,
		flags|not(v, 4)<<3,
		op.code)
}

// memory writes an instruction on register reg, v and a slot.
func (e *evex) memory(op opcode, reg, v int, slot int32, flags byte) {
	base, distance := e.windows.reach(e, slot)
	r := bases[base]
	e.prefix(op, reg, v, int(r), flags)
	if distance == int32(int8(distance)) { // in slots
		e.code = append(e.code, 0x40|byte(reg&7)<<3|r&7, byte(distance))
		return
	}
	e.code = append(e.code, 0x80|byte(reg&7)<<3|r&7)
	e.code = binary.LittleEndian.AppendUint32(e.code, uint32(distance*int32(e.size)))
}

func (e *evex) load(reg int, slot int32) {
	op := opMove
	if e.size == 8 {
		op = opLoad64
	}
	e.memory(op, reg, 0, slot, 0)
}

func (e *evex) store(reg int, slot int32) {
	op := opStore
	if e.size == 8 {
		op = opStore64
	}
	e.memory(op, reg, 0, slot, 0)
}

func (e *evex) copy(to, from int) {
	e.prefix(opMove, to, 0, from, 0)
	e.register(to, from)
}

// ternary sets x to the function of x, y and z with a truth table.
func (e *evex) ternary(table uint8, x, y, z int) {
	e.prefix(opTernary, x, y, z, 0)
	e.register(x, z)
	e.code = append(e.code, table)
}

// registers sets x to the function of y and z.
func (e *evex) registers(op opcode, x, y, z int) {
	e.prefix(op, x, y, z, 0)
	e.register(x, z)
}

// binaryMemory is registers with a slot for z.
func (e *evex) binaryMemory(op opcode, x, y int, z int32) {
	flags := byte(0)
	if e.size == 8 {
		flags = broadcast
	}
	e.memory(op, x, y, z, flags)
}

// ternaryMemory is ternary with a slot for z.
func (e *evex) ternaryMemory(table uint8, x, y int, z int32) {
	flags := byte(0)
	if e.size == 8 {
		flags = broadcast
	}
	e.memory(opTernary, x, y, z, flags)
	e.code = append(e.code, table)
}
