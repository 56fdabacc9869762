package ground

import (
	"slices"

	"semisplit/reasoner/gdl"
)

// atomID is the number of a ground atom in a table.
type atomID int32

// What is known of an atom.
const (
	queued uint8 = 1 << iota // can be true; waits, or has waited, to be joined
	done                     // is in the indexes
	always                   // is true in every state
)

// atomTable holds ground atoms, each once, in flat arrays.
type atomTable struct {
	rel   []int32
	start []int32 // of its arguments; one longer than rel
	args  []gdl.TermID
	flags []uint8
	table []atomID // open addressing, -1 = free
	rels  []extension

	queue, spare []atomID // atoms that are to be joined; its array's twin
}

// extension is what is known of a relation: its atoms that are done, in the
// order in which they came, and the indexes over them.
type extension struct {
	atoms   []atomID
	indexes []*index
	size    map[gdl.Symbol]int // atoms by functor of the last argument
}

func newAtomTable() *atomTable {
	t := &atomTable{start: []int32{0}}
	t.resize(1 << 10)
	return t
}

func (t *atomTable) len() int { return len(t.rel) }

func (t *atomTable) bytes() int64 {
	n := int64(cap(t.rel)+cap(t.start)+cap(t.args)+cap(t.table)+cap(t.queue))*4 + int64(cap(t.flags))
	for i := range t.rels {
		n += int64(cap(t.rels[i].atoms)) * 4
		for _, x := range t.rels[i].indexes {
			n += int64(cap(x.atoms)+cap(x.next))*4 + int64(len(x.head))*32
		}
	}
	return n
}

func (t *atomTable) argsOf(a atomID) []gdl.TermID { return t.args[t.start[a]:t.start[a+1]] }

func hashAtom(rel int32, args []gdl.TermID) uint64 {
	h := uint64(rel)*0x9e3779b97f4a7c15 + 1
	for _, a := range args {
		h = mix(h, a)
	}
	return h
}

func mix(h uint64, a gdl.TermID) uint64 {
	h = (h ^ uint64(a)) * 0xff51afd7ed558ccd
	return h ^ h>>32
}

// find returns the number of an atom, or -1, and its place in the table.
func (t *atomTable) find(rel int32, args []gdl.TermID) (atomID, uint64) {
	mask := uint64(len(t.table) - 1)
	for slot := hashAtom(rel, args) & mask; ; slot = (slot + 1) & mask {
		a := t.table[slot]
		if a < 0 || t.rel[a] == rel && slices.Equal(t.argsOf(a), args) {
			return a, slot
		}
	}
}

// add returns the number of an atom, new or old.
func (t *atomTable) add(rel int32, args []gdl.TermID) atomID {
	a, slot := t.find(rel, args)
	if a >= 0 {
		return a
	}
	a = atomID(len(t.rel))
	t.rel = append(t.rel, rel)
	t.args = append(t.args, args...)
	t.start = append(t.start, int32(len(t.args)))
	t.flags = append(t.flags, 0)
	t.table[slot] = a
	if 2*len(t.rel) > len(t.table) {
		t.resize(2 * len(t.table))
	}
	return a
}

func (t *atomTable) resize(size int) {
	t.table = make([]atomID, size)
	for i := range t.table {
		t.table[i] = -1
	}
	mask := uint64(size - 1)
	for a := range t.rel {
		slot := hashAtom(t.rel[a], t.argsOf(atomID(a))) & mask
		for t.table[slot] >= 0 {
			slot = (slot + 1) & mask
		}
		t.table[slot] = atomID(a)
	}
}

// enqueue has an atom joined, once.
func (t *atomTable) enqueue(a atomID) {
	if t.flags[a]&queued == 0 {
		t.flags[a] |= queued
		t.queue = append(t.queue, a)
	}
}

// finish marks an atom as done and puts it into the indexes of its relation.
func (t *atomTable) finish(store *gdl.Store, a atomID) {
	t.flags[a] |= queued | done
	ext := &t.rels[t.rel[a]]
	ext.atoms = append(ext.atoms, a)
	args := t.argsOf(a)
	if n := len(args); n > 0 {
		if ext.size == nil {
			ext.size = make(map[gdl.Symbol]int)
		}
		ext.size[store.Functor(args[n-1])]++
	}
	for _, x := range ext.indexes {
		x.insert(store, a, args)
	}
}
