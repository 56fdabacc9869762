package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"semisplit/search"
	"semisplit/search/combinatorial"
	"semisplit/search/combinatorial/berlin"
	"semisplit/search/engine"
)

// player is who plays Berlin: the heuristic, random moves, or a search.
type player struct {
	name         string
	kind         kind
	presentation berlin.Presentation
	options      combinatorial.Options
	front        bool // dimensions near the other side come first
	advised      bool // partial moves are completed by the heuristic
}

type kind uint8

const (
	searching kind = iota
	heuristic
	chance
)

// players are those of sections 5.3.1, 5.3.3 and 5.3.4 of the thesis.
var players = []player{
	{name: "random", kind: chance},
	{name: "heuristic", kind: heuristic},
	{name: "MCTS", options: combinatorial.Options{Method: combinatorial.Whole}},
	{name: "HE", options: combinatorial.Options{Method: combinatorial.Hierarchical}},
	{name: "HE,R", options: combinatorial.Options{Method: combinatorial.Hierarchical, Order: combinatorial.OrderRandom}},
	{name: "HE,K", options: combinatorial.Options{Method: combinatorial.Hierarchical, Order: combinatorial.OrderKnowledge}, front: true},
	{name: "HE,K, RAVE", options: combinatorial.Options{Method: combinatorial.Hierarchical, Order: combinatorial.OrderKnowledge, Completion: combinatorial.CompleteRAVE}, front: true},
	{name: "HE,K, heuristic", options: combinatorial.Options{Method: combinatorial.Hierarchical, Order: combinatorial.OrderKnowledge, Completion: combinatorial.CompleteAdvice}, front: true, advised: true},
	{name: "DE", options: combinatorial.Options{Method: combinatorial.Dimensional}},
	{name: "DE, RAVE", options: combinatorial.Options{Method: combinatorial.Dimensional, Completion: combinatorial.CompleteRAVE}},
	{name: "NMC", options: combinatorial.Options{Method: combinatorial.Naive}},
	{name: "LSI", options: combinatorial.Options{Method: combinatorial.Linear}},
	{name: "LSI, soldiers", presentation: berlin.SoldierAsAgent, options: combinatorial.Options{Method: combinatorial.Linear}},
}

// guided is the part of moves in playouts that the heuristic makes, section 5.3.3.
const guided = 0.75

// pairing is a match of two players, x in a seat.
type pairing struct {
	x, y, seat, limit int
	points            float64 // of x
}

// of is what a player makes of the match, and whether it plays.
func (p pairing) of(player int) (points float64, ok bool) {
	if p.x == player {
		return p.points, true
	}
	return 1 - p.points, p.y == player
}

// conquest plays Berlin, everybody against everybody in both seats, with each time for a move.
func (r run) conquest(m *berlin.Map, limits []time.Duration) {
	var pairs []pairing
	for limit := range limits {
		for x := range players {
			for y := range x {
				for play := range r.plays {
					pairs = append(pairs, pairing{x: x, y: y, seat: play % berlin.Sides, limit: limit})
				}
			}
		}
	}
	each(len(pairs), func(i int) {
		p := &pairs[i]
		sides := [berlin.Sides]player{players[p.x], players[p.y]}
		if p.seat == 1 {
			sides[0], sides[1] = sides[1], sides[0]
		}
		p.points = match(m, sides, limits[p.limit], uint64(i))[p.seat]
	})
	r.standings(m, limits, pairs)
	r.cross(m, limits, pairs)
}

// standings prints what each player makes of all, by time.
func (r run) standings(m *berlin.Map, limits []time.Duration, pairs []pairing) {
	fmt.Printf("### Map %s: points against all others, %d matches with each\n\n| player |", m.Name, r.plays)
	for _, l := range limits {
		fmt.Printf(" %v |", l)
	}
	fmt.Printf("\n|---|%s\n", strings.Repeat("--:|", len(limits)))
	for x, p := range players {
		fmt.Printf("| %s |", p.name)
		for limit := range limits {
			var own []float64
			for _, q := range pairs {
				if points, ok := q.of(x); ok && q.limit == limit {
					own = append(own, points)
				}
			}
			fmt.Printf(" %s |", interval(own))
		}
		fmt.Println()
	}
}

// cross prints what each player makes of each with the longest time.
func (r run) cross(m *berlin.Map, limits []time.Duration, pairs []pairing) {
	last := len(limits) - 1
	fmt.Printf("\n### Map %s: points of the row against the column with %v, of %d matches\n\n| player |", m.Name, limits[last], r.plays)
	for _, p := range players {
		fmt.Printf(" %s |", p.name)
	}
	fmt.Printf("\n|---|%s\n", strings.Repeat("--:|", len(players)))
	for x, p := range players {
		fmt.Printf("| %s |", p.name)
		for y := range players {
			sum, n := 0.0, 0
			for _, q := range pairs {
				points, ok := q.of(x)
				if _, too := q.of(y); ok && too && x != y && q.limit == last {
					sum, n = sum+points, n+1
				}
			}
			if n == 0 {
				fmt.Print(" |")
			} else {
				fmt.Printf(" %.0f |", 100*sum/float64(n))
			}
		}
		fmt.Println()
	}
	fmt.Println()
}

// match is what the sides make of a match.
func match(m *berlin.Map, sides [berlin.Sides]player, limit time.Duration, seed uint64) []float64 {
	var think [berlin.Sides]func(state []uint64) []uint32
	for side, p := range sides {
		think[side] = p.mind(m, side, limit, seed*berlin.Sides+uint64(side))
	}
	state, goals := m.Initial(), make([]float64, berlin.Sides)
	for !m.Over(state) {
		var orders [berlin.Sides][]uint32
		for side := range think {
			orders[side] = think[side](state)
		}
		state = m.Play(state, orders)
	}
	m.Goals(state, goals)
	return goals
}

// mind is how a player finds its orders, by node.
func (p player) mind(m *berlin.Map, side int, limit time.Duration, seed uint64) func(state []uint64) []uint32 {
	e := berlin.NewEngine(m, p.presentation, 1, guided, seed)
	orders := make([]uint32, len(m.Nodes))
	switch p.kind {
	case heuristic:
		return func(state []uint64) []uint32 { m.Heuristic(state, side, orders); return orders }
	case chance:
		rng := rand.New(rand.NewPCG(seed, 1))
		return func(state []uint64) []uint32 { m.Random(state, side, rng, orders); return orders }
	}
	options := p.options
	options.Seed = seed
	if p.front {
		options.Rank = m.Front
	}
	if p.advised {
		options.Advise = m.Heuristic
	}
	s := combinatorial.New([]engine.Engine{e}, e.Levels(), options)
	return func(state []uint64) []uint32 {
		if err := s.SetRoot(state); err != nil {
			panic("BUG: " + err.Error())
		}
		if _, err := s.Search(nil, search.Budget{Time: limit}); err != nil {
			panic("BUG: " + err.Error())
		}
		move, ok := s.Best(side)
		if !ok { // not one iteration was done
			clear(orders)
			return orders
		}
		e.Orders(move, orders)
		return orders
	}
}
