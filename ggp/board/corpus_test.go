package board_test

import (
	"path/filepath"
	"testing"

	"semisplit/ggp/board"
	"semisplit/internal/testenv"
)

// TestCorpus draws the initial state of every published game, and one of a
// random match in it.
func TestCorpus(t *testing.T) {
	dir, names := testenv.Corpus(t, "gdl"), testenv.Published(t)
	boards := 0
	for _, name := range names {
		m := machine(t, filepath.Join(dir, name+".kif"))
		fluents := m.Fluents(m.Initial())
		checkDrawing(t, fluents, board.Options{})
		checkDrawing(t, fluents, board.Options{Frame: fluents, Color: false, Symbols: true})
		if board.Size(fluents, nil) != "" {
			boards++
		}
	}
	t.Logf("%d of %d games have a board", boards, len(names))
}
