package minimax

// In some games most states have a single joint move: one seed is sown at a time, or what
// can be captured must be. Where these are frequent, a move is played on through them, to
// the next state in which there is a choice or the game is over. So a joint move of depth is
// a choice, and no state is evaluated in the middle of a move. To know them, moves must be
// listed in every state that is met. Lanes that play on stay loaded, and what is asked for
// meanwhile goes into the others.
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

// takeChildren reads the children in the lanes that have come to their end, and frees these.
// Those whose states are forced fly on, beside what is loaded next.
func (s *AlphaBeta) takeChildren() {
	f := s.field
	follow := f.rolls == nil && s.forced.isFrequent() // playouts need the lanes
	clear(f.mask)
	if follow {
		for _, lane := range s.flying {
			if !f.isEnded(lane) && !f.isWaiting(lane) {
				f.mask[lane/64] |= 1 << (lane % 64)
			}
		}
		f.list()
	}
	on, taken := s.flying[:0], s.taken[:0]
	for _, lane := range s.flying {
		l := &s.loads[lane]
		if f.isWaiting(lane) {
			on = append(on, lane)
			continue
		}
		if follow && !f.isEnded(lane) && l.line < longestLine {
			forced := f.isForced(lane)
			if s.forced.note(forced); forced {
				l.line++
				on = append(on, lane)
				continue
			}
		}
		s.freed = append(s.freed, lane)
		if s.takeChild(*l, lane); l.family.wantsMoves(l.child) {
			taken = append(taken, lane)
			f.mask[lane/64] |= 1 << (lane % 64)
		}
	}
	if s.flying, s.taken = on, taken; !follow {
		f.list()
	}
	for _, lane := range taken {
		l := s.loads[lane]
		l.family.takeTurn(l.child, lane, f, &s.scratch, s.values)
		if !follow {
			s.forced.note(s.scratch.n == 1)
		}
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
