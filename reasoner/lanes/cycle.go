package lanes

import (
	"slices"

	"semisplit/reasoner/lanes/kernel"
	"semisplit/reasoner/propnet"
)

// cycle is the part of a recursive group of gates that is lowered at once.
type cycle struct {
	from  propnet.Node
	gates []propnet.Node   // in node order
	args  [][]propnet.Node // by gate: those of its operands that are gates here
	head  []bool           // by node: each way around the cycle comes by one of these
}

// lowerCycle lowers the gates of a cycle that x needs as a loop of two sweeps
// over them. The heads, without which the gates form no cycle, have an order.
// The first sweep goes along it, the second one against it, so that a value
// that is carried from gate to gate (along a chain of stones, say) waits for
// the next sweep only where it turns round. Heads that are read before their
// place have their value of the sweep before, which is false at first. As
// gates of a cycle only turn on, the loop ends when a first sweep changes none
// of these.
func (l *lowerer) lowerCycle(x propnet.Node, group propnet.Cycle) {
	c := l.cycleOfGates(x, group)
	heads := c.line(x)
	along := c.sweep(heads, x)
	slices.Reverse(heads)
	against := c.sweep(heads, x)

	early := c.early(along)
	if len(early) == 1 {
		l.lowerOnce(along, early[0])
		return
	}
	prev := make([]int32, len(early)) // their values before a first sweep
	for i, n := range early {
		prev[i] = l.emit(kernel.OpMov, l.constant(false), 0, 0)
		l.value[n] = prev[i]
	}
	l.looping = true
	l.segments = append(l.segments, segment{loop: true, rounds: len(early)})
	loop := len(l.segments) - 1
	for _, n := range along {
		l.value[n] = l.buildApart(n)
	}
	changed := l.constant(false)
	for i, n := range early {
		changed = l.emit(kernel.OpAndNotOr, changed, l.value[n], prev[i])
	}
	l.segments[loop].changed = changed
	value := make([]int32, len(along)) // after the first sweep, by which a loop ends
	for i, n := range along {
		value[i] = l.value[n]
	}
	l.segments = append(l.segments, segment{again: true})
	for _, n := range against {
		l.value[n] = l.buildApart(n)
	}
	for i, n := range early {
		l.segments[loop].back = append(l.segments[loop].back, feedback{prev: prev[i], next: l.value[n]})
	}
	for i, n := range along {
		l.value[n] = value[i]
	}
	l.looping = false
	l.segments = append(l.segments, segment{})
}

// lowerOnce lowers a cycle that comes back to itself by one gate, without a loop: as
// gates only turn on, that gate has its value after one sweep that begins with false,
// and the others have theirs after another one. There may be thousands of such cycles
// (a relation that is symmetric makes one of each pair), and a loop is code of its own.
func (l *lowerer) lowerOnce(order []propnet.Node, early propnet.Node) {
	l.looping = true
	l.value[early] = l.constant(false)
	at := slices.Index(order, early)
	for _, n := range order[:at+1] {
		l.value[n] = l.build(n, false)
	}
	for i, n := range order {
		if i != at {
			l.value[n] = l.build(n, false)
		}
	}
	l.looping = false
}

// buildApart is the value of a gate of a loop, never that of another gate.
func (l *lowerer) buildApart(n propnet.Node) int32 {
	before := l.mark()
	v := l.build(n, false)
	if v < before {
		v = l.copyOf(v)
	}
	return v
}

// cycleOfGates finds the gates of a group that x needs and that have no value,
// and computes what they read from outside.
func (l *lowerer) cycleOfGates(x propnet.Node, group propnet.Cycle) *cycle {
	size := group.To - group.From
	c := &cycle{from: group.From, args: make([][]propnet.Node, size), head: make([]bool, size)}
	inside := func(n propnet.Node) bool {
		return n >= group.From && n < group.To && isGate(l.net.Ops[n]) && l.value[n] < 0
	}
	needed := make([]bool, size)
	needed[x-group.From] = true
	work := []propnet.Node{x}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		c.gates = append(c.gates, n)
		for _, arg := range operands(l.net, n) {
			y, _ := resolve(l.net, arg)
			if !inside(y) {
				continue
			}
			c.args[n-c.from] = append(c.args[n-c.from], y)
			if y >= n {
				c.head[y-c.from] = true
			}
			if !needed[y-c.from] {
				needed[y-c.from] = true
				work = append(work, y)
			}
		}
	}
	slices.Sort(c.gates)
	for _, n := range c.gates {
		for _, arg := range operands(l.net, n) {
			if y, _ := resolve(l.net, arg); y != propnet.False && y != propnet.True && !inside(y) {
				l.valueOf(y)
			}
		}
	}
	return c
}

// line puts the heads in an order in which those that read one another are
// near, from one end of the cycle to the other: by breadth from one that is
// farthest from another (as E. Cuthill and J. McKee 1969 number matrices).
func (c *cycle) line(x propnet.Node) []propnet.Node {
	heads := c.breadth(x)
	if len(heads) == 0 {
		return nil
	}
	return c.breadth(heads[len(heads)-1])
}

// breadth finds the heads that a gate depends on, by how many others are between.
func (c *cycle) breadth(start propnet.Node) []propnet.Node {
	seen := make([]bool, len(c.args))
	var heads, work []propnet.Node
	reach := func(n propnet.Node) {
		switch {
		case seen[n-c.from]:
			return
		case c.head[n-c.from]:
			heads = append(heads, n)
		default:
			work = append(work, n)
		}
		seen[n-c.from] = true
	}
	reach(start)
	for next := 0; ; {
		var n propnet.Node
		switch {
		case len(work) > 0:
			n, work = work[len(work)-1], work[:len(work)-1]
		case next < len(heads):
			n, next = heads[next], next+1
		default:
			return heads
		}
		for _, y := range c.args[n-c.from] {
			reach(y)
		}
	}
}

// sweep is an order of the gates, which x needs: the heads as they are given,
// each after those gates that it reads and that are no heads.
func (c *cycle) sweep(heads []propnet.Node, x propnet.Node) []propnet.Node {
	order := make([]propnet.Node, 0, len(c.gates))
	done := slices.Clone(c.head)
	type step struct {
		node propnet.Node
		args []propnet.Node
	}
	var path []step
	visit := func(root propnet.Node) {
		path = append(path, step{root, c.args[root-c.from]})
		for len(path) > 0 {
			top := &path[len(path)-1]
			if len(top.args) == 0 {
				order = append(order, top.node)
				path = path[:len(path)-1]
				continue
			}
			y := top.args[0]
			top.args = top.args[1:]
			if !done[y-c.from] {
				done[y-c.from] = true
				path = append(path, step{y, c.args[y-c.from]})
			}
		}
	}
	for _, n := range heads {
		visit(n)
	}
	if !done[x-c.from] { // a gate beside the cycle
		visit(x)
	}
	return order
}

// early are the gates that are read at or before their place in an order.
func (c *cycle) early(order []propnet.Node) []propnet.Node {
	computed := make([]bool, len(c.args))
	found := make([]bool, len(c.args))
	var early []propnet.Node
	for _, n := range order {
		for _, y := range c.args[n-c.from] {
			if !computed[y-c.from] && !found[y-c.from] {
				found[y-c.from] = true
				early = append(early, y)
			}
		}
		computed[n-c.from] = true
	}
	return early
}
