package board

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"semisplit/internal/strictjson"
	"semisplit/kif"
)

// Limits of a drawing file.
const (
	mostBytes   = 64 << 10
	mostPieces  = 200
	mostLines   = 100 // of the picture
	mostPlaces  = 1000
	longestLine = 200 // of the picture as it is drawn, in columns
	longestName = 40  // of a piece
)

// drawingFile is the JSON form. docs/drawings.md describes it.
type drawingFile struct {
	Like    string           `json:"like"`
	Cells   string           `json:"cells"`
	Columns string           `json:"columns"`
	Rows    string           `json:"rows"`
	Shape   string           `json:"shape"`
	Lines   drawingLines     `json:"lines"`
	Pieces  map[string]Piece `json:"pieces"`
	Picture []string         `json:"picture"`
}

type drawingLines struct {
	RightOf string `json:"right_of"`
	Below   string `json:"below"`
}

// Parse reads a drawing file: JSON within fixed limits, in which a key that
// means nothing is an error. An error says where it is and what would be
// right.
func Parse(text string) (*Drawing, error) {
	if len(text) > mostBytes {
		return nil, fmt.Errorf("the file is longer than %d kB", mostBytes>>10)
	}
	var file drawingFile
	if err := strictjson.Decode([]byte(text), &file); err != nil {
		return nil, err
	}
	return file.drawing()
}

func (f *drawingFile) drawing() (*Drawing, error) {
	if f.Like != "" {
		return nil, fmt.Errorf("like: %q: there is no such drawing beside this one, or it is like another itself, or other keys stand beside", f.Like)
	}
	d := &Drawing{pieces: f.Pieces}
	for _, read := range []func(*Drawing) error{f.readBoard, f.readLines, f.readPieces, f.readPicture} {
		if err := read(d); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// readBoard reads which fluents are squares, and how they lie.
func (f *drawingFile) readBoard(d *Drawing) error {
	switch f.Shape {
	case "", "square":
	case "hex":
		d.hex = true
	default:
		return fmt.Errorf("shape: %q is unknown: it is square or hex", f.Shape)
	}
	if (f.Columns == "") != (f.Rows == "") || f.Cells == "" && f.Columns != "" {
		return errors.New("columns and rows: give both or none of them, with cells")
	}
	if f.Cells == "" {
		return nil
	}
	term, err := readPattern(f.Cells)
	if err != nil {
		return fmt.Errorf("cells: %w", err)
	}
	d.cells = &pattern{term: term}
	if f.Columns == "" {
		return nil
	}
	if d.cells.x, err = listedAxis(f.Columns); err != nil {
		return fmt.Errorf("columns: %w", err)
	}
	if d.cells.y, err = listedAxis(f.Rows); err != nil {
		return fmt.Errorf("rows: %w", err)
	}
	return nil
}

func readPattern(text string) (kif.Term, error) {
	term, err := kif.ParseTerm(text)
	if err != nil {
		return term, err
	}
	if len(term.Items) == 0 || !term.Items[0].IsSymbol() {
		return term, fmt.Errorf("%s is no fluent with arguments: write it as (cell ?column ?row ?piece)", term)
	}
	count := map[string]int{}
	var visit func(t kif.Term)
	visit = func(t kif.Term) {
		if t.IsVar() {
			count[t.Name]++
		}
		for _, item := range t.Items {
			visit(item)
		}
	}
	visit(term)
	if count[columnVariable] != 1 || count[rowVariable] != 1 {
		return term, fmt.Errorf("%s needs %s and %s, each once", term, columnVariable, rowVariable)
	}
	if len(count) == 2 {
		return term, fmt.Errorf("%s needs a third variable for what is on the square, such as ?piece", term)
	}
	return term, nil
}

func (f *drawingFile) readLines(d *Drawing) error {
	for _, side := range []struct {
		key, text string
		to        *map[string]bool
	}{{"right_of", f.Lines.RightOf, &d.rightOf}, {"below", f.Lines.Below, &d.below}} {
		if side.text == "" {
			continue
		}
		if d.hex {
			return fmt.Errorf("lines.%s: a hex board has no lines", side.key)
		}
		a, err := listedAxis(side.text)
		if err != nil {
			return fmt.Errorf("lines.%s: %w", side.key, err)
		}
		*side.to = map[string]bool{}
		for _, name := range a.values {
			(*side.to)[name] = true
		}
	}
	return nil
}

func (f *drawingFile) readPieces(*Drawing) error {
	if len(f.Pieces) > mostPieces {
		return fmt.Errorf("pieces: there are %d, and %d are allowed", len(f.Pieces), mostPieces)
	}
	for _, content := range slices.Sorted(maps.Keys(f.Pieces)) {
		if err := f.Pieces[content].check(); err != nil {
			return fmt.Errorf("pieces: %q: %w", content, err)
		}
	}
	return nil
}

func (p Piece) check() error {
	if n := len(p.Letter); n < 1 || n > 2 || strings.ContainsFunc(p.Letter, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("letter: %q: one or two characters of ASCII are needed", p.Letter)
	}
	if p.Symbol != "" && (len([]rune(p.Symbol)) != 1 || strings.ContainsFunc(p.Symbol, notVisible) || length(p.Symbol) < 1) {
		return fmt.Errorf("symbol: %q is not one visible character", p.Symbol)
	}
	if length(p.Name) > longestName || printable(p.Name) != p.Name {
		return fmt.Errorf("name: %q has more than %d columns or invisible characters", p.Name, longestName)
	}
	if _, ok := colorCodes[p.Color]; !ok && p.Color != "" {
		return fmt.Errorf("color: %q is unknown: the colours are %s", p.Color, strings.Join(slices.Sorted(maps.Keys(colorCodes)), ", "))
	}
	return nil
}

func notVisible(r rune) bool {
	return r == unicode.ReplacementChar || unicode.IsMark(r) || unicode.IsSpace(r) || !unicode.IsPrint(r)
}
