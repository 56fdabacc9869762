package kernel

// stepOpcodes are the instructions of steps. That of stepAndNot takes its operands the
// other way round.
var stepOpcodes = [...]opcode{stepAnd: opAnd, stepOr: opOr, stepXor: opXor, stepAndNot: opAndNot}

// value is one that a row of steps works on.
type value struct {
	reg  int   // its register; -1: it is in slot
	slot int32 // of an operand
	last int   // the last step that reads it
	dead bool  // nothing reads it after that
}

// inSteps writes an instruction as steps of two operands. Operands that are read but once
// may stay in memory.
func (c *compiler) inSteps(steps []step, d int32, args []int32, u *use) {
	var values [16]value
	var reads [16]int
	for i, st := range steps {
		for _, v := range [...]uint8{st.x, st.y} {
			reads[v]++
			values[v].last = i
		}
	}
	values[valueOnes].reg = onesReg
	for k, a := range args {
		v := &values[k]
		v.slot = a
		for j, b := range args { // the same slot may be two operands
			if a == b {
				v.last = max(v.last, values[j].last)
			}
		}
		if c.home[a] < 0 && (reads[k] > 1 || c.worth(u.args[k]) || twice(args, k) || !c.mayStay(steps, args, k)) {
			c.read(a, u.args[k])
		}
		v.reg = int(c.home[a])
		v.dead = v.reg >= 0 && c.next[v.reg] == never
	}
	for i, st := range steps {
		y, z := &values[st.x], &values[st.y]
		if st.op == stepAndNot || y.reg < 0 {
			y, z = z, y
		}
		x := -1
		for _, v := range [...]*value{y, z} {
			if v.dead && v.last == i && v.reg >= 0 {
				if x < 0 {
					x = v.reg
				}
				c.vacate(v.reg)
			}
		}
		if x < 0 {
			x = c.free()
		}
		c.pins |= 1 << x
		if z.reg < 0 {
			c.binaryMemory(stepOpcodes[st.op], x, y.reg, z.slot)
		} else {
			c.registers(stepOpcodes[st.op], x, y.reg, z.reg)
		}
		result := &values[firstStep+i]
		result.reg, result.dead = x, true
	}
	c.define(d, values[firstStep+len(steps)-1].reg, u)
}

// mayStay tells whether operand k can be read from memory by the one step that reads it:
// as its second operand, where the first one is in a register.
func (c *compiler) mayStay(steps []step, args []int32, k int) bool {
	for _, st := range steps {
		switch uint8(k) {
		case st.x:
			return int(st.y) >= len(args) || c.home[args[st.y]] >= 0
		case st.y:
			return st.op != stepAndNot && (int(st.x) >= len(args) || c.home[args[st.x]] >= 0)
		}
	}
	return false
}

// vacate gives a register up whose value nothing reads any more.
func (c *compiler) vacate(r int) {
	if s := c.slot[r]; s >= 0 && int(c.home[s]) == r {
		c.home[s] = -1
	}
	c.slot[r] = -1
	c.pins &^= 1 << r
}
