// Package perfect plays small games and ends of games without a mistake: it is
// the ruler that searches are measured with. The games are those of the bundled
// descriptions, written down by hand on bits, and know nothing of GDL but how
// moves are spelled.
//
// Three searches find what moves are worth: forced.go wins in so many moves,
// margin.go points, connectfour.go all of Connect Four. sets.go makes sets of
// positions from them, of random matches or of those that the plain tree search of
// uct.go plays.
package perfect

import "math/rand/v2"

// Game is a match of one game in progress, of two roles that move in turn or
// several times in a row. It belongs to one goroutine.
type Game interface {
	// Start goes to the initial state.
	Start()
	// Mover is the role that moves, 0 or 1 in the order of the description.
	Mover() int
	// Moves are those of the mover, as the description spells them; none when
	// the match is over.
	Moves() []string
	// Play plays one of them, by its index.
	Play(move int)
	// Goal is that of role 0, 0 to 100, when the match is over.
	Goal() int
	// Solve tells what each move is worth if both play well from then on, as far
	// as a search of so many nodes finds it.
	Solve(nodes int) []Outcome
	// Choose is the move of a plain tree search, by its index. Only where nothing counts
	// but the end, and roles move in turn.
	Choose(playouts int, random *rand.Rand) int
}

// Outcome is what a move is worth to who plays it.
type Outcome struct {
	Known bool // false: more nodes are needed; the rest is 0
	Value int  // 1: it wins; 0: a draw; -1: it loses

	// Distance is how far the end is, this move included: moves, where the winner
	// goes the shortest way and the loser the longest. In games of points it is
	// what is left before this move: open lines, empty squares, stones in houses.
	Distance int
}

// step is a move with what it leads to.
type step[P any] struct {
	to    P // seen by who moves there
	move  uint16
	gain  int8 // points for the mover
	again bool // the mover moves again
}

// rules are a game of perfect information for two. A position is seen by who
// moves in it, so that both roles are alike.
type rules[P comparable] interface {
	start() P
	// over tells whether the match has ended, and then what that is worth to who
	// would move: 1, 0, -1, or further points.
	over(p P) (worth int, ended bool)
	// next adds the moves of a position that is not over.
	next(p P, into []step[P]) []step[P]
	// left is what is left to be played: at least the number of moves to the end,
	// but for Kalah, where it is the stones in houses.
	left(p P) int
	spell(move uint16, role int) string
	hash(p P) uint64
}

// match is a Game by rules.
type match[P comparable] struct {
	rules[P]
	solve func(p P, steps []step[P], lead, nodes int) []Outcome
	at    P
	role  int
	lead  int // points of role 0 above those of role 1
	steps []step[P]

	played []step[P] // scratch
}

func newMatch[P comparable](r rules[P], solve func(p P, steps []step[P], lead, nodes int) []Outcome) *match[P] {
	m := &match[P]{rules: r, solve: solve}
	m.Start()
	return m
}

func (m *match[P]) Start() { m.enter(m.start(), 0, 0) }

func (m *match[P]) enter(p P, role, lead int) {
	m.at, m.role, m.lead, m.steps = p, role, lead, m.steps[:0]
	if _, ended := m.over(p); !ended {
		m.steps = m.next(p, m.steps)
	}
}

func (m *match[P]) Mover() int { return m.role }

func (m *match[P]) Moves() []string {
	names := make([]string, len(m.steps))
	for i, s := range m.steps {
		names[i] = m.spell(s.move, m.role)
	}
	return names
}

// sign is 1 for what is good for role 0, -1 for role 1.
func (m *match[P]) sign() int { return 1 - 2*m.role }

func (m *match[P]) Play(move int) {
	s := m.steps[move]
	role := 1 - m.role
	if s.again {
		role = m.role
	}
	m.enter(s.to, role, m.lead+m.sign()*int(s.gain))
}

func (m *match[P]) Goal() int {
	worth, _ := m.over(m.at)
	return 50 + 50*signum(m.lead+m.sign()*worth)
}

func (m *match[P]) Solve(nodes int) []Outcome {
	return m.solve(m.at, m.steps, m.sign()*m.lead, nodes)
}

func signum(n int) int {
	switch {
	case n > 0:
		return 1
	case n < 0:
		return -1
	}
	return 0
}

// mix spreads the bits of two words over one.
func mix(a, b uint64) uint64 {
	h := (a ^ b*0x9E3779B97F4A7C15) * 0xD6E8FEB86659FD93
	h = (h ^ h>>32) * 0xD6E8FEB86659FD93
	return h ^ h>>32
}
