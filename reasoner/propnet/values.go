package propnet

import "math/bits"

// variable is a one-hot group seen as a variable: its value is the place of
// the member that holds, folded into the bits of a word where the group has
// more members, with one bit more for "none" where that can be.
type variable struct {
	members []Node // the inputs, by value; False for one that nothing reads
	all     uint64 // the possible values
	folded  bool   // several members share a bit
	level   int32  // the level whose selection it is, counted over all roles; -1: fluents
}

const (
	valueBits = 64
	noneBit   = 1 << (valueBits - 1) // stands for no member
)

func (v *variable) bit(i int) uint64 { return 1 << (i % (valueBits - 1)) }

func newVariable(members []Node, exactly bool, level int32) *variable {
	v := &variable{members: members, folded: len(members) >= valueBits, level: level}
	for i := range members {
		v.all |= v.bit(i)
	}
	if !exactly {
		v.all |= noneBit
	}
	return v
}

// only is the input that a set of values means, and whether there is one.
func (v *variable) only(set uint64) (Node, bool) {
	if bits.OnesCount64(set) != 1 || set == noneBit || v.folded {
		return False, false
	}
	m := v.members[bits.TrailingZeros64(set)]
	return m, m != False
}

// variables lists what is known to be one-hot: the groups of the net, and the
// levels of few semimoves. Semimoves that are never offered are no values.
func (n *Net) variables() []*variable {
	var out []*variable
	for _, g := range n.OneHot {
		if len(g.Members) > 1 {
			out = append(out, newVariable(g.Members, g.Exactly, -1))
		}
	}
	index := int32(0)
	for _, role := range n.Roles {
		for _, level := range role.Levels {
			var members []Node
			for k, s := range level.Select {
				if level.Offer[k] != False {
					members = append(members, s)
				}
			}
			if len(members) > 1 && len(members) < valueBits {
				out = append(out, newVariable(members, true, index))
			}
			index++
		}
	}
	return out
}

// values bounds what each gate says about one variable: t[n] has the values
// that the variable may have while n holds, f[n] those while n does not. Only
// the gates that the variable reaches are looked at; touched are those whose
// bounds say something.
type values struct {
	d       *draft
	v       *variable
	t, f    []uint64
	touched bitset
	pending bitset
	fans    fans
	levelOf []int32 // by node: the level that it selects from; -1: none
	cover   []cover // by level
	work    int     // operands looked at
	root    bitset  // nodes that are asked for from outside, or by more gates than fans knows of

	// For restrict and simplify.
	marked bitset   // gates that read a member or its negation
	under  []uint64 // by node; all 0 between calls
	seen   []int32
}

// cover counts, for each value, the semimoves of a level that may be offered
// under it.
type cover struct {
	count [valueBits]int32
	any   int32 // semimoves that may be offered under every value
	size  int32
}

func newValues(d *draft) *values {
	size := len(d.ops)
	x := &values{
		d: d, t: make([]uint64, size), f: make([]uint64, size), levelOf: make([]int32, size),
		under: make([]uint64, size), seen: make([]int32, size),
		touched: newBitset(size), pending: newBitset(size), marked: newBitset(size), fans: newFans(d),
	}
	x.root = newBitset(size)
	d.net.roots(func(r *Node) { x.root.add(*r) })
	for i := range x.levelOf {
		x.levelOf[i] = -1
	}
	for _, role := range d.net.Roles {
		for _, level := range role.Levels {
			for _, s := range level.Select {
				if s != False {
					x.levelOf[s] = int32(len(x.cover))
				}
			}
			x.cover = append(x.cover, cover{})
		}
	}
	return x
}

// analyse bounds the nodes for the variable v. A selection is made only of
// what is offered, so it says about the fluents what its offer says; that of
// a deeper level rests on those before, hence the rounds.
func (x *values) analyse(v *variable) {
	x.v = v
	x.touched.clear()
	x.touch(False, 0, v.all)
	x.touch(True, v.all, 0)
	for i, m := range v.members {
		if m != False {
			f := v.all
			if !v.folded {
				f &^= v.bit(i)
			}
			x.touch(m, v.bit(i), f)
		}
	}
	for i := range x.cover {
		x.cover[i] = cover{size: -1}
	}
	x.forward()
	for rounds := len(x.cover); rounds > 0 && x.choose(); rounds-- {
		x.forward()
	}
}

