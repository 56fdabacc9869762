package games_test

import "math/rand/v2"

// race is what breakthrough and knightthrough have in common: two rows of men
// on each side, who first gets one to the far row wins, or who has taken all.
// A square holds 0 for empty, or the number of its owner from 1. A step is
// column and row, from and to.
type race struct {
	knights bool
	squares [8][8]int8 // [x][y]
	men     [2]int
	turn    int
	arrived int // who has got to the far row, from 1
}

func init() {
	boards["breakthrough"] = func() board { return &race{} }
	boards["knightthrough"] = func() board { return &race{knights: true} }
}

func (r *race) roles() [2]string { return [2]string{"white", "black"} }

func (r *race) start() {
	*r = race{knights: r.knights, men: [2]int{16, 16}}
	for x := range 8 {
		r.squares[x] = [8]int8{1, 1, 0, 0, 0, 0, 2, 2}
	}
}

// scatter leaves each player a man or two, of which the last may be taken.
func (r *race) scatter(random *rand.Rand) {
	*r = race{knights: r.knights, turn: random.IntN(2)}
	for i := range 2 + random.IntN(3) {
		at := &r.squares[random.IntN(8)][1+random.IntN(6)]
		if *at == 0 {
			*at = int8(1 + i%2)
			r.men[i%2]++
		}
	}
	if r.men[1] == 0 {
		r.squares[0][6], r.men[1] = 2, 1
	}
}

func (r *race) mover() int { return r.turn }

func (r *race) moves(into []step) []step {
	mine, ahead := int8(r.turn+1), 1-2*r.turn
	for x := range 8 {
		for y := range 8 {
			if r.squares[x][y] != mine {
				continue
			}
			if r.knights {
				for _, d := range [4][2]int{{-2, 1}, {2, 1}, {-1, 2}, {1, 2}} {
					into = r.to(into, x, y, x+d[0], y+ahead*d[1], true)
				}
				continue
			}
			for dx := -1; dx <= 1; dx++ {
				into = r.to(into, x, y, x+dx, y+ahead, dx != 0)
			}
		}
	}
	return into
}

// to lists the move to a square, if there is one on which it may end.
func (r *race) to(into []step, x, y, x2, y2 int, captures bool) []step {
	if x2 < 0 || y2 < 0 || x2 > 7 || y2 > 7 {
		return into
	}
	if there := r.squares[x2][y2]; there == 0 || captures && there == int8(2-r.turn) {
		into = append(into, step{int8(x), int8(y), int8(x2), int8(y2)})
	}
	return into
}

func (r *race) play(s step) {
	r.squares[s[0]][s[1]] = 0
	if r.squares[s[2]][s[3]] != 0 {
		r.men[1-r.turn]--
	}
	r.squares[s[2]][s[3]] = int8(r.turn + 1)
	if int(s[3]) == 7-7*r.turn {
		r.arrived = r.turn + 1
	}
	r.turn = 1 - r.turn
}

// winner is -1 if there is none.
func (r *race) winner() int {
	switch {
	case r.arrived > 0:
		return r.arrived - 1
	case r.men[0] == 0:
		return 1
	case r.men[1] == 0:
		return 0
	}
	return -1
}

func (r *race) over() bool { return r.winner() >= 0 }

func (r *race) goal(role int) int { return points(r.winner(), role) }

func (r *race) spell(s step) string {
	return "(move " + square(s[0], s[1]) + " " + square(s[2], s[3]) + ")"
}

func (r *race) fluents() []string {
	all := []string{"(control " + r.roles()[r.turn] + ")"}
	for x := range 8 {
		for y, owner := range r.squares[x] {
			if owner > 0 {
				all = append(all, "(cell "+square(x, y)+" "+r.roles()[owner-1]+")")
			}
		}
	}
	return all
}
