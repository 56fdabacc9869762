package mcts

// evaluate sets what the new node of the state that a lane has reached is worth.
func (w *worker) evaluate(n uint32, l *lane) {
	if len(l.ahead) > 0 {
		w.selector.t.values.Set(n, l.ahead)
		return
	}
	if w.selector.moveEvaluator != nil {
		w.selector.moveEvaluator.ValuesWithMoves(l.state, l.moves, w.values)
	} else {
		w.selector.t.options.Knowledge.Evaluate.Values(l.state, w.values)
	}
	w.selector.t.values.Set(n, w.values)
}

// passMinimax carries what the last node of a lane's path is worth upwards.
func passMinimax(w *worker, l *lane, _ *result) { w.selector.t.values.BackUp(l.nodes, l.edges) }
