package games_test

import (
	"fmt"
	"slices"
	"strings"
)

func init() {
	directs["squads"] = func() direct { return newSquads() }
	directs["forts"] = func() direct { return newForts() }
}

// place is a column and a row, from 0; taken is that of a piece which is gone.
type place [2]int

var taken = place{-1, -1}

// steps are what orders do.
var steps = map[string]place{"stay": {0, 0}, "up": {0, 1}, "down": {0, -1}, "left": {-1, 0}, "right": {1, 0}}

// after is where an order leads on a square board of a size, and whether it is on it.
func (p place) after(order string, size int) (place, bool) {
	d := steps[order]
	q := place{p[0] + d[0], p[1] + d[1]}
	return q, q[0] >= 0 && q[0] < size && q[1] >= 0 && q[1] < size
}

// allOrders are the moves of four pieces.
func allOrders(pieces [4]place, size int) []string {
	all := []string{"(orders"}
	for _, p := range pieces {
		var more []string
		for order := range steps {
			if _, ok := p.after(order, size); p == taken && order == "stay" || p != taken && ok {
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

func places(side string, pieces [4]place) (all []string) {
	for i, p := range pieces {
		if p != taken {
			all = append(all, fmt.Sprintf("(at %s %d %c %d)", side, i+1, 'a'+p[0], p[1]+1))
		}
	}
	return all
}

var redAndBlue = []string{"red", "blue"}

type squads struct {
	pieces [2][4]place
	played int
}

func newSquads() *squads {
	g := new(squads)
	for i, x := range []int{0, 1, 4, 5} {
		g.pieces[0][i], g.pieces[1][i] = place{x, 0}, place{x, 5}
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
	return allOrders(g.pieces[role], 6)
}

func (g *squads) play(joint []string) {
	side := g.played % 2
	for i, order := range splitOrders(joint[side]) {
		p := &g.pieces[side][i]
		if *p == taken {
			continue
		}
		*p, _ = p.after(order, 6)
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
	units  [2][4]place
	flags  [5]int // side, from 1; 0: none
	played int
}

var (
	fortPlaces = [5]place{{0, 2}, {1, 3}, {2, 2}, {3, 1}, {4, 2}}
	fortHomes  = [2][4]place{{{0, 0}, {1, 0}, {3, 0}, {4, 0}}, {{0, 4}, {1, 4}, {3, 4}, {4, 4}}}
)

func newForts() *forts { return &forts{units: fortHomes} }

func (g *forts) roles() []string { return redAndBlue }

func (g *forts) fluents() []string {
	all := append(places("red", g.units[0]), places("blue", g.units[1])...)
	for i, p := range fortPlaces {
		if g.flags[i] > 0 {
			all = append(all, fmt.Sprintf("(flag %c %d %s)", 'a'+p[0], p[1]+1, redAndBlue[g.flags[i]-1]))
		}
	}
	return append(all, fmt.Sprintf("(round %d)", g.played+1))
}

func (g *forts) legal(role int) []string { return allOrders(g.units[role], 5) }

func (g *forts) play(joint []string) {
	for side, move := range joint {
		for i, order := range splitOrders(move) {
			g.units[side][i], _ = g.units[side][i].after(order, 5)
		}
	}
	came := g.units
	for side, units := range came {
		for i, p := range units {
			if slices.Contains(came[1-side][:], p) {
				g.units[side][i] = fortHomes[side][i]
				continue
			}
			if f := slices.Index(fortPlaces[:], p); f >= 0 {
				g.flags[f] = side + 1
			}
		}
	}
	g.played++
}

func (g *forts) terminal() bool { return g.played == 15 }

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