// mayHold and mayFail are the bounds of a node.
func (x *values) mayHold(n Node) uint64 {
	if x.touched.has(n) {
		return x.t[n]
	}
	return x.v.all
}

func (x *values) mayFail(n Node) uint64 {
	if x.touched.has(n) {
		return x.f[n]
	}
	return x.v.all
}

// touch sets the bounds of a node, and has those that read it looked at.
func (x *values) touch(n Node, t, f uint64) {
	x.touched.add(n)
	x.t[n], x.f[n] = t, f
	for _, r := range x.fans.of(n) {
		x.pending.add(r)
	}
}

// choose brings what the offers say to the selections and the covers.
func (x *values) choose() (changed bool) {
	at := int32(0)
	for _, role := range x.d.net.Roles {
		for _, level := range role.Levels {
			c := &x.cover[at]
			*c = cover{}
			x.work += len(level.Offer)
			for k, o := range level.Offer {
				t := x.mayHold(o)
				if s := level.Select[k]; s != False && at != x.v.level && x.mayHold(s) != t {
					x.touch(s, t, x.v.all)
					changed = true
				}
				if t != 0 {
					c.size++
				}
				c.add(t, x.v.all)
			}
			at++
		}
	}
	return changed
}

func (c *cover) add(t, all uint64) {
	if t == all {
		c.any++
		return
	}
	for ; t != 0; t &= t - 1 {
		c.count[bits.TrailingZeros64(t)]++
	}
}

func (x *values) forward() {
	for i := x.pending.next(0); i >= 0; i = x.pending.next(i) {
		n := Node(i)
		x.pending.remove(n)
		x.work += len(x.d.args[n])
		t, f := x.bounds(n)
		if t != x.mayHold(n) || f != x.mayFail(n) {
			x.touch(n, t, f)
		}
	}
}

// bounds computes the two sets of a gate from those of its operands.
func (x *values) bounds(n Node) (t, f uint64) {
	if x.d.cyclic[n] {
		return x.v.all, x.v.all
	}
	args := x.d.args[n]
	switch x.d.ops[n] {
	case Not:
		return x.mayFail(args[0]), x.mayHold(args[0])
	case And:
		t = x.v.all
		for _, a := range args {
			t &= x.mayHold(a)
			f |= x.mayFail(a)
		}
		return t, f
	}
	f = x.v.all
	selected := 0
	for _, a := range args {
		t |= x.mayHold(a)
		f &= x.mayFail(a)
		if x.levelOf[a] >= 0 {
			selected++
		}
	}
	if selected > 1 && f != 0 {
		f &= x.others(args)
	}
	return t, f
}

// others are the values under which a semimove can be chosen that is none of
// the operands, but of the same level. A node that reads a level is asked for
// when the semimove is chosen, so one of the others is if no operand is.
func (x *values) others(args []Node) uint64 {
	level, size := int32(-1), int32(0)
	for _, a := range args {
		if l := x.levelOf[a]; l >= 0 {
			if level < 0 {
				level = l
			}
			if l == level {
				size++
			}
		}
	}
	c := &x.cover[level]
	if c.size < 0 || level == x.v.level || 4*size < c.size {
		return x.v.all
	}
	taken := cover{}
	for _, a := range args {
		if x.levelOf[a] == level {
			taken.add(x.mayHold(a), x.v.all)
		}
	}
	if c.any > taken.any {
		return x.v.all
	}
	out := uint64(0)
	for rest := x.v.all; rest != 0; rest &= rest - 1 {
		if b := bits.TrailingZeros64(rest); c.count[b] > taken.count[b] {
			out |= 1 << b
		}
	}
	return out
}
