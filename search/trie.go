package search

import "math"

// edge is a semimove after a prefix, seen by its role. 20 bytes. What changes is
// to be shown in the front of its chunk.
type edge struct {
	low, high uint32 // of the bits of its sum
	semimove  uint32
	visits    uint32
	child     uint32 // below the last level: the first child node (key role only); above: the next trie, or dead
}

// sum is that of the goals of the role over the visits.
func (e *edge) sum() float64 { return math.Float64frombits(uint64(e.low) | uint64(e.high)<<32) }

func (e *edge) setSum(v float64) {
	bits := math.Float64bits(v)
	e.low, e.high = uint32(bits), uint32(bits>>32)
}

// dead is the child of an edge that no legal move begins with.
const dead = ^uint32(0)

const chunkEdges = 8

// An edge is named by its chunk and its place in it.
const (
	placeBits = 3
	placeMask = 1<<placeBits - 1
)

func edgeID(chunk, place uint32) uint32 { return chunk<<placeBits | place }

// chunk is eight edges of a trie node, 256 bytes: four lines of the cache. A trie
// node is a chain of chunks and is named by its first one.
// Chains of one size of chunk keep the arena free of fragments: edges are most
// of a tree, and a game's number of moves changes as it goes on.
//
// A semimove becomes an edge when it is first chosen. Until then it waits in
// cells, four bytes instead of 30: most trie nodes are entered less often than
// they have semimoves, and what a search writes is what it waits for.
//
// The chain is the first chunk, then the newest, then older ones; all but the
// newest are full.
type chunk struct {
	front
	edges   [chunkEdges]edge
	virtual [chunkEdges]uint16 // lanes in flight that took an edge
	next    uint32

	// Of the first chunk only:
	count   uint32 // edges in the chain, at least 1
	left    uint32 // semimoves that are no edges yet
	untried uint32 // cells that hold these; or rolledUp
}

// total is the number of semimoves of a trie node, untried or not.
func (c *chunk) total() uint32 { return c.count + c.left }

// held is the number of edges in a chunk, if there are so many in it and in
// those that follow.
func held(first bool, edges uint32) uint32 {
	if first {
		return min(edges, chunkEdges)
	}
	return (edges-1)%chunkEdges + 1
}

// cellMoves is the number of untried semimoves in a cell.
const cellMoves = 2 * cellWords

// newTrie makes a trie node, with an edge for the first of the semimoves; the
// others are untried. False when memory is out.
func (s *store) newTrie(semimoves []uint32, force bool) (uint32, bool) {
	if !s.ensure(chunkKind, force) {
		return 0, false
	}
	trie := s.takeChunk()
	untried, ok := s.newUntried(semimoves[1:], force)
	if !ok {
		s.dropChain(trie)
		return 0, false
	}
	h := s.chunks.At(trie)
	h.count, h.left, h.untried = 1, uint32(len(semimoves)-1), untried
	s.setEdge(edgeID(trie, 0), semimoves[0])
	return trie, true
}

// takeChunk takes a chunk that is available. What its edges hold is left over
// from before.
func (s *store) takeChunk() uint32 {
	c := s.freeChunk
	if c != 0 {
		s.freeChunk = s.chunks.At(c).next
	} else {
		c = s.chunks.Take()
	}
	at := s.chunks.At(c)
	at.front = noFront
	at.next, at.count, at.left, at.untried = 0, 0, 0, 0
	if s.valued {
		s.edgeWorths.At(c).best = 0
	}
	return c
}

// newUntried puts semimoves into cells: all but the first are full, and the
// last semimove of the first cell is the next to be tried.
func (s *store) newUntried(semimoves []uint32, force bool) (first uint32, ok bool) {
	for len(semimoves) > 0 {
		if !s.ensure(cellKind, force) {
			s.dropCells(first)
			return 0, false
		}
		c := s.takeCell()
		at := s.cells.At(c)
		at.next, first = first, c
		n := min(len(semimoves), cellMoves)
		for i, x := range semimoves[:n] {
			at.setMove(i, x)
		}
		semimoves = semimoves[n:]
	}
	return first, true
}

