package games_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

func init() {
	directs["tron"] = func() direct { return newTron() }
	directs["blotto"] = func() direct { return &blotto{fields: 4, units: 8} }
	directs["blotto6"] = func() direct { return &blotto{fields: 6, units: 12} }
}

// tron holds 0 for an empty square, 1 for red, 2 for blue and 3 for a wreck.
type tron struct {
	squares [10][10]int // [x][y]
	at      [2][2]int   // where red and blue are
}

var tronWays = map[string][2]int{"right": {1, 0}, "left": {-1, 0}, "up": {0, 1}, "down": {0, -1}}

func newTron() *tron {
	g := &tron{at: [2][2]int{{1, 4}, {8, 5}}}
	g.squares[1][4], g.squares[8][5] = 1, 2
	return g
}

// scatter puts the cycles close to each other among trails. What holds of the
// two squares of the start in no match is left out: machines may not know it.
func (g *tron) scatter(random *rand.Rand) {
	*g = tron{}
	for i := range 60 {
		g.squares[random.IntN(10)][random.IntN(10)] = i%2 + 1
	}
	x, y := random.IntN(9), random.IntN(8)
	g.at = [2][2]int{{x, y}, {x + random.IntN(2), y + 1 + random.IntN(2)}}
	for i, at := range g.at {
		g.squares[at[0]][at[1]] = i + 1
		for _, start := range newTron().at {
			if at == start {
				g.scatter(random)
				return
			}
		}
	}
	g.squares[1][4], g.squares[8][5] = 1, 2
}

func (g *tron) roles() []string { return []string{"red", "blue"} }

func (g *tron) fluents() []string {
	var all []string
	for i, at := range g.at {
		all = append(all, "(at "+g.roles()[i]+" "+square(at[0], at[1])+")")
	}
	for x := range 10 {
		for y := range 10 {
			all = append(all, "(cell "+square(x, y)+" "+[]string{"empty", "red", "blue", "wreck"}[g.squares[x][y]]+")")
		}
	}
	return all
}

func (g *tron) legal(role int) []string {
	var all []string
	for way, d := range tronWays {
		x, y := g.at[role][0]+d[0], g.at[role][1]+d[1]
		if x >= 0 && x < 10 && y >= 0 && y < 10 && g.squares[x][y] == 0 {
			all = append(all, "(ride "+way+")")
		}
	}
	return all
}

func (g *tron) play(joint []string) {
	for i, move := range joint {
		d := tronWays[move[len("(ride "):len(move)-1]]
		g.at[i][0] += d[0]
		g.at[i][1] += d[1]
		g.squares[g.at[i][0]][g.at[i][1]] = i + 1
	}
	if g.wrecked() {
		g.squares[g.at[0][0]][g.at[0][1]] = 3
	}
}

func (g *tron) wrecked() bool { return g.at[0] == g.at[1] }

func (g *tron) terminal() bool { return g.wrecked() || len(g.legal(0)) == 0 || len(g.legal(1)) == 0 }

func (g *tron) goal(role int) int {
	mine, other := len(g.legal(role)) > 0, len(g.legal(1-role)) > 0
	switch {
	case g.wrecked() || mine == other:
		return 50
	case mine:
		return 100
	}
	return 0
}

// blotto counts the points and the rounds that are over.
type blotto struct {
	fields, units int
	points        [2]int
	played        int
}

func (g *blotto) roles() []string { return []string{"red", "blue"} }

func (g *blotto) fluents() []string {
	round := fmt.Sprint(g.played + 1)
	if g.terminal() {
		round = "over"
	}
	return []string{"(round " + round + ")", fmt.Sprintf("(points red %d)", g.points[0]), fmt.Sprintf("(points blue %d)", g.points[1])}
}

func (g *blotto) legal(int) (all []string) {
	var deploy func(begun string, fields, units int)
	deploy = func(begun string, fields, units int) {
		if fields == 1 {
			all = append(all, fmt.Sprintf("%s %d)", begun, units))
			return
		}
		for n := range units + 1 {
			deploy(fmt.Sprintf("%s %d", begun, n), fields-1, units-n)
		}
	}
	deploy("(deploy", g.fields, g.units)
	return all
}

func (g *blotto) play(joint []string) {
	var units [2][]string
	for i, move := range joint {
		units[i] = strings.Fields(strings.Trim(move, "()"))[1:]
	}
	for field := range g.fields {
		var red, blue int
		fmt.Sscan(units[0][field], &red)
		fmt.Sscan(units[1][field], &blue)
		if red > blue {
			g.points[0] += field + 1
		}
		if blue > red {
			g.points[1] += field + 1
		}
	}
	g.played++
}

func (g *blotto) terminal() bool { return g.played == 4 }

func (g *blotto) goal(role int) int {
	switch lead := g.points[role] - g.points[1-role]; {
	case lead > 0:
		return 100
	case lead == 0:
		return 50
	}
	return 0
}
