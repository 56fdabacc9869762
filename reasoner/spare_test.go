package reasoner_test

import (
	"fmt"
	"slices"
	"testing"

	"semisplit/reasoner"
)

// What was passed is of no account: searches and playouts leave it out, in what they are
// given and in what they reach, and who looks at one position has it.
func TestSpare(t *testing.T) {
	p, diagnostics := reasoner.Read(`(role a) (init (at 0)) (init (passed start)) (succ 0 1) (succ 1 2) (succ 2 3)
		(legal a go) (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
		(<= (next (passed ?n)) (true (at ?n))) (<= (next (passed ?n)) (true (passed ?n)))
		(<= terminal (true (at 3))) (<= (goal a 100) (true (at 3))) (<= (goal a 0) (not (true (at 3))))`)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	for _, lanes := range reasoner.Widths() {
		m, err := reasoner.Build(t.Context(), p, reasoner.Variant{Engine: "lanes", Plan: "orthodox", Lanes: lanes}, reasoner.DefaultLimits)
		if err != nil {
			t.Fatal(err)
		}
		reach := func(e reasoner.Engine) (states []string) {
			state := m.Initial()
			for joint := []uint32(nil); len(states) < 3; joint = []uint32{0} {
				e.Load(0, state, joint)
				if _, err := e.Step(nil); err != nil {
					t.Fatal(err)
				}
				state = e.State(0, nil)
				states = append(states, fmt.Sprint(m.Fluents(state)))
			}
			return states
		}
		few := []string{"[(at 0)]", "[(at 1)]", "[(at 2)]"}
		if got := reach(m.NewEngine(1)); !slices.Equal(got, few) {
			t.Errorf("%d lanes: %v, want %v", lanes, got, few)
		}
		if got := fmt.Sprint(m.Fluents(reasoner.Essential(m, m.Initial()))); got != few[0] {
			t.Errorf("what counts at first is %s", got)
		}
		all := []string{"[(at 0) (passed start)]", "[(at 1) (passed 0) (passed start)]", "[(at 2) (passed 0) (passed 1) (passed start)]"}
		for _, e := range []reasoner.Engine{m.NewSingle(1), m.Whole().NewEngine(1)} {
			if got := reach(e); !slices.Equal(got, all) {
				t.Errorf("%d lanes: %v, want %v", e.Lanes(), got, all)
			}
		}
		if whole := m.Whole(); whole.Spare() != nil || whole.Lanes() != lanes || m.Spare() == nil {
			t.Errorf("%d lanes: spare are %v of %v, of the whole machine with %d lanes %v", lanes, m.Spare(), m.Initial(), whole.Lanes(), whole.Spare())
		}
	}
}