// setEdge makes an edge that was never taken.
func (s *store) setEdge(id, semimove uint32) {
	at := s.chunks.At(id >> placeBits)
	at.edges[id&placeMask], at.virtual[id&placeMask] = edge{semimove: semimove}, 0
	at.value[id&placeMask], at.root[id&placeMask] = first, 0
	if s.rave {
		s.amafs.At(id >> placeBits)[id&placeMask] = amaf{}
	}
	if s.proves() {
		s.newMark(id)
	}
	if s.valued {
		*s.edgeWorth(id) = unvalued
	}
}

// prefer makes the untried semimove with the highest score the next to be
// tried, the first of equals.
func (s *store) prefer(trie uint32, score func(semimove uint32) float64) {
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
	s.putNext(h, best, bestPlace)
}

// preferRank is prefer by places in an order, the lowest first; the place of
// those beyond it is the last.
func (s *store) preferRank(trie uint32, rank []int32) {
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
	s.putNext(h, best, bestPlace)
}

// putNext makes an untried semimove of a trie node, in a place of a cell, the
// next to be tried.
func (s *store) putNext(h *chunk, best, bestPlace uint32) {
	last, other := s.cells.At(h.untried), s.cells.At(best)
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

// lastEdge is the newest edge of a trie node.
func (s *store) lastEdge(trie uint32) uint32 {
	h := s.chunks.At(trie)
	if h.count > chunkEdges {
		trie = h.next
	}
	return edgeID(trie, (h.count-1)%chunkEdges)
}

// open makes an edge of a semimove that is untried; 0 when memory is out.
func (s *store) open(trie uint32, force bool) uint32 {
	h := s.chunks.At(trie)
	if h.count%chunkEdges == 0 {
		if !s.ensure(chunkKind, force) {
			return 0
		}
		c := s.takeChunk()
		s.chunks.At(c).next, h.next = h.next, c
	}
	h.left--
	cell := s.cells.At(h.untried)
	place := h.left % cellMoves
	h.count++
	id := s.lastEdge(trie)
	s.setEdge(id, cell.move(place))
	if s.ranked {
		s.ruffle(trie)
	}
	if place == 0 {
		c := h.untried
		h.untried, cell.next = cell.next, 0
		s.dropCells(c)
	}
	return id
}

// dropChain frees a trie node, but not what is below its edges.
func (s *store) dropChain(c uint32) {
	if c == 0 {
		return
	}
	if at := s.chunks.At(c); at.left > 0 {
		s.dropCells(at.untried)
	}
	for c != 0 {
		at := s.chunks.At(c)
		next := at.next
		at.next, s.freeChunk = s.freeChunk, c
		c = next
	}
}

// edgesOf calls f for every edge of a trie node until f returns false.
func (s *store) edgesOf(trie uint32, f func(id uint32, e *edge) bool) {
	if trie == 0 {
		return
	}
	left := s.chunks.At(trie).count
	for c := trie; left > 0; c = s.chunks.At(c).next {
		m := held(c == trie, left)
		for i := range m {
			if !f(edgeID(c, i), &s.chunks.At(c).edges[i]) {
				return
			}
		}
		left -= m
	}
}

// untriedOf appends the semimoves of a trie node that are no edges yet.
func (s *store) untriedOf(trie uint32, dst []uint32) []uint32 {
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

// openThis makes an edge of a semimove that is untried; 0 if it is not. It takes
// memory beyond the bound.
func (s *store) openThis(trie, semimove uint32) uint32 {
	h := s.chunks.At(trie)
	if h.left == 0 {
		return 0
	}
	s.prefer(trie, func(x uint32) float64 {
		if x == semimove {
			return 1
		}
		return 0
	})
	if s.cells.At(h.untried).move((h.left-1)%cellMoves) != semimove {
		return 0
	}
	return s.open(trie, true)
}
