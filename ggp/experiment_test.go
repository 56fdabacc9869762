package main

import (
	"os"
	"testing"

	"semisplit/ggp/internal/console"
	"semisplit/player/arena"
)

const tinySpec = `{"name": "tiny", "games": ["tictactoe"], "plays": 2, "settings": [{"kind": "iterations", "iterations": 20}],
	"agents": [{"agent": "orthodox", "label": "many", "set": {"general.engine": "prover"}}],
	"baselines": [{"agent": "orthodox", "label": "few", "set": {"general.engine": "prover", "algorithm.parameters.iterations": 2}}]}`

// TestSecondExperiment gets a sentence and leaves the first one alone.
func TestSecondExperiment(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("tiny.json", []byte(tinySpec), 0o666); err != nil {
		t.Fatal(err)
	}
	contains(t, command(t, t.Context(), console.ExitOK, "experiment", "tiny.json"), "2 of 2 plays")
	first, err := arena.Create("tiny.db")
	if err != nil {
		t.Fatal(err)
	}
	contains(t, command(t, t.Context(), console.ExitFailed, "experiment", "tiny.json"),
		"tiny.db: another run is playing into it: wait until it has ended, or name another database with --db")
	contains(t, command(t, t.Context(), console.ExitOK, "report", "tiny.db"), "| tictactoe |")
	text := command(t, t.Context(), console.ExitOK, "report", "tiny.db", "--out", "out")
	contains(t, text, "tiny.md, 1 chart\n")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	command(t, t.Context(), console.ExitOK, "experiment", "tiny.json")
}
