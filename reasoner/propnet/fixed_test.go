package propnet

import "testing"

func TestFixed(t *testing.T) {
	n := small(3, func(b *Builder, in []Node) Node { return b.Or(b.And(in[0], in[1]), in[2]) })
	n.Initial[0], n.Next[0] = true, n.Terminal // can change
	n.Next[1] = 3                              // never true
	n.Next[2] = True                           // becomes true
	got := Fixed(n)
	expectGates(t, got, "terminal = 4")
	if got.Next[1] != False || got.Next[0] != 4 {
		t.Errorf("next is %v", got.Next)
	}
}

// The second fluent is fixed only once the first is known to be.
func TestFixedRepeats(t *testing.T) {
	n := small(2, func(b *Builder, in []Node) Node { return b.Or(in...) })
	n.Next[0], n.Next[1] = 2, 2
	got := Fixed(n)
	expectGates(t, got, "terminal = 0")
}
