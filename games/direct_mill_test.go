package games_test

import (
	"fmt"
	"math/rand/v2"
)

// mill: the 24 points go round the outer, the middle and the inner square,
// eight each, from the corner at the bottom left clockwise; even numbers are
// corners. A point holds 0 for free, or the number of its owner from 1. A step
// is from, to and taken, with -1 for none.
type mill struct {
	at    [24]int8
	hand  [2]int
	men   [2]int
	turn  int
	quiet int
}

func init() { boards["millgame"] = func() board { return &mill{} } }

func (m *mill) roles() [2]string { return [2]string{"white", "black"} }

func (m *mill) start() { *m = mill{hand: [2]int{9, 9}, men: [2]int{9, 9}} }

// scatter begins when all men have been placed and most of them lost.
func (m *mill) scatter(random *rand.Rand) {
	*m = mill{men: [2]int{3 + random.IntN(3), 3 + random.IntN(3)}, turn: random.IntN(2), quiet: 10 + random.IntN(10)}
	for i, at := range random.Perm(24)[:m.men[0]+m.men[1]] {
		m.at[at] = 1
		if i >= m.men[0] {
			m.at[at] = 2
		}
	}
}

func (m *mill) mover() int { return m.turn }

// lines are the two lines of a point, each with its other two points: along the
// side of the square for both, or across the squares.
func millLines(p int) [2][2]int {
	ring, i := p/8*8, p%8
	on := func(k int) int { return ring + (k+8)%8 }
	if i%2 == 0 {
		return [2][2]int{{on(i + 1), on(i + 2)}, {on(i - 1), on(i - 2)}}
	}
	return [2][2]int{{on(i - 1), on(i + 1)}, {(p + 8) % 24, (p + 16) % 24}}
}

// joined says whether a line leads from one point to the other with nothing
// between.
func millJoined(p, q int) bool {
	if p/8 == q/8 {
		d := (p - q + 8) % 8
		return d == 1 || d == 7
	}
	return p%8 == q%8 && p%2 == 1 && (p-q == 8 || q-p == 8)
}

// closed says whether the owner has a mill through a point.
func (m *mill) closed(p int, owner int8) bool {
	for _, line := range millLines(p) {
		if m.at[line[0]] == owner && m.at[line[1]] == owner {
			return true
		}
	}
	return false
}

// finish lists a step, once for each man that can be taken if it forms a mill.
func (m *mill) finish(into []step, from, to int) []step {
	mine, other := int8(m.turn+1), int8(2-m.turn)
	if from >= 0 {
		m.at[from] = 0
		defer func() { m.at[from] = mine }()
	}
	if !m.closed(to, mine) {
		return append(into, step{int8(from), int8(to), -1})
	}
	before := len(into)
	for _, all := range []bool{false, true} {
		for p := range m.at {
			if m.at[p] == other && (all || !m.closed(p, other)) {
				into = append(into, step{int8(from), int8(to), int8(p)})
			}
		}
		if len(into) > before {
			break
		}
	}
	return into
}

func (m *mill) moves(into []step) []step {
	for from := range m.at {
		if m.hand[m.turn] > 0 && from > 0 {
			break
		}
		if m.hand[m.turn] == 0 && m.at[from] != int8(m.turn+1) {
			continue
		}
		for to := range m.at {
			switch {
			case m.at[to] != 0:
			case m.hand[m.turn] > 0:
				into = m.finish(into, -1, to)
			case m.men[m.turn] == 3 || millJoined(from, to):
				into = m.finish(into, from, to)
			}
		}
	}
	return into
}

func (m *mill) play(s step) {
	m.quiet++
	if s[0] >= 0 {
		m.at[s[0]] = 0
	} else {
		m.hand[m.turn]--
		m.quiet = 0
	}
	m.at[s[1]] = int8(m.turn + 1)
	if s[2] >= 0 {
		m.at[s[2]] = 0
		m.men[1-m.turn]--
		m.quiet = 0
	}
	m.turn = 1 - m.turn
}

func (m *mill) over() bool {
	var buffer [256]step
	return m.men[m.turn] < 3 || m.quiet == 20 || len(m.moves(buffer[:0])) == 0
}

func (m *mill) goal(role int) int {
	if m.quiet == 20 {
		return points(-1, role)
	}
	return points(1-m.turn, role)
}

var millNames = [24]string{
	"a 1", "a 4", "a 7", "d 7", "g 7", "g 4", "g 1", "d 1",
	"b 2", "b 4", "b 6", "d 6", "f 6", "f 4", "f 2", "d 2",
	"c 3", "c 4", "c 5", "d 5", "e 5", "e 4", "e 3", "d 3",
}

func (m *mill) spell(s step) string {
	words := "move"
	path := ""
	if s[0] < 0 {
		words = "place"
	} else {
		path = " " + millNames[s[0]]
	}
	path += " " + millNames[s[1]]
	if s[2] >= 0 {
		words += "_and_take"
		path += " " + millNames[s[2]]
	}
	return "(" + words + path + ")"
}

func (m *mill) fluents() []string {
	all := []string{"(control " + m.roles()[m.turn] + ")", fmt.Sprintf("(quiet_moves %d)", m.quiet)}
	for i, role := range m.roles() {
		all = append(all, fmt.Sprintf("(to_place %s %d)", role, m.hand[i]), fmt.Sprintf("(men_left %s %d)", role, m.men[i]))
	}
	for p, owner := range m.at {
		all = append(all, "(cell "+millNames[p]+" "+[]string{"empty", "white", "black"}[owner]+")")
	}
	return all
}
