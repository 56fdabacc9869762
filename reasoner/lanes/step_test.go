package lanes

import (
	"errors"
	"sync/atomic"
	"testing"

	"semisplit/reasoner/lanes/kernel"
	"semisplit/reasoner/propnet"
)

// offering has a role with many moves, each offered by a fluent of its own.
func offering(t *testing.T, moves int) *Machine {
	t.Helper()
	m := newNet(moves, [][]int{{moves}}, always)
	for i := range moves {
		m.net.Roles[0].Levels[0].Offer[i] = propnet.Node(2 + i)
		m.net.Next[i] = propnet.Node(2 + i)
	}
	machine, err := New(m.net)
	if err != nil {
		t.Fatal(err)
	}
	return machine
}

func TestStepErrors(t *testing.T) {
	e := offering(t, 3).NewEngine(1)
	state := []uint64{0}
	e.Load(5, state, nil)
	if _, err := e.Step(nil); err != nil {
		t.Fatalf("looking at a state: %v", err)
	}
	if ended, err := e.Step(nil); err != nil || ended[0] != 1<<5 || e.Stalled()[0] != 1<<5 || e.State(5, nil)[0] != 0 {
		t.Errorf("no legal move: ended %x, stalled %x, %v", ended, e.Stalled(), err)
	}
	e.Unload(5)
	if ended, err := e.Step(nil); err != nil || ended[0] != 0 || e.Stalled()[0] != 0 {
		t.Errorf("a step later: ended %x, stalled %x, %v", ended, e.Stalled(), err)
	}
	for _, bad := range []struct {
		state []uint64
		joint []uint32
	}{{nil, nil}, {[]uint64{0, 0}, nil}, {state, []uint32{3}}, {state, []uint32{0, 0}}, {state, []uint32{}}} {
		e.Load(1, bad.state, bad.joint)
		if _, err := e.Step(nil); err == nil {
			t.Errorf("load of %v, %v: no error", bad.state, bad.joint)
		}
	}
	all := make([]uint64, e.Lanes()/64)
	all[0] = 7
	e.LoadMany(all, []uint64{0, 0})
	if _, err := e.Step(nil); err == nil {
		t.Error("load of a long state into many lanes: no error")
	}
	var stop atomic.Bool
	stop.Store(true)
	e.Load(0, []uint64{1}, nil)
	if _, err := e.Step(&stop); !errors.Is(err, ErrStopped) {
		t.Errorf("stopped: error %v", err)
	}
	if !kernel.Empty(e.status.held) || !kernel.Empty(e.loads.look) || !kernel.Empty(e.loads.play) {
		t.Error("stopped: lanes are still loaded")
	}
}

// TestPathsLeftOut: whoever lists moves is told where there may be more of them, because
// enough were listed or because the prefixes before them are dead.
func TestPathsLeftOut(t *testing.T) {
	const n = 258 // more prefixes than are asked for nothing
	m := newNet(1, [][]int{{n, n, 1}}, always)
	m.net.Next[0] = propnet.False
	levels := m.net.Roles[0].Levels
	for k := range n {
		levels[0].Offer[k], levels[1].Offer[k] = propnet.True, propnet.True
	}
	last := m.node(propnet.And, levels[0].Select[n-1], levels[1].Select[n-1])
	levels[2].Offer[0] = m.node(propnet.Or, propnet.Node(2), last)
	machine, err := New(m.net)
	if err != nil {
		t.Fatal(err)
	}
	e := machine.NewEngine(1)
	e.Load(0, []uint64{0}, nil) // all prefixes are dead but the last
	e.Load(1, []uint64{1}, nil) // none is
	if _, err := e.Step(nil); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mask      uint64
		most      int
		want, cut uint64
	}{{3, n * n, n * n, 1}, {2, 5, 5, 2}} {
		moves := uint64(0)
		cut := e.Paths([]uint64{c.mask}, 0, c.most, func(int, []uint32) { moves++ })
		if moves != c.want || cut[0] != c.cut {
			t.Errorf("%+v: %d moves, and there may be more in the lanes %x", c, moves, cut)
		}
	}
	e = offering(t, 3).NewEngine(1)
	e.Load(0, []uint64{7}, nil)
	if _, err := e.Step(nil); err != nil {
		t.Fatal(err)
	}
	for most, want := range []uint64{1, 1, 1, 0} {
		if cut := e.Paths([]uint64{1}, 0, most, func(int, []uint32) {}); cut[0] != want {
			t.Errorf("%d of 3 moves: there may be more in the lanes %x", most, cut)
		}
	}
}

func TestWidths(t *testing.T) {
	m := offering(t, 3)
	for _, n := range Widths() {
		wide, err := m.WithLanes(n)
		if err != nil || wide.Lanes() != n || wide.NewEngine(1).Lanes() != n {
			t.Errorf("%d lanes: %v", n, err)
		}
	}
	if _, err := m.WithLanes(100); err == nil {
		t.Error("100 lanes: no error")
	}
}

func TestBadNets(t *testing.T) {
	m := newNet(1, [][]int{{2}}, always)
	lv := &m.net.Roles[0].Levels[0]
	lv.Select[1] = lv.Select[0]
	if _, err := New(m.net); err == nil {
		t.Error("two semimoves with one selection: no error")
	}
	m = newNet(1, [][]int{{1}}, always)
	m.net.Roles[0].Levels[0].Offer[0] = m.net.Roles[0].Levels[0].Select[0]
	if _, err := New(m.net); err == nil {
		t.Error("an offer that depends on its own selection: no error")
	}
	m = newNet(1, [][]int{{1}}, always, 0)
	m.net.Roles[0].Levels[0].Offer[0] = m.net.Roles[0].HasLegalMove
	if _, err := New(m.net); err == nil {
		t.Error("an offer that depends on a HasLegalMove input: no error")
	}
}

// TestProgramText pins what a small net compiles to: the frame rule of a
// fluent is one instruction, computed in its own slot, after the copy that
// still needs the old value.
func TestProgramText(t *testing.T) {
	m := newNet(2, [][]int{{2}}, always)
	a, s0, s1 := propnet.Node(2), propnet.Node(4), propnet.Node(5)
	keep := m.node(propnet.And, a, m.node(propnet.Not, s1))
	m.net.Next[0] = m.node(propnet.Or, s0, keep)
	m.net.Next[1] = a
	m.net.Roles[0].Levels[0].Offer = []propnet.Node{a, propnet.True}
	m.net.Terminal = m.node(propnet.Not, m.node(propnet.Or, a, 3))
	m.net.Roles[0].Goals = []propnet.Goal{{Value: 100, Node: 3}}
	machine, err := New(m.net)
	if err != nil {
		t.Fatal(err)
	}
	got := machine.String()
	want := `47 slots, 11 of them inputs
state: 1 instructions in 1 runs
nor2 11(2 3)
goals: 0 instructions in 0 runs
next: 2 instructions in 2 runs
mov 3(2)
andnotor 2(4 2 5)
fresh: 2 instructions in 2 runs
mov 3(2)
andnotor 2(4 2 5)
`
	if got != want {
		t.Errorf("compiled to\n%swant\n%s", got, want)
	}
}
