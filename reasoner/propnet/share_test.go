package propnet

import (
	"context"
	"testing"
)

// Three operands in common are one instruction that three gates save.
func TestShare(t *testing.T) {
	n := small(8, func(b *Builder, x []Node) Node {
		common := func(rest ...Node) Node { return b.And(append(rest, x[0], x[1], x[2])...) }
		n := common(x[3], x[4])
		for i := 5; i < 8; i++ {
			n = b.Or(b.Not(n), common(x[i], x[3]), common(x[i], x[4]))
		}
		return n
	})
	got := Share(context.Background(), n)
	if err := got.Check(); err != nil {
		t.Fatal(err)
	}
	if got.cost() >= n.cost() {
		t.Errorf("cost %d before, %d after:\n%s", n.cost(), got.cost(), got)
	}
}

// A pair that two gates of three operands have in common saves nothing: each
// is one instruction as it is.
func TestShareKeepsThrees(t *testing.T) {
	n := small(4, func(b *Builder, x []Node) Node { return False })
	b := NewBuilder(4)
	n.Next = []Node{b.And(2, 3, 4), b.And(2, 3, 5), True, True}
	n = b.Finish(n)
	if got := Share(context.Background(), n); got != n {
		t.Errorf("got\n%s", got)
	}
}

// A gate that is what others have in common becomes their operand.
func TestShareFindsGates(t *testing.T) {
	b := NewBuilder(6)
	n := small(6, func(*Builder, []Node) Node { return False })
	n.Next = []Node{b.Or(2, 3, 4), b.Or(2, 3, 4, 5, 6), True, True, True, True}
	got := Share(context.Background(), b.Finish(n))
	if s := got.Stats(); s.Ors != 2 || s.Operands != 6 {
		t.Errorf("got\n%s", got)
	}
}
