package board

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"semisplit/kif"
)

// Page is a state drawn for a page: what Draw writes as text, as an SVG element
// and lists. Its texts are safe to show; only SVG is markup, in which every name
// is escaped.
type Page struct {
	SVG    string   // a whole svg element; empty where no board is seen
	Legend []Entry  // the pieces whose letters are not their names
	Rest   []string // the fluents that are seen nowhere on it, as people say them

	scene *scene
}

// Entry explains a piece.
type Entry struct {
	Letter string `json:"letter"`          // as it stands on the board
	Shape  string `json:"shape,omitempty"` // what stands there in its place: data of a path, in 36 by 36 around 0
	Class  string `json:"class"`           // its colour: a class of StyleSheet
	Name   string `json:"name"`
}

// mostRest is how many fluents are listed beside a drawing.
const mostRest = 200

// DrawPage draws a state as a page shows it. What is on the squares and places of
// it, and was not in the state before (nil: there was none), is marked as new. Of
// the options only Drawing and Frame have a meaning.
func DrawPage(fluents []kif.Term, o Options, before []kif.Term) *Page {
	o = o.orDefault()
	o.Symbols, o.Color = true, false
	s := newScene(fluents, o)
	p := &Page{scene: s}
	for _, content := range s.names.order {
		if name := s.names.long(content); name != "" {
			look := s.look(content)
			if look.kind == lookDisc && look.text == "" {
				continue // a stone of the colour that its name says
			}
			p.Legend = append(p.Legend, Entry{Letter: printable(look.text), Shape: look.shape(), Class: look.class, Name: label(name, longestRest)})
		}
	}
	for i, f := range s.rest {
		if i == mostRest {
			p.Rest = append(p.Rest, fmt.Sprintf("... and %d more", len(s.rest)-i))
			break
		}
		p.Rest = append(p.Rest, label(bare(f), longestRest))
	}
	if s.grid == nil && o.Drawing.picture == nil {
		return p
	}
	var old *scene
	if before != nil {
		old = newScene(before, o)
	}
	p.SVG = drawSVG(s, old)
	return p
}

// longestRest is how many columns of a fluent are listed, and of what a square is called.
const longestRest = 200

// svg writes one element. Lengths are in units of the drawing, of which a square
// is squareSize wide.
type svg struct {
	strings.Builder
	*scene
	old           *scene // the state before; nil: none
	width, height float64
}

const (
	squareSize = 44.0
	charWidth  = 13.0 // of a picture's text
	lineHeight = 30.0
	labelSize  = 9.0 // the width of a letter in the names of rows
	edge       = 6.0 // around everything
	mostDrawn  = 64  // columns, and rows

	stoneInText = 0.46 // how much smaller stones are in the text of a picture
)

func drawSVG(s, old *scene) string {
	w := &svg{scene: s, old: old}
	if s.options.Drawing.picture == nil {
		w.board(0)
	} else {
		w.picture()
	}
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 %.0f %.0f" role="group" aria-label="board">%s</svg>`,
		w.width+edge, w.height+edge, w.String())
}

// picture draws the lines of a picture, one below the other. A board that is much
// smaller than the text around it is drawn larger.
func (w *svg) picture() {
	columns := 0
	for _, line := range w.options.Drawing.picture {
		columns = max(columns, line.columns())
	}
	for _, line := range w.options.Drawing.picture {
		if line.board {
			if w.grid != nil {
				w.boardWithin(edge + float64(columns)*charWidth)
			}
			continue
		}
		w.height += lineHeight
		column := 0
		for _, span := range line.spans {
			if span.place == nil {
				w.words(span.text, column)
				column += length(span.text)
				continue
			}
			w.place(span.place, column)
			column += max(span.place.width, 1)
		}
		w.width = max(w.width, edge+float64(column)*charWidth)
	}
	w.height += edge
}

// How much of the width of its text a board takes at least, unless it would have to be
// drawn so much larger.
const (
	leastShare = 0.7
	mostLarger = 4.0
)

// boardWithin draws the board of a picture whose text has a width.
func (w *svg) boardWithin(width float64) {
	board := &svg{scene: w.scene, old: w.old}
	height := board.board(0)
	scale := min(max(1, leastShare*width/board.width), mostLarger)
	fmt.Fprintf(w, `<g transform="translate(0 %.1f) scale(%.3f)">%s</g>`, w.height, scale, board.String())
	w.width = max(w.width, scale*board.width)
	w.height += scale * height
}

