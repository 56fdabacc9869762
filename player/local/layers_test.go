package local

import (
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/internal/gametest"
	"semisplit/search"
)

// Bundled puzzles are solved by layers within a counted number of joint moves, on
// whole moves and on split ones, and what was found is played to its end.
func TestPuzzlesByLayers(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	for _, c := range []struct {
		game, plan string
		moves      int
	}{
		{"lightsout", "orthodox", 30_000},
		{"knightstour", "orthodox", 100_000},
		{"pegsolitaire", "orthodox", 150_000},
		{"sudoku", "orthodox", 400_000},
		{"eightpuzzle", "orthodox", 10_000},
		{"pegsolitaire", "mod", 150_000},
	} {
		t.Run(c.game+", "+c.plan, func(t *testing.T) {
			a := agent.Default()
			a.Algorithm.Parameters.Solver = true
			if c.plan == "orthodox" {
				a.Algorithm.TreeStrategy, a.Algorithm.SimulationStrategy = agent.Orthodox, agent.Orthodox
			}
			m := lanesFor(t, gametest.Bundled(t, c.game), c.plan, a)
			b := newPlayer(t, m, a, 0, 1)
			report, err := b.Prepare(search.Budget{Time: 2 * time.Minute})
			if err != nil || report.LayersFault != nil {
				t.Fatal(err, report.LayersFault)
			}
			if report.Low[0] != 1 || report.Layered > c.moves {
				t.Fatalf("a line to %g after %d moves", report.Low[0], report.Layered)
			}
			t.Logf("%d moves", report.Layered)
			for !b.board.Terminal() {
				move, _, err := b.Choose(search.Budget{Iterations: 1})
				if err != nil {
					t.Fatal(err)
				}
				if err := b.Advance([]kif.Term{move}); err != nil {
					t.Fatal(err)
				}
			}
			if goals := b.board.Goals(); goals[0] != 100 {
				t.Errorf("the goals are %v in the end", goals)
			}
		})
	}
}
