package backup

// proofs brings what is proven of the nodes on the path up to date.
func proofs(s *Setup) pass {
	if !s.Proofs.Proves() {
		return nil
	}
	return func(it *Iteration) {
		if s.Proofs.Prove(it.Nodes, it.Edges) {
			s.RootChanged()
		}
	}
}
