package local

import (
	"sync/atomic"
	"testing"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/internal/gametest"
	"semisplit/search"
)

// Both searches by minimax play a small game to the end as brute force would, without
// any evaluation: on lanes and on the prover, with moves whole and in parts.
func TestMinimaxPlays(t *testing.T) {
	program := gametest.Bundled(t, "tictactoe")
	for _, c := range []struct{ engine, plan, x, o string }{
		{agent.EngineLanes, "orthodox", "alphabeta", "bestfirst"},
		{agent.EngineLanes, "modplus", "bestfirst", "alphabeta"},
		{agent.EngineProver, "orthodox", "bestfirst", "alphabeta"},
	} {
		if testing.Short() && c.engine == agent.EngineProver {
			continue
		}
		m := gametest.Prover(t, program)
		if c.engine == agent.EngineLanes {
			m = gametest.Lanes(t, program, c.plan)
		}
		var players []*Player
		for role, name := range []string{c.x, c.o} {
			a, err := agent.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			b, err := NewPlayer(m, a, role, 1, new(atomic.Bool))
			if err != nil {
				t.Fatal(err)
			}
			players = append(players, b)
		}
		iterations := 30_000
		if c.engine == agent.EngineProver {
			iterations = 300
		}
		for !players[0].board.Terminal() {
			var moves []kif.Term
			for role, b := range players {
				move, report, err := b.Choose(search.Budget{Iterations: iterations})
				if err != nil {
					t.Fatal(err)
				}
				if c.engine == agent.EngineLanes && report.Iterations > 0 && (report.Low[role] != 0.5 || report.High[role] != 0.5) {
					t.Errorf("%v: %+v", c, report)
				}
				moves = append(moves, move)
			}
			for _, b := range players {
				if err := b.Advance(moves); err != nil {
					t.Fatal(err)
				}
			}
		}
		if goals := players[0].board.Goals(); c.engine == agent.EngineLanes && (goals[0] != 50 || goals[1] != 50) {
			t.Errorf("%v: %v", c, goals)
		}
	}
}
