package shapes

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"semisplit/kif"
	"semisplit/reasoner/propnet"
)

// longest is how many cells in a row make a shape, where no rule asks for more.
const longest = 4

// finder collects shapes.
type finder struct {
	Set
	cells   []cell
	classes []class
	kinds   map[string]int
	seen    map[string]bool
	shapes  int
}

// Find finds the shapes of a game from its circuit, its fluents by bit, and the symbols
// that its rules put in order, each with its place.
func Find(net *propnet.Net, fluents []kif.Term, orders []map[string]int) *Set {
	f := &finder{cells: cellsOf(net, fluents), kinds: map[string]int{}, seen: map[string]bool{}}
	exact := map[int]int{} // members of the group of a fluent of which one always holds
	for _, g := range net.OneHot {
		for _, n := range g.Members {
			if g.Exactly {
				exact[int(n)-2] = max(exact[int(n)-2], len(g.Members))
			}
		}
	}
	f.classes = classesOf(f.cells, func(bits []int) bool {
		return !slices.ContainsFunc(bits, func(b int) bool { return exact[b] != len(bits) })
	}, orders)
	cellOf := slices.Repeat([]int32{-1}, len(net.Fluents))
	for i := range f.cells {
		c := &f.cells[i]
		of := &f.classes[c.class]
		made := Cell{States: of.states()}
		for _, x := range c.contents {
			value, _ := slices.BinarySearch(of.labels, x.label)
			if !of.total {
				value++
			}
			made.Bits, made.Values = append(made.Bits, int32(x.bit)), append(made.Values, int32(value))
			// Of who is to move and the like, which lies nowhere, all depends alike.
			if x.bit < len(cellOf) && len(c.key) > 0 {
				cellOf[x.bit] = int32(i)
			}
		}
		f.Cells = append(f.Cells, made)
	}
	// Families are tried in the order in which they appear: what says most comes first.
	for k := range f.classes {
		f.rows(&f.classes[k])
		f.squares(&f.classes[k])
	}
	f.rules(conjunctions(net, cellOf))
	return &f.Set
}

// add adds a shape of a kind.
func (f *finder) add(cells []int32, family, name string) {
	states := 1
	for _, c := range cells {
		if states *= f.Cells[c].States; states > mostStates {
			return
		}
	}
	set := slices.Clone(cells)
	slices.Sort(set)
	key := keyOf(set)
	if f.seen[key] || f.shapes >= mostShapes {
		return
	}
	f.seen[key] = true
	f.shapes++
	kind, ok := f.kinds[name]
	if !ok {
		kind = len(f.Kinds)
		f.kinds[name] = kind
		f.Kinds = append(f.Kinds, Kind{Name: name, Family: family})
	}
	f.Kinds[kind].Shapes = append(f.Kinds[kind].Shapes, cells)
}

// at is the cell of a class that lies some steps from another; false: there is none.
func (f *finder) at(of *class, from int32, steps []int) (int32, bool) {
	key := slices.Clone(f.cells[from].key)
	for i, n := range steps {
		if n == 0 {
			continue
		}
		name, ok := of.names[i][of.places[i][key[i]]+n]
		if !ok {
			return 0, false
		}
		key[i] = name
	}
	to, ok := of.location[strings.Join(key, " ")]
	return to, ok
}

// mostOrdered bounds the directions on a board: 13 of three dimensions.
const mostOrdered = 3

// directions are the ways from a cell to those next to it, without their opposites.
func (of *class) directions() (list [][]int) {
	ordered := 0
	for _, o := range of.places {
		if o != nil {
			ordered++
		}
	}
	if ordered == 0 || ordered > mostOrdered {
		return nil
	}
	steps := make([]int, of.arity)
	var extend func(i int)
	extend = func(i int) {
		if i == of.arity {
			if first := slices.IndexFunc(steps, func(n int) bool { return n != 0 }); first >= 0 && steps[first] > 0 {
				list = append(list, slices.Clone(steps))
			}
			return
		}
		for n := -1; n <= 1; n++ {
			if n == 0 || of.places[i] != nil {
				steps[i] = n
				extend(i + 1)
			}
		}
		steps[i] = 0
	}
	extend(0)
	return list
}

// rows adds cells of a class in a row: fours, triples and pairs.
func (f *finder) rows(of *class) {
	for _, d := range of.directions() {
		for n := longest; n >= 2; n-- {
			for _, from := range of.members {
				cells := []int32{from}
				for len(cells) < n {
					next, ok := f.at(of, cells[len(cells)-1], d)
					if !ok {
						break
					}
					cells = append(cells, next)
				}
				if len(cells) == n {
					f.add(cells, fmt.Sprintf("rows of %d", n), fmt.Sprintf("%d of %s in a row by %v", n, of.name, d))
				}
			}
		}
	}
}

// squares adds two by two cells of a class.
func (f *finder) squares(of *class) {
	for i := range of.places {
		for j := i + 1; j < of.arity; j++ {
			if of.places[i] == nil || of.places[j] == nil {
				continue
			}
			a, b := make([]int, of.arity), make([]int, of.arity)
			a[i], b[j] = 1, 1
			for _, from := range of.members {
				right, ok1 := f.at(of, from, a)
				up, ok2 := f.at(of, from, b)
				if !ok1 || !ok2 {
					continue
				}
				if both, ok := f.at(of, up, a); ok {
					f.add([]int32{from, right, up, both}, "squares", fmt.Sprintf("square of %s by arguments %d and %d", of.name, i+1, j+1))
				}
			}
		}
	}
}

// rules adds the cells of conjunctions.
func (f *finder) rules(sets [][]int32) {
	for _, set := range sets {
		slices.SortFunc(set, func(a, b int32) int {
			x, y := &f.cells[a], &f.cells[b]
			if x.class != y.class {
				return cmp.Compare(x.class, y.class)
			}
			for i, o := range f.classes[x.class].places {
				if c := cmp.Compare(o[x.key[i]], o[y.key[i]]); c != 0 {
					return c
				}
			}
			return cmp.Compare(a, b)
		})
		f.add(set, fmt.Sprintf("%d cells of a rule", len(set)), f.form(set))
	}
}

// form names how cells lie to each other.
func (f *finder) form(set []int32) string {
	first := &f.cells[set[0]]
	words := make([]string, len(set))
	for i, c := range set {
		at := &f.cells[c]
		of := &f.classes[at.class]
		words[i] = of.name
		for k, o := range of.places {
			if o != nil && at.class == first.class {
				words[i] += fmt.Sprintf(" %+d", o[at.key[k]]-o[first.key[k]])
			}
		}
	}
	return "a rule's " + strings.Join(words, ", ")
}
