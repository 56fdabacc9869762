package propnet

import "testing"

func TestPairs(t *testing.T) {
	n := small(5, func(b *Builder, in []Node) Node {
		return b.Or(b.And(in[0], in[1], in[2]), b.And(in[0], in[1], in[3]), b.And(in[0], in[1], in[4]))
	})
	if got := Pairs(n).Stats(); got.Binary != 6 || got.Ands != 4 {
		t.Errorf("%v\n%s", got, Pairs(n))
	}
	alone := small(3, func(b *Builder, in []Node) Node { return b.And(in...) })
	if got := Pairs(alone); got != alone {
		t.Errorf("nothing to share, but\n%s", got)
	}
}