// columns is how long a line is.
func (l pictureLine) columns() (n int) {
	for _, span := range l.spans {
		if span.place == nil {
			n += length(span.text)
		} else {
			n += max(span.place.width, 1)
		}
	}
	return n
}

// words writes the text of a picture, each word where its column is.
func (w *svg) words(text string, column int) {
	for text != "" {
		word, rest, _ := strings.Cut(text, " ")
		if word != "" {
			n := length(word)
			fmt.Fprintf(w, `<text class="words" x="%.1f" y="%.1f" textLength="%.1f">%s</text>`,
				edge+float64(column)*charWidth, w.height-lineHeight/2+6, float64(n)*charWidth, html.EscapeString(printable(word)))
			column += n
		}
		column++
		text = rest
	}
}

// place draws a place of the picture, in the line that ends at the height.
func (w *svg) place(at *place, column int) {
	content := w.places[at]
	x, y := edge+float64(column)*charWidth, w.height-lineHeight
	width := float64(max(at.width, 1)) * charWidth
	class := "pl"
	if w.old != nil && !slices.Equal(content, w.old.places[at]) {
		class += " new"
	}
	name := at.words
	for _, c := range content {
		name += ", " + c
	}
	fmt.Fprintf(w, `<g class="%s" data-at="p%d" aria-label="%s"><rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="3"/>`,
		class, w.number(at), html.EscapeString(label(name, longestRest)), x+0.5, y+3, width-1, lineHeight-6)
	w.inPlace(at, content, x+width/2, y+lineHeight/2)
	w.WriteString("</g>")
}

// inPlace draws what a place shows around its middle: a stone where it has the room for
// one letter, else text.
func (w *svg) inPlace(at *place, content []string, x, y float64) {
	text, colour := ".", "c-none"
	switch {
	case len(content) == 0 || len(content) == 1 && content[0] != "" && content[0] == w.names.blank:
	case len(content) == 1 && content[0] == "":
		text, colour = at.words[strings.LastIndex(at.words, " ")+1:], "c-text"
	case len(content) == 1 && isNumber(content[0]):
		text, colour = content[0], "c-text"
	case len(content) == 1:
		l := w.look(content[0])
		if l.kind != lookText {
			fmt.Fprintf(w, `<g transform="translate(%.1f %.1f) scale(%.2f)">`, x, y, stoneInText)
			w.piece(l, 0, 0)
			w.WriteString("</g>")
			return
		}
		text, colour = l.text, l.class
	default:
		text, colour = several, "c-text"
	}
	most := max(at.width, 1)
	class := "in"
	if n := length(text); n > most { // a word such as kingside in the room of a letter
		text, class = cut(text, 2*most), "in small"
		text = strings.TrimSuffix(text, "~")
	}
	fmt.Fprintf(w, `<text class="%s %s" x="%.1f" y="%.1f">%s</text>`, class, colour, x, y+6, html.EscapeString(printable(text)))
}

// number is the place's among those of the drawing.
func (s *scene) number(at *place) int { return slices.Index(s.options.Drawing.places, at) }

// axes is where the columns and rows of a grid are.
type axes struct {
	left, top     float64
	columns, rows int
	x, y          []float64 // offsets of columns and of lines, from the top
	hex           bool
}

// hexPitch is how far the rows of hexagons lie apart.
const hexPitch = squareSize * 0.866

func (w *svg) axes(top float64) axes {
	g, d := w.grid, w.options.Drawing
	a := axes{top: top + edge, columns: min(len(g.x.values), mostDrawn), rows: min(len(g.y.values), mostDrawn), hex: d.hex}
	longest := 1
	for _, y := range g.y.values {
		longest = max(longest, length(label(y, longestRow)))
	}
	a.left = edge + labelSize*float64(longest) + 6
	at := 0.0
	for column := range a.columns {
		a.x = append(a.x, at)
		at += squareSize
		if d.rightOf[g.x.values[column]] {
			at += edge
		}
	}
	at = 0
	for line := range a.rows {
		a.y = append(a.y, at)
		if a.hex {
			at += hexPitch
			continue
		}
		at += squareSize
		if d.below[g.y.values[a.row(g, line)]] {
			at += edge
		}
	}
	return a
}

