package games_test

import "math/rand/v2"

// amazons: a square holds 0 for empty, 1 and 2 for the amazons of white and
// black, 3 for an arrow. A step is the columns and rows of the three squares.
type amazons struct {
	squares [10][10]int8 // [x][y]
	turn    int
}

func init() { boards["amazons"] = func() board { return &amazons{} } }

func (a *amazons) roles() [2]string { return [2]string{"white", "black"} }

func (a *amazons) start() {
	*a = amazons{}
	for i, at := range [8][2]int{{0, 3}, {3, 0}, {6, 0}, {9, 3}, {0, 6}, {3, 9}, {6, 9}, {9, 6}} {
		a.squares[at[0]][at[1]] = int8(1 + i/4)
	}
}

// scatter puts the amazons anywhere between many arrows.
func (a *amazons) scatter(random *rand.Rand) {
	*a = amazons{turn: random.IntN(2)}
	for range 120 {
		a.squares[random.IntN(10)][random.IntN(10)] = 3
	}
	for i := range 8 {
		a.squares[random.IntN(10)][random.IntN(10)] = int8(1 + i%2)
	}
}

func (a *amazons) mover() int { return a.turn }

// each calls for every square that a queen on x, y reaches.
func (a *amazons) each(x, y int, do func(x, y int)) {
	for _, d := range eightWays {
		for x2, y2 := x+d[0], y+d[1]; x2 >= 0 && y2 >= 0 && x2 < 10 && y2 < 10 && a.squares[x2][y2] == 0; x2, y2 = x2+d[0], y2+d[1] {
			do(x2, y2)
		}
	}
}

func (a *amazons) moves(into []step) []step {
	mine := int8(a.turn + 1)
	for x := range 10 {
		for y := range 10 {
			if a.squares[x][y] != mine {
				continue
			}
			a.each(x, y, func(x2, y2 int) {
				a.squares[x][y], a.squares[x2][y2] = 0, mine
				a.each(x2, y2, func(x3, y3 int) {
					into = append(into, step{int8(x), int8(y), int8(x2), int8(y2), int8(x3), int8(y3)})
				})
				a.squares[x][y], a.squares[x2][y2] = mine, 0
			})
		}
	}
	return into
}

func (a *amazons) play(s step) {
	a.squares[s[0]][s[1]] = 0
	a.squares[s[2]][s[3]] = int8(a.turn + 1)
	a.squares[s[4]][s[5]] = 3
	a.turn = 1 - a.turn
}

func (a *amazons) over() bool {
	for x := range 10 {
		for y := range 10 {
			if a.squares[x][y] == int8(a.turn+1) {
				free := false
				a.each(x, y, func(int, int) { free = true })
				if free {
					return false
				}
			}
		}
	}
	return true
}

func (a *amazons) goal(role int) int { return points(1-a.turn, role) }

func (a *amazons) spell(s step) string {
	return "(move " + square(s[0], s[1]) + " " + square(s[2], s[3]) + " " + square(s[4], s[5]) + ")"
}

func (a *amazons) fluents() []string {
	all := []string{"(control " + a.roles()[a.turn] + ")"}
	for x := range 10 {
		for y := range 10 {
			all = append(all, "(cell "+square(x, y)+" "+[]string{"empty", "white", "black", "arrow"}[a.squares[x][y]]+")")
		}
	}
	return all
}
