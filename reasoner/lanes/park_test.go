package lanes_test

import (
	"math/bits"
	"strings"
	"testing"

	"semisplit/kif"
	"semisplit/reasoner/lanes"
	"semisplit/reasoner/lanes/kernel"
)

// dear is a game whose goals cost more than the rest of a step: coins are laid until
// somebody stops, and the heads are counted.
const dear = `
	(role solo)
	(coin 1) (coin 2) (coin 3) (coin 4) (coin 5) (coin 6) (coin 7) (coin 8)
	(after 0 1) (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 8)
	(init (laid 0))
	(<= (legal solo heads) (true (laid ?n)) (after ?n ?m))
	(<= (legal solo tails) (true (laid ?n)) (after ?n ?m))
	(<= (legal solo stop) (true (laid ?n)))
	(<= (next (laid ?m)) (true (laid ?n)) (after ?n ?m) (not (does solo stop)))
	(<= (next (laid ?n)) (true (laid ?n)) (does solo stop))
	(<= (next (head ?m)) (does solo heads) (true (laid ?n)) (after ?n ?m))
	(<= (next (head ?n)) (true (head ?n)))
	(<= (next stopped) (does solo stop))
	(<= terminal (true stopped))
	(heads 0 0)
	(<= (heads ?n ?k2) (after ?m ?n) (heads ?m ?k) (true (head ?n)) (after ?k ?k2))
	(<= (heads ?n ?k) (after ?m ?n) (heads ?m ?k) (not (true (head ?n))))
	(value 0 0) (value 1 10) (value 2 20) (value 3 30) (value 4 40) (value 5 50) (value 6 60) (value 7 70) (value 8 80)
	(<= (goal solo ?v) (heads 8 ?k) (value ?k ?v))`

// TestParking: where goals are dear, lanes that have ended stall until there are
// several, and lose nothing by it.
func TestParking(t *testing.T) {
	m := build(t, dear)
	e := m.NewEngine(1)
	e.SetPasses(lanes.AutoPasses)
	e.Trace(true)
	all := make([]uint64, e.Lanes()/64)
	for w := range all {
		all[w] = ^uint64(0)
	}
	initial := m.Initial()
	e.LoadMany(all, initial)
	evaluations, playouts, stalls := 0, 0, 0
	for range 300 {
		ended, err := e.Step(nil)
		if err != nil {
			t.Fatal(err)
		}
		stalls += kernel.Popcount(e.Stalled())
		if kernel.Empty(ended) {
			continue
		}
		evaluations++
		playouts += kernel.Popcount(ended)
		for w, x := range ended {
			if x&e.Stalled()[w] != 0 {
				t.Fatalf("lanes %x ended and stalled", x&e.Stalled()[w])
			}
			for ; x != 0; x &= x - 1 {
				checkLaid(t, m, e, 64*w+bits.TrailingZeros64(x))
			}
		}
		e.LoadMany(ended, initial)
	}
	if evaluations == 0 || evaluations > 200 || playouts < 300*e.Lanes()/12 || stalls > 300*e.Lanes()/3 {
		t.Errorf("%d playouts, evaluated together %d times, in 300 steps of %d lanes; %d times a lane stalled", playouts, evaluations, e.Lanes(), stalls)
	}
}

// checkLaid compares what can be read of a lane that has ended with what its state
// says.
func checkLaid(t *testing.T, m *lanes.Machine, e *lanes.Engine, lane int) {
	fluents := m.Fluents(e.State(lane, nil))
	heads, stopped, goals := 0, false, []float64{0}
	for _, f := range fluents {
		heads += strings.Count(f.String(), "(head ")
		stopped = stopped || f.String() == "stopped"
	}
	e.Goals(lane, goals)
	if !stopped || goals[0] != float64(heads)/10 {
		t.Fatalf("lane %d: goal %v in %v", lane, goals, fluents)
	}
	if last := m.Move(0, []uint32{uint32(e.Choices()[lane*e.TraceWords()])}); last.String() != "stop" {
		t.Fatalf("lane %d ended by %s", lane, last)
	}
}

// TestParkingEnds: what was just loaded, and what nothing runs beside, ends at once; and
// so does everything where nothing may stall.
func TestParkingEnds(t *testing.T) {
	m := build(t, dear)
	term, err := kif.ParseTerm("stop")
	if err != nil {
		t.Fatal(err)
	}
	stop, ok := m.Path(0, term)
	if !ok {
		t.Fatal("no move stops")
	}
	for _, c := range []struct {
		name   string
		passes int
		begin  func(e *lanes.Engine)
	}{
		{"alone", lanes.AutoPasses, func(e *lanes.Engine) { e.Load(3, m.Initial(), nil) }},
		{"just loaded", lanes.AutoPasses, func(e *lanes.Engine) {
			for lane := range e.Lanes() {
				e.Load(lane, m.Initial(), nil)
			}
			e.Load(3, m.Initial(), stop)
		}},
		{"nothing may stall", 0, func(e *lanes.Engine) {
			for lane := range e.Lanes() {
				e.Load(lane, m.Initial(), nil)
			}
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := m.NewEngine(2)
			e.SetPasses(c.passes)
			c.begin(e)
			for range 100 {
				ended, err := e.Step(nil)
				if err != nil {
					t.Fatal(err)
				}
				if !kernel.Empty(e.Stalled()) {
					t.Fatalf("lanes %x stalled", e.Stalled())
				}
				if !kernel.Empty(ended) {
					return
				}
			}
			t.Error("nothing ended")
		})
	}
}
