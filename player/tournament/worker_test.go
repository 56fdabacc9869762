package tournament

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"semisplit/games"
	"semisplit/player/agent"
	"semisplit/player/evaluation"
	"semisplit/player/machines"
	"semisplit/reasoner"
)

// held are files in memory.
type held map[string][]byte

func (h held) Get(_ context.Context, hash string) ([]byte, error) { return h[hash], nil }

// TestLearnedIsBounded: a worker keeps what some agents have learned of a game, those that
// played last, and all of them play on the same machines.
func TestLearnedIsBounded(t *testing.T) {
	bundled, err := games.Load("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	files := held{"rules": []byte(bundled.Rules)}
	var w Worker
	g, err := w.game(t.Context(), files, "rules")
	if err != nil {
		t.Fatal(err)
	}
	v := reasoner.Variant{Engine: agent.EngineLanes, Plan: "orthodox", Lanes: 64}
	plain, err := g.machines.ForAgent(t.Context(), agent.Default(), v)
	if err != nil {
		t.Fatal(err)
	}
	get := func(n int) *machines.Cache {
		hash := fmt.Sprint("learned ", n)
		files[hash], err = json.Marshal(evaluation.Stored{
			Source: evaluation.FromMatches, Roles: []string{"x", "o"}, Bias: []float64{0, 0}, Quality: make([]evaluation.Quality, 2),
			Fluents: []evaluation.StoredFluent{{Fluent: "(cell b 2 x)", Weights: []float32{float32(n), 0}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		c, err := w.machines(t.Context(), files, g, map[string]string{string(evaluation.FromMatches): hash}, v)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := c.ForAgent(t.Context(), agent.Default(), v); err != nil || m != plain {
			t.Errorf("a machine of its own for what was learned, %v", err)
		}
		return c
	}
	first := get(0)
	for n := range 3 * mostLearned {
		if get(0) != first {
			t.Fatalf("what played last was forgotten after %d others", n)
		}
		get(n + 1)
	}
	if len(g.taught) != mostLearned {
		t.Errorf("%d are kept", len(g.taught))
	}
}
