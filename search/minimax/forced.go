package minimax

import "sync/atomic"

// In some games most states have a single joint move: one seed is sown at a time, or what
// can be captured must be. Where these are frequent, a move is played on through them, to
// the next state in which there is a choice or the game is over. So a joint move of depth is
// a choice, and no state is evaluated in the middle of a move. To know them, moves must be
// listed in every state that is met.
const (
	forcedShare = 8       // followed where one in so many states is forced
	forcedLeast = 1 << 8  // states that were met before that is known
	forcedMost  = 1 << 20 // states after which those met before count half
	longestLine = 64      // of forced moves
)

// forced tells how many states are.
type forced struct{ met, forced int }

// note counts one more state.
func (x *forced) note(forced bool) {
	if x.met++; forced {
		x.forced++
	}
	if x.met >= forcedMost {
		x.met, x.forced = x.met/2, x.forced/2
	}
}

// isFrequent tells whether forced states are followed.
func (x *forced) isFrequent() bool {
	return x.met >= forcedLeast && x.forced*forcedShare >= x.met
}

// isForced tells whether a state in a lane, whose moves were listed, has a single joint move.
func (f *field) isForced(lane int) bool {
	for role, levels := range f.levels {
		if len(f.listed[role][lane]) != levels {
			return false
		}
		if cut := f.cut[role]; len(cut) > 0 && cut[lane/64]>>(lane%64)&1 != 0 {
			return false
		}
		if f.sampler != nil && f.sampler.Partial(role) {
			return false
		}
	}
	return true
}

// takeChildren reads what was loaded from the lanes that have come to their end.
func (s *AlphaBeta) takeChildren(stop *atomic.Bool) error {
	f := s.field
	s.open = s.open[:0]
	for lane := range s.loads {
		s.open = append(s.open, lane)
	}
	for left := longestLine; ; left-- {
		s.takeOpen(left > 0 && s.forced.isFrequent())
		if len(s.open) == 0 {
			return nil
		}
		f.states += len(s.open)
		if err := f.play(stop); err != nil { // the only move, which an engine plays by itself
			return err
		}
	}
}

// takeOpen reads the children in the open lanes. follow: but for those whose states are
// forced, which stay open.
func (s *AlphaBeta) takeOpen(follow bool) {
	f := s.field
	clear(f.mask)
	if follow {
		for _, lane := range s.open {
			if !f.isEnded(lane) {
				f.mask[lane/64] |= 1 << (lane % 64)
			}
		}
		f.list()
	}
	on, taken := s.open[:0], s.taken[:0]
	for _, lane := range s.open {
		if follow && !f.isEnded(lane) {
			forced := f.isForced(lane)
			if s.forced.note(forced); forced {
				on = append(on, lane)
				continue
			}
		}
		l := s.loads[lane]
		s.takeChild(l, lane)
		if l.family.wantsMoves(l.child) {
			taken = append(taken, lane)
			f.mask[lane/64] |= 1 << (lane % 64)
		}
	}
	if s.open, s.taken = on, taken; !follow {
		f.list()
	}
	for _, lane := range taken {
		l := s.loads[lane]
		l.family.takeTurn(l.child, lane, f, &s.scratch, s.values)
		if !follow {
			s.forced.note(s.scratch.n == 1)
		}
	}
	if len(on) > 0 {
		s.unloadOthers()
	}
}

// unloadOthers empties the lanes that are not open.
func (s *AlphaBeta) unloadOthers() {
	open := s.open
	for lane := range s.loads {
		if len(open) > 0 && open[0] == lane {
			open = open[1:]
			continue
		}
		s.field.engine.Unload(lane)
	}
}

// takeChild reads a child from a lane.
func (s *AlphaBeta) takeChild(l load, lane int) {
	f, m := s.field, l.family
	m.take(l.child, lane, f, s.values)
	if role := m.turn.mover; f.levels[role] == 1 && !f.o.Numbered {
		s.takes[role].learn(int(m.turn.moves[l.child]), m.state, m.stateOf(l.child), m.children[l.child].fewer)
	}
}
