package minimax

import "math/bits"

// family is a state all of whose moves are played, and what they lead to.
type family struct {
	state []uint64
	turn  turn  // whose slices may be those of another family
	wants wants // of which children moves are wanted
	task  *task
	void  bool // nobody wants it any more

	counted []uint64 // Options.Counted

	next, left int // move that is played next; moves whose results are missing
	children   []child
	words      []uint64 // their states
	joints     []uint32 // their joint moves
	moves      []uint32 // their moves
	rolls      []int    // by child: number among those with playouts; -1: none
	fluents    int      // of the state, those that are counted
	order      []int32  // of the children, by what is expected of them
	some       []uint32 // moves of turn, where it has not all of them
}

// child is a state after a move.
type child struct {
	value         score // to the first role: at its end, or estimated
	expected      score // to who moves in the family's state, for the order of moves
	word, words   int32
	joint         int32
	move, n       int32
	mover, offset int16
	ended, shut   bool // ended: or a role wins at once. shut: its moves cannot be searched
	fewer         bool // fluents went by the move, as by captures
	loud          bool // that, or the estimate changed much
	part          bool
}

// wants says of which children of a family moves are wanted.
type wants uint8

const (
	loudMoves wants = iota // of those after which an estimate is not to be trusted
	allMoves
)

// begin makes it ready for the moves of a state.
func (m *family) begin(state []uint64, t *turn, w wants) {
	m.state, m.turn, m.wants, m.void = append(m.state[:0], state...), *t, w, false
	m.next, m.left = 0, t.n
	m.words, m.joints, m.moves = m.words[:0], m.joints[:0], m.moves[:0]
	if cap(m.children) < t.n {
		m.children, m.rolls, m.order = make([]child, t.n), make([]int, t.n), make([]int32, t.n)
	}
	m.children, m.rolls, m.order = m.children[:t.n], m.rolls[:t.n], m.order[:t.n]
	m.fluents = Count(state, m.counted)
}

// Count is the number of fluents of a mask that hold in a state; nil: of all.
func Count(state, mask []uint64) (n int) {
	for i, w := range state {
		if mask != nil {
			w &= mask[i]
		}
		n += bits.OnesCount64(w)
	}
	return n
}

// stateOf is the state of a child.
func (m *family) stateOf(i int) []uint64 {
	c := &m.children[i]
	return m.words[c.word : c.word+c.words]
}

// turnOf is what can be played in a child. It is valid as long as the family is.
func (m *family) turnOf(i, width int, levels []int) turn {
	c := &m.children[i]
	return turn{
		mover: int(c.mover), offset: int(c.offset), n: int(c.n), part: c.part, value: c.value,
		joint: m.joints[c.joint : c.joint+int32(width)], moves: m.moves[c.move : c.move+c.n*int32(levels[c.mover])],
	}
}

// pathOf is the move that leads to a child.
func (m *family) pathOf(i int, levels []int) []uint32 {
	n := levels[m.turn.mover]
	return m.turn.moves[i*n : (i+1)*n]
}

// volatile is a change of the estimate by one move that says that it is not to be trusted.
const volatile = evenly / 4

// wantsMoves tells whether the moves of a child are to be listed.
func (m *family) wantsMoves(i int) bool {
	c := &m.children[i]
	return !c.ended && (m.wants == allMoves || m.wants == loudMoves && c.loud)
}

// take reads the state after a move from a lane.
func (m *family) take(i, lane int, f *field, values []float32) {
	c := &m.children[i]
	*c = child{ended: f.isEnded(lane), mover: -1}
	m.rolls[i] = -1
	m.left--
	c.word = int32(len(m.words))
	m.words = f.engine.State(lane, m.words)
	c.words = int32(len(m.words)) - c.word
	state := m.stateOf(i)
	c.fewer = !f.o.Numbered && Count(state, m.counted) < m.fluents
	if c.ended {
		f.goals(lane, values)
		c.value = scoreOf(values, true)
		return
	}
	if role := f.winner(lane); role >= 0 { // as good as ended, by one more move
		c.ended, c.value = true, score(won).up().seenBy(role)
		return
	}
	f.judge(lane, m.state, state, values)
	c.value = scoreOf(values, false)
	c.loud = c.fewer || f.o.Evaluate != nil && m.turn.value != 0 && max(c.value-m.turn.value, m.turn.value-c.value) > volatile
	if f.rolls != nil {
		m.rolls[i] = f.rolls.add(state)
	}
}

// takeTurn reads what can be played in a child, whose moves were listed, from a lane.
func (m *family) takeTurn(i, lane int, f *field, t *turn, values []float32) {
	c := &m.children[i]
	f.turn(lane, t)
	switch {
	case t.stuck:
		f.goals(lane, values)
		c.ended, c.value, m.rolls[i] = true, scoreOf(values, true), -1
	case t.fault != nil:
		c.shut = true
	default:
		c.mover, c.offset, c.n, c.part = int16(t.mover), int16(t.offset), int32(t.n), t.part
		c.joint, c.move = int32(len(m.joints)), int32(len(m.moves))
		m.joints, m.moves = append(m.joints, t.joint...), append(m.moves, t.moves...)
	}
}
