package mcts

import (
	"math"
	"testing"

	"semisplit/search/internal/toys"
)

// A Step in which a lane stalls is neither a ply nor a state, nor does it
// shorten the playout.
func TestStallsCountForNothing(t *testing.T) {
	variants(t, func(t *testing.T, lanes int) {
		mc := stallingTree(toys.Counting{Width: 2}, lanes, 3, Options{Seed: 1, PlayoutLimit: 10})
		r := mustSearch(t, mc, 500)
		if r.MeanLength != 11 || r.States != 500*11 || r.Playouts != 500 {
			t.Errorf("mean length %g, %d states, %d playouts; the way in and 10 moves were allowed", r.MeanLength, r.States, r.Playouts)
		}
		if played := mc.worker.engine.(stallingEngine).Played; played != r.States {
			t.Errorf("%d states counted, %d joint moves played", r.States, played)
		}
	})
}

// Who stalls does not play another game: its results have the same mean.
func TestStallsChangeNoResults(t *testing.T) {
	oneThread(t)
	var value [2]float64
	for i, stall := range []int{0, 2} {
		mc := stallingTree(toys.SplitTicTacToe{}, 64, stall, Options{Seed: 9})
		value[i] = mustSearch(t, mc, 4000).Value[0]
	}
	if d := value[0] - value[1]; d > 0.05 || d < -0.05 {
		t.Errorf("values %v without and with stalls", value)
	}
}

// TestNoPathAtAll: every prefix of a role is dead in a state that is not
// terminal, which shows at the last level only.
func TestNoPathAtAll(t *testing.T) {
	oneThread(t)
	variants(t, func(t *testing.T, lanes int) {
		mc := toyTree(blocked{}, lanes, Options{})
		mustSearch(t, mc, 50)
		if !mc.terminal() {
			t.Error("nothing can be played, but the game goes on")
		}
		if move, ok := mc.Best(0); ok {
			t.Errorf("best move %v", move)
		}
		if err := mc.check(); err != nil {
			t.Error(err)
		}
	})
}

// TestStranded: a game that goes on, by its rules, where one of two roles that
// move together has no move any more. It ends there with the goals it has
// there, in the tree as in playouts, and the other role's move that leads there
// is worth as much.
func TestStranded(t *testing.T) {
	variants(t, func(t *testing.T, lanes int) {
		mc := stallingTree(toys.Narrowing{}, lanes, 3, Options{Seed: 4})
		for range 3 {
			r := mustSearch(t, mc, 2000)
			if best, ok := mc.Best(0); !ok || best[0] != 2 {
				t.Errorf("best move %v of value %v", best, r.Value)
			}
			if err := mc.check(); err != nil {
				t.Fatal(err)
			}
		}
		for _, e := range mc.RootEdges(0) {
			if want := float64(e.Path[0]) / 4; math.Abs(e.Value-want) > 1e-9 {
				t.Errorf("move %v is worth %g, want %g", e.Path, e.Value, want)
			}
		}
	})
}

// blocked is a toys.VerifiedTicTacToe on a full board that does not end.
type blocked struct{ toys.VerifiedTicTacToe }

func (blocked) Initial() []uint64      { return []uint64{0o525, 0o252} }
func (blocked) Terminal([]uint64) bool { return false }
