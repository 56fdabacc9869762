package board_test

import (
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"semisplit/games"
	"semisplit/ggp/board"
	"semisplit/kif"
)

// wellFormed holds SVG against XML, and lists the elements in it.
func wellFormed(t *testing.T, svg string) (names []string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return names
		}
		if err != nil {
			t.Fatalf("%v: %s", err, svg)
		}
		if e, ok := token.(xml.StartElement); ok {
			names = append(names, e.Name.Local)
		}
	}
}

// drawnBundled is a state of a bundled game as pages show it.
func drawnBundled(t *testing.T, name, state string) *board.Page {
	t.Helper()
	game, err := games.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	o := board.Options{}
	if game.Drawing != "" {
		if o.Drawing, err = board.Parse(game.Drawing); err != nil {
			t.Fatal(err)
		}
	}
	fluents, err := kif.Parse(state)
	if err != nil {
		t.Fatal(err)
	}
	return board.DrawPage(fluents, o, nil)
}

// square makes a board without pieces.
func square(columns, rows string) string {
	var text strings.Builder
	for _, x := range strings.Fields(columns) {
		for _, y := range strings.Fields(rows) {
			text.WriteString("(cell " + x + " " + y + " b) ")
		}
	}
	return text.String()
}

func TestTargets(t *testing.T) {
	chess := square("a b c d e f g h", "1 2 3 4 5 6 7 8") + "(control white)"
	for _, test := range []struct{ game, state, role, move, want string }{
		{"chess", chess, "white", "(move e 2 e 4)", "s4.6 s4.4"}, // its rows are listed from the top
		{"chess", chess, "white", "(promote b 7 b 8 queen)", "s1.1 s1.0"},
		{"chess", chess, "white", "noop", ""},
		{"chess", chess, "white", "()", ""}, // records hold what somebody wrote
		{"breakthrough", square("a b c d", "1 2 3 4"), "white", "(move a 1 b 2)", "s0.0 s1.1"},
		{"breakthrough", square("a b c d", "1 2 3 4"), "white", "(move a1 b2)", "s0.0 s1.1"},
		{"connectfour", square("1 2 3 4 5 6 7", "1 2 3 4 5 6"), "red", "(drop 3)", "c2"},
		{"tictactoe", square("1 2 3", "a b c"), "x", "(mark 2 c)", "s2.1"}, // letters go across
		{"nim", "(heap a 3) (heap b 2)", "first", "(take b 2)", "p1"},
		{"kalah", "(stones north f 4)", "north", "(sow f)", "p0"},
		{"kalah", "(stones north f 4)", "south", "(sow f)", "p13"},
		{"dotsandboxes", "(edge a 5 right open)", "red", "(draw a 5 right)", "p0"},
		{"hex", "(control red)", "red", "(place c 4)", "s2.3"},
	} {
		move, err := kif.ParseTerm(test.move)
		if err != nil {
			t.Fatal(err)
		}
		p := drawnBundled(t, test.game, test.state)
		if got := strings.Join(p.Targets(test.role, move), " "); got != test.want {
			t.Errorf("%s %s: the targets are %q, not %q", test.game, test.move, got, test.want)
		}
		for _, target := range p.Targets(test.role, move) {
			if target[0] != 'c' && target[0] != 'r' && !strings.Contains(p.SVG, `data-at="`+target+`"`) && test.game != "hex" {
				t.Errorf("%s %s: nothing is drawn at %s", test.game, test.move, target)
			}
		}
	}
}

// TestPage draws a state with what a reader hears and what is new.
func TestPage(t *testing.T) {
	before, after := square("a b c", "1 2 3"), square("a b", "1 2 3")+"(cell c 1 wp) (cell c 2 b) (cell c 3 wk) (cell c 4 wq) (control black)"
	old, err := kif.Parse(before)
	if err != nil {
		t.Fatal(err)
	}
	fluents, err := kif.Parse(after)
	if err != nil {
		t.Fatal(err)
	}
	p := board.DrawPage(fluents, board.Options{Frame: old}, old)
	if names := wellFormed(t, p.SVG); !slices.Contains(names, "text") {
		t.Errorf("no text is drawn: %v", names)
	}
	for _, want := range []string{`aria-label="c1, white pawn"`, `aria-label="a1, empty"`, `<path class="glyph c-white"`, `class="sq new"`} {
		if !strings.Contains(p.SVG, want) {
			t.Errorf("%s is missing in %s", want, p.SVG)
		}
	}
	if n := strings.Count(p.SVG, " new\""); n != 3 {
		t.Errorf("%d squares are marked as new, not 3", n)
	}
	if !slices.Equal(p.Rest, []string{"control black"}) {
		t.Errorf("beside it: %q", p.Rest)
	}
}

