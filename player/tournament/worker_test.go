package tournament

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/evaluation"
	"semisplit/player/machines"
	"semisplit/player/referee"
	"semisplit/protocol"
	"semisplit/reasoner"
	"semisplit/search"
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

// The id of a match stands bare in messages, whatever the tournament is called.
func TestNameOnTheWire(t *testing.T) {
	for _, name := range []string{"Club cup", "a;b", "(x", "Gödel", "plain-name_2"} {
		term, err := kif.ParseTerm("(START " + protocol.Symbol(name) + ".r1-e1-m1 white (rules) 5 1)")
		if err != nil || len(term.Items) != 6 {
			t.Errorf("%q: %v, %v", name, term, err)
		}
	}
}

// What was proven ends a match with the move that it was proven of alone.
func TestProofOfAMoveNotPlayed(t *testing.T) {
	for _, fault := range []string{"", protocol.FaultTimeout} {
		var why error
		w := newWatch(MatchJob{Seats: make([]SeatJob, 2), Adjudicate: Adjudicate{Proof: true}})
		w.giveUp = func(err error) { why = err }
		w.thought(0, &thinking{report: search.Report{Low: []float64{1, 0}, High: []float64{1, 0}}})
		w.observe(referee.Event{Step: 1, Faults: []string{fault, ""}, Elapsed: make([]time.Duration, 2)})
		if (why != nil) != (fault == "") {
			t.Errorf("fault %q: the match ends with %v", fault, why)
		}
	}
}
