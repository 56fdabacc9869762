package tree

import (
	"math"

	"semisplit/search/internal/arena"
)

// Edge is a semimove after a prefix, seen by its role. 20 bytes. What changes is
// to be shown in the front of its chunk.
type Edge struct {
	low, high uint32 // of the bits of its sum
	Semimove  uint32
	Visits    uint32
	Child     uint32 // below the last level: the first child node (key role only); above: the next trie, or Dead
}

// Sum is that of the goals of the role over the visits.
func (e *Edge) Sum() float64 { return math.Float64frombits(uint64(e.low) | uint64(e.high)<<32) }

// SetSum changes the sum.
func (e *Edge) SetSum(v float64) {
	bits := math.Float64bits(v)
	e.low, e.high = uint32(bits), uint32(bits>>32)
}

// Dead is the child of an edge that no legal move begins with.
const Dead = ^uint32(0)

// ChunkEdges is the number of edges in a chunk.
const ChunkEdges = 8

// An edge is named by its chunk and its place in it.
const (
	PlaceBits = 3
	PlaceMask = 1<<PlaceBits - 1
)

// EdgeID is the name of the edge in a place of a chunk.
func EdgeID(chunk, place uint32) uint32 { return chunk<<PlaceBits | place }

// Chunk is eight edges of a trie node, 256 bytes: four lines of the cache. A trie
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
type Chunk struct {
	front
	Edges   [ChunkEdges]Edge
	virtual [ChunkEdges]uint16 // lanes in flight that took an edge
	Next    uint32

	// Of the first chunk only:
	count   uint32 // edges in the chain, at least 1
	left    uint32 // semimoves that are no edges yet
	untried uint32 // cells that hold these; or rolledUp
}

// Edges are the tries of all nodes, with their edges.
type Edges struct {
	Memory        Memory
	chunks        arena.Of[Chunk]
	cells         cellStore             // of states, and of what is untried
	freeChunk     uint32                // head of the free list
	makeChunkRoom func(force bool) bool // called where no chunk is left; false: memory is out

	// Value gives that of an edge for selection, by the mean of its results, which were
	// so many; nil: the mean itself.
	Value func(id uint32, mean float64, visits uint32) float64

	keepsProven bool
	provenBits  arena.Of[uint8] // beside chunks: a bit for each edge; see IsProven
	HasBonuses  bool
	bonuses     arena.Of[[ChunkEdges]float32] // beside chunks: what a scan adds to scores, times a constant
}

// ensureChunk makes a chunk available; false when memory is out.
func (s *Edges) ensureChunk(force bool) bool {
	return s.freeChunk != 0 || !s.chunks.Full() || s.makeChunkRoom(force)
}

// Held is the number of edges in a chunk, if there are so many in it and in
// those that follow.
func Held(first bool, edges uint32) uint32 {
	if first {
		return min(edges, ChunkEdges)
	}
	return (edges-1)%ChunkEdges + 1
}

// NewTrie makes a trie node, with an edge for the first of the semimoves; the
// others are untried. False when memory is out.
func (s *Edges) NewTrie(semimoves []uint32, force bool) (uint32, bool) {
	if !s.ensureChunk(force) {
		return 0, false
	}
	trie := s.takeChunk()
	untried, ok := s.cells.addMoves(semimoves[1:], force)
	if !ok {
		s.DropTrie(trie)
		return 0, false
	}
	h := s.chunks.At(trie)
	h.count, h.left, h.untried = 1, uint32(len(semimoves)-1), untried
	s.setEdge(trie, EdgeID(trie, 0), semimoves[0])
	return trie, true
}

// takeChunk takes a chunk that is available. What its edges hold is left over
// from before.
func (s *Edges) takeChunk() uint32 {
	c := s.freeChunk
	if c != 0 {
		s.freeChunk = s.chunks.At(c).Next
	} else {
		c = s.chunks.Take()
	}
	at := s.chunks.At(c)
	at.front = noFront
	at.Next, at.count, at.left, at.untried = 0, 0, 0, 0
	return c
}

// setEdge makes an edge that was never taken.
func (s *Edges) setEdge(trie, id, semimove uint32) {
	at := s.chunks.At(id >> PlaceBits)
	at.Edges[id&PlaceMask], at.virtual[id&PlaceMask] = Edge{Semimove: semimove}, 0
	at.value[id&PlaceMask], at.invSqrtVisits[id&PlaceMask] = untriedScore, 0
	for _, reset := range s.Memory.resetEdge {
		reset(trie, id)
	}
}

