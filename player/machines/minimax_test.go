package machines

import (
	"testing"

	"semisplit/player/agent"
	"semisplit/player/internal/gametest"
	"semisplit/search"
)

// A prover's states are lists of numbers, which get shorter where pieces are taken; a
// match in which no circuit is ready yet begins with them.
func TestMinimaxOnTheProver(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	m := gametest.Prover(t, gametest.Bundled(t, "skirmish"))
	states := gametest.RandomStates(t, m, 10)
	lengths := map[int]bool{}
	for _, preset := range []string{"alphabeta", "bestfirst"} {
		a, err := agent.Find(preset)
		if err != nil {
			t.Fatal(err)
		}
		tree := NewTree(m, a, 1)
		for _, state := range states {
			lengths[len(state)] = true
			if err := tree.SetRoot(state); err != nil {
				t.Fatal(err)
			}
			if _, err := tree.Search(nil, search.Budget{States: 200}); err != nil {
				t.Errorf("%s: %v", preset, err)
			}
		}
	}
	if len(lengths) < 2 {
		t.Error("nothing was taken in all states")
	}
}
