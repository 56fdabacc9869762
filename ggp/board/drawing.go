package board

import (
	"strings"

	"semisplit/kif"
)

// Drawing is how a game wants to be drawn, as Parse reads it from a drawing
// file. The zero value wants nothing.
type Drawing struct {
	cells          *pattern        // the fluents that are squares; nil: guess
	hex            bool            // each row is moved half a square to the right
	rightOf, below map[string]bool // lines beside these columns and rows
	pieces         map[string]Piece

	picture    []pictureLine // nil: the board alone
	showsBoard bool          // the board is part of the picture
	places     []*place      // of the picture, in order
	byWords    map[string]*place
}

// Piece is how a content of squares is drawn.
type Piece struct {
	Letter string `json:"letter"` // one or two ASCII characters
	Symbol string `json:"symbol"` // drawn instead where symbols are wanted; may be empty
	Name   string `json:"name"`   // for the legend; empty for what everybody knows
	Color  string `json:"color"`  // one of colorCodes; empty: guessed from the content
}

func (p Piece) text(symbols bool) string {
	if symbols && p.Symbol != "" {
		return p.Symbol
	}
	return p.Letter
}

// find is the place in the picture where a fluent is seen, and what it says
// after the words of the place, which may be nothing.
func (d *Drawing) find(f kif.Term) (at *place, content string, ok bool) {
	if len(d.places) == 0 {
		return nil, "", false
	}
	shape := f.Items
	if !f.IsList() {
		shape = []kif.Term{f}
	}
	var key strings.Builder
	for i, item := range shape {
		if !item.IsSymbol() {
			return nil, "", false
		}
		if i > 0 {
			key.WriteByte(' ')
		}
		key.WriteString(item.Name)
		if at := d.byWords[key.String()]; at != nil {
			return at, spell(shape[i+1:]), true
		}
	}
	return nil, "", false
}

// largestKind is the number of places in the picture that show fluents of
// the same functor, for the functor with the most.
func (d *Drawing) largestKind() int {
	count := map[string]int{}
	most := 0
	for _, at := range d.places {
		name, _, _ := strings.Cut(at.words, " ")
		count[name]++
		most = max(most, count[name])
	}
	return most
}

// spell writes terms with blanks between them.
func spell(terms []kif.Term) string {
	words := make([]string, len(terms))
	for i, t := range terms {
		words[i] = t.String()
	}
	return strings.Join(words, " ")
}

// pattern reads the fluents that it matches as squares.
type pattern struct {
	term kif.Term // with the variables ?column and ?row; other variables make up the content
	x, y axis     // with values if the drawing lists them
}

func (p *pattern) cell(f kif.Term) (boardCell, bool) {
	var c boardCell
	var content []string
	var match func(pattern, t kif.Term) bool
	match = func(pattern, t kif.Term) bool {
		switch {
		case pattern.IsVar():
			switch {
			case pattern.Name == columnVariable && t.IsSymbol():
				c.first = t.Name
			case pattern.Name == rowVariable && t.IsSymbol():
				c.second = t.Name
			case pattern.Name == columnVariable || pattern.Name == rowVariable:
				return false
			default:
				content = append(content, t.Short(mostOfName))
			}
			return true
		case !pattern.IsList():
			return t.IsSymbol() && t.Name == pattern.Name
		case len(t.Items) != len(pattern.Items):
			return false
		}
		for i := range pattern.Items {
			if !match(pattern.Items[i], t.Items[i]) {
				return false
			}
		}
		return true
	}
	if !match(p.term, f) {
		return boardCell{}, false
	}
	c.content = strings.Join(content, " ")
	return c, p.x.has(c.first) && p.y.has(c.second)
}

const (
	columnVariable = "?column"
	rowVariable    = "?row"
)

// layOut takes the columns and rows that are listed, else orders what there
// is.
func (p *pattern) layOut(cells []boardCell) (x, y axis) {
	if p.x.values != nil {
		return p.x, p.y
	}
	x, y = layOutCoordinates(cells)
	y.up = y.kind != words
	return x, y
}

// has tells whether a coordinate is on an axis that is listed.
func (a axis) has(name string) bool {
	_, ok := a.index[name]
	return ok || a.values == nil
}
