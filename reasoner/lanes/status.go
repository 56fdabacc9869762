package lanes

// status says how the lanes of an engine stand.
type status struct {
	held    []uint64 // lanes whose state is in the slots and not terminal
	ended   []uint64
	stalled []uint64 // held lanes that did not come to a joint move in the last Step

	noLegalMove []uint64 // during a Step: held lanes in which a role has no legal move
	someWithout bool     // there are some
}

func newStatus(c *circuit) *status {
	return &status{held: c.empty(), ended: c.empty(), stalled: c.empty(), noLegalMove: c.empty()}
}

// drop forgets all lanes.
func (s *status) drop() {
	for _, lanes := range [][]uint64{s.held, s.ended, s.stalled, s.noLegalMove} {
		clear(lanes)
	}
	s.someWithout = false
}

// lacksMove notes held lanes in which some role has no legal move. The rules of
// such a game are not well formed (GDL asks for a move in every state that is
// not terminal), but published games have such states: the match ends there,
// with the goals of that state.
func (s *status) lacksMove(lanes []uint64) {
	for w, x := range lanes {
		if x &= s.held[w]; x != 0 {
			s.noLegalMove[w] |= x
			s.someWithout = true
		}
	}
}

// endWithoutMove reports the lanes without a legal move as ended, and as
// stalled: they have not moved.
func (s *status) endWithoutMove() {
	if !s.someWithout {
		return
	}
	s.someWithout = false
	for w, x := range s.noLegalMove {
		s.ended[w] |= x
		s.stalled[w] |= x
		s.held[w] &^= x
		s.noLegalMove[w] = 0
	}
}
