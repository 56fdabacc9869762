package local

import (
	"testing"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/search"
)

// A game for one is played by the best line that was found, also where turns with
// one legal move lie between others and the tree was lost before them.
func TestKeptLineThroughForcedMoves(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	for _, name := range []string{"knightstour", "pegsolitaire"} {
		a := agent.Default()
		a.Algorithm.Parameters.Solver = true
		a.General.Threads = 1
		m := lanesFor(t, gametest.Bundled(t, name), "orthodox", a)
		for _, iterations := range []int{300, 3000} {
			for seed := range uint64(5) {
				playAlone(t, m, newPlayer(t, m, a, 0, seed), seed, search.Budget{Iterations: iterations})
			}
		}
	}
}

// playAlone plays a game for one, and checks each move on a board of its own.
func playAlone(t *testing.T, m reasoner.Machine, b *Player, seed uint64, move search.Budget) {
	t.Helper()
	judge, err := board.New(m, seed, nil)
	if err != nil {
		t.Fatal(err)
	}
	for turn := 0; !judge.Terminal(); turn++ {
		term, report, err := b.Choose(move)
		if err != nil {
			t.Fatal(err)
		}
		joint, ok := judge.Find(0, term)
		if !ok {
			t.Fatalf("seed %d, %v, turn %d: %v is illegal; report %+v", seed, move, turn, term, report)
		}
		if err := judge.Moved(joint); err != nil {
			t.Fatal(err)
		}
		if err := b.Advance([]kif.Term{term}); err != nil {
			t.Fatal(err)
		}
	}
}
