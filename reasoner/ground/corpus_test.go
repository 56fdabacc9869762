package ground_test

import (
	"testing"
	"time"

	"semisplit/internal/testenv"
)

// TestPublishedGames holds circuits of published games, evaluated gate by gate,
// against the prover: whole moves of a few small games, or in the long run every
// plan of every game.
func TestPublishedGames(t *testing.T) {
	if testenv.Long() {
		for _, name := range testenv.Published(t) {
			t.Run(name, func(t *testing.T) { agreePlans(t, testenv.Rules(t, name), 2, 30, 1500*time.Millisecond) })
		}
		return
	}
	for _, name := range []string{"ticTacToe", "connectFour", "breakthrough", "blocksWorldParallel", "minichess", "gt_staghunt"} {
		t.Run(name, func(t *testing.T) { agree(t, testenv.Rules(t, name), 1, 20) })
	}
}
