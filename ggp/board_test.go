package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/reasoner"
)

// TestDrawBoard draws the fluents of each case, or those of a bundled game's
// initial state:
//
//	draw [game=NAME] [frame=NAME] [color] [width=N] [height=N] [grid=N]
//
// With grid, the state is a made-up board of N by N squares. Escapes are shown
// as ESC.
func TestDrawBoard(t *testing.T) {
	datadriven.RunTest(t, "testdata/board.txt", func(t *testing.T, d *datadriven.TestData) string {
		fluents, err := kif.Parse(d.Input)
		if err != nil {
			t.Fatal(err)
		}
		var o drawOptions
		for _, arg := range d.CmdArgs {
			switch arg.Key {
			case "game":
				fluents = initialFluents(t, arg.SingleVal(t))
			case "frame":
				o.frame = initialFluents(t, arg.SingleVal(t))
			case "color":
				o.color = true
			case "width":
				arg.Scan(t, 0, &o.width)
			case "height":
				arg.Scan(t, 0, &o.height)
			case "grid":
				var n int
				arg.Scan(t, 0, &n)
				fluents = grid(t, n)
			default:
				d.Fatalf(t, "unknown argument %s", arg.Key)
			}
		}
		var out strings.Builder
		drawBoard(&out, fluents, o)
		return strings.ReplaceAll(out.String(), "\x1b", "ESC")
	})
}

func initialFluents(t *testing.T, name string) []kif.Term {
	t.Helper()
	g, err := games.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	p, diagnostics := reasoner.Read(g.Rules)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	m, err := reasoner.NewProver(p)
	if err != nil {
		t.Fatal(err)
	}
	return m.Fluents(m.Initial())
}

// grid is a checkered board of n by n squares.
func grid(t *testing.T, n int) []kif.Term {
	t.Helper()
	var src strings.Builder
	for x := 1; x <= n; x++ {
		for y := 1; y <= n; y++ {
			fmt.Fprintf(&src, "(cell %d %d %s)", x, y, []string{"white", "blank"}[(x+y)%2])
		}
	}
	terms, err := kif.Parse(src.String())
	if err != nil {
		t.Fatal(err)
	}
	return terms
}

// TestDrawBoardRotated draws the same fluents in every rotation: a board whose
// coordinates sort by themselves does not depend on their order.
func TestDrawBoardRotated(t *testing.T) {
	for _, name := range []string{"breakthrough", "othello", "eightpuzzle"} {
		fluents := initialFluents(t, name)
		want := ""
		for i := range fluents {
			var out strings.Builder
			drawBoard(&out, append(append([]kif.Term{}, fluents[i:]...), fluents[:i]...), drawOptions{})
			if i == 0 {
				want = out.String()
			}
			if out.String() != want {
				t.Fatalf("%s: rotated by %d\n%swant\n%s", name, i, out.String(), want)
			}
		}
	}
}
