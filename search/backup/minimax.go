package backup

// minimax carries what the last node on the path is worth by the evaluation upwards.
func minimax(s *Setup) pass {
	if !s.Values.On {
		return nil
	}
	return func(it *Iteration) { s.Values.BackUp(it.Nodes, it.Edges) }
}