// NewestEdge is the newest edge of a trie node.
func (s *Edges) NewestEdge(trie uint32) uint32 {
	h := s.chunks.At(trie)
	if h.count > ChunkEdges {
		trie = h.Next
	}
	return EdgeID(trie, (h.count-1)%ChunkEdges)
}

// Open makes an edge of a semimove that is untried; 0 when memory is out.
func (s *Edges) Open(trie uint32, force bool) uint32 {
	h := s.chunks.At(trie)
	if h.count%ChunkEdges == 0 {
		if !s.ensureChunk(force) {
			return 0
		}
		c := s.takeChunk()
		s.chunks.At(c).Next, h.Next = h.Next, c
	}
	h.left--
	cell := s.cells.At(h.untried)
	place := h.left % cellMoves
	h.count++
	id := s.NewestEdge(trie)
	s.setEdge(trie, id, cell.move(place))
	if place == 0 {
		c := h.untried
		h.untried, cell.next = cell.next, 0
		s.cells.drop(c)
	}
	return id
}

// DropTrie frees a trie node, but not what is below its edges.
func (s *Edges) DropTrie(c uint32) {
	if c == 0 {
		return
	}
	if at := s.chunks.At(c); at.left > 0 {
		s.cells.drop(at.untried)
	}
	for c != 0 {
		at := s.chunks.At(c)
		next := at.Next
		at.Next, s.freeChunk = s.freeChunk, c
		c = next
	}
}

// EdgesOf calls f for every edge of a trie node until f returns false. Where there is
// no trie node, there are no edges.
func (s *Edges) EdgesOf(trie uint32, f func(id uint32, e *Edge) bool) {
	if !IsTrie(trie) {
		return
	}
	left := s.chunks.At(trie).count
	for c := trie; left > 0; c = s.chunks.At(c).Next {
		m := Held(c == trie, left)
		for i := range m {
			if !f(EdgeID(c, i), &s.chunks.At(c).Edges[i]) {
				return
			}
		}
		left -= m
	}
}

// OpenThis makes an edge of a semimove that is untried; 0 if it is not. It takes
// memory beyond the bound.
func (s *Edges) OpenThis(trie, semimove uint32) uint32 {
	h := s.chunks.At(trie)
	if h.left == 0 {
		return 0
	}
	s.Prefer(trie, func(x uint32) float64 {
		if x == semimove {
			return 1
		}
		return 0
	})
	if s.cells.At(h.untried).move((h.left-1)%cellMoves) != semimove {
		return 0
	}
	return s.Open(trie, true)
}

// Chunk is the chunk of a name.
func (s *Edges) Chunk(c uint32) *Chunk { return s.chunks.At(c) }

// Edge is the edge of a name, which is not forced.
func (s *Edges) Edge(i uint32) *Edge { return &s.chunks.At(i >> PlaceBits).Edges[i&PlaceMask] }

// Opened is the number of edges of a trie node.
func (s *Edges) Opened(trie uint32) uint32 { return s.chunks.At(trie).count }

// Left is the number of semimoves of a trie node that are untried.
func (s *Edges) Left(trie uint32) uint32 { return s.chunks.At(trie).left }

// SemimovesOf is the number of all semimoves of a trie node.
func (s *Edges) SemimovesOf(trie uint32) uint32 { return s.Opened(trie) + s.Left(trie) }

// NthEdge is the edge of a trie node after so many others.
func (s *Edges) NthEdge(trie, skip uint32) uint32 {
	c, left := trie, s.Opened(trie)
	for m := Held(true, left); skip >= m; m = Held(false, left) {
		skip, left, c = skip-m, left-m, s.chunks.At(c).Next
	}
	return EdgeID(c, skip)
}

// HasFuture says whether a trie node has a semimove that is not known to lead nowhere.
func (s *Edges) HasFuture(trie uint32) bool {
	alive := s.Left(trie) > 0
	if !alive {
		s.EdgesOf(trie, func(_ uint32, e *Edge) bool {
			alive = e.Child != Dead
			return !alive
		})
	}
	return alive
}

// VisitsOf are the visits of a joint move, where no more than one role has a
// choice.
func (s *Edges) VisitsOf(leaves []uint32) uint32 {
	visits := ^uint32(0)
	for _, id := range leaves {
		if !IsForced(id) {
			visits = min(visits, s.Edge(id).Visits)
		}
	}
	return visits
}
