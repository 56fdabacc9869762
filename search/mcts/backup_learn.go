package mcts

import "semisplit/search/stats"

// passLearn gives what was played in the iteration, and what came of it, to the learner.
func passLearn(w *worker, l *lane, r *result) {
	w.selector.learner.Learn(&stats.Iteration{
		Lane: int(l.number), Nodes: l.nodes, Edges: l.edges, Played: l.mode == rollout, Left: l.left, Now: w.steps,
	}, r.values)
}
