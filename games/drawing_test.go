package games_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"semisplit/games"
)

// TestLoadDrawing: the drawing file travels with its description, from
// wherever that is loaded, and a file that is like another is followed once.
func TestLoadDrawing(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	const drawing = `{"picture": ["{step}"]}`
	fsys := fstest.MapFS{
		"plain.kif":              file(rules),
		"drawn.kif":              file(rules),
		"drawn.board.json":       file(drawing),
		"like.kif":               file(rules),
		"like.board.json":        file(`{"like": "drawn"}`),
		"twice.kif":              file(rules),
		"twice.board.json":       file(`{"like": "like"}`),
		"nothing.kif":            file(rules),
		"nothing.board.json":     file(`{"like": "gone"}`),
		"both.kif":               file(rules),
		"both.board.json":        file(`{"like": "drawn", "shape": "hex"}`),
		"outside/a.kif":          file(rules),
		"outside/a.board.json":   file(`{"like": "../drawn"}`),
		"broken.kif":             file(rules),
		"broken.board.json":      file(`{"like": `),
		"long.kif":               file(rules),
		"long.board.json":        file(strings.Repeat(" ", 1<<20)),
		"folder.kif":             file(rules),
		"folder.board.json/x.md": file("x"),
		"meta/METADATA":          file(metadata),
		"meta/mine.kif":          file(rules),
		"meta/mine.board.json":   file(drawing),
		"single/only.KIF":        file(rules),
		"single/only.board.json": file(drawing),
	}
	for path, want := range map[string]string{
		"plain.kif":     "",
		"drawn.kif":     drawing,
		"like.kif":      drawing,
		"twice.kif":     `{"like": "drawn"}`,
		"nothing.kif":   `{"like": "gone"}`,
		"both.kif":      `{"like": "drawn", "shape": "hex"}`,
		"outside/a.kif": `{"like": "../drawn"}`,
		"broken.kif":    `{"like": `,
		"long.kif":      strings.Repeat(" ", 128<<10),
		"folder.kif":    "",
		"meta":          drawing,
		"single":        drawing,
	} {
		g, err := games.LoadFS(fsys, path)
		if err != nil || g.Drawing != want {
			t.Errorf("%s: drawing %.80q, %v, want %.80q", path, g.Drawing, err, want)
		}
	}
}

// TestBundledDrawings: games that differ in their rules only are drawn alike.
func TestBundledDrawings(t *testing.T) {
	for game, other := range map[string]string{"skirmish": "chess", "chesswithoutcheck": "chess", "kalah6": "kalah"} {
		a, err := games.Load(game)
		if err != nil {
			t.Fatal(err)
		}
		b, err := games.Load(other)
		if err != nil {
			t.Fatal(err)
		}
		if a.Drawing != b.Drawing || !strings.Contains(a.Drawing, "picture") {
			t.Errorf("%s is drawn by %.60q and %s by %.60q", game, a.Drawing, other, b.Drawing)
		}
	}
}
