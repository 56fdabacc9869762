package board

import (
	"fmt"
	"slices"
	"strings"

	"semisplit/kif"
)

// Targets are the squares and places that a move names, in its order: the data-at
// of elements of SVG, or cN and rN for the whole column or row with that number. So
// people make a move by clicking on one after the other. A move that names none has
// no targets.
func (p *Page) Targets(role string, move kif.Term) (targets []string) {
	if p.SVG == "" || len(move.Items) == 0 {
		return nil
	}
	args := flatten(nil, kif.Term{Items: move.Items[1:]})
	for i := 0; i < len(args); {
		if target, used := p.target(role, args[i:]); used > 0 {
			targets = append(targets, target)
			i += used
			continue
		}
		i++
	}
	if targets != nil || p.scene.grid == nil {
		return targets
	}
	for _, arg := range args {
		g := p.scene.grid
		x, y := g.x, g.y
		if column, ok := x.index[arg]; ok && x.kind != words {
			return []string{fmt.Sprintf("c%d", column)}
		}
		if row, ok := y.index[arg]; ok && y.kind != words {
			return []string{fmt.Sprintf("r%d", row)}
		}
	}
	return nil
}

// flatten are the symbols of a term, one after the other.
func flatten(list []string, t kif.Term) []string {
	if !t.IsList() {
		return append(list, t.Name)
	}
	for _, item := range t.Items {
		list = flatten(list, item)
	}
	return list
}

// target reads what the first of some arguments mean, and tells how many they are.
func (p *Page) target(role string, args []string) (target string, used int) {
	if g := p.scene.grid; g != nil {
		if len(args) > 1 {
			x, y := args[0], args[1]
			if p.scene.secondIsColumn() {
				x, y = y, x
			}
			column, onX := g.x.index[x]
			row, onY := g.y.index[y]
			if onX && onY {
				return fmt.Sprintf("s%d.%d", column, row), 2
			}
		}
		if column, row, ok := g.joined(args[0]); ok {
			return fmt.Sprintf("s%d.%d", column, row), 1
		}
	}
	return p.scene.namedPlace(role, args)
}

// secondIsColumn tells whether fluents, and so moves, name the row first.
func (s *scene) secondIsColumn() bool {
	pattern := s.options.Drawing.cells
	if pattern == nil {
		return s.grid.x.fromSecond
	}
	names := flatten(nil, pattern.term)
	return slices.Index(names, rowVariable) < slices.Index(names, columnVariable)
}

// longestSquare bounds the words that are split into column and row in each way.
const longestSquare = 64

// joined reads a square that is one word, such as e4.
func (g *grid) joined(word string) (column, row int, ok bool) {
	if len(word) > longestSquare {
		return 0, 0, false
	}
	for i := 1; i < len(word); i++ {
		column, onX := g.x.index[word[:i]]
		row, onY := g.y.index[word[i:]]
		if onX && onY && g.x.kind != g.y.kind {
			return column, row, true
		}
	}
	return 0, 0, false
}

// namedPlace is the place of a picture that arguments name: by all of its words after
// the first, else by the last of them. Of several, that with the role's name is meant.
func (s *scene) namedPlace(role string, args []string) (target string, used int) {
	for count := min(len(args), 4); count > 0; count-- {
		var found []int
		for n, at := range s.options.Drawing.places {
			name := strings.Fields(at.words)
			if len(name) <= count || !slices.Equal(name[len(name)-count:], args[:count]) {
				continue
			}
			if len(name) == count+1 || slices.Contains(name[1:len(name)-count], role) {
				found = append(found, n)
			}
		}
		if len(found) == 1 {
			return fmt.Sprintf("p%d", found[0]), count
		}
	}
	return "", 0
}
