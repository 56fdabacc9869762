package propnet

import "testing"

func TestFold(t *testing.T) {
	n := small(2, func(b *Builder, in []Node) Node {
		twice := b.Raw(And, in[0], in[0])
		never := b.Raw(And, in[1], b.Raw(Not, in[1]))
		same := b.Raw(And, in[0])
		return b.Raw(Or, twice, never, same, b.Raw(Not, b.Raw(Not, in[1])))
	})
	expectGates(t, Fold(n), "4 = or 2 3", "terminal = 4")
}
