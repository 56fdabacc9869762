package board

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"semisplit/kif"
)

// view is a way to read a fluent as a square with a content.
type view interface {
	cell(f kif.Term) (boardCell, bool)
	// layOut gives the columns and rows of the board with these cells.
	layOut(cells []boardCell) (x, y axis)
}

// boardCell is a fluent as a view reads it.
type boardCell struct {
	first, second string // coordinates, in the order of the arguments
	content       string
}

func contents(cells []boardCell) []string {
	all := make([]string, len(cells))
	for i, c := range cells {
		all[i] = c.content
	}
	return all
}

// grid is a board of columns and rows.
type grid struct {
	x, y       axis
	known, now []boardCell         // those of the frame, and those of the state
	possible   []string            // contents that may come, numbers left out
	squares    map[[2]int][]string // contents by column and row, both from 0
}

// newGrid reads the squares out of a state, and returns the fluents that are
// none as well.
func newGrid(v view, fluents []kif.Term, o Options) (g *grid, rest []kif.Term) {
	g = &grid{squares: map[[2]int][]string{}}
	for _, f := range o.Frame {
		if c, ok := v.cell(f); ok {
			g.known = append(g.known, c)
		}
	}
	g.possible = possibleContents(v, o.Possible)
	for _, f := range fluents {
		if c, ok := v.cell(f); ok {
			g.now = append(g.now, c)
		} else {
			rest = append(rest, f)
		}
	}
	g.x, g.y = v.layOut(slices.Concat(g.known, g.now))
	for _, c := range g.now {
		x, y := c.first, c.second
		if g.x.fromSecond {
			x, y = y, x
		}
		at := [2]int{g.x.index[x], g.y.index[y]}
		if !slices.Contains(g.squares[at], c.content) {
			g.squares[at] = append(g.squares[at], c.content)
		}
	}
	return g, rest
}

// mostContents is the number of contents from which on they are no pieces.
const mostContents = 40

// possibleContents are the contents that these fluents have, each once.
// Numbers need no letters.
func possibleContents(v view, fluents []kif.Term) []string {
	var list []string
	seen := map[string]bool{}
	for _, f := range fluents {
		if c, ok := v.cell(f); ok && !seen[c.content] && !isNumber(c.content) {
			seen[c.content] = true
			list = append(list, c.content)
		}
	}
	if len(list) > mostContents {
		return nil
	}
	return list
}

// The lengths to which the names of rows and columns are cut.
const (
	longestRow    = 10
	longestColumn = 4
)

// frame is how large the parts of a grid are on the terminal, in characters.
type frame struct {
	margin        int // the names of the rows
	cell          int // a square, without the blank before it
	slant         int // by which a row is moved to the right of the one above
	columns, rows int // that are drawn
}

func (s *scene) measure() frame {
	g, o := s.grid, s.options
	f := frame{cell: s.names.width(slices.Concat(contents(g.known), contents(g.now)))}
	for _, piece := range o.Drawing.pieces {
		f.cell = max(f.cell, length(piece.text(o.Symbols)))
	}
	for _, y := range g.y.values {
		f.margin = max(f.margin, length(label(y, longestRow)))
	}
	for _, x := range g.x.values {
		f.cell = max(f.cell, length(label(x, longestColumn)))
	}
	f.rows = min(len(g.y.values), o.Height)
	room := o.Width - f.margin
	if o.Drawing.hex {
		f.cell |= 1 // so that half a square with its blank is a whole number
		f.slant = (f.cell + 1) / 2
		// Half the width may go into the slant.
		f.rows = max(1, min(f.rows, room/2/f.slant))
		room -= f.slant * f.rows
	}
	for f.columns < len(g.x.values) {
		room -= 1 + f.cell
		if s.lineAfter(f.columns) {
			room -= 2
		}
		if room < 0 && f.columns > 0 {
			break
		}
		f.columns++
	}
	return f
}

// drawGrid draws the rows with their names on the left, and those of the
// columns below; above, if the rows are slanted.
func (s *scene) drawGrid(w io.Writer) {
	g, f := s.grid, s.measure()
	if f.slant > 0 {
		fmt.Fprintln(w, s.columnNames(f, max(0, f.margin-f.slant)))
	}
	for line := range f.rows {
		row := line
		if g.y.up {
			row = len(g.y.values) - 1 - line
		}
		fmt.Fprintln(w, s.row(f, row, line*f.slant))
		if s.options.Drawing.below[g.y.values[row]] {
			fmt.Fprintln(w, s.rule(f))
		}
	}
	if f.slant == 0 {
		fmt.Fprintln(w, s.columnNames(f, f.margin))
	}
	if f.columns < len(g.x.values) || f.rows < len(g.y.values) {
		fmt.Fprintln(w, s.paint.dim(fmt.Sprintf("(%d of %d columns, %d of %d rows)", f.columns, len(g.x.values), f.rows, len(g.y.values))))
	}
}

// row draws a row of squares, this far from the left.
func (s *scene) row(f frame, row, indent int) string {
	var text strings.Builder
	text.WriteString(strings.Repeat(" ", indent))
	text.WriteString(s.paint.dim(pad(label(s.grid.y.values[row], longestRow), f.margin)))
	for column := range f.columns {
		at := [2]int{column, row}
		name, code := s.square(s.grid.squares[at])
		mark, code := s.markOf(at, code)
		text.WriteString(strings.Repeat(" ", max(0, f.cell-length(name))) + mark + s.paint.with(name, code))
		if s.lineAfter(column) {
			text.WriteString(s.paint.dim(" |"))
		}
	}
	return strings.TrimRight(text.String(), " ")
}

// rule draws a line below a row.
func (s *scene) rule(f frame) string {
	var text strings.Builder
	for column := range f.columns {
		text.WriteString(strings.Repeat("-", 1+f.cell))
		if s.lineAfter(column) {
			text.WriteString("-+")
		}
	}
	return s.paint.dim(strings.Repeat(" ", f.margin+1) + text.String()[1:])
}

func (s *scene) columnNames(f frame, indent int) string {
	text := strings.Repeat(" ", indent)
	for column, x := range s.grid.x.values[:f.columns] {
		text += " " + pad(label(x, longestColumn), f.cell)
		if s.lineAfter(column) {
			text += "  "
		}
	}
	return s.paint.dim(strings.TrimRight(text, " "))
}

func (s *scene) lineAfter(column int) bool {
	return s.options.Drawing.rightOf[s.grid.x.values[column]]
}

// square is what is written on a square of these contents, and its colour.
func (s *scene) square(content []string) (name, code string) {
	blank := s.names.blank
	switch {
	case len(content) == 0 && blank != "":
		return " ", "" // not a square of the board
	case len(content) > 1:
		return several, ""
	case len(content) == 0 || content[0] == blank && s.names.short[blank] == "":
		return empty, dimCode
	}
	return s.names.short[content[0]], s.names.code[content[0]]
}

// What is written on an empty square, and on one with several contents.
const (
	empty   = "."
	several = "*"
)
