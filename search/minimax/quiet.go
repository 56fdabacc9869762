package minimax

// mostLoud is how many loud moves in a row are looked at beyond a leaf.
const mostLoud = 8

// takeLoud takes loud moves of a leaf, in the order of what they seem to be worth.
func (t *task) takeLoud(n *frame, loud []int) bool {
	s := t.s
	for _, i := range loud {
		c := &n.children[i]
		r := found{c.value.seenBy(n.turn.mover), false, true}
		if r.value > n.lo {
			of := n.turnOf(i, s.field.width, s.field.levels)
			which := takingMoves
			if !c.fewer {
				which = everyMove
			}
			if r = t.quiet(n.stateOf(i), &of, which, -n.hi.down(), -n.lo.down(), mostLoud); !r.ok {
				return false
			}
			r.value = (-r.value).up()
		}
		if t.take(n, i, r) {
			return true
		}
	}
	return true
}

// replies says which moves of a state are looked at beyond a leaf.
type replies uint8

const (
	takingMoves replies = iota // those that are expected to take something
	everyMove
)

// quiet is what a state is worth to who moves in it if he takes the estimate or makes a
// loud move, and so on for so many moves: what the exchange on a square comes to, for one.
func (t *task) quiet(state []uint64, at *turn, which replies, lo, hi score, moves int) found {
	s := t.s
	most := at.value.seenBy(at.mover)
	if most >= hi || moves == 0 {
		return found{most, false, true}
	}
	lo = max(lo, most)
	m := s.family()
	defer func() { s.spare = append(s.spare, m) }()
	some := *at
	if which == takingMoves {
		m.some = s.takes[at.mover].among(state, at.moves, s.field.levels[at.mover], m.some[:0])
		some.moves, some.n = m.some, len(m.some)/s.field.levels[at.mover]
	}
	if some.n == 0 {
		return found{most, false, true}
	}
	m.begin(state, &some, loudMoves)
	if t.ask(m); !t.await() {
		return found{}
	}
	s.order(&frame{family: m, first: -1})
	for _, i := range m.order {
		c := &m.children[i]
		if !c.loud && !c.ended {
			continue
		}
		v := c.value.seenBy(at.mover)
		if c.ended {
			v = v.up()
		}
		if v > lo && c.fewer && c.n > 0 && int(c.mover) != at.mover {
			of := m.turnOf(int(i), s.field.width, s.field.levels)
			r := t.quiet(m.stateOf(int(i)), &of, takingMoves, -hi.down(), -lo.down(), moves-1)
			if !r.ok {
				return r
			}
			v = (-r.value).up()
		}
		if most, lo = max(most, v), max(lo, v); most >= hi {
			break
		}
	}
	return found{most, false, true}
}

// taking is what was seen to go by the moves of a role, to tell which of them take
// something before they are played. A fluent that went by a move only when the number of
// fluents fell is taken by it.
type taking struct {
	fewer, others []uint64 // by move: fluents that went when their number fell, and otherwise
}

// mostTaking is the number of moves, times words of a state, that are followed: 2 MB.
const mostTaking = 1 << 17

// learn sees a move from one state to another.
func (x *taking) learn(move int, from, to []uint64, fewer bool) {
	words := len(from)
	first, end := move*words, (move+1)*words
	if end > mostTaking {
		return
	}
	if n := end - len(x.fewer); n > 0 {
		x.fewer, x.others = append(x.fewer, make([]uint64, n)...), append(x.others, make([]uint64, n)...)
	}
	into := x.others[first:end]
	if fewer {
		into = x.fewer[first:end]
	}
	for i, w := range from {
		into[i] |= w &^ to[i]
	}
}

// takes tells whether a move is expected to take something in a state.
func (x *taking) takes(move int, state []uint64) bool {
	first := move * len(state)
	if first+len(state) > len(x.fewer) {
		return false
	}
	for i, w := range state {
		if w&x.fewer[first+i]&^x.others[first+i] != 0 {
			return true
		}
	}
	return false
}

// among appends the moves, of so many semimoves each, that are expected to take
// something: of several semimoves all, as nothing is known of them.
func (x *taking) among(state []uint64, moves []uint32, levels int, dst []uint32) []uint32 {
	if levels > 1 {
		return append(dst, moves...)
	}
	for _, move := range moves {
		if x.takes(int(move), state) {
			dst = append(dst, move)
		}
	}
	return dst
}
