package propnet

import "testing"

func TestCost(t *testing.T) {
	for name, c := range map[string]struct {
		build func(b *Builder, x []Node) Node
		want  int
	}{
		"an input":             {func(b *Builder, x []Node) Node { return x[0] }, 0},
		"two":                  {func(b *Builder, x []Node) Node { return b.And(x[0], x[1]) }, 1},
		"three":                {func(b *Builder, x []Node) Node { return b.Or(x[:3]...) }, 1},
		"four":                 {func(b *Builder, x []Node) Node { return b.Or(x[:4]...) }, 2},
		"five":                 {func(b *Builder, x []Node) Node { return b.Or(x[:5]...) }, 2},
		"one and a pair":       {func(b *Builder, x []Node) Node { return b.Or(x[0], b.And(x[1], x[2])) }, 1},
		"one, and not another": {func(b *Builder, x []Node) Node { return b.And(x[0], b.Not(x[1])) }, 1},
		"neither":              {func(b *Builder, x []Node) Node { return b.And(b.Not(x[0]), b.Not(x[1])) }, 1},
		"inside the same":      {func(b *Builder, x []Node) Node { return b.Or(x[0], b.Not(b.And(b.Not(x[1]), b.Not(x[2])))) }, 1},
		"shared": {func(b *Builder, x []Node) Node {
			pair := b.And(x[0], x[1])
			return b.Or(b.And(pair, x[2]), b.And(b.Not(pair), x[3]))
		}, 3},
	} {
		n := small(5, c.build)
		if got := n.cost(); got != c.want {
			t.Errorf("%s: %d instructions, want %d", name, got, c.want)
		}
	}
}
