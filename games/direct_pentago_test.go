package games_test

import "math/rand/v2"

// pentago: a square holds 0 for empty, or the number of its owner from 1. A
// step is column, row, quadrant (from the bottom left: 0, right 1, above 2 and
// 3) and 0 for clockwise or 1; the quadrant is -1 for a stone that wins.
type pentago struct {
	squares [6][6]int8 // [x][y]
	stones  int
	turn    int
}

func init() { boards["pentago"] = func() board { return &pentago{} } }

func (p *pentago) roles() [2]string { return [2]string{"white", "black"} }

func (p *pentago) start() { *p = pentago{} }

// scatter fills most of the board without five in a line.
func (p *pentago) scatter(random *rand.Rand) {
	for again := true; again; again = p.five(0) || p.five(1) {
		p.start()
		for order := random.Perm(36); p.stones < 28; p.stones++ {
			at := order[p.stones]
			p.squares[at/6][at%6] = int8(1 + p.stones%2)
		}
	}
}

func (p *pentago) mover() int { return p.turn }

// five says whether a player has five stones in a line.
func (p *pentago) five(role int) bool {
	mine := int8(role + 1)
	for x := range 6 {
		for y := range 6 {
			for _, d := range eightWays[:4] {
				n := 0
				for x2, y2 := x, y; x2 >= 0 && x2 < 6 && y2 < 6 && p.squares[x2][y2] == mine; x2, y2 = x2+d[0], y2+d[1] {
					n++
				}
				if n >= 5 {
					return true
				}
			}
		}
	}
	return false
}

func (p *pentago) moves(into []step) []step {
	for x := range int8(6) {
		for y := range int8(6) {
			if p.squares[x][y] != 0 {
				continue
			}
			p.squares[x][y] = int8(p.turn + 1)
			wins := p.five(p.turn)
			p.squares[x][y] = 0
			if wins {
				into = append(into, step{x, y, -1})
				continue
			}
			for q := range int8(4) {
				into = append(into, step{x, y, q, 0}, step{x, y, q, 1})
			}
		}
	}
	return into
}

func (p *pentago) play(s step) {
	p.squares[s[0]][s[1]] = int8(p.turn + 1)
	p.turn = 1 - p.turn
	p.stones++
	if s[2] < 0 {
		return
	}
	left, bottom := s[2]%2*3, s[2]/2*3
	old := p.squares
	for i := range int8(3) {
		for j := range int8(3) {
			if s[3] == 0 {
				p.squares[left+j][bottom+2-i] = old[left+i][bottom+j]
			} else {
				p.squares[left+2-j][bottom+i] = old[left+i][bottom+j]
			}
		}
	}
}

func (p *pentago) over() bool { return p.stones == 36 || p.five(0) || p.five(1) }

func (p *pentago) goal(role int) int {
	switch white, black := p.five(0), p.five(1); {
	case white && !black:
		return points(0, role)
	case black && !white:
		return points(1, role)
	}
	return points(-1, role)
}

func (p *pentago) spell(s step) string {
	if s[2] < 0 {
		return "(finish " + square(s[0], s[1]) + ")"
	}
	return "(place " + square(s[0], s[1]) + " " + []string{"southwest", "southeast", "northwest", "northeast"}[s[2]] +
		" " + []string{"clockwise", "counterclockwise"}[s[3]] + ")"
}

func (p *pentago) fluents() []string {
	all := []string{"(control " + p.roles()[p.turn] + ")"}
	for x := range 6 {
		for y := range 6 {
			all = append(all, "(cell "+square(x, y)+" "+[]string{"empty", "white", "black"}[p.squares[x][y]]+")")
		}
	}
	return all
}
