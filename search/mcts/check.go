package mcts

import "cmp"

// check verifies the tree at rest, what is proven of its nodes, and what they are worth.
func (t *searcher) check() error {
	return t.tree.Check(t.options.Raw, func(n uint32) error {
		return cmp.Or(t.proofs.Check(n), t.values.Check(n))
	})
}
