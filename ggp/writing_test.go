package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"semisplit/ggp/internal/console"
)

// TestWritingGames runs the commands of docs/writing-games.md one after the other.
// A person types the numbers of all moves, so that one of them is legal. The match over
// HTTP has shorter clocks.
func TestWritingGames(t *testing.T) {
	page, err := os.ReadFile("../docs/writing-games.md")
	if err != nil {
		t.Fatal(err)
	}
	_, diagonal, _ := strings.Cut(string(page), "```\n")
	diagonal, _, found := strings.Cut(diagonal, "```")
	if !found {
		t.Fatal("the page has no rule to add")
	}
	t.Chdir(t.TempDir())
	t.Setenv("GGP_CONFIG", "none")
	t.Setenv("GGP_KNOWLEDGE", "none")
	var typed strings.Builder
	for range 8 {
		for number := range 16 {
			typed.WriteString(strconv.Itoa(number+1) + "\n")
		}
	}
	ran := map[string]string{} // what each command printed
	for _, line := range strings.Split(string(page), "\n") {
		command, isCommand := strings.CutPrefix(line, "    ggp ")
		if !isCommand {
			continue
		}
		arguments := strings.Fields(command)
		if arguments[0] == "practice" {
			arguments = append(arguments, "--start", "1", "--play", "0.5")
		}
		var out, errout bytes.Buffer
		s := &console.Session{Ctx: t.Context(), In: strings.NewReader(typed.String()), Out: &out, Errout: &errout}
		if code := run(s, arguments); code != console.ExitOK {
			t.Fatalf("ggp %s: exit status %d: %s\n%s", command, code, &errout, &out)
		}
		ran[command] = out.String()
		if command == "new game threes" {
			addTo(t, "threes.kif", diagonal)
		}
	}
	for command, want := range map[string]string{
		"check threes.kif --seconds 0": "threes: 0 warnings about the text",
		"games threes.kif":             "is to move",
		"match threes.kif --player human --level 2 --start 5 --play 600": "ended after",
		"record show threes.json --step 3":                               "step 3",
	} {
		if !strings.Contains(ran[command], want) {
			t.Errorf("ggp %s prints:\n%s", command, ran[command])
		}
	}
	if strings.Contains(ran["check threes.kif --seconds 0"], "warning:") {
		t.Errorf("the example is warned of:\n%s", ran["check threes.kif --seconds 0"])
	}
}

func addTo(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(filepath.Clean(path), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(file, text); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
}
