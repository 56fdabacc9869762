package propnet

import (
	"strings"
	"testing"

	"semisplit/reasoner/gdl"
)

// small makes a net of so many fluents; terminal is what build returns.
func small(fluents int, build func(b *Builder, in []Node) Node) *Net {
	b := NewBuilder(fluents)
	var in []Node
	n := &Net{}
	for i := range fluents {
		in = append(in, b.Input(i))
		n.Fluents = append(n.Fluents, gdl.TermID(1+i))
		n.Initial = append(n.Initial, false)
		n.Next = append(n.Next, True)
	}
	n.Terminal = build(b, in)
	return b.Finish(n)
}

// gates is the dump of the gates alone.
func gates(n *Net) string {
	var out []string
	for _, line := range strings.Split(n.String(), "\n") {
		if strings.Contains(line, " = and") || strings.Contains(line, " = or") || strings.Contains(line, " = not") || strings.HasPrefix(line, "terminal") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// expectGates fails unless the net is valid and has these gates.
func expectGates(t *testing.T, n *Net, want ...string) {
	t.Helper()
	if err := n.Check(); err != nil {
		t.Error(err)
	}
	if got := gates(n); got != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", got, strings.Join(want, "\n"))
	}
}

func TestBuilderFolds(t *testing.T) {
	b := NewBuilder(3)
	x, y, z := b.Input(0), b.Input(1), b.Input(2)
	for name, pair := range map[string][2]Node{
		"empty and":          {b.And(), True},
		"empty or":           {b.Or(), False},
		"and with false":     {b.And(x, False, y), False},
		"or with true":       {b.Or(x, True), True},
		"neutral":            {b.And(x, True), x},
		"repeated":           {b.Or(x, x, x), x},
		"double negation":    {b.Not(b.Not(x)), x},
		"complement and":     {b.And(x, y, b.Not(x)), False},
		"complement or":      {b.Or(b.Not(y), x, y), True},
		"order and repeats":  {b.And(z, x, y, x), b.And(y, z, x)},
		"negated constant":   {b.Not(False), True},
		"equal negations":    {b.Not(x), b.Not(x)},
		"complement of gate": {b.And(b.Or(x, y), b.Not(b.Or(y, x))), False},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: node %d, want %d", name, pair[0], pair[1])
		}
	}
	if b.And(x, y) == b.Or(x, y) || b.And(x, y) == b.And(x, z) {
		t.Error("different gates are one node")
	}
}

func TestFinishOrdersAndDropsDeadGates(t *testing.T) {
	n := small(3, func(b *Builder, in []Node) Node {
		b.And(in[0], in[2]) // dead
		late := b.Forward()
		top := b.Or(late, in[2])
		b.Define(late, b.And(in[0], in[1]))
		return top
	})
	expectGates(t, n, "5 = and 2 3", "6 = or 4 5", "terminal = 6")
}

func TestCycles(t *testing.T) {
	n := small(2, func(b *Builder, in []Node) Node {
		loop := b.Forward()
		step := b.And(loop, in[0])
		b.Define(loop, step, in[1])
		return loop
	})
	if err := n.Check(); err != nil {
		t.Fatal(err)
	}
	if len(n.Cycles) != 1 || n.Cycles[0] != (Cycle{4, 6}) {
		t.Fatalf("cycles %v in\n%s", n.Cycles, n)
	}
	for _, state := range [][2]bool{{false, false}, {true, false}, {false, true}, {true, true}} {
		if got := n.Eval(state[:], nil)[n.Terminal]; got != state[1] {
			t.Errorf("state %v: %v", state, got)
		}
	}
	// A cycle that only supports itself is false, and folds away.
	alone := small(1, func(b *Builder, in []Node) Node {
		a, c := b.Forward(), b.Forward()
		b.Define(a, c)
		b.Define(c, a)
		return b.Or(a, in[0])
	})
	expectGates(t, Fold(alone), "terminal = 2")
}

func TestCheckFindsFaults(t *testing.T) {
	good := func() *Net {
		return small(2, func(b *Builder, in []Node) Node { return b.Or(b.Not(b.And(in[0], in[1])), in[1]) })
	}
	for name, spoil := range map[string]func(n *Net){
		"operand after its gate": func(n *Net) { n.Args[0] = 6 },
		"operand out of range":   func(n *Net) { n.Args[1] = 99 },
		"lost fluent":            func(n *Net) { n.Fluents = n.Fluents[:1] },
		"fluent that is a gate":  func(n *Net) { n.Ops[2] = And },
		"root out of range":      func(n *Net) { n.Terminal = -1 },
		"not of two":             func(n *Net) { n.Ops[4] = Not },
		"offsets":                func(n *Net) { n.First = n.First[1:] },
		"rising goals":           func(n *Net) { n.Roles = []Role{{Goals: []Goal{{0, 0}, {100, 1}}}} },
		"selection that is a gate": func(n *Net) {
			n.Roles = []Role{{Levels: []Level{{Codes: make([]gdl.TermID, 1), Offer: make([]Node, 1), Select: []Node{5}}}}}
		},
		"unequal tables": func(n *Net) { n.Roles = []Role{{Levels: []Level{{Codes: make([]gdl.TermID, 1)}}}} },
		"not in a cycle": func(n *Net) { n.Cycles = []Cycle{{4, 6}} },
		"empty cycle":    func(n *Net) { n.Cycles = []Cycle{{5, 5}} },
	} {
		n := good()
		if err := n.Check(); err != nil {
			t.Fatal(err)
		}
		if spoil(n); n.Check() == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestStats(t *testing.T) {
	n := small(3, func(b *Builder, in []Node) Node { return b.Or(b.Not(in[0]), b.And(in...)) })
	want := Stats{Fluents: 3, Ands: 1, Ors: 1, Nots: 1, Operands: 6, Binary: 4, Depth: 2}
	if got := n.Stats(); got != want || got.Gates() != 3 {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
