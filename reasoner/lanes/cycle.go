package lanes

import "semisplit/reasoner/propnet"

// lowerCycle lowers the gates of a cycle that x needs as a loop. A gate that
// is read at or before its own place is read through a value of the round
// before, which is false in the first round.
func (l *lowerer) lowerCycle(x propnet.Node, c propnet.Cycle) {
	needed := l.neededIn(x, c)
	var nodes []propnet.Node
	for n := c.From; n < c.To; n++ {
		if needed[n-c.From] && isGate(l.net.Ops[n]) && l.value[n] < 0 {
			nodes = append(nodes, n)
		}
	}
	// What comes from outside is computed before the loop.
	back := make([]bool, c.To-c.From)
	for _, n := range nodes {
		for _, arg := range operands(l.net, n) {
			y, _ := resolve(l.net, arg)
			if inside(y, c) && isGate(l.net.Ops[y]) {
				if y >= n {
					back[y-c.From] = true
				}
			} else if y != propnet.False && y != propnet.True {
				l.valueOf(y)
			}
		}
	}
	wasLooping := l.looping
	l.looping = true
	l.segments = append(l.segments, segment{loop: true})
	loop := len(l.segments) - 1
	for _, n := range nodes {
		if back[n-c.From] {
			prev := int32(len(l.level))
			l.level = append(l.level, 0)
			l.value[n] = prev
			l.segments[loop].back = append(l.segments[loop].back, feedback{prev: prev})
		}
	}
	i := 0
	for _, n := range nodes {
		before := l.mark()
		v := l.build(n, false)
		if v < before { // an alias of what may change at the end of a round
			v = l.copyOf(v)
		}
		l.value[n] = v
		if back[n-c.From] {
			l.segments[loop].back[i].next = v
			i++
		}
	}
	l.looping = wasLooping
	l.segments = append(l.segments, segment{})
}

func inside(n propnet.Node, c propnet.Cycle) bool { return n >= c.From && n < c.To }

// neededIn marks the nodes of a cycle that x depends on, and x.
func (l *lowerer) neededIn(x propnet.Node, c propnet.Cycle) []bool {
	needed := make([]bool, c.To-c.From)
	needed[x-c.From] = true
	work := []propnet.Node{x}
	for len(work) > 0 {
		n := work[len(work)-1]
		work = work[:len(work)-1]
		for _, arg := range operands(l.net, n) {
			y, _ := resolve(l.net, arg)
			if inside(y, c) && isGate(l.net.Ops[y]) && !needed[y-c.From] {
				needed[y-c.From] = true
				work = append(work, y)
			}
		}
	}
	return needed
}
