package ground_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"
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
	for _, name := range []string{"ticTacToe", "connectFour", "breakthrough", "knightThrough", "reversi", "blocksWorldParallel", "minichess", "gt_staghunt"} {
		t.Run(name, func(t *testing.T) {
			src, err := os.ReadFile(filepath.Join(dir, name+".kif"))
			if err != nil {
				t.Skip(err)
			}
			agree(t, string(src), 1, 20)
			if !testing.Short() {
				agreePlans(t, string(src), 1, 4, 300*time.Millisecond)
			}
		})
	}
}

// TestEveryPublishedGame takes an hour: GGP_GROUND is a pattern of the names
// of the games.
func TestEveryPublishedGame(t *testing.T) {
	pattern := os.Getenv("GGP_GROUND")
	if pattern == "" {
		t.Skip("set GGP_GROUND=* to compare every published game and plan with the prover")
	}
	files, _ := filepath.Glob(filepath.Join(corpus(t), pattern+".kif"))
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			agreePlans(t, string(src), 2, 30, 1500*time.Millisecond)
		})
	}
}
