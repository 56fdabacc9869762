package games_test

import (
	"fmt"
	"math/rand/v2"
)

// dots is Dots and Boxes. A step is the dot at the left or lower end of a line,
// and 0 for a line to the right or 1 for one upwards.
type dots struct {
	drawn [5][5][2]bool
	owner [4][4]int // from 1
	boxes [2]int
	turn  int
}

func init() { boards["dotsandboxes"] = func() board { return &dots{} } }

func (d *dots) roles() [2]string { return [2]string{"red", "blue"} }

func (d *dots) start() { *d = dots{} }

// scatter draws some lines and gives the boxes that are complete to anybody.
func (d *dots) scatter(random *rand.Rand) {
	d.start()
	for range random.IntN(36) {
		steps := d.moves(nil)
		s := steps[random.IntN(len(steps))]
		d.drawn[s[0]][s[1]][s[2]] = true
	}
	for x := range 4 {
		for y := range 4 {
			if d.complete(x, y) {
				role := random.IntN(2)
				d.owner[x][y] = role + 1
				d.boxes[role]++
			}
		}
	}
	d.turn = random.IntN(2)
}

func (d *dots) complete(x, y int) bool {
	return d.drawn[x][y][0] && d.drawn[x][y][1] && d.drawn[x][y+1][0] && d.drawn[x+1][y][1]
}

func (d *dots) mover() int { return d.turn }

func (d *dots) moves(into []step) []step {
	for x := range int8(5) {
		for y := range int8(5) {
			if x < 4 && !d.drawn[x][y][0] {
				into = append(into, step{x, y, 0})
			}
			if y < 4 && !d.drawn[x][y][1] {
				into = append(into, step{x, y, 1})
			}
		}
	}
	return into
}

func (d *dots) play(s step) {
	d.drawn[s[0]][s[1]][s[2]] = true
	again := false
	for x := range 4 {
		for y := range 4 {
			if d.owner[x][y] == 0 && d.complete(x, y) {
				d.owner[x][y] = d.turn + 1
				d.boxes[d.turn]++
				again = true
			}
		}
	}
	if !again {
		d.turn = 1 - d.turn
	}
}

func (d *dots) over() bool { return d.boxes[0]+d.boxes[1] == 16 }

func (d *dots) goal(role int) int {
	switch lead := d.boxes[role] - d.boxes[1-role]; {
	case lead > 0:
		return 100
	case lead == 0:
		return 50
	}
	return 0
}

func (d *dots) spell(s step) string {
	return "(draw " + square(s[0], s[1]) + " " + []string{"right", "up"}[s[2]] + ")"
}

func (d *dots) fluents() []string {
	all := []string{
		"(control " + d.roles()[d.turn] + ")", fmt.Sprintf("(boxes red %d)", d.boxes[0]), fmt.Sprintf("(boxes blue %d)", d.boxes[1]),
	}
	for x := range 5 {
		for y := range 5 {
			for i, direction := range []string{"right", "up"} {
				if i == 0 && x == 4 || i == 1 && y == 4 {
					continue
				}
				all = append(all, "(edge "+square(x, y)+" "+direction+" "+map[bool]string{false: "open", true: "drawn"}[d.drawn[x][y][i]]+")")
			}
			if x < 4 && y < 4 && d.owner[x][y] > 0 {
				all = append(all, "(owner "+square(x, y)+" "+d.roles()[d.owner[x][y]-1]+")")
			}
		}
	}
	return all
}
