package games_test

import (
	"fmt"
	"math/rand/v2"
)

// loa: lines of action on size by size squares; a square holds 0 for empty, or
// the number of its owner from 1. A step is column and row, from and to, or
// -1 for passing.
type loa struct {
	size    int
	squares [8][8]int8 // [x][y]
	turn    int
	made    int
}

func init() {
	boards["linesofaction"] = func() board { return &loa{size: 8} }
	boards["linesofaction7"] = func() board { return &loa{size: 7} }
}

func (l *loa) roles() [2]string { return [2]string{"black", "white"} }

func (l *loa) start() {
	*l = loa{size: l.size}
	for i := 1; i < l.size-1; i++ {
		l.squares[i][0], l.squares[i][l.size-1] = 1, 1
		l.squares[0][i], l.squares[l.size-1][i] = 2, 2
	}
}

// scatter leaves each player a few pieces, that are soon connected.
func (l *loa) scatter(random *rand.Rand) {
	for again := true; again; again = l.over() {
		*l = loa{size: l.size, turn: random.IntN(2), made: 150 + random.IntN(50)}
		for i := range 8 {
			l.squares[random.IntN(l.size)][random.IntN(l.size)] = int8(1 + i%2)
		}
	}
}

func (l *loa) mover() int { return l.turn }

func (l *loa) inside(x, y int) bool { return x >= 0 && y >= 0 && x < l.size && y < l.size }

// ahead counts the pieces from a square on in a direction, without the square.
func (l *loa) ahead(x, y, dx, dy int) int {
	n := 0
	for x, y = x+dx, y+dy; l.inside(x, y); x, y = x+dx, y+dy {
		if l.squares[x][y] != 0 {
			n++
		}
	}
	return n
}

var eightWays = [8][2]int{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}

func (l *loa) moves(into []step) []step {
	before := len(into)
	mine, other := int8(l.turn+1), int8(2-l.turn)
	for x := range l.size {
		for y := range l.size {
			if l.squares[x][y] != mine {
				continue
			}
		ways:
			for _, d := range eightWays {
				n := 1 + l.ahead(x, y, d[0], d[1]) + l.ahead(x, y, -d[0], -d[1])
				endX, endY := x+n*d[0], y+n*d[1]
				if !l.inside(endX, endY) || l.squares[endX][endY] == mine {
					continue
				}
				for i := 1; i < n; i++ {
					if l.squares[x+i*d[0]][y+i*d[1]] == other {
						continue ways
					}
				}
				into = append(into, step{int8(x), int8(y), int8(endX), int8(endY)})
			}
		}
	}
	if len(into) == before {
		into = append(into, step{-1})
	}
	return into
}

func (l *loa) play(s step) {
	if s[0] >= 0 {
		l.squares[s[2]][s[3]] = l.squares[s[0]][s[1]]
		l.squares[s[0]][s[1]] = 0
	}
	l.turn = 1 - l.turn
	l.made++
}

// connected says whether the pieces of a player are one group.
func (l *loa) connected(role int) bool {
	var seen [8][8]bool
	var stack [64][2]int
	pieces, reached, depth := 0, 0, 0
	for x := range l.size {
		for y := range l.size {
			if l.squares[x][y] != int8(role+1) {
				continue
			}
			if pieces++; pieces == 1 {
				seen[x][y] = true
				stack[0], depth = [2]int{x, y}, 1
			}
		}
	}
	for depth > 0 {
		depth--
		at := stack[depth]
		reached++
		for _, d := range eightWays {
			x, y := at[0]+d[0], at[1]+d[1]
			if l.inside(x, y) && !seen[x][y] && l.squares[x][y] == int8(role+1) {
				seen[x][y] = true
				stack[depth] = [2]int{x, y}
				depth++
			}
		}
	}
	return reached == pieces
}

func (l *loa) over() bool { return l.made == 200 || l.connected(0) || l.connected(1) }

func (l *loa) goal(role int) int {
	black, white := l.connected(0), l.connected(1)
	switch {
	case black && !white:
		return points(0, role)
	case white && !black:
		return points(1, role)
	}
	return points(-1, role)
}

func (l *loa) spell(s step) string {
	if s[0] < 0 {
		return "pass"
	}
	return "(move " + square(s[0], s[1]) + " " + square(s[2], s[3]) + ")"
}

func (l *loa) fluents() []string {
	all := []string{"(control " + l.roles()[l.turn] + ")", fmt.Sprintf("(moves_made %d)", l.made)}
	for x := range l.size {
		for y := range l.size {
			all = append(all, "(cell "+square(x, y)+" "+[]string{"empty", "black", "white"}[l.squares[x][y]]+")")
		}
	}
	return all
}
