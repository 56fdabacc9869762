package lanes

import "math/bits"

// status says how the lanes of an engine stand.
type status struct {
	held    []uint64 // lanes whose state is in the slots and not terminal
	ended   []uint64
	stalled []uint64 // held lanes that did not come to a joint move in the last Step, and those parked

	parked []uint64 // lanes whose game has ended, which wait for others
	idle   float64  // what their waiting has cost since goals were evaluated, in instructions

	noLegalMove []uint64 // during a Step: held lanes in which a role has no legal move
	someWithout bool     // there are some
}

func newStatus(c *circuit) *status {
	return &status{held: c.empty(), ended: c.empty(), stalled: c.empty(), parked: c.empty(), noLegalMove: c.empty()}
}

// drop forgets all lanes.
func (s *status) drop() {
	for _, lanes := range [][]uint64{s.held, s.ended, s.stalled, s.parked, s.noLegalMove} {
		clear(lanes)
	}
	s.someWithout, s.idle = false, 0
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

// park keeps the lanes that have ended for a later Step, until their share of the
// steps in between has cost as much as the goals do, which are evaluated for all of
// them then. A lane that was just loaded is wanted at once, and a lane that nothing
// runs beside has nothing to wait for. Costs are in instructions.
func (s *status) park(loads *loader, step, goals float64) {
	wanted, ended, held := uint64(0), 0, 0
	for w, x := range s.ended {
		wanted |= x & (loads.look[w] | loads.play[w])
		ended += bits.OnesCount64(x)
		held += bits.OnesCount64(s.held[w])
	}
	if ended == 0 {
		return
	}
	s.idle += step * float64(ended) / float64(ended+held)
	if wanted != 0 || held == 0 || s.idle >= goals {
		for w, x := range s.parked {
			s.stalled[w] &^= x
			s.parked[w] = 0
		}
		s.idle = 0
		return
	}
	for w, x := range s.ended {
		s.parked[w] = x
		s.stalled[w] |= x
		s.ended[w] = 0
	}
}
