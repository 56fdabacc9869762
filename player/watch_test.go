package player_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/player"
	"semisplit/player/agent"
	"semisplit/protocol"
)

// TestWatch plays two turns, and looks at what the watch is told.
func TestWatch(t *testing.T) {
	game, err := games.Load("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := kif.Parse(game.Rules)
	if err != nil {
		t.Fatal(err)
	}
	a := agent.Default()
	a.Name, a.General.Threads = "watched", 1
	a.Algorithm.Parameters.Iterations = 200
	var mu sync.Mutex
	var started, ended int
	var steps []int
	thought := map[int]bool{}
	last := false
	p := player.New(player.Config{Agent: a, Matches: 1, Seed: 1, Watch: func(event any) {
		mu.Lock()
		defer mu.Unlock()
		switch e := event.(type) {
		case player.WatchStart:
			if started++; e.Match != "m" || e.Player != "watched" || len(e.Rules) != len(rules) {
				t.Errorf("told of the start: %s, %s, %d rules", e.Match, e.Player, len(e.Rules))
			}
		case player.WatchState:
			steps = append(steps, e.Step)
			if last = e.Terminal; len(e.State) == 0 || (e.Step > 0) != (e.Moves != nil) {
				t.Errorf("step %d with %d fluents and the moves %v", e.Step, len(e.State), e.Moves)
			}
		case player.WatchMind:
			if thought[e.Step] = true; len(e.Mind.Roles) != 2 || len(e.Mind.Roles[0].Moves) == 0 && len(e.Mind.Roles[1].Moves) == 0 {
				t.Errorf("step %d: %+v is thought", e.Step, e.Mind)
			}
		case player.WatchEnd:
			ended++
		}
	}})
	start := protocol.Start{Match: "m", Role: kif.Symbol("x"), Rules: rules, StartClock: 30 * time.Second, PlayClock: 30 * time.Second, Received: time.Now()}
	if text := p.Start(t.Context(), start); text != "ready" {
		t.Fatal(text)
	}
	x, ok := p.Play(t.Context(), protocol.Play{Match: "m", Received: time.Now()})
	if !ok {
		t.Fatal("no move")
	}
	moves := []kif.Term{x, kif.Symbol("noop")}
	if _, ok := p.Play(t.Context(), protocol.Play{Match: "m", Moves: moves, Received: time.Now()}); !ok {
		t.Fatal("no move in the other's turn")
	}
	p.Abort(t.Context(), "m")
	p.Close()
	mu.Lock()
	defer mu.Unlock()
	if started != 1 || ended != 1 || !slices.IsSorted(steps) || !slices.Contains(steps, 0) || !slices.Contains(steps, 1) || !thought[0] || last {
		t.Errorf("told of %d starts, %d ends, the steps %v, thoughts about %v", started, ended, steps, thought)
	}
}
