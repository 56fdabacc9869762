package search

import (
	"errors"
	"testing"
)

// A Step in which a lane stalls is neither a ply nor a state, nor does it
// shorten the playout.
func TestStallsCountForNothing(t *testing.T) {
	variants(t, func(t *testing.T, lanes, threads int) {
		tree := stallingTree(counting{2}, lanes, threads, 3, Options{Seed: 1, PlayoutLimit: 10})
		r := mustSearch(t, tree, 500)
		if r.MeanLength != 11 || r.States != 500*11 || r.Playouts != 500 {
			t.Errorf("mean length %g, %d states, %d playouts; the way in and 10 moves were allowed", r.MeanLength, r.States, r.Playouts)
		}
		played := 0
		for _, w := range tree.workers {
			played += w.engine.(stallingEngine).played
		}
		if played != r.States {
			t.Errorf("%d states counted, %d joint moves played", r.States, played)
		}
	})
}

// Who stalls does not play another game: its results have the same mean.
func TestStallsChangeNoResults(t *testing.T) {
	var value [2]float64
	for i, stall := range []int{0, 2} {
		tree := stallingTree(splitTicTacToe{}, 64, 1, stall, Options{Seed: 9})
		value[i] = mustSearch(t, tree, 4000).Value[0]
	}
	if d := value[0] - value[1]; d > 0.05 || d < -0.05 {
		t.Errorf("values %v without and with stalls", value)
	}
}

// TestNoPathAtAll: every prefix of a role is dead in a state that is not
// terminal, which shows at the last level only.
func TestNoPathAtAll(t *testing.T) {
	variants(t, func(t *testing.T, lanes, threads int) {
		tree := toyTree(blocked{}, lanes, threads, Options{})
		if _, err := tree.Search(nil, Budget{Iterations: 50}); !errors.Is(err, ErrNoMove) {
			t.Errorf("search where nothing can be played: %v", err)
		}
		if err := tree.check(); err != nil {
			t.Error(err)
		}
	})
}

// blocked is a verifiedTicTacToe on a full board that does not end.
type blocked struct{ verifiedTicTacToe }

func (blocked) initial() []uint64      { return []uint64{0o525, 0o252} }
func (blocked) terminal([]uint64) bool { return false }
