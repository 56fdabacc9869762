package games_test

// othello: a square holds 0 for empty, or the number of its owner from 1. A
// step is column and row, or -1 for passing.
type othello struct {
	squares [8][8]int8 // [x][y]
	turn    int
}

func init() { boards["othello"] = func() board { return &othello{} } }

func (o *othello) roles() [2]string { return [2]string{"black", "white"} }

func (o *othello) start() {
	*o = othello{}
	o.squares[3][3], o.squares[4][4] = 2, 2
	o.squares[3][4], o.squares[4][3] = 1, 1
}

func (o *othello) mover() int { return o.turn }

// run counts the opponent's discs that a disc on x, y encloses in a direction.
func (o *othello) run(role, x, y int, way [2]int) int {
	for n := 0; ; n++ {
		if x, y = x+way[0], y+way[1]; x < 0 || y < 0 || x > 7 || y > 7 || o.squares[x][y] == 0 {
			return 0
		}
		if o.squares[x][y] == int8(role+1) {
			return n
		}
	}
}

// places are the squares where a player can put a disc.
func (o *othello) places(into []step, role int) []step {
	for x := range 8 {
		for y := range 8 {
			if o.squares[x][y] != 0 {
				continue
			}
			for _, way := range eightWays {
				if o.run(role, x, y, way) > 0 {
					into = append(into, step{int8(x), int8(y)})
					break
				}
			}
		}
	}
	return into
}

func (o *othello) moves(into []step) []step {
	before := len(into)
	if into = o.places(into, o.turn); len(into) == before {
		into = append(into, step{-1})
	}
	return into
}

func (o *othello) play(s step) {
	if x, y := int(s[0]), int(s[1]); x >= 0 {
		for _, way := range eightWays {
			for n := o.run(o.turn, x, y, way); n > 0; n-- {
				o.squares[x+n*way[0]][y+n*way[1]] = int8(o.turn + 1)
			}
		}
		o.squares[x][y] = int8(o.turn + 1)
	}
	o.turn = 1 - o.turn
}

func (o *othello) over() bool {
	var buffer [64]step
	return len(o.places(buffer[:0], o.turn)) == 0 && len(o.places(buffer[:0], 1-o.turn)) == 0
}

func (o *othello) goal(role int) int {
	var discs [3]int
	for x := range o.squares {
		for _, owner := range o.squares[x] {
			discs[owner]++
		}
	}
	switch {
	case discs[1] > discs[2]:
		return points(0, role)
	case discs[1] < discs[2]:
		return points(1, role)
	}
	return points(-1, role)
}

func (o *othello) spell(s step) string {
	if s[0] < 0 {
		return "pass"
	}
	return "(place " + square(s[0], s[1]) + ")"
}

func (o *othello) fluents() []string {
	all := []string{"(control " + o.roles()[o.turn] + ")"}
	for x := range o.squares {
		for y, owner := range o.squares[x] {
			all = append(all, "(cell "+square(x, y)+" "+[]string{"empty", "black", "white"}[owner]+")")
		}
	}
	return all
}
