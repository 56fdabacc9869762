// Package table finds elements by keys of 64 bits: a hash table that grows over elements
// that stay where they are.
//
// It serves wherever elements come and are never taken out one by one, and most of those
// that are looked for are there. Three tables of the search are others: the index of a tree,
// of a fixed size, from which nodes are removed (package tree); the states of a pass, most of
// which are new (package layers); and the entries of alpha-beta, of which the better ones stay
// in a bounded number of places (package minimax).
package table

import (
	"semisplit/search/internal/arena"
	"semisplit/search/internal/hashing"
)

// Of holds elements by their keys. They have numbers from 1 on, in the order in which they
// were added.
type Of[T any] struct {
	entries arena.Of[entry[T]]
	places  []uint32 // numbers of elements, by key, in open addressing; 0: empty
}

type entry[T any] struct {
	value T
	key   uint64
}

const fewestPlaces = 64

// Len is the number of elements.
func (t *Of[T]) Len() int { return int(max(t.entries.Used, 1)) - 1 }

// At is the element of a number, to be read and written. It stays good.
func (t *Of[T]) At(n uint32) *T { return &t.entries.At(n).value }

// place is where a key is, or where it belongs. There are places, and one is empty.
func (t *Of[T]) place(key uint64) int {
	mask := len(t.places) - 1
	i := int(hashing.Of(key)) & mask
	for t.places[i] != 0 && t.entries.At(t.places[i]).key != key {
		i = (i + 1) & mask
	}
	return i
}

// Find is the number of the element with a key; 0: there is none.
func (t *Of[T]) Find(key uint64) uint32 {
	if len(t.places) == 0 {
		return 0
	}
	return t.places[t.place(key)]
}

// Add makes an element, empty, for a key that has none, and gives its number.
func (t *Of[T]) Add(key uint64) uint32 {
	if 2*(t.Len()+1) > len(t.places) {
		t.places = make([]uint32, max(2*len(t.places), fewestPlaces))
		for i := uint32(1); i < t.entries.Used; i++ {
			t.places[t.place(t.entries.At(i).key)] = i
		}
	}
	if t.entries.Full() {
		t.entries.Grow(1)
	}
	n := t.entries.Take()
	*t.entries.At(n) = entry[T]{key: key}
	t.places[t.place(key)] = n
	return n
}
