package tree

import (
	"slices"

	"semisplit/search/internal/arena"
)

const cellWords = 7

// cell is a piece of a state, or of what is untried in a trie node. 64 bytes:
// one line of the cache.
type cell struct {
	words [cellWords]uint64
	next  uint32
}

// cellStore holds chains of cells.
type cellStore struct {
	arena.Of[cell]
	free     uint32                // head of the free list
	makeRoom func(force bool) bool // called where no cell is left; false: memory is out
}

func (s *cellStore) available() bool { return s.free != 0 || !s.Full() }

// ensure makes a cell available; false when memory is out.
func (s *cellStore) ensure(force bool) bool { return s.available() || s.makeRoom(force) }

// add keeps words in cells, the first of which is returned; false when memory is out.
func (s *cellStore) add(words []uint64, force bool) (uint32, bool) {
	var first, last uint32
	for len(words) > 0 {
		if !s.ensure(force) {
			s.drop(first)
			return 0, false
		}
		c := s.take()
		at := s.At(c)
		words = words[copy(at.words[:], words):]
		if first == 0 {
			first = c
		} else {
			s.At(last).next = c
		}
		last = c
	}
	return first, true
}

// take takes a cell that is available, linked to nothing.
func (s *cellStore) take() uint32 {
	c := s.free
	if c != 0 {
		s.free = s.At(c).next
	} else {
		c = s.Take()
	}
	s.At(c).next = 0
	return c
}

func (s *cellStore) drop(c uint32) {
	for c != 0 {
		at := s.At(c)
		next := at.next
		at.next, s.free = s.free, c
		c = next
	}
}

// words appends the words that a chain of cells holds.
func (s *cellStore) words(c, count uint32, dst []uint64) []uint64 {
	left := int(count)
	for ; c != 0; c = s.At(c).next {
		m := min(left, cellWords)
		dst = append(dst, s.At(c).words[:m]...)
		left -= m
	}
	return dst
}

// hold says whether a chain of cells holds these words.
func (s *cellStore) hold(c uint32, words []uint64) bool {
	for ; c != 0; c = s.At(c).next {
		m := min(len(words), cellWords)
		if !slices.Equal(s.At(c).words[:m], words[:m]) {
			return false
		}
		words = words[m:]
	}
	return true
}
