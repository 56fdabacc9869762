package lanes

import (
	"testing"

	"semisplit/reasoner/propnet"
)

// TestCycleGoesBothWays carries a value along chains of stones from anywhere in
// them to both ends, with one round of each loop.
func TestCycleGoesBothWays(t *testing.T) {
	const n = 60
	m := newNet(2*n, [][]int{{1}}, always)
	stone := func(i int) propnet.Node { return propnet.Node(2 + i) }
	start := func(i int) propnet.Node { return propnet.Node(2 + n + i) }
	from := propnet.Node(len(m.net.Ops))
	reached := func(i int) propnet.Node { return from + propnet.Node(2*i+1) }
	for i := range n {
		args := []propnet.Node{start(i)}
		if i > 0 {
			args = append(args, reached(i-1))
		}
		if i < n-1 {
			args = append(args, reached(i+1))
		}
		m.node(propnet.And, m.node(propnet.Or, args...), stone(i))
	}
	m.net.Cycles = []propnet.Cycle{{From: from, To: propnet.Node(len(m.net.Ops))}}
	for i := range n {
		m.net.Next[i], m.net.Next[n+i] = reached(i), start(i)
	}
	machine, err := New(m.net)
	if err != nil {
		t.Fatal(err)
	}

	loops := 0
	program := machine.code.fresh
	for i := range program {
		if program[i].rounds > 0 {
			loops++
			program[i].rounds = 1
		}
	}
	if loops != 1 {
		t.Fatalf("%d loops in\n%s", loops, machine)
	}
	c := newCircuit(machine.plan, machine.code)
	gap := func(lane int) int { return lane * 7 % n }
	for lane := range n {
		for i := range n {
			if i != gap(lane) {
				c.slot(machine.plan.fluents + int32(i))[0] |= 1 << lane
			}
		}
		c.slot(machine.plan.fluents + int32(n+lane))[0] |= 1 << lane
	}
	c.run(program)
	for lane := range n {
		for i := range n {
			want := i != gap(lane) && lane != gap(lane) && (i < gap(lane)) == (lane < gap(lane))
			if got := c.bit(machine.plan.fluents+int32(i), lane); got != want {
				t.Fatalf("from %d to %d past a gap at %d: %v", lane, i, gap(lane), got)
			}
		}
	}
}
