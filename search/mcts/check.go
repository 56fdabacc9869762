package mcts

// check verifies the tree at rest, and what is proven of its nodes.
func (t *searcher) check() error { return t.tree.Check(t.options.Raw, t.proofs.Check) }
