package shapes

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
)

// Bounds on shapes.
const (
	mostStates  = 1024    // joint contents of the cells of a shape
	mostShapes  = 20_000  // of a game
	mostCells   = 2048    // in the shapes of a layout
	mostEntries = 1 << 20 // of a layout: each costs a hundred bytes while it is learned, more for more roles
)

// Set is the shapes of a game.
type Set struct {
	Cells []Cell
	Kinds []Kind
}

// Cell is a variable of a state: it has value 0, or that of the fluent which holds.
type Cell struct {
	Bits   []int32 // of the fluents
	Values []int32 // by fluent
	States int     // values are below it
}

// Kind is the shapes that differ by a translation of the board. What their contents are
// worth they have in common.
type Kind struct {
	Name   string
	Family string    // kinds of a family are tried together
	Shapes [][]int32 // the cells of each
}

// Families names those of the kinds, in the order in which they appear.
func (s *Set) Families() (names []string) {
	for i := range s.Kinds {
		if !slices.Contains(names, s.Kinds[i].Family) {
			names = append(names, s.Kinds[i].Family)
		}
	}
	return names
}

// Layout numbers the joint contents of the shapes of some kinds: these are its entries.
// It is not changed once made.
type Layout struct {
	Set
	Entries int // of all kinds; those of a kind follow each other

	kinds  []kind
	cellOf []int32 // by bit; -1: in no shape
	value  []int32 // by bit
	most   []int32 // by cell: its highest value
	near   [][]use // by cell: the shapes that it is in
	shapes int

	scratch sync.Pool // of a value for each cell
}

// kind is one of a layout.
type kind struct {
	first   int32 // entry
	states  int32
	strides []int32 // by cell of a shape
	cells   []int32 // of all shapes, one after the other
}

// use is a cell's part in a shape.
type use struct{ shape, stride int32 }

// ErrLayout: these are no shapes.
var ErrLayout = errors.New("shapes: they do not fit together")

