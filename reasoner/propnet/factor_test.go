package propnet

import "testing"

func TestFactor(t *testing.T) {
	n := small(4, func(b *Builder, in []Node) Node {
		return b.Or(b.And(in[0], in[1]), b.And(in[0], in[2]), b.And(in[0], in[3]))
	})
	expectGates(t, Factor(n), "6 = or 3 4 5", "7 = and 2 6", "terminal = 7")
	dual := small(3, func(b *Builder, in []Node) Node {
		return b.And(b.Or(in[0], in[1]), b.Or(in[0], in[2]))
	})
	expectGates(t, Factor(dual), "5 = and 3 4", "6 = or 2 5", "terminal = 6")
	two := small(2, func(b *Builder, in []Node) Node {
		return b.Or(b.And(in[0], in[1]), b.And(in[0], b.Not(in[1])))
	})
	expectGates(t, Factor(two), "terminal = 2")
}

// TestFactorEnds: when it has looked at enough, terms stay as they are.
func TestFactorEnds(t *testing.T) {
	for spare, want := range map[int]int{6: 1, 5: 3} {
		n := small(4, func(b *Builder, in []Node) Node { return b.And(in...) })
		w := newRewriter(n)
		a := Node(2)
		if got := w.factored(Or, [][]Node{{a, a + 1}, {a, a + 2}, {a, a + 3}}, &spare); len(got) != want {
			t.Errorf("%d operands left: %d terms, want %d", spare, len(got), want)
		}
	}
}