// TestPageLongNames draws names that are as long as pasted rules may be: they are cut
// wherever they are shown.
func TestPageLongNames(t *testing.T) {
	long := strings.Repeat("q", 100_000)
	fluents, err := kif.Parse(strings.ReplaceAll(square("1 2 3 4 5 6", "1 2 3 4 5 6"), "b)", long+" x)") + "(" + long + ")")
	if err != nil {
		t.Fatal(err)
	}
	p := board.DrawPage(fluents, board.Options{Frame: fluents}, fluents)
	if most := 100_000; len(p.SVG) > most || len(p.Legend) != 1 || len(p.Legend[0].Name) > most/10 || len(p.Rest) != 1 || len(p.Rest[0]) > most/10 {
		t.Errorf("the board has %d bytes, beside a legend of %d and a rest of %d", len(p.SVG), len(p.Legend), len(p.Rest))
	}
	if targets := p.Targets("x", kif.List(kif.Symbol("go"), kif.Symbol(strings.Repeat(long, 5)))); targets != nil {
		t.Errorf("a long name leads to %v", targets)
	}
}

// TestPageChess finds the pieces of chess as shapes, on the board and in the legend, where
// other symbols are text.
func TestPageChess(t *testing.T) {
	drawing, err := board.Parse(`{"cells": "(cell ?column ?row ?piece)", "pieces": {
		"wq": {"letter": "Q", "symbol": "♕", "name": "white queen", "color": "white"},
		"x": {"letter": "x", "symbol": "☼", "name": "sun"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	fluents, err := kif.Parse("(cell 1 1 wq) (cell 1 2 x) (cell 2 1 b) (cell 2 2 b)")
	if err != nil {
		t.Fatal(err)
	}
	p := board.DrawPage(fluents, board.Options{Drawing: drawing}, nil)
	for _, e := range p.Legend {
		if queen := e.Name == "white queen"; (e.Shape != "") != queen || !strings.Contains(p.SVG, e.Shape) {
			t.Errorf("the legend has %+v", e)
		}
	}
	if wellFormed(t, p.SVG); len(p.Legend) != 2 || strings.Contains(p.SVG, "♛") || !strings.Contains(p.SVG, "☼") || !strings.Contains(p.SVG, `<path class="glyph c-white"`) {
		t.Errorf("%d in the legend, and the board is %s", len(p.Legend), p.SVG)
	}
}

// FuzzPage draws any state by any drawing file: it must be well formed, of elements that
// do nothing, and no name may have become markup.
func FuzzPage(f *testing.F) {
	for _, game := range games.List() {
		f.Add(game.Drawing, "(cell a 1 white) (cell b 2 wk) (cell a 2 x) (cell b 1 o) (stones north a 4) (control white)", "(move a 1 b 2)")
	}
	f.Add("", `(cell 1 1 <script>) (cell 1 2 "onload=x) (cell 2 1 &amp;) (cell 2 2 ]]>)`, "(mark 1 1)")
	f.Add(`{"picture": ["<b>{a b:3}</b>"]}`, "(a b </text>)", "(a b)")
	known := []string{"svg", "g", "rect", "polygon", "circle", "path", "text"}
	f.Fuzz(func(t *testing.T, file, state, move string) {
		fluents, err := kif.Parse(state)
		if err != nil {
			return
		}
		drawing, _ := board.Parse(file)
		p := board.DrawPage(fluents, board.Options{Drawing: drawing, Frame: fluents[:len(fluents)/2]}, fluents[len(fluents)/2:])
		for _, name := range wellFormed(t, p.SVG) {
			if !slices.Contains(known, name) {
				t.Errorf("there is a %s in %s", name, p.SVG)
			}
		}
		if term, err := kif.ParseTerm(move); err == nil {
			p.Targets("x", term)
		}
	})
}
