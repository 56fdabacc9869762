package engine

// Evaluator says what states are worth. It is used by several goroutines.
type Evaluator interface {
	// Values puts what a state is worth to each role into values, in [0, 1].
	Values(state []uint64, values []float64)
}

// NearEvaluator is what an Evaluator may be as well: one that is quicker with states that
// differ little from one it has seen, as those after the moves of one state do.
type NearEvaluator interface {
	Evaluator
	// Near makes an evaluator of such states, for one goroutine.
	Near() Near
}

// Near evaluates states that differ little from one. Whatever that is, the values are
// those of the Evaluator.
type Near interface {
	// From tells the state that those after it are near to.
	From(state []uint64)
	// Values is that of Evaluator.
	Values(state []uint64, values []float64)
}
