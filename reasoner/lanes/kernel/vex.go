package kernel

import "encoding/binary"

// vex writes machine code for the vector registers of AVX, of which it uses 256 or 64
// bits (Intel's manual, volume 2, section 2.3). It has no function of three operands:
// those take steps.
type vex struct {
	text
	size int // of a slot, in bytes: 32 or 8
}

// vexRegs is the number of vector registers that hold values; onesReg holds all ones.
const (
	vexRegs = 15
	onesReg = 15
)

var opEqual = opcode{1, 1, 0x76} // VPCMPEQD

func (v *vex) begin() { v.registers(opEqual, onesReg, onesReg, onesReg) }

// prefix writes the prefix, of two bytes where they tell all, and the opcode: reg, y and
// rm are registers, or rm is 0 where it is memory.
func (v *vex) prefix(op opcode, reg, y, rm int) {
	v.ahead()
	last := byte(^y&15)<<3 | op.prefix
	if v.size == 32 {
		last |= 4
	}
	high := byte(^reg>>3&1) << 7
	if rm < 8 {
		v.code = append(v.code, 0xc5, high|last, op.code)
	} else {
		v.code = append(v.code, 0xc4, high|0x40|op.table, last, op.code)
	}
}

// memory writes an instruction on register reg, y and a slot, which RDI reaches.
func (v *vex) memory(op opcode, reg, y int, slot int32) {
	v.prefix(op, reg, y, 0)
	distance := slot * int32(v.size)
	if distance == int32(int8(distance)) {
		v.code = append(v.code, 0x40|byte(reg&7)<<3|bases[0], byte(distance))
		return
	}
	v.code = append(v.code, 0x80|byte(reg&7)<<3|bases[0])
	v.code = binary.LittleEndian.AppendUint32(v.code, uint32(distance))
}

func (v *vex) load(reg int, slot int32) {
	op := opMove
	if v.size == 8 {
		op = opLoad64
	}
	v.memory(op, reg, 0, slot)
}

func (v *vex) store(reg int, slot int32) {
	op := opStore
	if v.size == 8 {
		op = opStore64
	}
	v.memory(op, reg, 0, slot)
}

func (v *vex) copy(to, from int) {
	v.prefix(opMove, to, 0, from)
	v.register(to, from)
}

// registers sets x to the function of y and z.
func (v *vex) registers(op opcode, x, y, z int) {
	if z >= 8 && y < 8 && op != opAndNot {
		y, z = z, y // for the shorter prefix
	}
	v.prefix(op, x, y, z)
	v.register(x, z)
}

// binaryMemory is registers with a slot for z. Of slots of 64 bits it reads what lies
// behind them too, which is not kept.
func (v *vex) binaryMemory(op opcode, x, y int, z int32) { v.memory(op, x, y, z) }
