package lanes

import (
	"strings"
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

// TestSmallCyclesAreNoLoops: a cycle that comes back by one gate is straight code, as a
// symmetric relation makes one of each pair.
func TestSmallCyclesAreNoLoops(t *testing.T) {
	const n = 20
	m := newNet(3*n, [][]int{{1}}, always)
	fluent := func(i, k int) propnet.Node { return propnet.Node(2 + 3*i + k) }
	for i := range n { // a holds if b does or the first fluent, and so on around
		a := propnet.Node(len(m.net.Ops))
		m.node(propnet.Or, a+1, fluent(i, 0))
		m.node(propnet.Or, a+3, fluent(i, 1))
		m.node(propnet.Or, a, a+1)
		m.node(propnet.And, a+2, fluent(i, 2))
		m.net.Cycles = append(m.net.Cycles, propnet.Cycle{From: a, To: a + 4})
		for k := range 3 {
			m.net.Next[3*i+k] = a + propnet.Node(k+1)
		}
	}
	machine, err := New(m.net)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(machine.String(), "while") {
		t.Errorf("a loop in\n%s", machine)
	}
	e := machine.NewEngine(1)
	for lane := range 8 { // each has another set of three fluents
		state := make([]uint64, machine.words)
		for i := range 3 * n {
			state[i/64] |= uint64(lane>>(i%3)&1) << (i % 64)
		}
		e.Load(lane, state, []uint32{0})
	}
	if _, err := e.Step(nil); err != nil {
		t.Fatal(err)
	}
	for lane := range 8 {
		state := bools(e.State(lane, nil), 3*n)
		first, second, third := lane&1 != 0, lane&2 != 0, lane&4 != 0
		for i := range n {
			got, want := [3]bool(state[3*i:]), [3]bool{second || first && third, first || second, (first || second) && third}
			if got != want {
				t.Fatalf("cycle %d of fluents %03b: %v, want %v", i, lane, got, want)
			}
		}
	}
}
