package mcts

import (
	"math"
	"sync/atomic"
	"testing"

	"semisplit/search"
	"semisplit/search/internal/toys"
)

// coins is a game for two: the first draws one of many coins, and where it falls is
// chance as far as playouts go.
type coins struct{ coins uint32 }

func (coins) Levels() []int            { return []int{1, 1} }
func (coins) Initial() []uint64        { return []uint64{0, 0} }
func (coins) Terminal(s []uint64) bool { return s[1] != 0 }
func (coins) Goals(s []uint64) []float64 {
	v := float64(s[1] % 2)
	return []float64{v, 1 - v}
}
func (g coins) Offers(s []uint64, role int, _ []uint32) (o []uint32) {
	n := uint32(1)
	switch {
	case s[0] == 0 && role == 0:
		n = g.coins
	case s[0] != 0 && role == 1:
		n = 2
	}
	for i := range n {
		o = append(o, i)
	}
	return o
}
func (coins) Play(s []uint64, j []uint32) []uint64 {
	if s[0] == 0 {
		return []uint64{1 + uint64(j[0]), 0}
	}
	return []uint64{s[0], 1 + uint64(j[1])}
}

// What is backed up from a state is the mean of so many playouts: a multiple of their
// part, with the variance that goes with it.
func TestLeafPlayouts(t *testing.T) {
	oneThread(t)
	const moves, each = 2000, 8
	for i, lanes := range []int{8, 64, 100, 64} {
		mc := toyTree(coins{moves}, lanes, Options{Seed: 5, LeafPlayouts: each, Transpositions: i == 3})
		r := mustSearch(t, mc, moves)
		if r.Playouts != each*moves {
			t.Errorf("%d lanes: %d playouts of %d states", lanes, r.Playouts, moves)
		}
		sum, squares := 0.0, 0.0
		for _, e := range mc.RootEdges(0) {
			if e.Visits != 1 || math.Mod(e.Value*each, 1) != 0 {
				t.Fatalf("%d lanes: a coin with %d visits and mean %v", lanes, e.Visits, e.Value)
			}
			sum += e.Value
			squares += (e.Value - 0.5) * (e.Value - 0.5)
		}
		// The mean has a deviation of 0.004, the variance one of 3%.
		if mean, variance := sum/moves, squares/moves; math.Abs(mean-0.5) > 0.02 || math.Abs(variance*4*each-1) > 0.2 {
			t.Errorf("%d lanes: mean %v, variance %v", lanes, mean, variance)
		}
	}
}

// Groups leave nothing behind, wherever a search is stopped, and find what single
// playouts find.
func TestLeafPlayoutsAtAnyStep(t *testing.T) {
	oneThread(t)
	for at := 1; at < 40; at++ {
		o := Options{Seed: uint64(at), LeafPlayouts: 2 + at%4, Solver: at%2 == 0, PlayoutLimit: 3 + at%7}
		mc := stallingTree(toys.SplitTicTacToe{}, 64, at%3*5, o)
		mustSearch(t, mc, 1+at%3*100)
		e := mc.worker.engine
		played, ok := e.(*toyEngine)
		if !ok {
			played = e.(stallingEngine).Engine
		}
		first := played.Steps
		played.OnStep = func(e *toyEngine, s *atomic.Bool) error {
			if e.Steps-first == at {
				s.Store(true)
			}
			return nil
		}
		before := mc.RootVisits()
		var stop atomic.Bool
		r, err := mc.Search(&stop, search.Budget{})
		if err == nil {
			err = mc.check()
		}
		if err != nil {
			t.Fatalf("stopped at step %d: %v", at, err)
		}
		if mc.RootVisits() != before+r.Iterations {
			t.Errorf("stopped at step %d: %d visits, %d before, %d iterations", at, mc.RootVisits(), before, r.Iterations)
		}
		played.OnStep = nil
		mc.Search(nil, search.Budget{Iterations: 500})
		mc.worker.reset()
		if n := mc.tree.Node(mc.tree.Root); n.Virtual != 0 || mc.worker.flight.following != 0 {
			t.Errorf("stopped at step %d: %d virtual visits, %d followers are left", at, n.Virtual, mc.worker.flight.following)
		}
	}
	variants(t, func(t *testing.T, lanes int) {
		for _, c := range tactics {
			mc := toyTree(toys.TicTacToe{Start: c.start}, lanes, Options{Seed: 7, LeafPlayouts: 4})
			mustSearch(t, mc, 2000)
			wantBest(t, mc, c.role, c.best)
		}
	})
}
