package propnet

// wide is the number of operands from which Segments cuts a gate.
const wide = 6

// Segments cuts gates of many operands into a tree over fixed ranges of node
// numbers, so that gates with nearly the same operands share all the ranges
// in which they agree. A family of n "all but one" gates over n operands then
// costs n log n instead of n squared. What is used once is merged back.
func Segments(n *Net) *Net {
	w := newRewriter(n)
	cyclic := n.cyclic()
	out := w.run(func(old Node, args []Node) Node {
		if n.Ops[old] == Not || len(args) < wide || cyclic[old] {
			return w.gate(old, args)
		}
		return w.tree(old, n.operands(old), args)
	})
	return Flatten(out)
}

// tree builds the gate over operands in rising old number; args are the same
// in new nodes. The range is cut at the highest bit in which its ends differ:
// the same place for every gate.
func (w *rewriter) tree(gate Node, old, args []Node) Node {
	if len(args) <= 2 {
		return w.gate(gate, args)
	}
	lo, hi := old[0], old[0]
	for _, o := range old {
		lo, hi = min(lo, o), max(hi, o)
	}
	bit := Node(1)
	for (lo ^ hi) >= bit<<1 {
		bit <<= 1
	}
	var oldHalf, half [2][]Node
	for i, o := range old {
		side := 0
		if o&bit != 0 {
			side = 1
		}
		oldHalf[side] = append(oldHalf[side], o)
		half[side] = append(half[side], args[i])
	}
	if lo == hi {
		return w.gate(gate, args)
	}
	return w.gate(gate, []Node{w.tree(gate, oldHalf[0], half[0]), w.tree(gate, oldHalf[1], half[1])})
}
