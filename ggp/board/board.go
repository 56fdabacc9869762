// Package board draws the states of games for people, as text and as SVG. A game can
// say how it wants to be drawn, in a drawing file; of others the board is
// guessed from the fluents. Nothing here knows a game by its name.
package board

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"semisplit/kif"
)

// Options says how a state is drawn. The zero value is a plain drawing in
// letters for a terminal of common size.
type Options struct {
	Color   bool // with ANSI escapes
	Symbols bool // pieces as the drawing's symbols, which are not ASCII, instead of its letters
	Width   int  // of the terminal, in columns; 0 is 80
	Height  int  // board rows drawn at most; 0 is 40

	// Drawing is how the game wants to be drawn; without one the board is
	// guessed.
	Drawing *Drawing
	// Frame is another state of the same game, usually the initial one. Its
	// squares and contents are drawn as if known, so that the board keeps its
	// size and its letters while squares come and go.
	Frame []kif.Term
	// Possible are fluents that may come to hold. What they have on squares gets its
	// letter, and its place in the legend, before it is seen there.
	Possible []kif.Term
	// Before is the state before this one, if what has changed on the board since
	// then is to be marked: with > before a square, and in colours by reverse video.
	Before []kif.Term
}

func (o Options) orDefault() Options {
	if o.Width <= 0 {
		o.Width = 80
	}
	if o.Height <= 0 {
		o.Height = 40
	}
	if o.Drawing == nil {
		o.Drawing = &Drawing{}
	}
	return o
}

// Draw draws a state: its picture or board, if there is one, a legend, and
// the fluents that are not seen on it. What it prints depends on nothing but
// its arguments. Errors of w are left to w.
func Draw(w io.Writer, fluents []kif.Term, o Options) {
	newScene(fluents, o.orDefault()).draw(w)
}

// Size tells how large the board is on which a state is drawn: 8x8 for its
// columns and rows, or 24 places in a picture; empty without a board. The
// drawing may be nil.
func Size(fluents []kif.Term, d *Drawing) string {
	o := Options{Drawing: d}.orDefault()
	if v := o.view(fluents); v != nil {
		g, _ := newGrid(v, fluents, o)
		if len(g.x.values) == 0 {
			return ""
		}
		return fmt.Sprintf("%dx%d", len(g.x.values), len(g.y.values))
	}
	if n := o.Drawing.largestKind(); n > 0 {
		return fmt.Sprintf("%d places", n)
	}
	return ""
}

// scene is a state with what of it is drawn where.
type scene struct {
	options Options
	paint   painter
	grid    *grid               // nil where no board is seen
	places  map[*place][]string // what holds at the places of the picture
	names   abbreviations       // of everything on the board and in the picture
	rest    []kif.Term          // the fluents that are seen in neither
	marked  map[[2]int]bool     // squares that have changed, by column and row
}

// newScene needs options with their defaults.
func newScene(fluents []kif.Term, o Options) *scene {
	s := &scene{options: o, paint: painter{on: o.Color}, places: map[*place][]string{}}
	now := fluents
	if v := o.view(fluents); v != nil {
		if g, rest := newGrid(v, fluents, o); len(g.x.values) > 0 {
			s.grid, now = g, rest
			s.marked = marks(g, v, o)
		}
	}
	for _, f := range now {
		if place, content, ok := o.Drawing.find(f); ok {
			s.places[place] = append(s.places[place], content)
		} else {
			s.rest = append(s.rest, f)
		}
	}
	s.nameAll()
	s.sortRest()
	return s
}

// view is the way to read squares out of fluents; nil where there is none.
func (o Options) view(fluents []kif.Term) view {
	switch {
	case o.Drawing.cells != nil:
		return o.Drawing.cells
	case o.Drawing.picture != nil && !o.Drawing.showsBoard:
		return nil
	}
	found, ok := findBoard(o.Frame)
	if !ok {
		found, ok = findBoard(fluents)
	}
	if !ok {
		return nil
	}
	return found
}

// nameAll finds short names for all that is drawn. Numbers in a picture stay
// what they are and take no letters away.
func (s *scene) nameAll() {
	var known, possible, now []string
	if s.grid != nil {
		known, possible, now = contents(s.grid.known), s.grid.possible, contents(s.grid.now)
	}
	isPiece := func(content string) bool { return content != "" && !isNumber(content) }
	for _, f := range s.options.Frame {
		if _, content, ok := s.options.Drawing.find(f); ok && isPiece(content) {
			known = append(known, content)
		}
	}
	for _, place := range s.options.Drawing.places {
		for _, content := range s.places[place] {
			if isPiece(content) {
				now = append(now, content)
			}
		}
	}
	s.names = abbreviate(known, possible, now, s.options)
}

// sortRest puts first whose turn it is, which most descriptions call control.
// The others come in the order in which the frame has their relations, so that
// they don't change places from state to state.
func (s *scene) sortRest() {
	order := map[string]int{"control": 1}
	for _, f := range s.options.Frame {
		if name := functor(f); order[name] == 0 {
			order[name] = len(order) + 1
		}
	}
	place := func(f kif.Term) int {
		if n := order[functor(f)]; n > 0 {
			return n
		}
		return len(order) + 1
	}
	slices.SortStableFunc(s.rest, func(a, b kif.Term) int {
		if p, q := place(a), place(b); p != q || len(s.options.Frame) == 0 {
			return p - q
		}
		return strings.Compare(a.Short(mostOfName), b.Short(mostOfName))
	})
}

func functor(f kif.Term) string {
	for len(f.Items) > 0 {
		f = f.Items[0]
	}
	return f.Name
}

func (s *scene) draw(w io.Writer) {
	drawing := s.options.Drawing
	switch {
	case drawing.picture != nil:
		s.drawPicture(w)
	case s.grid != nil:
		s.drawGrid(w)
	default:
		drawRest(w, s.rest, 8, s.options.Width)
		return
	}
	s.drawLegend(w)
	if len(s.rest) > 0 {
		drawRest(w, s.rest, 1, s.options.Width)
	}
}
