package engine

// Space is the legal moves of a role in a state, as a value in each of several
// dimensions, which may be chosen in any order. Dimension d is level d of the role, and
// its values are the semimoves of that level. A space is not changed once it is made.
type Space struct {
	// Values has what a dimension can take, in rising order, by dimension; none is empty
	// unless there is no legal move.
	Values [][]uint32

	// Moves are the legal moves, one after the other, with a value for each dimension.
	// nil: every combination of values is legal, and nobody has to list them.
	Moves []uint32

	// Null has the value without effect, by dimension; nil: there are no such values.
	Null []uint32
}

// Factorer is what an Engine may be as well: one that knows states in which every
// combination of what the levels of a role offer is a legal move, without listing them.
type Factorer interface {
	// Factors calls visit with what each level of a role offers, in rising order, in
	// lanes of a mask where it knows that, and takes these lanes out of the mask. The
	// values are valid during the call. If one level offers nothing, none does: there is
	// no legal move.
	Factors(lanes []uint64, role int, visit func(lane int, values [][]uint32))
}

// Spacer is what an Engine may be as well: one that says what a role can do as a space,
// where the moves are too many to be listed.
type Spacer interface {
	// Space is that of a role in the state which a lane reached in the last Step, and
	// which is not terminal.
	Space(lane, role int) Space
}
