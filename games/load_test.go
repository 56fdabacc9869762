package games_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"semisplit/games"
)

// TestNames: what users and experiments rely on is there.
func TestNames(t *testing.T) {
	names := games.Names()
	for _, want := range []string{
		"amazons", "awari", "breakthrough", "breakthru", "chess", "chesswithoutcheck", "connectfour", "eightpuzzle",
		"englishdraughts", "foxandhounds", "go", "go9", "gomoku", "goofspiel", "hex", "kalah", "kalah3", "kalah6",
		"kalahrandom1", "kalahrandom2", "knightthrough", "linesofaction", "linesofaction7", "millgame", "minishogi", "nim",
		"othello", "pentago", "skirmish", "tictactoe", "trio",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing in %v", want, names)
		}
	}
	if !slices.IsSorted(names) {
		t.Errorf("Names() = %v, not sorted", names)
	}
}

// TestBundledHeaders looks at the descriptions as people see them: a title, an
// empty comment line, a paragraph, and short lines.
func TestBundledHeaders(t *testing.T) {
	titles := map[string]string{}
	for _, g := range games.List() {
		if other := titles[g.Title]; other != "" || g.Title == "" || strings.ToUpper(g.Title[:1]) != g.Title[:1] {
			t.Errorf("%s: title %q, that of another game: %q", g.Name, g.Title, other)
		}
		titles[g.Title] = g.Name
		if len(g.Text) < 150 || !strings.HasSuffix(g.Text, ".") || strings.Contains(g.Text, "(role") {
			t.Errorf("%s: the paragraph is no paragraph: %q", g.Name, g.Text)
		}
		if g.Source != games.Bundled || !strings.Contains(g.Rules, "(role ") {
			t.Errorf("%s: source %q, rules %.40q", g.Name, g.Source, g.Rules)
		}
		lines := strings.Split(g.Rules, "\n")
		if lines[1] != ";" {
			t.Errorf("%s: no empty comment line after the title", g.Name)
		}
		for i, line := range lines {
			if len(line) > 80 || strings.TrimRight(line, " \t\r") != line {
				t.Errorf("%s:%d: long line or blanks at its end: %q", g.Name, i+1, line)
			}
		}
	}
}

func TestLoadBundled(t *testing.T) {
	for _, name := range []string{"tictactoe", "TicTacToe", "TICTACTOE"} {
		g, err := games.Load(name)
		if err != nil || g.Name != "tictactoe" || g.Title != "Tic-Tac-Toe" {
			t.Errorf("Load(%q) = %q %q, %v", name, g.Name, g.Title, err)
		}
	}
}

const (
	rules    = "(role me) ; rules\r\n"
	metadata = `{"gameName": "My Game", "rulesheet": "mine.kif", "description": "mine.txt"}`
)

func folders() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"one.kif":            file(rules),
		"games/two.gdl":      file(rules),
		"single/only.KIF":    file(rules),
		"single/notes.txt":   file("none"),
		"many/a.kif":         file("a"),
		"many/b.gdl":         file("b"),
		"none/notes.txt":     file("none"),
		"meta/METADATA":      file(metadata),
		"meta/mine.kif":      file(rules),
		"meta/other.kif":     file("other"),
		"meta/mine.txt":      file("A game\nof mine.\n"),
		"notext/METADATA":    file(metadata),
		"notext/mine.kif":    file(rules),
		"bare/METADATA":      file(`{"gameName": "Bare"}`),
		"bare/only.kif":      file(rules),
		"broken/METADATA":    file(`{"rulesheet": `),
		"broken/mine.kif":    file(rules),
		"gone/METADATA":      file(metadata),
		"outside/METADATA":   file(`{"rulesheet": "../one.kif"}`),
		"huge.kif":           {Data: make([]byte, games.MaxBytes+1)},
		"limit.kif":          {Data: make([]byte, games.MaxBytes)},
		"pipe.kif":           {Mode: fs.ModeNamedPipe},
		"folderish.kif/x.md": file("x"),
	}
}

