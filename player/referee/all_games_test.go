package referee_test

import (
	"testing"
	"time"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/kif"
	"semisplit/player"
	"semisplit/player/agent"
	"semisplit/player/referee"
)

// TestPlayerPlaysAll: our player in all seats plays every bundled game to the
// end that its rules set, without an illegal or a late move. Games that take
// long are played in the long run (make matches), by the clock; of the others,
// which get a few iterations a turn, the short run plays one in six.
func TestPlayerPlaysAll(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	for i, g := range games.List() {
		why := testenv.Large(g.Name)
		if !testenv.Long() && (why != "" || i%6 != 1) {
			continue
		}
		t.Run(g.Name, func(t *testing.T) { playerPlays(t, g, why != "") })
	}
}

func playerPlays(t *testing.T, g games.Game, large bool) {
	fixed := agent.Default()
	fixed.General.Threads, fixed.General.Memory = 1, 64<<20
	config := referee.Config{Game: g.Name, Rules: parse(t, g.Rules), StartClock: time.Minute, PlayClock: time.Minute}
	if large {
		config.StartClock, config.PlayClock = 3*time.Minute, time.Second
	} else {
		fixed.Algorithm.Parameters.Iterations = 20
	}
	for _, rule := range config.Rules {
		if len(rule.Items) == 2 && kif.Equal(rule.Items[0], kif.Symbol("role")) {
			p := player.New(player.Config{Agent: fixed, Seed: uint64(len(config.Seats))})
			defer p.Close()
			config.Seats = append(config.Seats, referee.InProcess(rule.Items[1].String(), p))
		}
	}
	r, err := referee.Run(t.Context(), config)
	if err != nil || r.Aborted || len(r.Goals) != len(config.Seats) {
		t.Fatalf("%+v, %v", r, err)
	}
	for role, slowest := range r.Slowest {
		if r.FaultCount(role) > 0 {
			t.Errorf("role %d: faults %v, slowest reply %v", role, r.Faults, slowest)
		}
	}
	t.Logf("goals %v after %d steps, slowest replies %v", r.Goals, r.Steps, r.Slowest)
}