// row is the index of the row that is drawn on a line.
func (a axes) row(g *grid, line int) int {
	if g.y.up {
		return len(g.y.values) - 1 - line
	}
	return line
}

// at is the left upper corner of a square.
func (a axes) at(column, line int) (x, y float64) {
	x, y = a.left+a.x[column], a.top+a.y[line]
	if a.hex {
		x += float64(line) * squareSize / 2
	}
	return x, y
}

// board draws the grid below a height, and returns how high it is.
func (w *svg) board(top float64) float64 {
	a, g := w.axes(top), w.grid
	for line := range a.rows {
		row := a.row(g, line)
		_, y := a.at(0, line)
		x := a.left - 6
		if a.hex {
			x += float64(line) * squareSize / 2
		}
		fmt.Fprintf(w, `<text class="row" x="%.1f" y="%.1f">%s</text>`, x, y+squareSize/2+5, html.EscapeString(label(g.y.values[row], longestRow)))
		for column := range a.columns {
			w.square(a, column, line)
		}
	}
	lastX, lastY := a.at(a.columns-1, a.rows-1)
	bottom := lastY + squareSize
	if a.hex {
		bottom += squareSize * 0.155 // what a hexagon is higher than wide
	}
	for column := range a.columns {
		x, _ := a.at(column, a.rows-1)
		fmt.Fprintf(w, `<text class="column" x="%.1f" y="%.1f">%s</text>`, x+squareSize/2, bottom+16, html.EscapeString(label(g.x.values[column], longestColumn)))
	}
	w.width = max(w.width, lastX+squareSize)
	height := bottom + 22 - top
	if a.columns < len(g.x.values) || a.rows < len(g.y.values) {
		fmt.Fprintf(w, `<text class="words" x="%.1f" y="%.1f">%d of %d columns, %d of %d rows</text>`,
			a.left, bottom+38, a.columns, len(g.x.values), a.rows, len(g.y.values))
		height += 24
	}
	if w.options.Drawing.picture == nil {
		w.height = height
	}
	return height
}

// square draws a square and what is on it. What is no square of the board is left
// out.
func (w *svg) square(a axes, column, line int) {
	g := w.grid
	row := a.row(g, line)
	content := g.squares[[2]int{column, row}]
	if len(content) == 0 && w.names.blank != "" {
		return
	}
	x, y := a.at(column, line)
	class := "sq"
	if (column+line)%2 == 1 && !a.hex {
		class += " dark"
	}
	if w.changed(g.x.values[column], g.y.values[row], content) {
		class += " new"
	}
	fmt.Fprintf(w, `<g class="%s" data-at="s%d.%d" aria-label="%s">`, class, column, row, html.EscapeString(w.squareName(column, row, content)))
	if a.hex {
		const h = squareSize / 2
		fmt.Fprintf(w, `<polygon points="%.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f"/>`,
			x+h, y-3.4, x+2*h, y+9.3, x+2*h, y+34.7, x+h, y+47.4, x, y+34.7, x, y+9.3)
	} else {
		fmt.Fprintf(w, `<rect x="%.1f" y="%.1f" width="%.0f" height="%.0f"/>`, x, y, squareSize, squareSize)
	}
	w.pieces(content, x+squareSize/2, y+squareSize/2)
	w.WriteString("</g>")
}

// changed tells whether a square held something else before.
func (w *svg) changed(x, y string, content []string) bool {
	if w.old == nil || w.old.grid == nil {
		return false
	}
	g := w.old.grid
	column, known := g.x.index[x]
	row, too := g.y.index[y]
	return !known || !too || !slices.Equal(content, g.squares[[2]int{column, row}])
}

// squareName is what a square is called, with what is on it: e4, white pawn.
func (w *svg) squareName(column, row int, content []string) string {
	x, y := w.grid.x.values[column], w.grid.y.values[row]
	name := x + " " + y
	if len(x) == 1 && isLetter(x[0]) {
		name = x + y
	}
	if len(content) == 0 || content[0] == w.names.blank {
		return label(name+", empty", longestRest)
	}
	for _, c := range content {
		name += ", " + w.spoken(c)
	}
	return label(name, longestRest)
}
