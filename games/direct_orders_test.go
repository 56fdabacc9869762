package games_test

import (
	"fmt"
	"slices"
	"strings"
)

func init() {
	directs["squads"] = func() direct { return newSquads(6, 0, 1, 4, 5) }
	directs["platoons"] = func() direct { return newSquads(8, 0, 1, 2, 5, 6, 7) }
	directs["forts"] = func() direct {
		return newForts(5, 15, []int{0, 1, 3, 4}, []place{{0, 2}, {1, 3}, {2, 2}, {3, 1}, {4, 2}})
	}
	directs["bastions"] = func() direct {
		return newForts(7, 20, []int{0, 1, 2, 4, 5, 6}, []place{{0, 3}, {1, 5}, {2, 2}, {3, 3}, {4, 4}, {5, 1}, {6, 3}})
	}
}

// place is a column and a row, from 0; taken is that of a piece which is gone.
type place [2]int

var taken = place{-1, -1}

// steps are what orders do.
var steps = map[string]place{"stay": {0, 0}, "up": {0, 1}, "down": {0, -1}, "left": {-1, 0}, "right": {1, 0}}

// size is the columns and rows of a board.
type size [2]int

// after is where an order leads on a board of a size, and whether it is on it.
func (p place) after(order string, on size) (place, bool) {
	d := steps[order]
	q := place{p[0] + d[0], p[1] + d[1]}
	return q, q[0] >= 0 && q[0] < on[0] && q[1] >= 0 && q[1] < on[1]
}

// allOrders are the moves of all pieces of a side.
func allOrders(pieces []place, on size) []string {
	all := []string{"(orders"}
	for _, p := range pieces {
		var more []string
		for order := range steps {
			if _, ok := p.after(order, on); p == taken && order == "stay" || p != taken && ok {
				for _, begun := range all {
					more = append(more, begun+" "+order)
				}
			}
		}
		all = more
	}
	for i := range all {
		all[i] += ")"
	}
	return all
}

func splitOrders(move string) []string {
	return strings.Fields(strings.TrimSuffix(strings.TrimPrefix(move, "(orders "), ")"))
}

func places(side string, pieces []place) (all []string) {
	for i, p := range pieces {
		if p != taken {
			all = append(all, fmt.Sprintf("(at %s %d %c %d)", side, i+1, 'a'+p[0], p[1]+1))
		}
	}
	return all
}

var redAndBlue = []string{"red", "blue"}

type squads struct {
	board  size
	pieces [2][]place
	played int
}

// newSquads has pieces in some of so many columns.
func newSquads(columns int, begin ...int) *squads {
	g := &squads{board: size{columns, 6}}
	for _, x := range begin {
		g.pieces[0] = append(g.pieces[0], place{x, 0})
		g.pieces[1] = append(g.pieces[1], place{x, 5})
	}
	return g
}

func (g *squads) roles() []string { return redAndBlue }

func (g *squads) fluents() []string {
	all := append(places("red", g.pieces[0]), places("blue", g.pieces[1])...)
	return append(all, fmt.Sprintf("(control %s)", redAndBlue[g.played%2]), fmt.Sprintf("(turn %d)", g.played+1))
}

func (g *squads) legal(role int) []string {
	if role != g.played%2 {
		return []string{"noop"}
	}
	return allOrders(g.pieces[role], g.board)
}

func (g *squads) play(joint []string) {
	side := g.played % 2
	for i, order := range splitOrders(joint[side]) {
		p := &g.pieces[side][i]
		if *p == taken {
			continue
		}
		*p, _ = p.after(order, g.board)
		for j, q := range g.pieces[1-side] {
			if q == *p {
				g.pieces[1-side][j] = taken
			}
		}
	}
	g.played++
}

func (g *squads) won(role int) bool {
	gone := true
	for i, p := range g.pieces[role] {
		if p != taken && p[1] == 5*(1-role) {
			return true
		}
		gone = gone && g.pieces[1-role][i] == taken
	}
	return gone
}

func (g *squads) terminal() bool { return g.played == 40 || g.won(0) || g.won(1) }

func (g *squads) goal(role int) int {
	switch {
	case g.won(role):
		return 100
	case g.won(1 - role):
		return 0
	}
	return 50
}

type forts struct {
	board  size
	rounds int
	places []place
	homes  [2][]place
	units  [2][]place
	flags  []int // by place: side, from 1; 0: none
	played int
}

// newForts has a square board, and homes in some columns of the first and the last row.
func newForts(wide, rounds int, homes []int, places []place) *forts {
	g := &forts{board: size{wide, wide}, rounds: rounds, places: places, flags: make([]int, len(places))}
	for _, x := range homes {
		g.homes[0] = append(g.homes[0], place{x, 0})
		g.homes[1] = append(g.homes[1], place{x, wide - 1})
	}
	g.units = [2][]place{slices.Clone(g.homes[0]), slices.Clone(g.homes[1])}
	return g
}

func (g *forts) roles() []string { return redAndBlue }

func (g *forts) fluents() []string {
	all := append(places("red", g.units[0]), places("blue", g.units[1])...)
	for i, p := range g.places {
		if g.flags[i] > 0 {
			all = append(all, fmt.Sprintf("(flag %c %d %s)", 'a'+p[0], p[1]+1, redAndBlue[g.flags[i]-1]))
		}
	}
	return append(all, fmt.Sprintf("(round %d)", g.played+1))
}

func (g *forts) legal(role int) []string { return allOrders(g.units[role], g.board) }

func (g *forts) play(joint []string) {
	for side, move := range joint {
		for i, order := range splitOrders(move) {
			g.units[side][i], _ = g.units[side][i].after(order, g.board)
		}
	}
	came := [2][]place{slices.Clone(g.units[0]), slices.Clone(g.units[1])}
	for side, units := range came {
		for i, p := range units {
			if slices.Contains(came[1-side], p) {
				g.units[side][i] = g.homes[side][i]
				continue
			}
			if f := slices.Index(g.places, p); f >= 0 {
				g.flags[f] = side + 1
			}
		}
	}
	g.played++
}

func (g *forts) terminal() bool { return g.played == g.rounds }

func (g *forts) goal(role int) int {
	lead := 0
	for _, side := range g.flags {
		switch side {
		case role + 1:
			lead++
		case 2 - role:
			lead--
		}
	}
	switch {
	case lead > 0:
		return 100
	case lead < 0:
		return 0
	}
	return 50
}
