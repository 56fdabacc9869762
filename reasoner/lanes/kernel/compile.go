package kernel

import "math"

// never is the position of a use that does not come.
const never = math.MaxInt32

// compiler makes machine code of a straight row of instructions. It keeps
// the values of slots in vector registers: a slot is read from memory only
// when its value is in none, and written when nothing writes it again later
// in the row, or when its register is needed while it still has a use. The
// register that is given up is the one whose value is used last (Belady).
type compiler struct {
	coder
	wide  *evex  // the coder, if it knows functions of three operands
	home  []int8 // by slot: its register, or -1
	slot  []int32
	next  []int32 // where the value of a register is read next
	dirty []bool  // the slot in memory is not the register's value
	pins  uint32  // registers that the current instruction needs
	uses  []use   // by instruction
}

// coder writes machine code: values are in numbered vector registers and in slots.
type coder interface {
	begin()
	end()
	load(reg int, slot int32)
	store(reg int, slot int32)
	copy(to, from int)
	registers(op opcode, x, y, z int)          // sets x to the function of y and z
	binaryMemory(op opcode, x, y int, z int32) // the same with a slot for z
	again()
	bytes() []byte
}

// use says what becomes of the slots of an instruction after it.
type use struct {
	args  [3]int32 // by operand: the position of the next read of its value
	dest  int32    // the next read of the result
	final bool     // the result is an output and no later instruction writes there
}

// compile returns the machine code of instructions on that many slots; outputs as in
// EncodeFor.
func (s *Set) compile(instrs []Instr, slots int, outputs []bool) []byte {
	c := &compiler{home: make([]int8, slots)}
	c.findUses(instrs, slots, outputs)
	if !s.ternary {
		c.coder = &vex{text: text{far: s.far}, size: 8 * s.words}
		c.run(instrs, vexRegs)
		return c.bytes()
	}
	c.wide = &evex{text: text{far: s.far}, size: 8 * s.words, windows: newWindows(slots)}
	c.coder = c.wide
	c.run(instrs, evexRegs)
	c.again()
	c.run(instrs, evexRegs)
	return c.bytes()
}

// run writes the code, with that many registers.
func (c *compiler) run(instrs []Instr, regs int) {
	c.slot, c.next, c.dirty = make([]int32, regs), make([]int32, regs), make([]bool, regs)
	for i := range c.home {
		c.home[i] = -1
	}
	for r := range c.slot {
		c.slot[r] = -1
	}
	c.begin()
	for i := range instrs {
		c.instr(&instrs[i], &c.uses[i])
	}
	c.end()
}

// findUses goes back from the last instruction.
func (c *compiler) findUses(instrs []Instr, slots int, outputs []bool) {
	c.uses = make([]use, len(instrs))
	read := make([]int32, slots)
	written := make([]bool, slots) // or not to be written
	for i := range read {
		read[i] = never
		written[i] = outputs != nil && !outputs[i]
	}
	for i := len(instrs) - 1; i >= 0; i-- {
		in, u := &instrs[i], &c.uses[i]
		u.dest, u.final = read[in.D], !written[in.D]
		read[in.D], written[in.D] = never, true
		args, n := operandsOf(in)
		for k, a := range args[:n] {
			u.args[k] = read[a]
		}
		for _, a := range args[:n] {
			read[a] = int32(i)
		}
	}
}

// operandsOf are the slots that an instruction reads in the order of its
// class.
func operandsOf(in *Instr) (args [3]int32, n int) {
	cl := classOf(in.Op)
	given := [3]int32{in.A, in.B, in.C}
	switch in.Op.Truth() {
	case 0x00:
		given[0] = 0
	case 0xff:
		given[0] = 1
	}
	n = int(cl.arity)
	for k := range n {
		args[k] = given[cl.order[k]]
	}
	return args, n
}

// tables are the truth tables of the classes.
var tables = func() (t [numClasses]uint8) {
	for i := 255; i > 0; i-- { // the least table of a class is its own
		if cl := &classes[i]; cl.arity > 0 && cl.order == [3]uint8{0, 1, 2} {
			t[cl.number] = uint8(i)
		}
	}
	return t
}()

func (c *compiler) instr(in *Instr, u *use) {
	args, n := operandsOf(in)
	c.pins = 0
	for k, a := range args[:n] {
		if r := c.home[a]; r >= 0 {
			c.pins |= 1 << r
			c.next[r] = u.args[k]
		}
	}
	number := classOf(in.Op).number
	table := tables[number]
	if n == 1 && table == tableA {
		c.mov(in.D, args[0], u)
		return
	}
	if c.wide == nil {
		c.inSteps(steps[number], in.D, args[:n], u)
		return
	}
	if n == 2 && args[0] != args[1] {
		if op, swap, ok := binaryOf(table); ok {
			c.binary(op, swap, in.D, &args, u)
			return
		}
	}
	// Which operand the result replaces, which one may stay in memory.
	first := c.pickFirst(&args, n, u)
	last := -1
	for k := range n {
		if k != first && c.home[args[k]] < 0 && !c.worth(u.args[k]) && !twice(args[:n], k) {
			last = k
		}
	}
	for k, a := range args[:n] {
		if k != first && k != last && c.home[a] < 0 {
			c.read(a, u.args[k])
		}
	}
	x := c.firstRegister(args[first], u.args[first])
	order := c.order(first, last, n)
	regs := [3]int{x, x, x}
	for p, k := range order {
		if p > 0 && k >= 0 && k != last {
			regs[p] = int(c.home[args[k]])
			if args[k] == args[first] {
				regs[p] = x
			}
		}
	}
	t := arrange(table, order)
	if last >= 0 {
		c.wide.ternaryMemory(t, x, regs[1], args[last])
	} else {
		c.wide.ternary(t, x, regs[1], regs[2])
	}
	c.define(in.D, x, u)
}

