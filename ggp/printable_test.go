package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"semisplit/ggp/internal/console"
)

// Three ways to steer a terminal: colours, its title, the direction of a line.
const (
	red     = "\x1b[31mred"
	title   = "\x1b]Lowned\x07" // without a semicolon, which begins a comment
	turned  = "\u202eevil"
	hostile = red + title + turned
)

// hostileGame is a game whose names are hostile: one move, and it is over.
var hostileGame = strings.NewReplacer("ROLE", "role"+hostile, "FLUENT", "fluent"+hostile, "MOVE", "move"+hostile, "NOBODY", "nobody"+hostile).Replace(`
(role ROLE) (init (FLUENT 1))
(<= (legal ROLE (MOVE 1)) (true (FLUENT 1)))
(<= (legal ROLE (MOVE 2)) (true (FLUENT 1)))
(<= (next (FLUENT 2)) (does ROLE ?m))
(<= terminal (true (FLUENT 2)))
(<= (goal ROLE 100) terminal)
(<= (unused ?x) (NOBODY ?x))
`)

// hostileFiles writes what others could have sent, and returns their folder.
func hostileFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	quoted := fmt.Sprintf("%q", "walk\u001b[31m\nagrees "+turned)
	quoted = strings.ReplaceAll(quoted, `\x`, `\u00`)
	for name, text := range map[string]string{
		"game.kif":   hostileGame,
		"broken.kif": "(role x) (init (f ((" + hostile + " a))))",
		"walk.jsonl": `{"game": ` + quoted + `, "roles": ["x"], "steps": [{"fluents": 1, "state": "c7050eecf6ee7d23", "terminal": true}]}`,
		"record.json": `{"matchId": "m", "gameName": "tictactoe", "gameRoleNames": ["x", ` + quoted + `], "states": ["((cell a 1 empty))"],
			"stateTimes": [1], "moves": [], "isCompleted": true, "goalValues": [100, 0]}`,
		"agent.json": `{"name": "few", "general": {"engine": "prover"}, "algorithm": {"parameters": {"iterations": 2}}}`,
		"spec.json": `{"name": "spec` + turned + `", "games": ["game.kif"], "settings": [{"kind": "iterations", "iterations": 5}], "plays": 1,
			"agents": [{"agent": "agent.json", "label": ` + strings.ReplaceAll(quoted, `\n`, "") + `, "set": {"algorithm.parameters.iterations": 3}}], "baselines": ["agent.json"]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestTerminalIsSafe: no command lets text of others steer the terminal.
func TestTerminalIsSafe(t *testing.T) {
	dir := hostileFiles(t)
	t.Chdir(dir)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	for _, test := range []struct {
		line  string
		want  int
		shows string
	}{
		{"check game.kif --seconds 0.01", console.ExitOK, `\x1b[31m`},
		{"check broken.kif", console.ExitFailed, `\x1b[31m`},
		{"check " + hostile, console.ExitFailed, `\x1b[31m`},
		{"games game.kif", console.ExitOK, `\u202e`},
		{"games broken.kif", console.ExitFailed, ""},
		{"explain game.kif --start 0.2 --rules", console.ExitOK, `\u202e`},
		{"match game.kif --player random --start 1 --play 1", console.ExitOK, `move\x1b[31mred`},
		{"match game.kif --player random --start 1 --play 1 --quiet", console.ExitOK, `role\x1b[31m`},
		{"match broken.kif", console.ExitFailed, ""},
		{"bench game.kif --seconds 0.01", console.ExitOK, ""},
		{"verify walk.jsonl --games .", console.ExitFailed, `walk\x1b[31m\nagrees`},
		{"record verify --unsigned record.json", console.ExitFailed, `\x1b[31m`},
		{"record verify --unsigned " + server.URL + "/record.json", console.ExitFailed, `\x1b[31m`},
		{"experiment spec.json --dry-run", console.ExitOK, ""},
		{"experiment spec.json --db spec.db", console.ExitOK, `\u202e`},
		{"report spec.db", console.ExitOK, `\u202e`},
	} {
		text := command(t, t.Context(), test.want, strings.Fields(test.line)...)
		if i := strings.IndexAny(text, "\x1b\x07\u202e"); i >= 0 {
			t.Errorf("ggp %q prints %q", test.line, text[max(0, i-60):min(len(text), i+20)])
		}
		if strings.Contains(text, "\nagrees ") {
			t.Errorf("ggp %q prints a line of its input: %s", test.line, text)
		}
		if test.shows != "" && !strings.Contains(text, test.shows) {
			t.Errorf("ggp %q shows no %s: %s", test.line, test.shows, text)
		}
	}
}

// TestDataStay: a description that goes into a file is what it was.
func TestDataStay(t *testing.T) {
	t.Chdir(hostileFiles(t))
	if text := command(t, t.Context(), console.ExitOK, "games", "game.kif", "--gdl"); text != hostileGame {
		t.Errorf("%q became %q", hostileGame, text)
	}
}
