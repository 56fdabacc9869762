package propnet

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"semisplit/reasoner/gdl"
)

// randomNet draws a net as no builder would make it: with constants, repeated
// operands and dead gates, and with a cycle now and then.
func randomNet(t *rapid.T) *Net {
	fluents := rapid.IntRange(1, 4).Draw(t, "fluents")
	moves := rapid.IntRange(1, 3).Draw(t, "moves")
	b := NewBuilder(fluents + moves)
	any := func() Node { return Node(rapid.IntRange(0, b.Len()-1).Draw(t, "operand")) }
	var loops []Node
	var positive []Node // gates that may close a cycle: no negation above a Forward
	for range rapid.IntRange(0, 25).Draw(t, "gates") {
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 0:
			a := Node(rapid.IntRange(0, 1+fluents+moves).Draw(t, "negated"))
			b.Raw(Not, a)
		case 1:
			n := b.Forward()
			loops, positive = append(loops, n), append(positive, n)
		default:
			op := And
			if rapid.Bool().Draw(t, "or") {
				op = Or
			}
			var args []Node
			for range rapid.IntRange(1, 8).Draw(t, "width") {
				args = append(args, any())
			}
			positive = append(positive, b.Raw(op, args...))
		}
	}
	for _, n := range loops {
		b.Define(n, rapid.SampledFrom(positive).Draw(t, "back"), any())
	}
	frame := &Net{Terminal: any()}
	for i := range fluents {
		frame.Fluents = append(frame.Fluents, gdl.TermID(1+i))
		frame.Initial = append(frame.Initial, rapid.Bool().Draw(t, "initial"))
		frame.Next = append(frame.Next, any())
	}
	level := Level{}
	for i := range moves {
		level.Codes = append(level.Codes, gdl.TermID(100+i))
		level.Offer = append(level.Offer, any())
		level.Select = append(level.Select, b.Input(fluents+i))
	}
	frame.Roles = []Role{{Name: 99, Levels: []Level{level}, Goals: []Goal{{100, any()}, {50, any()}}}}
	return b.Finish(frame)
}

// outcome is what a net says of a state and a selection, in a fixed order.
func outcome(n *Net, fluents, selected []bool) []bool {
	value := n.Eval(fluents, selected)
	var out []bool
	n.roots(func(r *Node) { out = append(out, value[*r]) })
	return out
}

// reachable lists states along one random line of selections from the
// initial state, each with its selection.
func reachable(t *rapid.T, n *Net) (states, selections [][]bool) {
	state := n.Initial
	for range 8 {
		selected := rapid.SliceOfN(rapid.Bool(), n.Moves(), n.Moves()).Draw(t, "selected")
		states, selections = append(states, state), append(selections, selected)
		value := n.Eval(state, selected)
		next := make([]bool, len(state))
		for i, f := range n.Next {
			next[i] = value[f]
		}
		state = next
	}
	return states, selections
}

func checkPass(t *rapid.T, apply func(*Net) *Net) {
	before := randomNet(t)
	if err := before.Check(); err != nil {
		t.Fatalf("before: %v\n%s", err, before)
	}
	dump := before.String()
	after := apply(before)
	if err := after.Check(); err != nil {
		t.Fatalf("%v\nbefore\n%s\nafter\n%s", err, before, after)
	}
	if before.String() != dump {
		t.Fatal("the pass changed its argument")
	}
	states, selections := reachable(t, before)
	for i := range states {
		want, got := outcome(before, states[i], selections[i]), outcome(after, states[i], selections[i])
		if !slices.Equal(want, got) {
			t.Fatalf("state %v, selected %v: before %v, after %v\nbefore\n%s\nafter\n%s", states[i], selections[i], want, got, before, after)
		}
	}
}

func TestPassesKeepTheMeaning(t *testing.T) {
	for _, p := range Passes() {
		t.Run(p.Name, func(t *testing.T) { rapid.Check(t, func(t *rapid.T) { checkPass(t, p.Apply) }) })
	}
	t.Run("all", func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) { checkPass(t, func(n *Net) *Net { return Optimize(n) }) })
	})
	for _, skip := range Passes() {
		t.Run("all but "+skip.Name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkPass(t, func(n *Net) *Net { return Optimize(n, skip.Name) }) })
		})
	}
}

// TestOrderIsDeterministic finds a net dumped alike however often it is made.
func TestOrderIsDeterministic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := randomNet(t)
		if a, b := fmt.Sprint(Optimize(n)), fmt.Sprint(Optimize(n)); a != b {
			t.Fatalf("two results\n%s\n%s", a, b)
		}
	})
}
