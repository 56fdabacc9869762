package mcts

import (
	"math"
	"testing"

	"semisplit/search/internal/toys"
)

// Hundreds of engines on one tree have no more lanes in flight than an edge counts.
func TestLanesInFlightAreCounted(t *testing.T) {
	mc := toyTree(toys.TicTacToe{}, 1, 300, Options{Seed: 1, LanesInFlight: 512})
	if n := mc.lanesAllowed(512); n < 1 || n*300 > math.MaxUint16 {
		t.Errorf("%d lanes for each of 300 engines", n)
	}
}
