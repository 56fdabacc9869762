package toys

// Seeing is an Engine that sees wins: of a role that alone has a choice, or where
// none has.
type Seeing struct{ *Engine }

// NewSeeing makes an engine of so many lanes.
func NewSeeing(g Game, lanes int, seed uint64) Seeing {
	e := Seeing{NewEngine(g, lanes, seed)}
	e.prefer = func(s []uint64) (joint []uint32) {
		for r := range e.levels {
			if joint = e.win(s, r); joint != nil {
				break
			}
		}
		return joint
	}
	return e
}

// win is a joint move that wins at once for a role; nil: there is none.
func (e Seeing) win(s []uint64, role int) []uint32 {
	before, moves, after := []uint32(nil), [][]uint32(nil), []uint32(nil)
	for r := range e.levels {
		switch all := Moves(e.Game, s, r, nil); {
		case r == role:
			moves = all
		case len(all) != 1:
			return nil
		case r < role:
			before = append(before, all[0]...)
		default:
			after = append(after, all[0]...)
		}
	}
	for _, m := range moves {
		joint := append(append(before[:len(before):len(before)], m...), after...)
		if next := e.Game.Play(s, joint); e.Game.Terminal(next) && e.Game.Goals(next)[role] == 1 {
			return joint
		}
	}
	return nil
}

// Wins tells whether a role wins at once in a state.
func (e Seeing) Wins(s []uint64, role int) bool { return e.win(s, role) != nil }

// Sees is true.
func (e Seeing) Sees() bool { return true }

// Winners appends the lanes where a role wins at once.
func (e Seeing) Winners(role int, dst []uint64) []uint64 {
	first := len(dst)
	dst = append(dst, make([]uint64, (len(e.lanes)+63)/64)...)
	for i, l := range e.lanes {
		if l.loaded && !l.over && e.win(l.state, role) != nil {
			dst[first+i/64] |= 1 << (i % 64)
		}
	}
	return dst
}

// Preferring is a Seeing that sees which moves let another role win at once as well. It is for
// games in which moves have one semimove.
type Preferring struct{ Seeing }

// Preferred appends the moves that a role prefers.
func (e Preferring) Preferred(lane, role int, dst []uint32) []uint32 {
	s := e.lanes[lane].state
	if joint := e.win(s, role); joint != nil {
		return append(dst, joint[role])
	}
	for _, m := range e.Game.Offers(s, role, nil) {
		joint := make([]uint32, len(e.levels))
		for r := range joint {
			joint[r] = e.Game.Offers(s, r, nil)[0]
		}
		joint[role] = m
		next := e.Game.Play(s, joint)
		loses := false
		for r := range e.levels {
			loses = loses || r != role && !e.Game.Terminal(next) && e.win(next, r) != nil
		}
		if !loses {
			dst = append(dst, m)
		}
	}
	return dst
}
