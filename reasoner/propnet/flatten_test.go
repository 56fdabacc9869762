package propnet

import "testing"

func TestFlatten(t *testing.T) {
	once := small(4, func(b *Builder, in []Node) Node {
		return b.And(in[0], b.And(in[1], b.And(in[2], in[3])))
	})
	expectGates(t, Flatten(once), "6 = and 2 3 4 5", "terminal = 6")
	shared := small(4, func(b *Builder, in []Node) Node {
		both := b.And(in[0], in[1])
		return b.Or(b.And(both, in[2]), b.And(both, in[3]))
	})
	expectGates(t, Flatten(shared), "6 = and 2 3", "7 = and 4 6", "8 = and 5 6", "9 = or 7 8", "terminal = 9")
}
