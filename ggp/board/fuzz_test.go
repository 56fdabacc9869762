package board_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/mattn/go-runewidth"

	"semisplit/ggp/board"
	"semisplit/kif"
)

// FuzzDrawing draws any state by any drawing file. The drawing must fit a
// terminal, and nothing in it may be obeyed by one.
func FuzzDrawing(f *testing.F) {
	files, err := filepath.Glob("../../games/rules/*.board.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("no drawing files: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text), "(cell a 1 white) (cell b 2 wk) (stones north a 4) (control white)")
	}
	f.Add(`{"cells":"(cell ?row (f ?column) ?a ?b)","lines":{"right_of":"1","below":"2"}}`, "(cell 1 (f 2) x y) (cell 2 (f 1) x 王)")
	f.Add(`{"shape":"hex","picture":["{board}","{a b:3}{a c}"]}`, "(cell 1 1 x) (cell 1 2 x) (cell 2 1 x) (cell 2 2 x) (a b c) (a c)")
	f.Add("", "(cell 1 1 \x1b[31m) (cell 1 2 x) (cell 2 1 x) (cell 2 2 x)")
	f.Fuzz(func(t *testing.T, file, state string) {
		fluents, err := kif.Parse(state)
		if err != nil {
			return
		}
		drawing, err := board.Parse(file)
		if err != nil && drawing != nil {
			t.Fatalf("a drawing came with the error %v", err)
		}
		for _, o := range []board.Options{
			{Drawing: drawing},
			{Drawing: drawing, Symbols: true, Frame: fluents[:len(fluents)/2]},
		} {
			checkDrawing(t, fluents, o)
		}
	})
}

// Bounds of a drawing on a terminal of 80 columns without limits of its own:
// a picture, the board in it with lines below its rows, legend, rest.
const (
	widest  = 80
	tallest = 100 + 2*40 + 2 + 9 + 8
)

func checkDrawing(t *testing.T, fluents []kif.Term, o board.Options) {
	t.Helper()
	var out strings.Builder
	board.Draw(&out, fluents, o)
	if size := board.Size(fluents, o.Drawing); len(size) > 20 {
		t.Errorf("size %q", size)
	}
	lines := strings.Split(out.String(), "\n")
	if len(lines) > tallest {
		t.Errorf("%d lines are drawn, more than %d", len(lines), tallest)
	}
	measure := runewidth.Condition{StrictEmojiNeutral: true}
	for _, line := range lines {
		if width := measure.StringWidth(line); width > widest {
			t.Errorf("a line is %d columns wide: %q", width, line)
		}
		if strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("a line has characters that are not visible: %q", line)
		}
	}
}
