package propnet

// cost estimates the instructions that a machine with operations of two and
// three operands needs for a net, goals included: package lanes. A negation
// is free where a gate reads it. A gate that one other gate reads is part of
// that one: its operands are, if the operation is the same, and two of them
// join in one instruction if not (x or (a and b)).
type cost struct {
	n      *Net
	uses   []int32 // readers through negations
	cyclic []bool
	total  int
}

func (n *Net) cost() int {
	c := &cost{n: n, uses: n.readers(), cyclic: n.cyclic()}
	for i, op := range n.Ops {
		if x := Node(i); (op == And || op == Or) && c.uses[i] > 0 && !c.fused(x) {
			c.total += c.join(c.collect(x, op, parts{}))
		}
	}
	return c.total
}

// through follows negations to a gate or an input.
func (n *Net) through(a Node) (Node, bool) {
	not := false
	for n.Ops[a] == Not {
		a, not = n.operands(a)[0], !not
	}
	return a, not
}

// readers counts how often each gate or input is read, by gates and roots,
// directly or through negations.
func (n *Net) readers() []int32 {
	count := make([]int32, len(n.Ops))
	for i, op := range n.Ops {
		if op == Not {
			continue
		}
		for _, a := range n.operands(Node(i)) {
			a, _ = n.through(a)
			count[a]++
		}
	}
	n.roots(func(r *Node) {
		a, _ := n.through(*r)
		count[a] += 2 // stays whole
	})
	return count
}

// parts are the operands of a gate with those that are part of it.
type parts struct {
	pos, neg int // plain operands
	pairs    int // operands that are two
}

// fused tells whether a gate is part of the one that reads it.
func (c *cost) fused(x Node) bool {
	op := c.n.Ops[x]
	return (op == And || op == Or) && c.uses[x] == 1 && !c.cyclic[x]
}

// collect adds the operands of gate x to p, in a gate of the operation op.
func (c *cost) collect(x Node, op Op, p parts) parts {
	for _, a := range c.n.operands(x) {
		y, not := c.n.through(a)
		if !c.fused(y) {
			if not != (c.n.Ops[x] != op) {
				p.neg++
			} else {
				p.pos++
			}
			continue
		}
		same := c.n.Ops[y] == c.n.Ops[x]
		if same != not {
			p = c.collect(y, op, p)
			continue
		}
		other := And
		if op == And {
			other = Or
		}
		in := c.collect(y, other, parts{})
		k := in.pos + in.neg
		if in.pairs > 0 || k < 2 {
			c.total += c.join(in)
			p.pos++
			continue
		}
		switch {
		case in.pos == 0 || in.neg == 0:
			c.total += (k - 1) / 2
		default:
			c.total += in.pos/2 + in.neg/2
		}
		p.pairs++
	}
	return p
}

// join is the number of instructions for one gate.
func (c *cost) join(p parts) int {
	total := p.pairs
	p.pos = max(p.pos, (p.pairs+3)/4)
	switch {
	case p.neg == 0:
		return total + p.pos/2
	case p.pos == 0:
		return total + 1 + max(0, p.neg-2)/2
	}
	pos, neg := p.pos, p.neg
	for ; pos > 2; pos -= 2 {
		total++
	}
	for ; neg > 2; neg -= 2 {
		total++
	}
	if pos == 2 && neg == 2 {
		total++
	}
	return total + 1
}
