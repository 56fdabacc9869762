package board_test

import (
	"path/filepath"
	"slices"
	"testing"

	"semisplit/games"
	"semisplit/ggp/board"
	"semisplit/internal/testenv"
)

// TestLegendOfMatches draws random matches without drawing files: the legend of
// the initial state names every piece that comes later, by the same letter. Where there
// may be very many, names come with their pieces, and none changes.
func TestLegendOfMatches(t *testing.T) {
	for _, game := range games.List() {
		if testenv.Large(game.Name) != "" && !testenv.Long() {
			continue // slow to walk through on the prover as well
		}
		first, later := legends(t, game.Name, 60)
		if later != nil {
			t.Errorf("%s: the legend is %v at the start, later %v", game.Name, first, later)
		}
	}
}

// TestLegendOfPublished does so with published games. There may be none at
// first where the board is seen later, and one in fifty may be different: one of
// more fluents than are listed.
func TestLegendOfPublished(t *testing.T) {
	dir, names := testenv.Corpus(t, "gdl"), testenv.Published(t)
	var different []string
	for _, name := range names {
		if first, later := legends(t, filepath.Join(dir, name+".kif"), 8); later != nil && first != nil {
			different = append(different, name)
		}
	}
	if len(different)*50 > len(names) {
		t.Errorf("the legend changes in %v", different)
	}
}

// legends are the legend at the start of a random match, and the first of its states that
// names something in another way, or something else where the rules allow few names.
func legends(t *testing.T, file string, plies int) (first, later []board.Entry) {
	t.Helper()
	g, err := games.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	states := walk(t, file, plies)
	o := board.Options{Frame: states[0], Possible: possible(t, g)}
	first = board.DrawPage(states[0], o, nil).Legend
	few := len(board.DrawPage(o.Possible, o, nil).Legend) <= 12
	seen := slices.Clone(first)
	for _, state := range states {
		legend := board.DrawPage(state, o, nil).Legend
		lost := slices.ContainsFunc(first, func(e board.Entry) bool { return !slices.Contains(legend, e) })
		grown := !slices.Equal(legend, first)
		for _, e := range legend {
			same := func(x board.Entry) bool { return x.Name == e.Name || x.Letter == e.Letter && x.Class == e.Class }
			if i := slices.IndexFunc(seen, same); i < 0 {
				seen = append(seen, e)
			} else if seen[i] != e {
				return first, legend
			}
		}
		if lost || grown && few {
			return first, legend
		}
	}
	return first, nil
}