func TestLoadFS(t *testing.T) {
	for _, c := range []struct{ path, name, title, text string }{
		{"one.kif", "one", "one", ""},
		{"games/../one.kif", "one", "one", ""},
		{"games/two.gdl", "two", "two", ""},
		{"games", "games", "games", ""},
		{"single", "single", "single", ""},
		{"single/", "single", "single", ""},
		{"meta", "meta", "My Game", "A game of mine."},
		{"notext", "notext", "My Game", ""},
		{"bare", "bare", "Bare", ""},
	} {
		g, err := games.LoadFS(folders(), c.path)
		if err != nil {
			t.Errorf("%s: %v", c.path, err)
			continue
		}
		if g.Name != c.name || g.Title != c.title || g.Text != c.text || g.Rules != rules {
			t.Errorf("%s: got %+v, want %+v", c.path, g, c)
		}
	}
	if g, err := games.LoadFS(folders(), "limit.kif"); err != nil || len(g.Rules) != games.MaxBytes {
		t.Errorf("limit.kif: %d bytes, %v", len(g.Rules), err)
	}
}

func TestLoadFSErrors(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"nowhere.kif", "does not exist"},
		{"many", "2 descriptions: name one of a.kif, b.gdl"},
		{"none", "no description (.kif or .gdl)"},
		{"folderish.kif", "no description"},
		{"broken", "METADATA is not JSON"},
		{"gone", "open gone/mine.kif"},
		{"outside", "outside the folder"},
		{"huge.kif", "longer than 16 MB"},
		{"pipe.kif", "not a file"},
		{"../one.kif", "does not exist"},
	} {
		_, err := games.LoadFS(folders(), c.path)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want it to contain %q", c.path, err, c.want)
		}
	}
}

// TestLoadDeep reads a file of brackets, which would exhaust the stack of a reader that
// recurses.
func TestLoadDeep(t *testing.T) {
	deep := fstest.MapFS{"deep/METADATA": {Data: bytes.Repeat([]byte("["), games.MaxBytes)}}
	if _, err := games.LoadFS(deep, "deep"); err == nil || !strings.Contains(err.Error(), "METADATA is not JSON") {
		t.Errorf("error %v", err)
	}
}

func TestLoadPath(t *testing.T) {
	dir := t.TempDir()
	for name, file := range folders() {
		if len(file.Data) > 1000 || file.Mode != 0 {
			continue
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, file.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(dir, "meta"))
	for _, c := range []struct{ path, title string }{
		{filepath.Join(dir, "one.kif"), "one"},
		{filepath.Join(dir, "games"), "games"},
		{filepath.Join(dir, "meta") + "/", "My Game"},
		{".", "My Game"},
		{"../meta", "My Game"},
		{"../single/../games", "games"},
		{"mine.kif", "mine"},
		{"./mine.kif", "mine"},
	} {
		g, err := games.Load(c.path)
		if err != nil || g.Title != c.title || g.Rules != rules || g.Source != c.path {
			t.Errorf("Load(%q) = %+v, %v", c.path, g, err)
		}
	}
	t.Chdir(dir)
	if g, err := games.Load(".."); err == nil {
		t.Errorf("Load(..) = %+v, want an error", g)
	}
}

func TestLoadUnknown(t *testing.T) {
	for _, c := range []struct{ game, near string }{
		{"conectfour", "did you mean connectfour?"},
		{"connect-four", "did you mean connectfour?"},
		{"Connect Four", "did you mean connectfour?"},
		{"otello.kif", "did you mean othello?"},
		{"nime", "did you mean nim?"},
		{"puzzle", "did you mean eightpuzzle?"},
		{"somewhere/tictacto.kif", "did you mean tictactoe?"},
		{"backgammon", "no such file or folder"},
	} {
		_, err := games.Load(c.game)
		if !errors.Is(err, games.ErrUnknown) {
			t.Errorf("Load(%q): error %v, want ErrUnknown", c.game, err)
			continue
		}
		if message := err.Error(); !strings.Contains(message, c.near) || !strings.Contains(message, "breakthrough, breakthru") {
			t.Errorf("Load(%q): %s\nwant it to say %q and all names", c.game, message, c.near)
		}
	}
	if _, err := games.Load(" "); err == nil || !strings.Contains(err.Error(), "no game given") {
		t.Errorf("Load of blanks: %v", err)
	}
}
