package backup

// learn gives what was played in the iteration, and what came of it, to the learner.
func learn(s *Setup) pass {
	return func(it *Iteration) { s.Learner.Learn(&it.Iteration, it.Values) }
}
