package ground_test

import (
	"os"
	"path/filepath"
	"testing"
)

// corpus finds the published games, or skips.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("GGP_CORPUS")
	if dir == "" {
		root, err := os.Getwd()
		for err == nil {
			if _, e := os.Stat(filepath.Join(root, "go.mod")); e == nil {
				dir = filepath.Join(root, "..", "shared")
				break
			}
			if filepath.Dir(root) == root {
				break
			}
			root = filepath.Dir(root)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "gdl")); err != nil {
		t.Skip("no published games found (set GGP_CORPUS): their circuits are not compared with the prover")
	}
	return filepath.Join(dir, "gdl")
}

func TestPublishedGames(t *testing.T) {
	dir := corpus(t)
	for _, name := range []string{"ticTacToe", "connectFour", "breakthrough", "knightThrough", "reversi", "checkersTiny", "blocksWorldParallel", "amazons_8x8", "gt_staghunt"} {
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join(dir, name+".kif"))
			if err != nil {
				t.Skip(err)
			}
			agree(t, string(src), 2, 60)
		})
	}
}
