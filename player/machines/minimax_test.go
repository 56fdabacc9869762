package machines

import (
	"slices"
	"testing"

	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/minimax"
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

// The root is the state that was asked for, but for what nothing depends on, however its
// moves were listed: an empty heap of Nim in one game, moves of two parts in another.
func TestRootStates(t *testing.T) {
	for game, plan := range map[string]string{"nim": "orthodox", "skirmish": "mod"} {
		m := gametest.Lanes(t, gametest.Bundled(t, game), plan)
		whole := gametest.RandomStates(t, m.Whole(), 5)
		tree := minimax.NewAlphaBeta([]engine.Engine{m.NewEngine(1)}, board.Levels(m), minimax.Options{})
		for _, state := range whole {
			if err := tree.SetRoot(state); err != nil {
				t.Fatal(err)
			}
			if got, want := tree.State(), reasoner.Essential(m, state); !slices.Equal(got, want) {
				t.Errorf("%s: the root is %v, want %v", game, m.Fluents(got), m.Fluents(want))
			}
		}
	}
}
