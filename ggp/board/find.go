package board

import (
	"strings"

	"semisplit/kif"
)

// boardView is a guessed view. Either the
// fluents are those of one functor, two of whose arguments are coordinates
// and the others the content: (cell a 1 white). Or they have two arguments,
// both coordinates, and the functor is the content: (white a 1).
type boardView struct {
	shape         string // functor and nesting; empty for the second kind
	first, second int    // which arguments are the coordinates
}

// flatArguments are the symbols in a fluent's arguments, nested terms taken
// apart; shape tells fluents apart whose arguments mean different things.
func flatArguments(f kif.Term) (shape string, arguments []string) {
	if len(f.Items) == 0 || !f.Items[0].IsSymbol() {
		return f.Name, nil
	}
	var b strings.Builder
	var visit func(t kif.Term)
	visit = func(t kif.Term) {
		if !t.IsList() {
			b.WriteString(" .")
			arguments = append(arguments, t.Name)
			return
		}
		b.WriteString(" (")
		for i, item := range t.Items {
			if i == 0 && !item.IsList() {
				b.WriteString(brief(item.Name))
			} else {
				visit(item)
			}
		}
		b.WriteString(")")
	}
	visit(f)
	return b.String(), arguments
}

func (v boardView) layOut(cells []boardCell) (x, y axis) { return layOut(cells) }

// cell reads a fluent, if it is one of the view's.
func (v boardView) cell(f kif.Term) (boardCell, bool) {
	shape, arguments := flatArguments(f)
	if v.shape == "" {
		if len(arguments) != 2 || !isCoordinate(arguments[0]) || !isCoordinate(arguments[1]) {
			return boardCell{}, false
		}
		return boardCell{arguments[0], arguments[1], brief(f.Items[0].Name)}, true
	}
	if shape != v.shape {
		return boardCell{}, false
	}
	var content []string
	for i, a := range arguments {
		if i != v.first && i != v.second {
			content = append(content, brief(a))
		}
	}
	return boardCell{arguments[v.first], arguments[v.second], strings.Join(content, " ")}, true
}

func (v boardView) cells(fluents []kif.Term) []boardCell {
	var cells []boardCell
	for _, f := range fluents {
		if c, ok := v.cell(f); ok {
			cells = append(cells, c)
		}
	}
	return cells
}

// Fluents with more arguments than this are not tried as a board.
const mostArguments = 6

// findBoard looks for the view with the most squares; of equals, for one without
// words as coordinates (where each piece is known by its side and a number, side and
// number make squares too), then for the first functor, and in it for the pair of
// arguments that is more usual.
func findBoard(fluents []kif.Term) (best boardView, found bool) {
	most := 0
	consider := func(v boardView, fluents []kif.Term) {
		squares, worded, ok := rateBoard(v, v.cells(fluents))
		rank := 2 * squares
		if !worded {
			rank++
		}
		if ok && rank > most {
			best, most, found = v, rank, true
		}
	}
	var shapes []string
	shaped := map[string][]kif.Term{} // rules can have as many shapes as fluents
	for _, f := range fluents {
		shape, arguments := flatArguments(f)
		if n := len(arguments); n < 3 || n > mostArguments {
			continue
		}
		if shaped[shape] == nil {
			shapes = append(shapes, shape)
		}
		shaped[shape] = append(shaped[shape], f)
	}
	for _, shape := range shapes {
		same := shaped[shape]
		_, arguments := flatArguments(same[0])
		n := len(arguments)
		consider(boardView{shape, 0, 1}, same)
		consider(boardView{shape, n - 2, n - 1}, same)
		for i := range n {
			for j := i + 1; j < n; j++ {
				consider(boardView{shape, i, j}, same)
			}
		}
	}
	consider(boardView{first: 0, second: 1}, fluents)
	return best, found
}

// rateBoard counts the squares that a view shows, tells whether words are coordinates of
// them, and judges whether they look like a board.
func rateBoard(v boardView, cells []boardCell) (squares int, worded, ok bool) {
	seen := map[[2]string]bool{}
	rows, columns := map[string]int{}, map[string]int{} // how many squares each has
	for _, c := range cells {
		at := [2]string{c.first, c.second}
		if !seen[at] {
			seen[at] = true
			columns[c.first]++
			rows[c.second]++
		}
	}
	squares = len(seen)
	if squares < 4 || len(columns) < 2 || len(rows) < 2 {
		return 0, false, false
	}
	// A square has one content, bar exceptions; otherwise two of these
	// arguments are not the whole place.
	if len(cells)*4 > squares*5 {
		return 0, false, false
	}
	first, second := layOutCoordinates(cells)
	// Words are places only where nearly every pair of them is one.
	worded = first.kind == words || second.kind == words
	if worded && squares*2 < len(rows)*len(columns) {
		return 0, false, false
	}
	// (size heap-a 3) is a number for each heap and not a board.
	if v.shape == "" && (!anyAbove(columns, 1) || !anyAbove(rows, 1)) {
		return 0, false, false
	}
	return squares, worded, true
}

func anyAbove(counts map[string]int, limit int) bool {
	for _, n := range counts {
		if n > limit {
			return true
		}
	}
	return false
}
