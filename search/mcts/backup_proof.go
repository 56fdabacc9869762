package mcts

// passProof brings what is proven of the nodes on a lane's path up to date. When the root
// is decided the search ends, unless there is something to resist.
func passProof(w *worker, l *lane, _ *result) {
	t := w.selector.t
	if t.proofs.Prove(l.nodes, l.edges) && !t.resisting && t.decided(t.tree.Root) {
		t.resisting = t.proofs.Resists()
		t.halt.Store(!t.resisting)
	}
}
