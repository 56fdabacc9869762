package games_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// draughts: a square holds 0 for empty, 1 and 2 for the men of black and
// white, 3 and 4 for their kings. Squares count from 0 at the top left. A step
// is the number of squares of the move and then these squares.
type draughts struct {
	squares [32]int8
	turn    int
	quiet   int
}

func init() { boards["englishdraughts"] = func() board { return &draughts{} } }

func (d *draughts) roles() [2]string { return [2]string{"black", "white"} }

func (d *draughts) start() {
	*d = draughts{}
	for i := range 12 {
		d.squares[i], d.squares[31-i] = 1, 2
	}
}

// scatter puts a few men and many kings anywhere, for long captures.
func (d *draughts) scatter(random *rand.Rand) {
	*d = draughts{turn: random.IntN(2), quiet: random.IntN(15)}
	for range 4 + random.IntN(12) {
		d.squares[random.IntN(32)] = int8(1 + random.IntN(4))
	}
	for i := range 4 { // there are no men on their far row
		if d.squares[i] == 2 {
			d.squares[i] = 4
		}
		if d.squares[31-i] == 1 {
			d.squares[31-i] = 3
		}
	}
}

func (d *draughts) mover() int { return d.turn }

// beside is the square diagonally below (down 1) or above (down -1) and to the
// right (1) or left (-1), or -1 outside the board.
func beside(at, right, down int) int {
	row, column := at/4, at%4*2+1-at/4%2
	row, column = row+down, column+right
	if row < 0 || row > 7 || column < 0 || column > 7 {
		return -1
	}
	return row*4 + column/2
}

// downs are the directions in which a piece moves.
func downs(piece int8) []int {
	switch piece {
	case 1:
		return []int{1}
	case 2:
		return []int{-1}
	}
	return []int{1, -1}
}

func (d *draughts) owns(at, role int) bool {
	return d.squares[at] != 0 && int(d.squares[at]-1)%2 == role
}

// jumps lists the captures that go on from the end of the path, whose piece
// has been lifted; whether there are any.
func (d *draughts) jumps(into []step, path step, piece int8) ([]step, bool) {
	at, found := int(path[path[0]]), false
	for _, down := range downs(piece) {
		for _, right := range []int{-1, 1} {
			over := beside(at, right, down)
			if over < 0 || !d.owns(over, 1-d.turn) {
				continue
			}
			to := beside(over, right, down)
			if to < 0 || d.squares[to] != 0 {
				continue
			}
			found = true
			taken := d.squares[over]
			d.squares[over] = 0
			longer := path
			longer[0]++
			longer[longer[0]] = int8(to)
			var further bool
			if into, further = d.jumps(into, longer, piece); !further {
				into = append(into, longer)
			}
			d.squares[over] = taken
		}
	}
	return into, found
}

func (d *draughts) moves(into []step) []step {
	before := len(into)
	for at, piece := range d.squares {
		if d.owns(at, d.turn) {
			d.squares[at] = 0
			into, _ = d.jumps(into, step{1, int8(at)}, piece)
			d.squares[at] = piece
		}
	}
	if len(into) > before {
		return into
	}
	for at, piece := range d.squares {
		if !d.owns(at, d.turn) {
			continue
		}
		for _, down := range downs(piece) {
			for _, right := range []int{-1, 1} {
				if to := beside(at, right, down); to >= 0 && d.squares[to] == 0 {
					into = append(into, step{2, int8(at), int8(to)})
				}
			}
		}
	}
	return into
}

// isJump says whether a step from one square to the other is a jump: rows are
// two apart.
func isJump(from, to int8) bool { return (from/4-to/4)%2 == 0 }

func (d *draughts) play(s step) {
	piece := d.squares[s[1]]
	d.squares[s[1]] = 0
	d.quiet++
	if piece <= 2 {
		d.quiet = 0
	}
	for i := int8(1); i < s[0]; i++ {
		if !isJump(s[i], s[i+1]) {
			continue
		}
		d.quiet = 0
		for _, down := range []int{-1, 1} {
			for _, right := range []int{-1, 1} {
				if over := beside(int(s[i]), right, down); over >= 0 && beside(over, right, down) == int(s[i+1]) {
					d.squares[over] = 0
				}
			}
		}
	}
	to := s[s[0]]
	if piece == 1 && to >= 28 || piece == 2 && to < 4 {
		piece += 2
	}
	d.squares[to] = piece
	d.turn = 1 - d.turn
}

func (d *draughts) stuck() bool {
	var buffer [64]step
	return len(d.moves(buffer[:0])) == 0
}

func (d *draughts) over() bool { return d.quiet == 20 || d.stuck() }

func (d *draughts) goal(role int) int {
	if d.stuck() {
		return points(1-d.turn, role)
	}
	return points(-1, role)
}

func (d *draughts) spell(s step) string {
	var words strings.Builder
	words.WriteString("(move")
	if isJump(s[1], s[2]) {
		words.Reset()
		fmt.Fprintf(&words, "(capture%d", s[0]-1)
	}
	for _, at := range s[1 : s[0]+1] {
		fmt.Fprintf(&words, " %d", at+1)
	}
	return words.String() + ")"
}

func (d *draughts) fluents() []string {
	all := []string{"(control " + d.roles()[d.turn] + ")", fmt.Sprintf("(quiet_moves %d)", d.quiet)}
	for at, piece := range d.squares {
		all = append(all, fmt.Sprintf("(cell %d %s)", at+1, []string{"empty", "black_man", "white_man", "black_king", "white_king"}[piece]))
	}
	return all
}