// NewLayout lays out kinds of shapes for states of so many bits.
func NewLayout(set Set, bits int) (*Layout, error) {
	if len(set.Cells) > mostCells {
		return nil, fmt.Errorf("%w: %d cells", ErrLayout, len(set.Cells))
	}
	l := &Layout{Set: set, cellOf: slices.Repeat([]int32{-1}, bits), value: make([]int32, bits), near: make([][]use, len(set.Cells))}
	for i, c := range set.Cells {
		if len(c.Bits) != len(c.Values) || c.States < 1 || c.States > mostStates {
			return nil, fmt.Errorf("%w: cell %d", ErrLayout, i)
		}
		l.most = append(l.most, int32(c.States-1))
		for k, bit := range c.Bits {
			if bit < 0 || int(bit) >= bits || l.cellOf[bit] >= 0 || c.Values[k] < 0 || int(c.Values[k]) >= c.States {
				return nil, fmt.Errorf("%w: cell %d", ErrLayout, i)
			}
			l.cellOf[bit], l.value[bit] = int32(i), c.Values[k]
		}
	}
	l.scratch.New = func() any { values := make([]int32, len(l.Cells)); return &values }
	for i := range set.Kinds {
		if err := l.lay(&set.Kinds[i]); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// lay gives a kind the next entries.
func (l *Layout) lay(k *Kind) error {
	made := kind{first: int32(l.Entries), states: 1}
	for i, shape := range k.Shapes {
		if len(shape) == 0 || len(shape) != len(k.Shapes[0]) || l.shapes >= mostShapes {
			return fmt.Errorf("%w: shape %d of %s", ErrLayout, i, k.Name)
		}
		for j, c := range shape {
			if c < 0 || int(c) >= len(l.Cells) || l.Cells[c].States != l.Cells[max(0, min(int(k.Shapes[0][j]), len(l.Cells)-1))].States {
				return fmt.Errorf("%w: shape %d of %s", ErrLayout, i, k.Name)
			}
		}
		if i == 0 {
			made.strides = make([]int32, len(shape))
			for j := len(shape) - 1; j >= 0; j-- {
				made.strides[j] = made.states
				if made.states *= int32(l.Cells[shape[j]].States); made.states > mostStates {
					return fmt.Errorf("%w: %s has too many contents", ErrLayout, k.Name)
				}
			}
		}
		for j, c := range shape {
			made.cells = append(made.cells, c)
			l.near[c] = append(l.near[c], use{int32(l.shapes), made.strides[j]})
		}
		l.shapes++
	}
	if len(k.Shapes) == 0 {
		made.states = 0
	}
	if l.Entries += int(made.states); l.Entries > mostEntries {
		return fmt.Errorf("%w: too many contents", ErrLayout)
	}
	l.kinds = append(l.kinds, made)
	return nil
}

// Only is the part of a set with some kinds and the cells of their shapes.
func (s *Set) Only(wanted func(k *Kind) bool) Set {
	var part Set
	number := map[int32]int32{}
	for i := range s.Kinds {
		if !wanted(&s.Kinds[i]) {
			continue
		}
		k := Kind{Name: s.Kinds[i].Name, Family: s.Kinds[i].Family}
		for _, shape := range s.Kinds[i].Shapes {
			cells := make([]int32, len(shape))
			for j, c := range shape {
				n, ok := number[c]
				if !ok {
					n = int32(len(part.Cells))
					number[c] = n
					part.Cells = append(part.Cells, s.Cells[c])
				}
				cells[j] = n
			}
			k.Shapes = append(k.Shapes, cells)
		}
		part.Kinds = append(part.Kinds, k)
	}
	return part
}

// Shapes is their number.
func (l *Layout) Shapes() int { return l.shapes }

// First is the first entry of a kind.
func (l *Layout) First(k int) int { return int(l.kinds[k].first) }

// States is the number of entries of a kind.
func (l *Layout) States(k int) int { return int(l.kinds[k].states) }

// Values adds up what the fluents of a state make of each cell. Of a cell where several
// hold, which no game that was read aright brings, the sum is bounded by its highest value.
func (l *Layout) Values(state []uint64, values []int32) {
	clear(values)
	for i, word := range state {
		for ; word != 0; word &= word - 1 {
			bit := i*64 + bits.TrailingZeros64(word)
			if c := l.cellOf[bit]; c >= 0 {
				values[c] += l.value[bit]
			}
		}
	}
}

// Read puts the entry of each shape in a state into entries, which has room for them.
// values is scratch, one for each cell, and holds what Values says at the end.
func (l *Layout) Read(state []uint64, values, entries []int32) {
	l.Values(state, values)
	n := 0
	for i := range l.kinds {
		n = l.kinds[i].read(values, l.most, entries, n)
	}
}

func (k *kind) read(values, most, entries []int32, n int) int {
	width := len(k.strides)
	for cells := k.cells; len(cells) >= width && width > 0; cells = cells[width:] {
		entry := k.first
		for j, c := range cells[:width] {
			entry += k.strides[j] * min(values[c], most[c])
		}
		entries[n] = entry
		n++
	}
	return n
}

// Name says in words what an entry is: the kind, and what its cells hold.
func (l *Layout) Name(entry int, fluents []string) string {
	for i := len(l.kinds) - 1; i >= 0; i-- {
		k := &l.kinds[i]
		if entry < int(k.first) || len(l.Kinds[i].Shapes) == 0 {
			continue
		}
		rest := int32(entry) - k.first
		var words []string
		for j, c := range l.Kinds[i].Shapes[0] {
			value := rest / k.strides[j]
			rest %= k.strides[j]
			words = append(words, l.label(i, j, c, value, fluents))
		}
		return l.Kinds[i].Name + ": " + strings.Join(words, " ")
	}
	return ""
}

// label is what the cell at a place of a kind's shapes holds when it has a value: the
// fluent in the first shape that has one for it, with question marks for the arguments that another shape's
// has otherwise.
func (l *Layout) label(kind, place int, first, value int32, fluents []string) string {
	var words []string
	for _, shape := range l.Kinds[kind].Shapes {
		c := &l.Cells[shape[place]]
		k := slices.Index(c.Values, value)
		if k < 0 || int(c.Bits[k]) >= len(fluents) {
			continue
		}
		own := strings.Fields(strings.Trim(fluents[c.Bits[k]], "()"))
		if words == nil {
			words = own
			continue
		}
		for i := range words {
			if i < len(own) && own[i] != words[i] {
				words[i] = "?"
			}
		}
	}
	if words == nil {
		return "nothing"
	}
	return "(" + strings.Join(words, " ") + ")"
}

// Sum adds the weights of the entries of a state to sums, by role: of an entry for a role
// at entry*roles + role. Any number of goroutines may call it.
func (l *Layout) Sum(state []uint64, roles int, table, sums []int64) {
	scratch := l.scratch.Get().(*[]int32)
	values := *scratch
	l.Values(state, values)
	for c, most := range l.most {
		values[c] = min(values[c], most)
	}
	for i := range l.kinds {
		if roles == 2 {
			l.kinds[i].sumTwo(values, table, sums)
		} else {
			l.kinds[i].sum(values, roles, table, sums)
		}
	}
	l.scratch.Put(scratch)
}

func (k *kind) sum(values []int32, roles int, table, sums []int64) {
	width := len(k.strides)
	for cells := k.cells; len(cells) >= width && width > 0; cells = cells[width:] {
		entry := k.first
		for j, c := range cells[:width] {
			entry += k.strides[j] * values[c]
		}
		for r, w := range table[int(entry)*roles:][:roles] {
			sums[r] += w
		}
	}
}

// sumTwo is sum for two roles, as most games have, with the common widths unrolled.
func (k *kind) sumTwo(values []int32, table, sums []int64) {
	first, second := sums[0], sums[1]
	own := table[2*int(k.first):][:2*int(k.states)]
	switch cells, s := k.cells, k.strides; len(s) {
	case 2:
		for ; len(cells) >= 2; cells = cells[2:] {
			pair := own[2*(s[0]*values[cells[0]]+values[cells[1]]):][:2]
			first, second = first+pair[0], second+pair[1]
		}
	case 3:
		a, b := s[0], s[1]
		for ; len(cells) >= 3; cells = cells[3:] {
			pair := own[2*(a*values[cells[0]]+b*values[cells[1]]+values[cells[2]]):][:2]
			first, second = first+pair[0], second+pair[1]
		}
	case 4:
		a, b, c := s[0], s[1], s[2]
		for ; len(cells) >= 4; cells = cells[4:] {
			pair := own[2*(a*values[cells[0]]+b*values[cells[1]]+c*values[cells[2]]+values[cells[3]]):][:2]
			first, second = first+pair[0], second+pair[1]
		}
	default:
		k.sum(values, 2, table, sums)
		return
	}
	sums[0], sums[1] = first, second
}
