package propnet

import (
	"context"
	"testing"
)

func TestFixed(t *testing.T) {
	n := small(3, func(b *Builder, in []Node) Node { return b.Or(b.And(in[0], in[1]), in[2]) })
	n.Initial[0], n.Next[0] = true, n.Terminal // can change
	n.Next[1] = 3                              // never true
	n.Next[2] = True                           // becomes true
	got := Fixed(t.Context(), n)
	expectGates(t, got, "terminal = 4")
	if got.Next[1] != False || got.Next[0] != 4 {
		t.Errorf("next is %v", got.Next)
	}
}

// The second fluent is fixed only once the first is known to be.
func TestFixedRepeats(t *testing.T) {
	n := small(2, func(b *Builder, in []Node) Node { return b.Or(in...) })
	n.Next[0], n.Next[1] = 2, 2
	got := Fixed(t.Context(), n)
	expectGates(t, got, "terminal = 0")
}

// looks is a context that ends when it has been looked at so often.
type looks struct {
	context.Context
	left int
}

func (c *looks) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// Each of a chain of fluents is fixed only once the one before it is known to be:
// that ends half way if the context does.
func TestFixedEnds(t *testing.T) {
	const chain = 20
	n := small(chain, func(b *Builder, in []Node) Node { return in[chain-1] })
	for i := range n.Next {
		n.Next[i] = Node(2 + max(0, i-1))
	}
	for _, pass := range Passes() {
		if pass.Name != "fixed" {
			continue
		}
		if got := pass.Apply(&looks{t.Context(), chain / 2}, n); got.Terminal == False {
			t.Error("the end of the chain was found after the context's")
		}
		if got := pass.Apply(t.Context(), n); got.Terminal != False {
			t.Error("the end of the chain was not found")
		}
	}
}
