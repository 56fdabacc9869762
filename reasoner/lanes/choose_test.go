package lanes

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"

	"semisplit/reasoner/propnet"
)

// chiSquare is the sum of (seen - expected)^2 / expected for a uniform choice.
func chiSquare(seen []int) float64 {
	total := 0
	for _, n := range seen {
		total += n
	}
	want := float64(total) / float64(len(seen))
	sum := 0.0
	for _, n := range seen {
		d := float64(n) - want
		sum += d * d / want
	}
	return sum
}

// tooFar tells whether a sum is beyond 5 standard deviations of its
// distribution for k columns.
func tooFar(sum float64, k int) bool {
	f := float64(k - 1)
	return sum > f+5*math.Sqrt(2*f)
}

// offering is an engine over a role with many moves, of which those in open
// are offered by a fluent of their own.
func offering(t *testing.T, moves int, open []int, seed uint64) *Engine {
	t.Helper()
	m := newNet(moves, [][]int{{moves}}, func(int) bool { return true })
	for i := range moves {
		m.net.Roles[0].Levels[0].Offer[i] = propnet.Node(2 + i)
		m.net.Next[i] = propnet.Node(2 + i)
	}
	machine, err := New(m.net)
	if err != nil {
		t.Fatal(err)
	}
	e := machine.NewEngine(seed)
	for _, i := range open {
		e.slots[2+i] = ^uint64(0)
	}
	return e
}

// TestUniform counts the choices among offers that are spread over the
// columns in several ways. A bias of 1% in half of the columns is seen, as
// the second half of the test shows.
func TestUniform(t *testing.T) {
	const rounds = 40000
	for _, c := range []struct{ moves, every, open int }{
		{2, 1, 2}, {7, 1, 7}, {10, 3, 4}, {20, 1, 20}, {160, 9, 17}, {300, 2, 150},
	} {
		var open []int
		for i := 0; i < c.moves && len(open) < c.open; i += c.every {
			open = append(open, i)
		}
		e := offering(t, c.moves, open, uint64(c.moves))
		lv := &e.p.roles[0].levels[0]
		byMove, byLane := make([]int, len(open)), make([]int, 64)
		for range rounds {
			if missing := e.choose(lv, ^uint64(0)); missing != 0 {
				t.Fatalf("%+v: lanes %x chose nothing", c, missing)
			}
			var taken uint64
			for k, i := range open {
				w := e.slots[int(lv.sel)+i]
				if taken&w != 0 {
					t.Fatalf("%+v: a lane took two moves", c)
				}
				taken |= w
				for ; w != 0; w &= w - 1 {
					byMove[k]++
					if k == 0 {
						byLane[lowest(w)]++
					}
				}
			}
			if taken != ^uint64(0) {
				t.Fatalf("%+v: lanes %x took a move that is not offered", c, ^taken)
			}
		}
		if sum := chiSquare(byMove); tooFar(sum, len(open)) {
			t.Errorf("%+v: chi-square %.1f over moves", c, sum)
		}
		if sum := chiSquare(byLane); tooFar(sum, 64) {
			t.Errorf("%+v: chi-square %.1f over lanes", c, sum)
		}
		rng := rand.New(rand.NewPCG(1, uint64(c.moves)))
		biased := make([]int, len(open))
		for range rounds * 64 {
			k := rng.IntN(len(open))
			if k%2 == 0 && rng.Float64() < 0.02 { // half of the columns lose 1% against the mean
				k = (k + 1) % len(open)
			}
			biased[k]++
		}
		if c.open <= 20 && !tooFar(chiSquare(biased), len(open)) {
			t.Errorf("%+v: a bias of 1%% would not be seen", c)
		}
	}
}

