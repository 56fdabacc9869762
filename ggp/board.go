package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"semisplit/kif"
)

// drawOptions says how a state is drawn. The zero value is a plain drawing
// for a terminal of common size.
type drawOptions struct {
	color  bool // with ANSI escapes
	width  int  // of the terminal, in characters; 0 is 80
	height int  // board rows drawn at most; 0 is 40

	// frame is another state of the same game, usually the initial one. Its
	// squares and contents are drawn as if known, so that the board keeps its
	// size and its letters while squares come and go.
	frame []kif.Term
}

func (o drawOptions) orDefault() drawOptions {
	if o.width <= 0 {
		o.width = 80
	}
	if o.height <= 0 {
		o.height = 40
	}
	return o
}

// drawBoard draws a state: its board, if findBoard sees one, a legend, and
// the fluents that are not on the board. What it prints depends on nothing
// but its arguments. Errors of w are left to w.
func drawBoard(w io.Writer, fluents []kif.Term, o drawOptions) {
	o = o.orDefault()
	view, found := findBoard(o.frame)
	if !found {
		view, found = findBoard(fluents)
	}
	if !found {
		drawRest(w, fluents, 8, o)
		return
	}
	b := newBoard(view, fluents, o.frame)
	b.draw(w, o)
	if len(b.rest) > 0 {
		drawRest(w, b.rest, 1, o)
	}
}

// board is a state laid out for drawing.
type board struct {
	x, y    axis
	squares map[[2]int][]string // contents by column and row, both from 0
	names   abbreviations
	rest    []kif.Term // fluents that are not on the board
}

func newBoard(view boardView, fluents, frame []kif.Term) *board {
	b := &board{squares: map[[2]int][]string{}}
	known := view.cells(frame)
	var now []boardCell
	for _, f := range fluents {
		if c, ok := view.cell(f); ok {
			now = append(now, c)
		} else {
			b.rest = append(b.rest, f)
		}
	}
	b.x, b.y = layOut(slices.Concat(known, now))
	for _, c := range now {
		x, y := c.first, c.second
		if b.x.fromSecond {
			x, y = y, x
		}
		at := [2]int{b.x.index[x], b.y.index[y]}
		if !slices.Contains(b.squares[at], c.content) {
			b.squares[at] = append(b.squares[at], c.content)
		}
	}
	b.names = abbreviate(contents(known), contents(now))
	return b
}

func contents(cells []boardCell) []string {
	all := make([]string, len(cells))
	for i, c := range cells {
		all[i] = c.content
	}
	return all
}

// The lengths to which the names of rows and columns are cut.
const (
	longestRow    = 10
	longestColumn = 4
)

func (b *board) draw(w io.Writer, o drawOptions) {
	paint := painter{on: o.color}
	margin, cell := 0, b.names.width
	for _, y := range b.y.values {
		margin = max(margin, length(label(y, longestRow)))
	}
	for _, x := range b.x.values {
		cell = max(cell, length(label(x, longestColumn)))
	}
	columns := min(len(b.x.values), max(1, (o.width-margin)/(cell+1)))
	rows := min(len(b.y.values), o.height)

	for line := range rows {
		row := line
		if b.y.up {
			row = len(b.y.values) - 1 - line
		}
		text := paint.dim(pad(label(b.y.values[row], longestRow), margin))
		for column := range columns {
			name, code := b.square(column, row)
			text += " " + strings.Repeat(" ", max(0, cell-length(name))) + paint.with(name, code)
		}
		fmt.Fprintln(w, strings.TrimRight(text, " "))
	}
	text := strings.Repeat(" ", margin)
	for _, x := range b.x.values[:columns] {
		text += " " + pad(label(x, longestColumn), cell)
	}
	fmt.Fprintln(w, paint.dim(strings.TrimRight(text, " ")))
	if columns < len(b.x.values) || rows < len(b.y.values) {
		fmt.Fprintln(w, paint.dim(fmt.Sprintf("(%d of %d columns, %d of %d rows)", columns, len(b.x.values), rows, len(b.y.values))))
	}
	b.drawLegend(w, paint, o.width)
}

// square is what is written on a square, and its colour.
func (b *board) square(column, row int) (name, code string) {
	content := b.squares[[2]int{column, row}]
	switch {
	case len(content) == 0 && b.names.blank != "":
		return " ", "" // not a square of the board
	case len(content) == 0 || len(content) == 1 && content[0] == b.names.blank:
		return ".", dimCode
	case len(content) > 1:
		return "*", ""
	}
	return b.names.short[content[0]], b.names.code[content[0]]
}

// drawLegend explains the letters that are not names themselves, each row of
// the terminal with as many as fit.
func (b *board) drawLegend(w io.Writer, paint painter, width int) {
	var line string
	used := 0
	put := func(short, name, code string) {
		size := length(short) + 1 + length(name)
		if used > 0 && used+2+size > width {
			fmt.Fprintln(w, line)
			line, used = "", 0
		}
		if used > 0 {
			line += "  "
			used += 2
		}
		line += paint.with(short, code) + " " + name
		used += size
	}
	for _, content := range b.names.order {
		if short := b.names.short[content]; short != content {
			put(short, printable(content), b.names.code[content])
		}
	}
	for _, content := range b.squares {
		if len(content) > 1 {
			put("*", "several", "")
			break
		}
	}
	if line != "" {
		fmt.Fprintln(w, line)
	}
}

// drawRest lists fluents without their outer parentheses, on so many lines
// at most; what does not fit is counted.
func drawRest(w io.Writer, fluents []kif.Term, lines int, o drawOptions) {
	if len(fluents) == 0 {
		fmt.Fprintln(w, "(no fluents)")
		return
	}
	line := ""
	for i, f := range fluents {
		word := printable(bare(f))
		if i < len(fluents)-1 {
			word += ","
		}
		more := fmt.Sprintf(" ... and %d more", len(fluents)-i)
		// The last line keeps room for saying how many are left out.
		room := o.width
		if lines == 1 && i < len(fluents)-1 {
			room -= len(more)
		}
		if line != "" && length(line)+1+length(word) > room {
			if lines == 1 {
				fmt.Fprintln(w, strings.TrimSuffix(line, ",")+more)
				return
			}
			fmt.Fprintln(w, line)
			line, lines = "", lines-1
		}
		if line != "" {
			line += " "
		}
		if line += word; length(line) > o.width {
			line = cut(line, o.width)
		}
	}
	fmt.Fprintln(w, line)
}

// bare spells a fluent as people say it: control white.
func bare(f kif.Term) string {
	text := f.String()
	if f.IsList() && len(f.Items) > 0 {
		text = text[1 : len(text)-1]
	}
	return text
}

// printable replaces what a terminal would obey instead of show: names come
// from anybody.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '?'
	}, s)
}

func label(name string, most int) string { return cut(printable(name), most) }

func length(s string) int { return len([]rune(s)) }

func cut(s string, most int) string {
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most-1]) + "~"
	}
	return s
}

// pad puts blanks before s.
func pad(s string, width int) string {
	return strings.Repeat(" ", max(0, width-length(s))) + s
}

const dimCode = "2"

// painter writes text in colours when asked to.
type painter struct{ on bool }

func (p painter) with(s, code string) string {
	if !p.on || code == "" || strings.TrimSpace(s) == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p painter) dim(s string) string { return p.with(s, dimCode) }
