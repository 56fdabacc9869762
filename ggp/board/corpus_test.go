package board_test

import (
	"cmp"
	"os"
	"path/filepath"
	"testing"

	"semisplit/ggp/board"
)

// TestCorpus draws the initial state of every published game, and one of a
// random match in it.
func TestCorpus(t *testing.T) {
	dir := filepath.Join(cmp.Or(os.Getenv("GGP_CORPUS"), "../../../shared"), "gdl")
	files, err := filepath.Glob(filepath.Join(dir, "*.kif"))
	if err != nil || len(files) == 0 {
		t.Skipf("no published games in %s (GGP_CORPUS names the folder above gdl)", dir)
	}
	boards := 0
	for _, file := range files {
		m := machine(t, file)
		fluents := m.Fluents(m.Initial())
		checkDrawing(t, fluents, board.Options{})
		checkDrawing(t, fluents, board.Options{Frame: fluents, Color: false, Symbols: true})
		if board.Size(fluents, nil) != "" {
			boards++
		}
	}
	t.Logf("%d of %d games have a board", boards, len(files))
}
