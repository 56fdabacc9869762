package propnet

import (
	"fmt"
	"slices"
)

// Builder makes gates, each one once: equal gates are the same node, and
// constants, repeated, complementary and single operands fold away as they
// are asked for. Nodes are numbered in the order of their making; Finish puts
// them into evaluation order.
//
// A Builder belongs to one goroutine.
type Builder struct {
	ops    []Op
	first  []int32 // operands of node n are args[first[n]:first[n]+count[n]]
	count  []int32
	args   []Node
	inputs int
	table  []Node // interned gates by hash, open addressing; 0 is free
	filled int
	buf    []Node

	forwards []Node // gates made by Forward
}

// NewBuilder returns a builder whose nodes 2 to 2+inputs-1 are inputs.
func NewBuilder(inputs int) *Builder {
	b := &Builder{inputs: inputs, table: make([]Node, 1<<10)}
	b.add(Const, nil)
	b.add(Const, nil)
	for range inputs {
		b.add(Input, nil)
	}
	return b
}

// Input is the node of input i.
func (b *Builder) Input(i int) Node {
	if i < 0 || i >= b.inputs {
		panic(fmt.Sprintf("BUG: input %d of %d", i, b.inputs))
	}
	return Node(2 + i)
}

// Len is the number of nodes so far, with the constants and the inputs.
func (b *Builder) Len() int { return len(b.ops) }

// Bytes estimates the memory that the builder holds.
func (b *Builder) Bytes() int64 { return int64(len(b.ops))*40 + int64(cap(b.args))*4 }

// Op and Args show a node; the slice is not to be changed.
func (b *Builder) Op(n Node) Op       { return b.ops[n] }
func (b *Builder) Args(n Node) []Node { return b.args[b.first[n] : b.first[n]+b.count[n]] }

func (b *Builder) add(op Op, args []Node) Node {
	n := Node(len(b.ops))
	b.ops = append(b.ops, op)
	b.first = append(b.first, int32(len(b.args)))
	b.count = append(b.count, int32(len(args)))
	b.args = append(b.args, args...)
	return n
}

// Forward makes an OR gate whose operands come later, with Define: the way to
// close a cycle.
func (b *Builder) Forward() Node {
	n := b.add(Or, nil)
	b.forwards = append(b.forwards, n)
	return n
}

// Define gives a Forward gate its operands.
func (b *Builder) Define(n Node, args ...Node) {
	b.first[n] = int32(len(b.args))
	b.count[n] = int32(len(args))
	b.args = append(b.args, args...)
}

// Not returns the negation of a node.
func (b *Builder) Not(a Node) Node {
	switch {
	case a == False:
		return True
	case a == True:
		return False
	case b.ops[a] == Not:
		return b.args[b.first[a]]
	}
	b.buf = append(b.buf[:0], a)
	return b.intern(Not, b.buf)
}

// And returns the conjunction of nodes; of none it is True.
func (b *Builder) And(args ...Node) Node { return b.gate(And, False, True, args) }

// Or returns the disjunction of nodes; of none it is False.
func (b *Builder) Or(args ...Node) Node { return b.gate(Or, True, False, args) }

func (b *Builder) gate(op Op, zero, one Node, args []Node) Node {
	buf := append(b.buf[:0], args...)
	b.buf = buf
	slices.Sort(buf)
	out := buf[:0]
	for i, a := range buf {
		if a == zero {
			return zero
		}
		if a == one || i > 0 && a == out0(out) {
			continue
		}
		out = append(out, a)
	}
	for _, a := range out {
		if b.ops[a] == Not {
			if _, ok := slices.BinarySearch(out, b.args[b.first[a]]); ok {
				return zero
			}
		}
	}
	switch len(out) {
	case 0:
		return one
	case 1:
		return out[0]
	}
	return b.intern(op, out)
}

// out0 is the last operand kept, or -1.
func out0(out []Node) Node {
	if len(out) == 0 {
		return -1
	}
	return out[len(out)-1]
}

func (b *Builder) intern(op Op, args []Node) Node {
	if 2*b.filled >= len(b.table) {
		b.grow(2 * len(b.table))
	}
	mask := len(b.table) - 1
	at := int(hash(op, args)) & mask
	for ; b.table[at] != 0; at = (at + 1) & mask {
		if n := b.table[at]; b.ops[n] == op && slices.Equal(b.Args(n), args) {
			return n
		}
	}
	n := b.add(op, args)
	b.table[at] = n
	b.filled++
	return n
}

// grow gives the table a size, a power of two.
func (b *Builder) grow(size int) {
	old := b.table
	b.table = make([]Node, size)
	for _, n := range old {
		if n == 0 {
			continue
		}
		at := int(hash(b.ops[n], b.Args(n))) & (size - 1)
		for b.table[at] != 0 {
			at = (at + 1) & (size - 1)
		}
		b.table[at] = n
	}
}

// reserve makes room for a net of about the size of n.
func (b *Builder) reserve(n *Net) {
	b.ops = slices.Grow(b.ops, len(n.Ops))
	b.first = slices.Grow(b.first, len(n.Ops))
	b.count = slices.Grow(b.count, len(n.Ops))
	b.args = slices.Grow(b.args, len(n.Args))
	size := len(b.table)
	for size < 2*len(n.Ops) {
		size *= 2
	}
	b.grow(size)
}

func hash(op Op, args []Node) uint64 {
	h := uint64(op)*0x9e3779b97f4a7c15 + uint64(len(args))
	for _, a := range args {
		h = (h ^ uint64(a)) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}
