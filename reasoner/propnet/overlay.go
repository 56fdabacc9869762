package propnet

// overlay evaluates a part of a net symbolically: each node has a node of a
// builder for its value. Inputs can be changed and changed back, at the cost of
// the gates that depend on them.
type overlay struct {
	net   *Net
	b     *Builder
	fans  *fans
	part  bitset // gates that are evaluated; the others keep what they have
	value []Node // by node of the net

	pending bitset
	undo    []change
	args    []Node // scratch
	work    int    // operands looked at
}

// change is what a node had before.
type change struct{ node, before Node }

// newOverlay evaluates what the roots need, from the values of the inputs: input
// i is the builder's.
func newOverlay(n *Net, b *Builder, f *fans, roots []Node, input func(Node) Node) *overlay {
	o := &overlay{net: n, b: b, fans: f, part: newBitset(len(n.Ops)), value: make([]Node, len(n.Ops)), pending: newBitset(len(n.Ops))}
	n.under(roots, func(x Node) bool {
		if o.part.has(x) {
			return false
		}
		o.part.add(x)
		return true
	})
	o.value[True] = True
	for i := o.part.next(2); i >= 0; i = o.part.next(i + 1) {
		if n.Ops[i] == Input {
			o.value[i] = input(Node(i))
		} else {
			o.value[i] = o.gate(Node(i))
		}
	}
	return o
}

// gate makes the value of a gate.
func (o *overlay) gate(n Node) Node {
	args := o.args[:0]
	for _, a := range o.net.operands(n) {
		args = append(args, o.value[a])
	}
	o.args = args
	o.work += len(args)
	switch o.net.Ops[n] {
	case And:
		return o.b.And(args...)
	case Or:
		return o.b.Or(args...)
	}
	return o.b.Not(args[0])
}

// set changes a node; what depends on it changes with settle.
func (o *overlay) set(n, to Node) {
	if o.value[n] == to || !o.part.has(n) {
		return
	}
	o.undo = append(o.undo, change{n, o.value[n]})
	o.value[n] = to
	for _, r := range o.fans.of(n) {
		if o.part.has(r) {
			o.pending.add(r)
		}
	}
}

// settle brings all gates up to date. Readers come after what they read.
func (o *overlay) settle(from Node) {
	for i := o.pending.next(int(from)); i >= 0; i = o.pending.next(i) {
		o.pending.remove(Node(i))
		o.set(Node(i), o.gate(Node(i)))
	}
}

// mark is a place to go back to.
func (o *overlay) mark() int { return len(o.undo) }

// back takes all changes after a mark back.
func (o *overlay) back(mark int) {
	for i := len(o.undo) - 1; i >= mark; i-- {
		o.value[o.undo[i].node] = o.undo[i].before
	}
	o.undo = o.undo[:mark]
}
