package lanes

import (
	"errors"
	"math/rand/v2"
	"strings"
	"sync/atomic"
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

// longWay is a net whose state is terminal where a value that begins at the first
// fluent has passed a great number of gates, in an order that their loop cannot know:
// the second fluent, which would lead elsewhere, is false.
func longWay(n int) *propnet.Net {
	m := newNet(2, [][]int{{2}}, always)
	way := rand.New(rand.NewPCG(1, 1)).Perm(n)
	from := propnet.Node(len(m.net.Ops))
	reached := func(i int) propnet.Node { return from + propnet.Node(2*i+1) }
	before := make([]int, n)
	for i, k := range way {
		before[k] = way[(i+n-1)%n]
	}
	for i := range n {
		m.node(propnet.And, reached(before[before[i]^1]), 3)
		args := []propnet.Node{from + propnet.Node(2*i), reached(before[i])}
		if i == way[0] {
			args = append(args, 2)
		}
		m.node(propnet.Or, args...)
	}
	m.net.Cycles = []propnet.Cycle{{From: from, To: propnet.Node(len(m.net.Ops))}}
	m.net.Next[0] = propnet.True
	m.net.Terminal = reached(way[n-1])
	m.net.Roles[0].Levels[0].Offer = []propnet.Node{propnet.True, propnet.True}
	return m.net
}

// TestStopInLoop: a Step ends soon where its loop would go on for long.
func TestStopInLoop(t *testing.T) {
	machine, err := New(longWay(4000))
	if err != nil {
		t.Fatal(err)
	}
	e := machine.NewEngine(1)
	var stop atomic.Bool
	e.Load(0, []uint64{0}, nil)
	if ended, err := e.Step(&stop); err != nil || ended[0] != 0 {
		t.Fatalf("the first state: ended %x, %v", ended, err)
	}
	e.SetChooser(0, 0, func(_, _ []uint64, _ int, _ []uint64, into []int32) {
		stop.Store(true) // in the midst of the Step, before the loop
		into[0] = 1
	})
	if ended, err := e.Step(&stop); !errors.Is(err, ErrStopped) {
		t.Errorf("stopped: ended %x, %v", ended, err)
	}
	stop.Store(false)
	e.Load(0, []uint64{1}, nil)
	if ended, err := e.Step(&stop); err != nil || ended[0] != 1 {
		t.Errorf("loaded again: ended %x, %v", ended, err)
	}
}
