// Package shapes finds which fluents of a game belong together: cells, of whose
// contents at most one holds at a time, and groups of cells that lie next to each other
// or that a rule asks about together. All of it comes from the rules; no game is known.
package shapes

import (
	"cmp"
	"slices"
	"strings"

	"semisplit/kif"
	"semisplit/reasoner/propnet"
)

// cell is a variable of a state: fluents of which at most one holds.
type cell struct {
	class    int
	key      []string // the arguments that its fluents share
	contents []content
}

// content is a fluent of a cell.
type content struct {
	bit   int
	label string // the fluent with question marks for the key
}

// class is what cells with the same fluents, but for their keys, have in common.
type class struct {
	name     string
	labels   []string         // contents of any of the cells, rising
	arity    int              // of the key
	total    bool             // each cell always has one of them
	places   []map[string]int // by argument of the key: the places of its symbols; nil: they have no order
	names    []map[int]string // the same the other way
	members  []int32
	location map[string]int32 // cell by key
}

// states is the number of contents that a cell can be said to have: none is the first
// one where that can be.
func (c *class) states() int {
	if c.total {
		return len(c.labels)
	}
	return len(c.labels) + 1
}

// cellsOf makes cells of the fluents by bit, which a net says of what excludes what.
func cellsOf(net *propnet.Net, fluents []kif.Term) []cell {
	groups := slices.Clone(net.OneHot)
	slices.SortStableFunc(groups, func(a, b propnet.Group) int { return cmp.Compare(len(b.Members), len(a.Members)) })
	taken := make([]bool, len(fluents))
	var cells []cell
	for _, g := range groups {
		var bits []int
		for _, n := range g.Members {
			if bit := int(n) - 2; bit < len(fluents) && !taken[bit] {
				bits = append(bits, bit)
			}
		}
		// What is left of a group that shares fluents with a larger one is none.
		if len(bits) < 2 || len(bits) < len(g.Members) {
			continue
		}
		for _, bit := range bits {
			taken[bit] = true
		}
		cells = append(cells, cellOf(bits, fluents))
	}
	for bit, f := range fluents {
		if !taken[bit] && f.String() != "" {
			cells = append(cells, cellOf([]int{bit}, fluents))
		}
	}
	return cells
}

// cellOf is the cell of some fluents. Its key are the arguments that all fluents of
// the commonest functor share: of a single fluent all.
func cellOf(bits []int, fluents []kif.Term) cell {
	first := fluents[bits[0]]
	var c cell
	shared := make([]bool, max(0, len(first.Items)-1))
	for i := range shared {
		shared[i] = true
		for _, bit := range bits {
			if f := fluents[bit]; sameForm(f, first) && !kif.Equal(f.Items[i+1], first.Items[i+1]) {
				shared[i] = false
			}
		}
		if shared[i] {
			c.key = append(c.key, first.Items[i+1].String())
		}
	}
	for _, bit := range bits {
		f := fluents[bit]
		c.contents = append(c.contents, content{bit, labelOf(f, func(i int, a string) bool {
			if sameForm(f, first) {
				return shared[i]
			}
			return slices.Contains(c.key, a)
		})})
	}
	return c
}

// sameForm tells whether two fluents have a functor and a number of arguments in common.
func sameForm(a, b kif.Term) bool {
	if len(a.Items) != len(b.Items) {
		return false
	}
	if len(a.Items) == 0 {
		return kif.Equal(a, b)
	}
	return kif.Equal(a.Items[0], b.Items[0])
}

// labelOf spells a fluent with question marks for some arguments.
func labelOf(f kif.Term, open func(i int, argument string) bool) string {
	if len(f.Items) == 0 {
		return f.String()
	}
	words := []string{f.Items[0].String()}
	for i, item := range f.Items[1:] {
		a := item.String()
		if open(i, a) {
			a = "?"
		}
		words = append(words, a)
	}
	return "(" + strings.Join(words, " ") + ")"
}

// classesOf sorts cells into classes, by the functors of their contents and the number of arguments in
// their keys.
func classesOf(cells []cell, exact func(bits []int) bool, orders []map[string]int) []class {
	var classes []class
	number := map[string]int{}
	for i := range cells {
		c := &cells[i]
		name := formOf(c)
		k, ok := number[name]
		if !ok {
			k = len(classes)
			number[name] = k
			classes = append(classes, class{name: name, arity: len(c.key), total: true, location: map[string]int32{}})
		}
		of := &classes[k]
		c.class = k
		of.members = append(of.members, int32(i))
		of.location[strings.Join(c.key, " ")] = int32(i)
		bits := make([]int, len(c.contents))
		for j, x := range c.contents {
			bits[j] = x.bit
			if !slices.Contains(of.labels, x.label) {
				of.labels = append(of.labels, x.label)
			}
		}
		of.total = of.total && exact(bits)
	}
	for k := range classes {
		of := &classes[k]
		slices.Sort(of.labels)
		of.places = make([]map[string]int, of.arity)
		for i := range of.places {
			of.places[i] = orderOf(cells, of.members, i, orders)
			names := map[int]string{}
			for name, place := range of.places[i] {
				names[place] = name
			}
			of.names = append(of.names, names)
		}
	}
	return classes
}

// formOf names what a cell has in common with others of its class.
func formOf(c *cell) string {
	var names []string
	for _, x := range c.contents {
		words := strings.Fields(strings.Trim(x.label, "()"))
		form := words[0]
		for _, w := range words[1:] {
			if w == "?" {
				form += " ?"
			} else {
				form += " _"
			}
		}
		if !slices.Contains(names, form) {
			names = append(names, form)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// orderOf is the first order that knows all symbols of an argument of the keys; nil:
// none does.
func orderOf(cells []cell, members []int32, argument int, orders []map[string]int) map[string]int {
	for _, o := range orders {
		if !slices.ContainsFunc(members, func(i int32) bool { _, ok := o[cells[i].key[argument]]; return !ok }) {
			return o
		}
	}
	return nil
}
