package games_test

import "fmt"

// lines: tictactoe and connectfour, on squares that hold 0 for empty or the
// number of their owner from 1. A step is column and row.
type lines struct {
	names         [2]string
	width, height int
	wanted        int // own squares side by side that win
	falls         bool
	squares       [7][6]int8 // [x][y]
	marks         int
	turn          int
	won           bool // by the player who is not to move
}

func init() {
	boards["tictactoe"] = func() board { return &lines{names: [2]string{"x", "o"}, width: 3, height: 3, wanted: 3} }
	boards["connectfour"] = func() board {
		return &lines{names: [2]string{"red", "yellow"}, width: 7, height: 6, wanted: 4, falls: true}
	}
}

func (l *lines) roles() [2]string { return l.names }

func (l *lines) start() {
	*l = lines{names: l.names, width: l.width, height: l.height, wanted: l.wanted, falls: l.falls}
}

func (l *lines) mover() int { return l.turn }

func (l *lines) moves(into []step) []step {
	for x := range l.width {
		for y := range l.height {
			if l.squares[x][y] != 0 {
				continue
			}
			into = append(into, step{int8(x), int8(y)})
			if l.falls {
				break
			}
		}
	}
	return into
}

// along counts the squares of the same owner from a square on in a direction.
func (l *lines) along(x, y, dx, dy int) int {
	owner := l.squares[x][y]
	for n := 0; ; n++ {
		if x, y = x+dx, y+dy; x < 0 || y < 0 || x >= l.width || y >= l.height || l.squares[x][y] != owner {
			return n
		}
	}
}

func (l *lines) play(s step) {
	x, y := int(s[0]), int(s[1])
	l.squares[x][y] = int8(l.turn + 1)
	for _, d := range eightWays[:4] {
		l.won = l.won || 1+l.along(x, y, d[0], d[1])+l.along(x, y, -d[0], -d[1]) >= l.wanted
	}
	l.marks++
	l.turn = 1 - l.turn
}

func (l *lines) over() bool { return l.won || l.marks == l.width*l.height }

func (l *lines) goal(role int) int {
	if l.won {
		return points(1-l.turn, role)
	}
	return points(-1, role)
}

func (l *lines) spell(s step) string {
	if l.falls {
		return fmt.Sprintf("(drop %d)", s[0]+1)
	}
	return "(mark " + square(s[0], s[1]) + ")"
}

func (l *lines) fluents() []string {
	all := []string{"(control " + l.names[l.turn] + ")"}
	for x := range l.width {
		for y := range l.height {
			content := []string{"empty", l.names[0], l.names[1]}[l.squares[x][y]]
			if l.falls {
				all = append(all, fmt.Sprintf("(cell %d %d %s)", x+1, y+1, content))
			} else {
				all = append(all, "(cell "+square(x, y)+" "+content+")")
			}
		}
	}
	return all
}
