package games_test

import (
	"fmt"
	"math/rand/v2"
)

// goBoard: go on size by size points, each with 0 for empty or the number of
// its owner from 1. Points count from the bottom left along the rows. A step
// is column and row, or -1 for passing.
type goBoard struct {
	size   int
	points [361]int8
	passes int
	turn   int
	made   int
	mark   [361]int32 // the points that the last search has seen hold its number
	search int32
}

func init() {
	boards["go"] = func() board { return &goBoard{size: 19} }
	boards["go9"] = func() board { return &goBoard{size: 9} }
}

func (g *goBoard) roles() [2]string { return [2]string{"black", "white"} }

func (g *goBoard) start() { *g = goBoard{size: g.size} }

// scatter puts stones all over the board, and lets the end be near.
func (g *goBoard) scatter(random *rand.Rand) {
	g.start()
	area := g.size * g.size
	for range area/2 + random.IntN(area) {
		p := random.IntN(area)
		if g.points[p] == 0 && !g.put(p) {
			g.points[p] = 0
		}
		g.turn = 1 - g.turn
	}
	g.made = 2*area - 1 - random.IntN(area/4)
	g.passes = random.IntN(2)
}

func (g *goBoard) mover() int { return g.turn }

func (g *goBoard) neighbours(p int, into []int) []int {
	if p%g.size > 0 {
		into = append(into, p-1)
	}
	if p%g.size < g.size-1 {
		into = append(into, p+1)
	}
	if p >= g.size {
		into = append(into, p-g.size)
	}
	if p < g.size*(g.size-1) {
		into = append(into, p+g.size)
	}
	return into
}

// flood finds the points of one content that are joined with p, and which
// contents lie beside them.
func (g *goBoard) flood(p int, into []int) (group []int, beside [3]bool) {
	var buffer [4]int
	g.search++
	g.mark[p] = g.search
	group = append(into, p)
	for i := 0; i < len(group); i++ {
		for _, q := range g.neighbours(group[i], buffer[:0]) {
			beside[g.points[q]] = true
			if g.points[q] == g.points[p] && g.mark[q] != g.search {
				g.mark[q] = g.search
				group = append(group, q)
			}
		}
	}
	return group, beside
}

// put places a stone of the mover and takes captured stones off; false if it
// is suicide.
func (g *goBoard) put(p int) bool {
	var buffer [4]int
	var stones [361]int
	mine, other := int8(g.turn+1), int8(2-g.turn)
	g.points[p] = mine
	captured := false
	for _, q := range g.neighbours(p, buffer[:0]) {
		if g.points[q] != other {
			continue
		}
		if group, beside := g.flood(q, stones[:0]); !beside[0] {
			captured = true
			for _, stone := range group {
				g.points[stone] = 0
			}
		}
	}
	if captured {
		return true
	}
	_, beside := g.flood(p, stones[:0])
	return beside[0]
}

func (g *goBoard) moves(into []step) []step {
	into = append(into, step{-1})
	before := g.points
	for p := range g.size * g.size {
		if before[p] == 0 {
			if g.put(p) {
				into = append(into, step{int8(p % g.size), int8(p / g.size)})
			}
			g.points = before
		}
	}
	return into
}

func (g *goBoard) play(s step) {
	if s[0] < 0 {
		g.passes++
	} else {
		g.passes = 0
		g.put(int(s[1])*g.size + int(s[0]))
	}
	g.turn = 1 - g.turn
	g.made++
}

func (g *goBoard) over() bool { return g.passes == 2 || g.made == 2*g.size*g.size }

func (g *goBoard) goal(role int) int {
	var stones [361]int
	var area [3]int
	for p := range g.size * g.size {
		owner := g.points[p]
		if owner == 0 {
			if _, beside := g.flood(p, stones[:0]); beside[1] != beside[2] {
				owner = 1
				if beside[2] {
					owner = 2
				}
			}
		}
		area[owner]++
	}
	switch {
	case area[1] > area[2]:
		return points(0, role)
	case area[1] < area[2]:
		return points(1, role)
	}
	return points(-1, role)
}

func (g *goBoard) name(x, y int) string {
	if x >= 8 {
		x++ // there is no column i
	}
	return square(x, y)
}

func (g *goBoard) spell(s step) string {
	if s[0] < 0 {
		return "pass"
	}
	return "(place " + g.name(int(s[0]), int(s[1])) + ")"
}

func (g *goBoard) fluents() []string {
	all := []string{
		"(control " + g.roles()[g.turn] + ")", fmt.Sprintf("(passes %d)", g.passes), fmt.Sprintf("(turns_made %d)", g.made),
	}
	for p, owner := range g.points[:g.size*g.size] {
		all = append(all, "(cell "+g.name(p%g.size, p/g.size)+" "+[]string{"empty", "black", "white"}[owner]+")")
	}
	return all
}
