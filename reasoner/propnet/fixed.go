package propnet

import "context"

// Fixed replaces fluents that never change by constants: a fluent that holds
// at first and whose next value is itself or true holds in every reachable
// state, and one that does not hold at first and whose next value is itself
// or false never does. Removing one can fix others, so it repeats.
//
// The fluent keeps its place in the state; only nothing reads it any more.
//
// A long chain of fluents takes a round for each: it ends with the context.
func Fixed(ctx context.Context, n *Net) *Net {
	for ctx.Err() == nil {
		w := newRewriter(n)
		found := false
		uses := n.uses()
		for i, next := range n.Next {
			self := Node(2 + i)
			value := False
			if n.Initial[i] {
				value = True
			}
			switch {
			case next == self:
				found = true
				w.to[self] = value
			case next == value && uses[self] > 0:
				found = true
				w.to[self] = value
			}
		}
		if !found {
			return n
		}
		n = Fold(w.run(w.gate))
	}
	return n
}
