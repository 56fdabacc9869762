package local

import (
	"testing"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/internal/gametest"
	"semisplit/search"
)

// Two threads play a match in every design of the tree, and keep what they know from move to move.
func TestThreadsPlay(t *testing.T) {
	program := gametest.Bundled(t, "knightthrough")
	most, iterations := 12, 800
	if testing.Short() {
		most, iterations = 4, 300
	}
	for _, tree := range []agent.Strategy{agent.Orthodox, agent.Semisplit, agent.Rollup} {
		a := agent.Default()
		a.General.Threads, a.Algorithm.TreeStrategy = 2, tree
		m := lanesFor(t, program, "mod", a)
		players := []*Player{newPlayer(t, m, a, 0, 1), newPlayer(t, m, a, 1, 2)}
		kept, turns := 0, 0
		for ; turns < most && !players[0].board.Terminal(); turns++ {
			joint := make([]kif.Term, 2)
			for role, b := range players {
				var err error
				if joint[role], _, err = b.Choose(search.Budget{Iterations: iterations}); err != nil {
					t.Fatal(err)
				}
			}
			for _, b := range players {
				if err := b.Advance(joint); err != nil {
					t.Fatal(err)
				}
			}
			if r, err := players[0].Prepare(search.Budget{Iterations: 100}); err != nil {
				t.Fatal(err)
			} else if r.KeptVisits > 0 {
				kept++
			}
		}
		if kept < max(1, turns/3) { // a match may be over in five turns
			t.Errorf("%s: the tree was kept in %d of %d turns", tree, kept, turns)
		}
	}
}
