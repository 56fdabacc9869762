package player

import (
	"sync/atomic"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/internal/gametest"
	"semisplit/protocol"
	"semisplit/search"
)

func findRandom(t *testing.T) agent.Agent {
	t.Helper()
	a, err := agent.Find("random")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// The random agent makes every legal move, and about equally often.
func TestRandomAgent(t *testing.T) {
	m := gametest.Prover(t, gametest.Bundled(t, "tictactoe"))
	seen := map[string]int{}
	for seed := range uint64(900) {
		b, err := NewBrain(m, findRandom(t), 0, seed, new(atomic.Bool))
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

// As a player it answers as soon as it knows the rules.
func TestRandomPlayer(t *testing.T) {
	p := New(Config{Agent: findRandom(t), Matches: 1, Seed: 1})
	defer p.Close()
	began := time.Now()
	if said := p.Start(t.Context(), protocol.Start{Match: "m", Role: kif.Symbol("x"), Rules: rules(t, "tictactoe"), StartClock: time.Hour, PlayClock: time.Hour}); said != "ready" {
		t.Fatal(said)
	}
	move, ok := p.Play(t.Context(), protocol.Play{Match: "m"})
	if !ok || len(move.Items) != 3 || time.Since(began) > time.Minute {
		t.Errorf("%v, %v after %v", move, ok, time.Since(began))
	}
}
