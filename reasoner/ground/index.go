package ground

import (
	"fmt"
	"strings"

	"semisplit/reasoner/gdl"
)

// index finds the atoms of a relation that have given values at given places
// inside their arguments. Atoms of another shape are not in it.
type index struct {
	signature string
	shape     []shapeCheck
	keys      []path
	head      map[uint64]int32 // newest entry with this hash
	next      []int32          // by entry: the one before with this hash; -1 ends
	atoms     []atomID         // by entry
}

// path leads from the arguments of an atom to a subterm: the number of the
// argument, then of its argument, and so on.
type path []uint16

// shapeCheck demands a functor at a path.
type shapeCheck struct {
	at    path
	fn    gdl.Symbol
	arity int
}

// access is how a literal looks up its relation when some variables are bound.
type access struct {
	index *index
	keys  []pattern // a variable or a ground term for each key of the index
}

// subterm follows a path; 0 if it leads nowhere.
func subterm(store *gdl.Store, args []gdl.TermID, at path) gdl.TermID {
	id := gdl.TermID(0)
	for i, k := range at {
		if i > 0 {
			args = store.Args(id)
		}
		if int(k) >= len(args) {
			return 0
		}
		id = args[k]
	}
	return id
}

func (x *index) insert(store *gdl.Store, a atomID, args []gdl.TermID) {
	for _, c := range x.shape {
		id := subterm(store, args, c.at)
		if store.Functor(id) != c.fn || len(store.Args(id)) != c.arity {
			return
		}
	}
	h := uint64(1)
	for _, k := range x.keys {
		h = mix(h, subterm(store, args, k))
	}
	last, ok := x.head[h]
	if !ok {
		last = -1
	}
	x.head[h] = int32(len(x.atoms))
	x.next = append(x.next, last)
	x.atoms = append(x.atoms, a)
}

// first is the newest entry that can match under the binding, or -1. Entries
// of equal hash are to be verified by matching.
func (c *access) first(b *binding) int32 {
	h := uint64(1)
	for i := range c.keys {
		id := c.keys[i].id
		if id == 0 {
			id = b.value[c.keys[i].v]
		}
		h = mix(h, id)
	}
	if e, ok := c.index.head[h]; ok {
		return e
	}
	return -1
}

// access returns the way to look up atoms of a relation that match the
// patterns, when the variables for which bound holds have values.
func (t *atomTable) access(store *gdl.Store, rel int32, args []pattern, bound func(int32) bool) access {
	x := &index{}
	var c access
	var walk func(p *pattern, at path)
	walk = func(p *pattern, at path) {
		at = append(path(nil), at...)
		switch {
		case p.id != 0, p.v >= 0 && bound(p.v):
			x.keys = append(x.keys, at)
			c.keys = append(c.keys, pattern{v: p.v, id: p.id})
		case p.args != nil:
			x.shape = append(x.shape, shapeCheck{at, p.fn, len(p.args)})
			for i := range p.args {
				walk(&p.args[i], append(at, uint16(i)))
			}
		}
	}
	for i := range args {
		walk(&args[i], path{uint16(i)})
	}
	var s strings.Builder
	fmt.Fprint(&s, x.shape, x.keys)
	x.signature = s.String()
	ext := &t.rels[rel]
	for _, old := range ext.indexes {
		if old.signature == x.signature {
			c.index = old
			return c
		}
	}
	x.head = make(map[uint64]int32)
	for _, a := range ext.atoms {
		x.insert(store, a, t.argsOf(a))
	}
	ext.indexes = append(ext.indexes, x)
	c.index = x
	return c
}
