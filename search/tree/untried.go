package tree

import "math"

// cellMoves is the number of untried semimoves in a cell.
const cellMoves = 2 * cellWords

// addMoves puts semimoves into cells: all but the first are full, and the
// last semimove of the first cell is the next to be tried.
func (s *cellStore) addMoves(semimoves []uint32, force bool) (first uint32, ok bool) {
	for len(semimoves) > 0 {
		if !s.ensure(force) {
			s.drop(first)
			return 0, false
		}
		c := s.take()
		at := s.At(c)
		at.next, first = first, c
		n := min(len(semimoves), cellMoves)
		for i, x := range semimoves[:n] {
			at.setMove(i, x)
		}
		semimoves = semimoves[n:]
	}
	return first, true
}

// Prefer makes the untried semimove with the highest score the next to be
// tried, the first of equals.
func (s *Edges) Prefer(trie uint32, score func(semimove uint32) float64) {
	h := s.chunks.At(trie)
	left := h.left
	top, best, bestPlace := -1.0, uint32(0), uint32(0)
	for c := h.untried; left > 0; c = s.cells.At(c).next {
		m := (left-1)%cellMoves + 1
		for i := m; i > 0; i-- {
			if v := score(s.cells.At(c).move(i - 1)); v > top {
				top, best, bestPlace = v, c, i-1
			}
		}
		left -= m
	}
	s.cells.putNext(h, best, bestPlace)
}

// PreferRank is prefer by places in an order, the lowest first; the place of
// those beyond it is the last.
func (s *Edges) PreferRank(trie uint32, rank []int32) {
	h := s.chunks.At(trie)
	left := h.left
	top, best, bestPlace := int32(math.MaxInt32), h.untried, uint32(0)
	for c := h.untried; left > 0; {
		at := s.cells.At(c)
		m := (left-1)%cellMoves + 1
		for i := range m {
			if x := at.move(i); int(x) < len(rank) && rank[x] < top {
				top, best, bestPlace = rank[x], c, i
			}
		}
		left -= m
		c = at.next
	}
	s.cells.putNext(h, best, bestPlace)
}

// putNext makes an untried semimove of a trie node, in a place of a cell, the
// next to be tried.
func (s *cellStore) putNext(h *Chunk, best, bestPlace uint32) {
	last, other := s.At(h.untried), s.At(best)
	lastPlace := (h.left - 1) % cellMoves
	x, y := last.move(lastPlace), other.move(bestPlace)
	last.putMove(lastPlace, y)
	other.putMove(bestPlace, x)
}

// putMove replaces a semimove.
func (c *cell) putMove(i, x uint32) {
	shift := i % 2 * 32
	c.words[i/2] = c.words[i/2]&^(0xffffffff<<shift) | uint64(x)<<shift
}

func (c *cell) setMove(i int, x uint32) {
	if i%2 == 0 {
		c.words[i/2] = uint64(x)
	} else {
		c.words[i/2] |= uint64(x) << 32
	}
}

func (c *cell) move(i uint32) uint32 { return uint32(c.words[i/2] >> (i % 2 * 32)) }

// UntriedOf appends the semimoves of a trie node that are no edges yet.
func (s *Edges) UntriedOf(trie uint32, dst []uint32) []uint32 {
	if trie == 0 {
		return dst
	}
	h := s.chunks.At(trie)
	left := h.left
	for c := h.untried; left > 0; c = s.cells.At(c).next {
		m := (left-1)%cellMoves + 1
		for i := range m {
			dst = append(dst, s.cells.At(c).move(i))
		}
		left -= m
	}
	return dst
}
