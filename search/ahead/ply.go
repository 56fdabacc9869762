package ahead

// onePly is what the moves in a state lead to, where one role chooses.
type onePly struct {
	stuck  bool     // a role has no legal move, though the state is not terminal
	failed bool     // stuck: it may have some, which could not be found
	forced bool     // no role has a choice
	spoilt bool     // forced: the only joint move ends the game
	mover  int      // the role; -1: none, chance, or several
	joint  []uint32 // random, or with any move of the mover, from first on
	first  int
	state  []uint64

	// Of the mover's legal moves, in rising order.
	paths  []uint32  // one after the other
	levels int       // semimoves of each
	values []float64 // of the states, to the mover; forced: of the end, to each role
	struck []bool    // not to be made as long as there are others
	left   int       // those that are not struck
	win    int       // one that wins at once; -1: none, or none was looked for
	greedy bool      // the best value is to be taken

	// The reply that refuted the last move: a joint move of the state that it led
	// to, in which the replier wins. -1: there is none.
	replier int
	reply   []uint32
}

// lostFor tells whether the next joint move lets others win, at their will or
// without any choice, and not the role.
func (o *onePly) lostFor(role int) bool {
	if o.forced {
		return o.spoilt && o.values[role] < 1 && wins(o.values)
	}
	return o.win >= 0 && o.mover != role
}

// jointOf is the joint move with a move of the mover.
func (o *onePly) jointOf(move int) []uint32 {
	if o.mover >= 0 {
		copy(o.joint[o.first:], o.path(move))
	}
	return o.joint
}

func (o *onePly) path(move int) []uint32 { return o.paths[move*o.levels : (move+1)*o.levels] }

func (o *onePly) strike(move int) {
	if !o.struck[move] {
		o.struck[move] = true
		o.left--
	}
}
