package prover_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"semisplit/kif"
	"semisplit/reasoner/prover"
)

// path is the path of the only role that draws x and y.
func path(t *testing.T, m *prover.Machine, move string) []int32 {
	t.Helper()
	term, err := kif.ParseTerm(move)
	if err != nil {
		t.Fatal(err)
	}
	semis, ok := m.Path(0, term)
	if !ok {
		t.Fatalf("no move %s", move)
	}
	var out []int32
	for _, k := range semis {
		out = append(out, int32(k))
	}
	return out
}

// drawn plays from the initial state, and counts what the next ones are. It
// holds the trace against them.
func drawn(t *testing.T, m *prover.Machine, e *prover.Engine, steps int) map[string]int {
	t.Helper()
	e.Trace(true)
	counts := map[string]int{}
	for range steps {
		e.Load(0, m.Initial(), nil)
		for range 2 { // the first Step looks
			if _, err := e.Step(nil); err != nil {
				t.Fatal(err)
			}
		}
		state := m.Fluents(e.State(0, nil))[0].String()
		var traced []uint32
		for l := range m.Levels(0) {
			word, shift, bits := e.TraceField(0, l)
			traced = append(traced, uint32(e.Choices()[word]>>shift&(1<<bits-1)))
		}
		if got, want := m.Move(0, traced).String(), strings.Replace(state, "drawn", "draw", 1); got != want {
			t.Fatalf("the trace is %s in state %s", got, state)
		}
		counts[state]++
	}
	return counts
}

// both are the game of pairs of 4 split, and whole.
func both(t *testing.T) (parts, whole *prover.Machine) {
	t.Helper()
	whole = machine(t, `(role r) (init (drawn 0 0)) (number 0) (number 1) (number 2) (number 3)
		(over 1 0) (over 2 0) (over 2 1) (over 3 0) (over 3 1) (over 3 2)
		(<= (legal r (draw ?x ?y)) (over ?y ?x))
		(<= (next (drawn ?x ?y)) (does r (draw ?x ?y)))`, prover.Limits{})
	return splitMachine(t, pairs(t, 4), prover.Limits{}), whole
}

// TestOrder plays by an order that begins with a dead prefix where moves are
// split, always or with probability epsilon uniformly.
func TestOrder(t *testing.T) {
	const steps = 4000
	parts, whole := both(t)
	near := func(what string, got int, want float64) {
		t.Helper()
		if math.Abs(float64(got)-want*steps) > 5*math.Sqrt(want*(1-want)*steps) {
			t.Errorf("%s: %d times of %d, want a share of %.3f", what, got, steps, want)
		}
	}
	for _, epsilon := range []float64{0, 0.5, 1} {
		e := whole.NewEngine(1)
		e.SetPolicy(0, 0, path(t, whole, "(draw 1 3)"), epsilon)
		near("whole", drawn(t, whole, e, steps)["(drawn 1 3)"], 1-epsilon+epsilon/6)
		e.SetPolicy(0, 0, nil, 0)
		near("whole, without an order", drawn(t, whole, e, steps)["(drawn 1 3)"], 1.0/6)

		// 3 is dead as a first number; then 1 is the best.
		dead, good := path(t, parts, "(draw 3 0)")[:1], path(t, parts, "(draw 1 3)")
		e = parts.NewEngine(1)
		e.SetPolicy(0, 0, []int32{dead[0], good[0]}, epsilon)
		e.SetPolicy(0, 1, good[1:], 0)
		after := 1 - epsilon + epsilon/3
		near("split", drawn(t, parts, e, steps)["(drawn 1 3)"], (1-epsilon)*after+epsilon*(1+after)/4)
	}
}

// TestOrderLeavesOut takes what is not in the order last, rising.
func TestOrderLeavesOut(t *testing.T) {
	_, whole := both(t)
	e := whole.NewEngine(1)
	e.Load(0, whole.Initial(), nil)
	if _, err := e.Step(nil); err != nil {
		t.Fatal(err)
	}
	offers := e.Offers(0, 0, nil, nil)
	e.SetPolicy(0, 0, []int32{}, 0)
	want := strings.Replace(whole.Move(0, offers[:1]).String(), "draw", "drawn", 1)
	if seen := drawn(t, whole, e, 5); seen[want] != 5 {
		t.Errorf("an empty order: %v, want %s", seen, want)
	}
}

func TestChoosers(t *testing.T) {
	parts, whole := both(t)
	for _, m := range []*prover.Machine{parts, whole} {
		e, want := m.NewEngine(1), path(t, m, "(draw 1 3)")
		dead := int32(-1)
		if m == parts {
			dead = path(t, m, "(draw 3 0)")[0]
		}
		asked, deadly := 0, 0
		for l := range m.Levels(0) {
			e.SetChooser(0, l, func(lanes, offers []uint64, words int, prefix []uint64, into []int32) {
				offered := func(k int32) bool { return k >= 0 && offers[k/64]>>(k%64)&1 != 0 }
				if lanes[0] != 1 || len(offers) != words {
					t.Errorf("lanes %x, %d words of offers %x", lanes, words, offers)
				}
				if word, shift, bits := e.TraceField(0, 0); (l > 0) != (prefix != nil) || l > 0 && int32(prefix[word]>>shift&(1<<bits-1)) != want[0] {
					t.Errorf("level %d: prefix %x, want %d", l, prefix, want[0])
				}
				asked++
				if into[0] = want[l]; l == 0 && offered(dead) {
					into[0] = dead
					deadly++
				}
				if !offered(into[0]) {
					t.Errorf("level %d: offers %x, without %d", l, offers, into[0])
				}
			})
		}
		if seen := drawn(t, m, e, 50); seen["(drawn 1 3)"] != 50 || asked == 0 {
			t.Errorf("%d levels: drawn %v, asked %d times", m.Levels(0), seen, asked)
		}
		if (m == parts) != (deadly > 0) {
			t.Errorf("%d levels: the dead prefix was taken %d times", m.Levels(0), deadly)
		}
	}
}

func TestWrongChooser(t *testing.T) {
	parts, whole := both(t)
	for _, m := range []*prover.Machine{parts, whole} {
		for _, k := range []int32{-1, 1000, -1 << 31} {
			e := m.NewEngine(1)
			e.SetChooser(0, 0, func(_, _ []uint64, _ int, _ []uint64, into []int32) { into[0] = k })
			e.Load(0, m.Initial(), nil)
			_, err := e.Step(nil)
			if err == nil {
				_, err = e.Step(nil)
			}
			if err == nil || !strings.Contains(err.Error(), "chooser") {
				t.Errorf("%d levels: a chooser took %d: error %v", m.Levels(0), k, err)
			}
		}
	}
}

// TestTraceOfLoads names the joint move that was given.
func TestTraceOfLoads(t *testing.T) {
	parts, whole := both(t)
	for _, m := range []*prover.Machine{parts, whole} {
		e := m.NewEngine(1)
		e.Trace(true)
		joint := []uint32{}
		for _, k := range path(t, m, "(draw 0 2)") {
			joint = append(joint, uint32(k))
		}
		e.Load(0, m.Initial(), joint)
		if _, err := e.Step(nil); err != nil {
			t.Fatal(err)
		}
		var got []uint32
		for l := range m.Levels(0) {
			word, shift, bits := e.TraceField(0, l)
			got = append(got, uint32(e.Choices()[word]>>shift&(1<<bits-1)))
		}
		if !slices.Equal(got, joint) {
			t.Errorf("traced %v, loaded %v", got, joint)
		}
	}
}
