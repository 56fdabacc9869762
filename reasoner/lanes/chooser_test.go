package lanes_test

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"semisplit/games"
	"semisplit/reasoner/lanes"
)

type chooser = func(lanes, offers []uint64, words int, prefix []uint64, into []int32)

// each is a chooser that asks about one lane after the other.
func each(pick func(lane int, offers []uint64) int32) chooser {
	return func(asked, offers []uint64, words int, _ []uint64, into []int32) {
		for i, x := range asked {
			for ; x != 0; x &= x - 1 {
				lane := 64*i + bits.TrailingZeros64(x)
				into[lane] = pick(lane, offers[lane*words:(lane+1)*words])
			}
		}
	}
}

// drawn is a uniform chooser.
func drawn(rng *rand.Rand) chooser {
	return each(func(_ int, offers []uint64) int32 {
		n := 0
		for _, x := range offers {
			n += bits.OnesCount64(x)
		}
		left := rng.IntN(n)
		for i, x := range offers {
			for ; x != 0; x &= x - 1 {
				if left == 0 {
					return int32(64*i + bits.TrailingZeros64(x))
				}
				left--
			}
		}
		panic("BUG: fewer offers than counted")
	})
}

// setChoosers puts a chooser on every level.
func setChoosers(m *lanes.Machine, e *lanes.Engine, choose chooser) {
	for r := range m.Roles() {
		for l := range m.Levels(r) {
			e.SetChooser(r, l, choose)
		}
	}
}

// TestUniformChoosers draw as the engine does.
func TestUniformChoosers(t *testing.T) {
	_, m := frogGame(t, false)
	_, asking := frogGame(t, true)
	for _, wide := range append(inWidths(t, m), inWidths(t, asking)...) {
		e := wide.NewEngine(9)
		setChoosers(wide, e, drawn(rand.New(rand.NewPCG(1, 2))))
		levelwise(t, wide, e)
	}
}

// TestFixedChooser begins with the dead frog on stone 3, and where that is not
// offered any more sends the one on stone 1 to stone 7.
func TestFixedChooser(t *testing.T) {
	_, m := frogGame(t, false)
	dead, good := semimoves(t, m, "(jump 3 1)"), semimoves(t, m, "(jump 1 7)")
	offered := func(offers []uint64, k int32) bool { return offers[k/64]>>(k%64)&1 != 0 }
	for _, wide := range inWidths(t, m) {
		e := wide.NewEngine(9)
		taken := 0
		e.SetChooser(0, 0, each(func(_ int, offers []uint64) int32 {
			if offered(offers, dead[0]) {
				taken++
				return dead[0]
			}
			return good[0]
		}))
		e.SetChooser(0, 1, each(func(_ int, offers []uint64) int32 {
			if !offered(offers, good[1]) {
				t.Fatalf("%d lanes: the offers are %x, without %d", wide.Lanes(), offers, good[1])
			}
			return good[1]
		}))
		seen, total := firstJumps(t, wide, e)
		if seen["2 3 7"] != total || taken != total {
			t.Errorf("%d lanes: %v; the dead semimove was taken %d times of %d", wide.Lanes(), seen, taken, total)
		}
	}
}

// TestWrongChooser takes what is not offered.
func TestWrongChooser(t *testing.T) {
	g, err := games.Load("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range inWidths(t, build(t, g.Rules)) {
		for _, k := range []int32{-1, 1000, 1 << 30, -1 << 31} {
			e := m.NewEngine(1)
			setChoosers(m, e, each(func(int, []uint64) int32 { return k }))
			e.Load(3, m.Initial(), nil)
			if _, err := e.Step(nil); err != nil {
				t.Fatalf("looking at a state: %v", err)
			}
			if _, err := e.Step(nil); err == nil || !strings.Contains(err.Error(), "chooser") {
				t.Errorf("%d lanes: a chooser took %d: error %v", m.Lanes(), k, err)
			}
			setChoosers(m, e, nil)
			e.Load(3, m.Initial(), nil)
			for range 2 {
				if _, err := e.Step(nil); err != nil {
					t.Errorf("%d lanes: after the error: %v", m.Lanes(), err)
				}
			}
		}
	}
}

// TestSteeredPlayoutsAllocateNothing, with a trace, with choosers, and with
// policies that change in every Step.
func TestSteeredPlayoutsAllocateNothing(t *testing.T) {
	g, err := games.Load("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	_, frogs := frogGame(t, true)
	_, more := frogGame(t, false)
	for _, m := range slices.Concat(inWidths(t, build(t, g.Rules)), inWidths(t, frogs), inWidths(t, more)) {
		for i, set := range []func(e *lanes.Engine){
			func(e *lanes.Engine) { randomOrders(m, e, 0.4) },
			func(e *lanes.Engine) { setChoosers(m, e, lowest) },
		} {
			e := m.NewEngine(3)
			e.Trace(true)
			set(e)
			order := []int32{0}
			initial, fresh, roles := m.Initial(), make([]uint64, m.Lanes()/64), len(m.Roles())
			for i := range fresh {
				fresh[i] = ^uint64(0)
			}
			run := func() {
				for range 30 {
					e.LoadMany(fresh, initial)
					ended, err := e.Step(nil)
					if err != nil {
						t.Fatal(err)
					}
					e.Choices()
					copy(fresh, ended)
				}
				for r := range roles {
					for l := range m.Levels(r) {
						e.SetPolicy(r, l, order, 0.4)
					}
				}
			}
			if n := testing.AllocsPerRun(20, run); n != 0 {
				t.Errorf("%s, way %d: %v allocations in 30 steps", m.Kernels(), i, n)
			}
		}
	}
}
