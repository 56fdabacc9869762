package engine

// Tracer is what an Engine must be as well for statistics of playouts: one that
// tells which semimoves its lanes played.
type Tracer interface {
	// Trace switches tracing on or off; it is off at first.
	Trace(on bool)
	// TraceWords is the number of words a lane, fixed for an engine, and
	// TraceField where in them the semimove of a role at a level is: it has so
	// many bits (0: always semimove 0) from shift on.
	TraceWords() int
	TraceField(role, level int) (word int, shift, bits uint)
	// Choices are the joint moves that the lanes played in the last Step, lane
	// by lane. For a lane that only looked, stalled or is empty they mean
	// nothing. Valid until the next Step.
	Choices() []uint64
}

// Steerer is what an Engine must be as well for playouts that follow
// statistics.
type Steerer interface {
	// Semimoves is the number of semimoves of a role at a level; 0: not known.
	Semimoves(role, level int) int
	// SetPolicy makes all lanes take the first offer in an order of semimoves,
	// but a uniformly random one with probability epsilon. What the order
	// leaves out comes last. A nil order is uniform choice.
	SetPolicy(role, level int, order []int32, epsilon float64)
	// SetChooser has a function choose, which goes before the policy. It is
	// called for many lanes at once (the mask lanes): offers has words words a
	// lane, lane by lane, a bit for each semimove; prefix the semimoves chosen
	// before at lower levels, as Tracer has them (nil at level 0); into takes
	// the choice of each lane. nil takes the function away.
	SetChooser(role, level int, choose func(lanes, offers []uint64, words int, prefix []uint64, into []int32))
}