// TestDifferentOffers gives each lane offers of its own: only those are
// taken, lanes that want nothing take nothing, lanes without offers are told.
func TestDifferentOffers(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, moves := range []int{1, 6, 7, 8, 40, 200} {
		e := offering(t, moves, nil, 5)
		lv := &e.p.roles[0].levels[0]
		for range 200 {
			var any uint64
			for i := range moves {
				e.slots[2+i] = rng.Uint64() & rng.Uint64() & rng.Uint64()
				any |= e.slots[2+i]
			}
			want := rng.Uint64()
			if got := e.choose(lv, want); got != want&^any {
				t.Fatalf("%d moves: missing %x, want %x", moves, got, want&^any)
			}
			var taken uint64
			for i := range lv.offers {
				w := e.slots[int(lv.sel)+i]
				if i >= moves && w != 0 || i < moves && w&^e.slots[2+i] != 0 || w&taken != 0 {
					t.Fatalf("%d moves: column %d taken by %x", moves, i, w)
				}
				taken |= w
			}
			if taken != want&any {
				t.Fatalf("%d moves: taken by %x, want %x", moves, taken, want&any)
			}
		}
	}
}

func TestStepErrors(t *testing.T) {
	e := offering(t, 3, nil, 1)
	state := []uint64{0}
	e.Load(5, state, nil)
	if _, err := e.Step(nil); err != nil {
		t.Fatalf("looking at a state: %v", err)
	}
	if _, err := e.Step(nil); err == nil || !strings.Contains(err.Error(), "no legal move") {
		t.Errorf("no legal move: error %v", err)
	}
	if _, err := e.Step(nil); err != nil {
		t.Errorf("after an error the lanes are empty, but: %v", err)
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
	var stop atomic.Bool
	stop.Store(true)
	e.Load(0, []uint64{1}, nil)
	if _, err := e.Step(&stop); !errors.Is(err, ErrStopped) {
		t.Errorf("stopped: error %v", err)
	}
	if e.held|e.look|e.play != 0 {
		t.Error("stopped: lanes are still loaded")
	}
}

func TestBadNets(t *testing.T) {
	m := newNet(1, [][]int{{2}}, func(int) bool { return true })
	lv := &m.net.Roles[0].Levels[0]
	lv.Select[1] = lv.Select[0]
	if _, err := New(m.net); err == nil {
		t.Error("two semimoves with one selection: no error")
	}
	m = newNet(1, [][]int{{1}}, func(int) bool { return true })
	m.net.Roles[0].Levels[0].Offer[0] = m.net.Roles[0].Levels[0].Select[0]
	if _, err := New(m.net); err == nil {
		t.Error("an offer that depends on its own selection: no error")
	}
	m = newNet(1, [][]int{{1}}, func(int) bool { return true })
	m.node(propnet.Input)
	if _, err := New(m.net); err == nil {
		t.Error("an input without a meaning: no error")
	}
}

func TestTranspose(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	var a, b [64]uint64
	for i := range a {
		a[i] = rng.Uint64()
	}
	b = a
	transpose(&b)
	for i := range 64 {
		for j := range 64 {
			if a[i]>>j&1 != b[j]>>i&1 {
				t.Fatalf("bit %d of word %d is wrong", i, j)
			}
		}
	}
}

// TestProgramText pins what a small net compiles to: the frame rule of a
// fluent is one instruction, computed in its own slot, after the copy that
// still needs the old value.
func TestProgramText(t *testing.T) {
	m := newNet(2, [][]int{{2}}, func(int) bool { return true })
	a, s0, s1 := propnet.Node(2), propnet.Node(4), propnet.Node(5)
	keep := m.node(propnet.And, a, m.node(propnet.Not, s1))
	m.net.Next[0] = m.node(propnet.Or, s0, keep)
	m.net.Next[1] = a
	m.net.Roles[0].Levels[0].Offer = []propnet.Node{a, propnet.True}
	m.net.Terminal = m.node(propnet.Not, m.node(propnet.Or, a, 3))
	machine, err := New(m.net)
	if err != nil {
		t.Fatal(err)
	}
	got := machine.String()
	want := `12 slots, 11 of them inputs
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
