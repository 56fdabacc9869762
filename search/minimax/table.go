package minimax

import "unsafe"

// table keeps what alpha-beta has found of states, in a bounded number of entries. Of
// those that come to the same place the deepest of this search stay.
type table struct {
	entries []entry
	used    int // entries that hold anything
	most    int // entries
	age     uint8
}

// entry is what was found of a state.
type entry struct {
	hash  uint64
	value score
	best  uint16 // number of the best move
	depth uint8
	kind  kind
	age   uint8
	whole bool // no estimate was used: it holds for any depth
}

// kind says what a value is.
type kind uint8

const (
	nothing kind = iota
	exact
	atLeast
	atMost
)

const (
	waysIn       = 4 // places for an entry
	fewestPlaces = 1 << 12
)

func newTable(memory int64) *table {
	t := &table{most: fewestPlaces}
	for int64(2*t.most)*int64(unsafe.Sizeof(entry{})) <= memory {
		t.most *= 2
	}
	t.entries = make([]entry, fewestPlaces)
	return t
}

func (t *table) bytes() int64 { return int64(len(t.entries)) * int64(unsafe.Sizeof(entry{})) }

// clear forgets everything.
func (t *table) clear() {
	clear(t.entries)
	t.used = 0
}

// forgetEstimates keeps values that no estimate was used for, and best moves.
func (t *table) forgetEstimates() {
	for i := range t.entries {
		if x := &t.entries[i]; x.kind != nothing && !x.whole {
			x.kind, x.value, x.depth = atLeast, -infinite, 0
		}
	}
}

// places are those where the entry of a hash can be.
func (t *table) places(hash uint64) []entry {
	i := int(hash) & (len(t.entries) - 1) &^ (waysIn - 1)
	return t.entries[i : i+waysIn : i+waysIn]
}

// find is the entry of a hash; nil: there is none.
func (t *table) find(hash uint64) *entry {
	at := t.places(hash)
	for i := range at {
		if at[i].hash == hash && at[i].kind != nothing {
			return &at[i]
		}
	}
	return nil
}

// put keeps an entry.
func (t *table) put(e entry) {
	if 2*t.used > len(t.entries) && len(t.entries) < t.most {
		t.grow()
	}
	e.age = t.age
	at := t.places(e.hash)
	to, least := 0, 1<<30
	for i := range at {
		x := &at[i]
		if x.kind == nothing || x.hash == e.hash {
			to = i
			break
		}
		worth := int(x.depth)
		if x.age == t.age {
			worth += 1 << 10
		}
		if worth < least {
			to, least = i, worth
		}
	}
	if at[to].kind == nothing {
		t.used++
	}
	at[to] = e
}

// grow makes room for twice as many.
func (t *table) grow() {
	old := t.entries
	t.entries, t.used = make([]entry, 2*len(old)), 0
	for i := range old {
		if x := old[i]; x.kind != nothing {
			age := t.age
			t.age = x.age
			t.put(x)
			t.age = age
		}
	}
}
