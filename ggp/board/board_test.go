package board_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"semisplit/games"
	"semisplit/ggp/board"
	"semisplit/kif"
	"semisplit/reasoner"
)

// TestDraw draws the fluents of each case, or those of a bundled game's
// initial state:
//
//	draw [game=NAME] [frame=NAME] [color] [symbols] [drawing] [width=N] [height=N] [grid=N]
//	drawing
//
// With grid, the state is a made-up board of N by N squares; with drawing, it
// is drawn by the drawing file that a case of that name has read before, and
// what is wrong with such a file is that case's output. Escapes are shown as
// ESC.
func TestDraw(t *testing.T) {
	for _, file := range []string{"testdata/board.txt", "testdata/drawing.txt"} {
		var drawing *board.Drawing
		datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "drawing":
				var err error
				if drawing, err = board.Parse(d.Input); err != nil {
					return err.Error() + "\n"
				}
				return "read\n"
			case "draw":
				return draw(t, d, drawing)
			}
			d.Fatalf(t, "unknown command %s", d.Cmd)
			return ""
		})
	}
}

func draw(t *testing.T, d *datadriven.TestData, drawing *board.Drawing) string {
	t.Helper()
	fluents, err := kif.Parse(d.Input)
	if err != nil {
		t.Fatal(err)
	}
	var o board.Options
	for _, arg := range d.CmdArgs {
		switch arg.Key {
		case "game":
			fluents = initialFluents(t, arg.SingleVal(t))
		case "frame":
			o.Frame = initialFluents(t, arg.SingleVal(t))
		case "color":
			o.Color = true
		case "symbols":
			o.Symbols = true
		case "drawing":
			o.Drawing = drawing
		case "width":
			arg.Scan(t, 0, &o.Width)
		case "height":
			arg.Scan(t, 0, &o.Height)
		case "grid":
			var n int
			arg.Scan(t, 0, &n)
			fluents = checkered(t, n)
		default:
			d.Fatalf(t, "unknown argument %s", arg.Key)
		}
	}
	return drawn(fluents, o)
}

// drawn is a drawing with escapes shown as ESC.
func drawn(fluents []kif.Term, o board.Options) string {
	var out strings.Builder
	board.Draw(&out, fluents, o)
	return strings.ReplaceAll(out.String(), "\x1b", "ESC")
}

func initialFluents(t *testing.T, name string) []kif.Term {
	t.Helper()
	m := machine(t, name)
	return m.Fluents(m.Initial())
}

// machine is the prover of a bundled game or a file.
func machine(t *testing.T, name string) reasoner.Machine {
	t.Helper()
	if m := made[name]; m != nil {
		return m
	}
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
	made[name] = m
	return m
}

// made holds the machines that the tests have made, by game: several tests draw the same.
var made = map[string]reasoner.Machine{}

// checkered is a board of n by n squares.
func checkered(t *testing.T, n int) []kif.Term {
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

// TestDrawRotated draws the same fluents in every rotation: a board whose
// coordinates sort by themselves does not depend on their order.
func TestDrawRotated(t *testing.T) {
	for _, name := range []string{"breakthrough", "othello", "eightpuzzle"} {
		fluents := initialFluents(t, name)
		want := ""
		for i := range fluents {
			got := drawn(append(append([]kif.Term{}, fluents[i:]...), fluents[:i]...), board.Options{})
			if i == 0 {
				want = got
			}
			if got != want {
				t.Fatalf("%s: rotated by %d\n%swant\n%s", name, i, got, want)
			}
		}
	}
}

// TestDrawMany draws states so large that what looks at each pair of their fluents, or at
// each square of a board that is nearly empty, would take the time of all tests.
func TestDrawMany(t *testing.T) {
	for _, test := range []struct {
		fluent func(i int) string
		many   int
		want   string
	}{
		{func(i int) string { return fmt.Sprintf("(f%d a b c)", i) }, 20_000, "and 19945 more"},
		{func(i int) string { return fmt.Sprintf("(cell %d %d x)", i, i) }, 45_000, "of 45000 columns"},
	} {
		var src strings.Builder
		for i := range test.many {
			src.WriteString(test.fluent(i))
		}
		fluents, err := kif.Parse(src.String())
		if err != nil {
			t.Fatal(err)
		}
		if got := drawn(fluents, board.Options{Before: fluents}); !strings.Contains(got, test.want) {
			t.Errorf("%q is missing in %s", test.want, got)
		}
	}
}