// binaryOf is the instruction for a truth table that does not ask for the
// third operand, if there is one; with swap the first two change places.
func binaryOf(table uint8) (op opcode, swap, ok bool) {
	switch table {
	case tableA & tableB:
		return opAnd, false, true
	case tableA | tableB:
		return opOr, false, true
	case tableA ^ tableB:
		return opXor, false, true
	case tableB &^ tableA:
		return opAndNot, false, true
	case tableA &^ tableB:
		return opAndNot, true, true
	}
	return opcode{}, false, false
}

// binary is instr for instructions whose result needs not replace an operand.
func (c *compiler) binary(op opcode, swap bool, d int32, args *[3]int32, u *use) {
	memory := func(k int) bool { return c.home[args[k]] < 0 && !c.worth(u.args[k]) }
	y, z := 0, 1
	if swap || op != opAndNot && memory(0) {
		y, z = 1, 0
	}
	inMemory := memory(z)
	for _, k := range []int{y, z} {
		if c.home[args[k]] < 0 && (k == y || !inMemory) {
			c.read(args[k], u.args[k])
		}
	}
	ry, rz := int(c.home[args[y]]), int(c.home[args[z]])
	x := -1
	for _, r := range []int{ry, rz} {
		if x < 0 && r >= 0 && c.next[r] == never {
			x = r
			c.home[c.slot[r]], c.slot[r] = -1, -1
		}
	}
	if x < 0 {
		x = c.free()
	}
	if inMemory {
		c.binaryMemory(op, x, ry, args[z])
	} else {
		c.registers(op, x, ry, rz)
	}
	c.define(d, x, u)
}

// worth tells whether a slot that is read next at a position is worth a
// register: not if all of them are needed before.
func (c *compiler) worth(next int32) bool {
	for r := range c.slot {
		if c.slot[r] < 0 && next != never || c.next[r] > next && c.pins>>r&1 == 0 {
			return true
		}
	}
	return false
}

// twice tells whether operand k is another operand too.
func twice(args []int32, k int) bool {
	for j, a := range args {
		if j != k && a == args[k] {
			return true
		}
	}
	return false
}

// pickFirst picks the operand whose register the result takes: one whose
// value is not needed any more; else one that is read from memory for this
// instruction only; else any.
func (c *compiler) pickFirst(args *[3]int32, n int, u *use) int {
	best, bestRank := 0, -1
	for k, a := range args[:n] {
		rank := 0
		switch r := c.home[a]; {
		case r >= 0 && c.next[r] == never:
			rank = 3
		case r < 0 && !c.worth(u.args[k]) && !twice(args[:n], k):
			rank = 2
		case r >= 0:
			rank = 1
		}
		if rank > bestRank {
			best, bestRank = k, rank
		}
	}
	return best
}

// firstRegister is a register with the value of slot a that the result may
// replace.
func (c *compiler) firstRegister(a, next int32) int {
	r := c.home[a]
	if r >= 0 && c.next[r] == never {
		c.home[a] = -1
		c.slot[r] = -1
		c.pins |= 1 << r
		return int(r)
	}
	if r < 0 && c.worth(next) {
		r = int8(c.read(a, next))
	}
	x := c.free()
	if r >= 0 {
		c.copy(x, int(r))
	} else {
		c.load(x, a)
	}
	return x
}

// order says which operand takes which place of VPTERNLOGQ; -1 is none.
func (c *compiler) order(first, last, n int) [3]int {
	order := [3]int{first, -1, -1}
	for k := range n {
		switch {
		case k == first:
		case k == last || order[2] < 0 && last < 0:
			order[2] = k
		default:
			order[1] = k
		}
	}
	return order
}

// arrange is the truth table for operands in another order: place p takes
// operand order[p].
func arrange(table uint8, order [3]int) uint8 {
	out := uint8(0)
	for i := range 8 {
		at := 0
		for p, k := range order {
			if k >= 0 {
				at |= i >> (2 - p) & 1 << (2 - k)
			}
		}
		out |= table >> at & 1 << i
	}
	return out
}

// mov copies slot a to d.
func (c *compiler) mov(d, a int32, u *use) {
	if d == a {
		if r := c.home[a]; r >= 0 {
			c.define(d, int(r), u)
		}
		return
	}
	c.define(d, c.firstRegister(a, u.args[0]), u)
}

// read brings a slot into a register.
func (c *compiler) read(a, next int32) int {
	r := c.free()
	c.load(r, a)
	c.home[a], c.slot[r], c.next[r], c.dirty[r] = int8(r), a, next, false
	return r
}

// define makes register x the value of slot d.
func (c *compiler) define(d int32, x int, u *use) {
	if r := c.home[d]; r >= 0 {
		c.slot[r] = -1
		c.home[d] = -1
	}
	if u.final {
		c.store(x, d)
	}
	if u.dest == never {
		c.slot[x] = -1
		return
	}
	c.home[d], c.slot[x], c.next[x], c.dirty[x] = int8(x), d, u.dest, !u.final
}

// free is a register for the current instruction.
func (c *compiler) free() int {
	best := -1
	for r := range c.slot {
		if c.pins>>r&1 != 0 {
			continue
		}
		if c.slot[r] < 0 {
			best = r
			break
		}
		if best < 0 || c.next[r] > c.next[best] {
			best = r
		}
	}
	if s := c.slot[best]; s >= 0 {
		if c.dirty[best] && c.next[best] != never {
			c.store(best, s)
		}
		c.home[s], c.slot[best] = -1, -1
	}
	c.pins |= 1 << best
	return best
}
