package games_test

import (
	"fmt"
	"math/rand/v2"
)

// Contents of a square of breakthru.
const (
	noShip = iota
	goldShip
	silverShip
	flagship
)

// breakthru: a step is the number of its kind and then columns and rows.
type breakthru struct {
	squares [11][11]int8 // [x][y]
	placed  int
	turn    int
	made    int // turns since the placing
}

// Kinds of steps.
const (
	placeShip = iota
	moveShips
	moveFlagship
	captureShip
)

func init() { boards["breakthru"] = func() board { return &breakthru{} } }

func (b *breakthru) roles() [2]string { return [2]string{"gold", "silver"} }

func (b *breakthru) start() {
	*b = breakthru{}
	b.squares[5][5] = flagship
	for i := 3; i <= 7; i++ {
		b.squares[i][1], b.squares[i][9], b.squares[1][i], b.squares[9][i] = silverShip, silverShip, silverShip, silverShip
	}
}

// scatter leaves each player two ships at most, so that flagships get somewhere.
func (b *breakthru) scatter(random *rand.Rand) {
	*b = breakthru{placed: 12, turn: random.IntN(2), made: 180 + random.IntN(20)}
	for _, ship := range []int8{goldShip, silverShip} {
		for range random.IntN(2) + random.IntN(2) {
			b.squares[random.IntN(11)][random.IntN(11)] = ship
		}
	}
	b.squares[1+random.IntN(9)][1+random.IntN(9)] = flagship
}

func (b *breakthru) mover() int { return b.turn }

// each calls for every square on which a piece from x, y can end that goes
// like a rook.
func (b *breakthru) each(x, y int8, do func(x, y int8)) {
	for _, d := range [4][2]int8{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
		for x2, y2 := x+d[0], y+d[1]; x2 >= 0 && y2 >= 0 && x2 < 11 && y2 < 11 && b.squares[x2][y2] == noShip; x2, y2 = x2+d[0], y2+d[1] {
			do(x2, y2)
		}
	}
}

func (b *breakthru) moves(into []step) []step {
	if b.placed < 12 {
		for x := int8(3); x <= 7; x++ {
			for y := int8(3); y <= 7; y++ {
				if b.squares[x][y] == noShip {
					into = append(into, step{placeShip, x, y})
				}
			}
		}
		return into
	}
	ship := int8(goldShip + b.turn)
	for x := range int8(11) {
		for y := range int8(11) {
			switch piece := b.squares[x][y]; {
			case piece == ship:
				into = b.captures(into, x, y)
				into = b.twice(into, x, y)
			case piece == flagship && b.turn == 0:
				into = b.captures(into, x, y)
				b.each(x, y, func(x2, y2 int8) { into = append(into, step{moveFlagship, x, y, x2, y2}) })
			}
		}
	}
	return into
}

// twice lists the turns of two moves of which the ship on x, y makes the first.
func (b *breakthru) twice(into []step, x, y int8) []step {
	ship := b.squares[x][y]
	b.each(x, y, func(x2, y2 int8) {
		b.squares[x][y], b.squares[x2][y2] = noShip, ship
		for x3 := range int8(11) {
			for y3 := range int8(11) {
				if b.squares[x3][y3] == ship {
					b.each(x3, y3, func(x4, y4 int8) { into = append(into, step{moveShips, x, y, x2, y2, x3, y3, x4, y4}) })
				}
			}
		}
		b.squares[x][y], b.squares[x2][y2] = ship, noShip
	})
	return into
}

func (b *breakthru) captures(into []step, x, y int8) []step {
	for _, d := range [4][2]int8{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
		x2, y2 := x+d[0], y+d[1]
		if x2 < 0 || y2 < 0 || x2 > 10 || y2 > 10 || b.squares[x2][y2] == noShip {
			continue
		}
		if mine := b.squares[x2][y2] != silverShip; mine != (b.turn == 0) {
			into = append(into, step{captureShip, x, y, x2, y2})
		}
	}
	return into
}

func (b *breakthru) play(s step) {
	if s[0] == placeShip {
		b.squares[s[1]][s[2]] = goldShip
		b.placed++
		return
	}
	for i := 1; i+3 < len(s); i += 4 {
		if i == 1 || s[0] == moveShips {
			piece := b.squares[s[i]][s[i+1]]
			b.squares[s[i]][s[i+1]] = noShip
			b.squares[s[i+2]][s[i+3]] = piece
		}
	}
	b.turn = 1 - b.turn
	b.made++
}

// winner is -1 if there is none.
func (b *breakthru) winner() int {
	for x := range b.squares {
		for y, piece := range b.squares[x] {
			if piece == flagship {
				if x%10 == 0 || y%10 == 0 {
					return 0
				}
				return -1
			}
		}
	}
	return 1
}

func (b *breakthru) over() bool {
	return b.winner() >= 0 || b.made == 200 || len(b.moves(nil)) == 0
}

func (b *breakthru) goal(role int) int { return points(b.winner(), role) }

func (b *breakthru) spell(s step) string {
	from, to := square(s[1], s[2]), square(s[3], s[4])
	switch s[0] {
	case placeShip:
		return "(place " + from + ")"
	case moveFlagship:
		return "(move_flagship " + from + " " + to + ")"
	case captureShip:
		return "(capture " + from + " " + to + ")"
	}
	return "(move " + from + " " + to + " " + square(s[5], s[6]) + " " + square(s[7], s[8]) + ")"
}

func (b *breakthru) fluents() []string {
	all := []string{
		"(control " + b.roles()[b.turn] + ")", fmt.Sprintf("(to_place %d)", 12-b.placed), fmt.Sprintf("(turns_made %d)", b.made),
	}
	for x := range b.squares {
		for y, piece := range b.squares[x] {
			all = append(all, "(cell "+square(x, y)+" "+[]string{"empty", "gold", "silver", "flagship"}[piece]+")")
		}
	}
	return all
}
