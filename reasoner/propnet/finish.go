package propnet

import "slices"

// Finish turns the builder's gates into a net. The frame is a Net whose
// fields beyond Ops, First, Args and Cycles are set, in the builder's node
// numbers; every fluent, and every selection (in the order of roles and
// levels), and every Movable (in the order of roles) is an input, in this
// order. Gates that the frame does not need vanish, a selection or Movable
// that nothing reads becomes False, and what is left is numbered depth first,
// operands before their gates, recursive gates side by side.
func (b *Builder) Finish(frame *Net) *Net {
	o := &orderer{b: b, index: make([]int32, len(b.ops)), low: make([]int32, len(b.ops)), place: make([]Node, len(b.ops))}
	for i := range o.place {
		o.place[i] = -1
	}
	out := *frame
	out.Roles = cloneRoles(frame.Roles)
	out.Next = slices.Clone(frame.Next)
	b.skipAliases(&out)
	out.roots(func(n *Node) { o.visit(*n) })
	out.Ops, out.First, out.Args, out.Cycles = nil, []int32{0}, nil, nil
	emit := func(old Node) {
		o.place[old] = Node(len(out.Ops))
		out.Ops = append(out.Ops, b.ops[old])
	}
	emit(False)
	emit(True)
	for i := range frame.Fluents {
		emit(Node(2 + i))
	}
	for i := 2 + len(frame.Fluents); i < 2+b.inputs; i++ {
		if o.index[i] != 0 {
			emit(Node(i))
		}
	}
	for range out.Ops {
		out.First = append(out.First, 0)
	}
	for _, group := range o.groups {
		from := Node(len(out.Ops))
		for _, n := range group {
			emit(n)
		}
		for _, n := range group {
			for _, a := range b.Args(n) {
				// Operands inside the group have their places already.
				out.Args = append(out.Args, o.place[a])
			}
			out.First = append(out.First, int32(len(out.Args)))
		}
		if len(group) > 1 || slices.Contains(b.Args(group[0]), group[0]) {
			out.Cycles = append(out.Cycles, Cycle{from, Node(len(out.Ops))})
		}
	}
	out.roots(func(n *Node) { *n = o.place[*n] })
	out.choices(func(n *Node) { *n = max(False, o.place[*n]) })
	return &out
}

// skipAliases leads everything past the Forward gates that turned out to have
// one operand. One that only leads back to itself is False.
func (b *Builder) skipAliases(frame *Net) {
	if len(b.forwards) == 0 {
		return
	}
	resolve := func(n Node) Node {
		for start, left := n, len(b.forwards); b.ops[n] == Or && b.count[n] == 1; left-- {
			if n = b.args[b.first[n]]; n == start || left == 0 {
				return False
			}
		}
		return n
	}
	for i := range b.args {
		b.args[i] = resolve(b.args[i])
	}
	frame.roots(func(n *Node) { *n = resolve(*n) })
}

// roots calls f on every node that is asked for from outside.
func (n *Net) roots(f func(*Node)) {
	f(&n.Terminal)
	for r := range n.Roles {
		for l := range n.Roles[r].Levels {
			for i := range n.Roles[r].Levels[l].Offer {
				f(&n.Roles[r].Levels[l].Offer[i])
			}
		}
	}
	for i := range n.Next {
		f(&n.Next[i])
	}
	for r := range n.Roles {
		for g := range n.Roles[r].Goals {
			f(&n.Roles[r].Goals[g].Node)
		}
	}
}

// choices calls f on the input nodes beyond the fluents: the selections and
// the Movables, False for those that nothing reads.
func (n *Net) choices(f func(*Node)) {
	for r := range n.Roles {
		for l := range n.Roles[r].Levels {
			for i := range n.Roles[r].Levels[l].Select {
				f(&n.Roles[r].Levels[l].Select[i])
			}
		}
	}
	for r := range n.Roles {
		f(&n.Roles[r].Movable)
	}
}

func cloneRoles(roles []Role) []Role {
	out := slices.Clone(roles)
	for r := range out {
		out[r].Goals = slices.Clone(out[r].Goals)
		out[r].Levels = slices.Clone(out[r].Levels)
		for l := range out[r].Levels {
			level := &out[r].Levels[l]
			level.Codes = slices.Clone(level.Codes)
			level.Offer = slices.Clone(level.Offer)
			level.Select = slices.Clone(level.Select)
		}
	}
	return out
}

// orderer is Tarjan's algorithm without recursion. It finds the strongly
// connected components of the gates, operands first.
type orderer struct {
	b      *Builder
	index  []int32 // order of discovery from 1; 0: not seen
	low    []int32 // -1: its group is complete
	place  []Node  // number in the finished net; -1: none
	count  int32
	open   []Node  // seen gates whose group is not complete
	stack  []frame // the path of the search
	groups [][]Node
}

// frame is a gate on the path and its next operand.
type frame struct {
	node Node
	next int32
}

func (o *orderer) visit(root Node) {
	if o.index[root] != 0 {
		return
	}
	o.enter(root)
	for len(o.stack) > 0 {
		top := &o.stack[len(o.stack)-1]
		n := top.node
		if args := o.b.Args(n); int(top.next) < len(args) {
			a := args[top.next]
			top.next++
			switch {
			case o.index[a] == 0:
				o.enter(a)
			case o.low[a] >= 0:
				o.low[n] = min(o.low[n], o.index[a])
			}
			continue
		}
		o.stack = o.stack[:len(o.stack)-1]
		if o.low[n] == o.index[n] {
			o.close(n)
		}
		if len(o.stack) > 0 && o.low[n] >= 0 {
			p := o.stack[len(o.stack)-1].node
			o.low[p] = min(o.low[p], o.low[n])
		}
	}
}

func (o *orderer) enter(n Node) {
	o.count++
	o.index[n], o.low[n] = o.count, o.count
	o.open = append(o.open, n)
	o.stack = append(o.stack, frame{node: n})
}

// close takes the group of n, complete, off the open gates.
func (o *orderer) close(n Node) {
	i := len(o.open) - 1
	for o.open[i] != n {
		i--
	}
	group := slices.Clone(o.open[i:])
	o.open = o.open[:i]
	for _, g := range group {
		o.low[g] = -1
	}
	if op := o.b.ops[n]; op == And || op == Or || op == Not {
		o.groups = append(o.groups, group)
	}
}
