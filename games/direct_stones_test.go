package games_test

import "math/rand/v2"

// stoneBoard is what games have in common in which stones are put on the empty
// squares of a board and stay there. A square holds 0 for empty, or the number
// of its owner from 1. A step is column and row.
type stoneBoard struct {
	names   [2]string
	size    int
	squares [15][15]int8 // [x][y]
	stones  int
	turn    int
	last    [2]int // where the last stone was put
}

func (b *stoneBoard) roles() [2]string { return b.names }

func (b *stoneBoard) start() { *b = stoneBoard{names: b.names, size: b.size} }

// fill puts stones anywhere, alternately.
func (b *stoneBoard) fill(random *rand.Rand, stones int) {
	b.start()
	for range stones {
		steps := b.moves(nil)
		b.play(steps[random.IntN(len(steps))])
	}
}

func (b *stoneBoard) mover() int { return b.turn }

func (b *stoneBoard) moves(into []step) []step {
	for x := range b.size {
		for y := range b.size {
			if b.squares[x][y] == 0 {
				into = append(into, step{int8(x), int8(y)})
			}
		}
	}
	return into
}

func (b *stoneBoard) play(s step) {
	b.squares[s[0]][s[1]] = int8(b.turn + 1)
	b.last = [2]int{int(s[0]), int(s[1])}
	b.stones++
	b.turn = 1 - b.turn
}

// at is what a square holds, -1 outside the board.
func (b *stoneBoard) at(x, y int) int8 {
	if x < 0 || y < 0 || x >= b.size || y >= b.size {
		return -1
	}
	return b.squares[x][y]
}

func (b *stoneBoard) spell(s step) string { return "(put " + square(s[0], s[1]) + ")" }

func (b *stoneBoard) fluents() []string {
	all := []string{"(control " + b.names[b.turn] + ")"}
	for x := range b.size {
		for y := range b.size {
			all = append(all, "(cell "+square(x, y)+" "+[]string{"empty", b.names[0], b.names[1]}[b.squares[x][y]]+")")
		}
	}
	return all
}

// gomoku: exactly five in a row. Only the last stone can have made them.
type gomoku struct{ stoneBoard }

func init() {
	boards["gomoku"] = func() board {
		return &gomoku{stoneBoard{names: [2]string{"black", "white"}, size: 15}}
	}
	boards["hex"] = func() board {
		return &hex{stoneBoard{names: [2]string{"red", "blue"}, size: 11}}
	}
}

// scatter fills much of the board without five in a row, but with longer rows.
func (g *gomoku) scatter(random *rand.Rand) {
	g.start()
	for range 150 {
		steps := g.moves(nil)
		before, s := *g, steps[random.IntN(len(steps))]
		if g.play(s); g.winner() >= 0 {
			*g = before
		}
	}
}

// winner is the player who has five in a row through the last stone, or -1.
func (g *gomoku) winner() int {
	if g.stones == 0 {
		return -1
	}
	owner := g.at(g.last[0], g.last[1])
	for _, d := range eightWays[:4] {
		n := 1
		for _, sign := range []int{1, -1} {
			for i := 1; g.at(g.last[0]+sign*i*d[0], g.last[1]+sign*i*d[1]) == owner; i++ {
				n++
			}
		}
		if n == 5 {
			return int(owner - 1)
		}
	}
	return -1
}

func (g *gomoku) over() bool { return g.stones == g.size*g.size || g.winner() >= 0 }

func (g *gomoku) goal(role int) int { return points(g.winner(), role) }

// hex: red joins the first and the last row, blue the first and the last
// column.
type hex struct{ stoneBoard }

func (h *hex) scatter(random *rand.Rand) {
	for h.fill(random, 70+random.IntN(20)); h.over(); {
		h.fill(random, 60)
	}
}

func (h *hex) wins(role int) bool {
	var seen [11][11]bool
	var search func(x, y int) bool
	search = func(x, y int) bool {
		if h.at(x, y) != int8(role+1) || seen[x][y] {
			return false
		}
		seen[x][y] = true
		if role == 0 && y == 10 || role == 1 && x == 10 {
			return true
		}
		return search(x+1, y) || search(x-1, y) || search(x, y+1) || search(x, y-1) || search(x+1, y-1) || search(x-1, y+1)
	}
	for i := range 11 {
		if role == 0 && search(i, 0) || role == 1 && search(0, i) {
			return true
		}
	}
	return false
}

func (h *hex) over() bool { return h.wins(0) || h.wins(1) }

func (h *hex) goal(role int) int {
	if h.wins(0) {
		return points(0, role)
	}
	return points(1, role)
}
