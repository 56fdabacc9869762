package local

import (
	"sync/atomic"
	"testing"

	"semisplit/player/agent"
	"semisplit/player/internal/gametest"
	"semisplit/search"
)

// The random agent makes every legal move, and about equally often.
func TestRandomAgent(t *testing.T) {
	random, err := agent.Find("random")
	if err != nil {
		t.Fatal(err)
	}
	m := gametest.Prover(t, gametest.Bundled(t, "tictactoe"))
	seen := map[string]int{}
	for seed := range uint64(900) {
		b, err := NewPlayer(m, random, 0, seed, new(atomic.Bool))
		if err != nil {
			t.Fatal(err)
		}
		move, _, err := b.Choose(search.Budget{Iterations: 100})
		if err != nil {
			t.Fatal(err)
		}
		seen[move.String()]++
	}
	for move, n := range seen {
		if len(seen) != 9 || n < 60 || n > 140 {
			t.Errorf("%s was chosen %d times of 900: %v", move, n, seen)
		}
	}
}
