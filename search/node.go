package search

import (
	"math"
	"unsafe"

	"semisplit/search/internal/arena"
)

// node is a nodal state in the tree. 64 bytes, one line of the cache, no
// pointers. Guarded by the tree's mutex while a search runs.
type node struct {
	visits   uint32 // results backed up through or to this node
	virtual  uint32 // lanes in flight whose path holds this node
	parent   uint32 // node; 0 for the root; of discarded ones the one before in the list, with transpositions
	next     uint32 // next child below the same edge, or next in the free or the discard list
	state    uint32 // first cell of the state, or of the goals' bits if terminal; the node if an alias
	words    uint32 // words in the cells
	children uint32 // child nodes in the tree
	key      uint16 // role whose last edges hold the lists of children
	flags    uint16

	// For each role the first trie, then for each role the parent's last edge
	// that leads here; of games with more roles they are in store.links.
	links [2 * inlineRoles]uint32

	sums [inlineRoles]float64 // by role, if it has a forced edge here: the sum of that
}

// inlineRoles is the number of roles up to which a node has its links in itself.
const inlineRoles = 2

// forced marks an edge that is not stored: the only semimove of a role that
// waits while the other moves. Its number is forced|semimove, and stands in
// place of the first trie as well. It was taken whenever the other role chose;
// its sum is in the node. So a descent does not touch memory for a role that
// has no choice. Only roles with one level have forced edges, in games of two
// roles, and never both at once.
const forced = 1 << 31

// maxMemory keeps the names of edges below forced.
const maxMemory = forced >> placeBits * 100

const (
	flagUsed      = 1 << iota // not in the free list
	flagTerminal              // no moves; the cells hold the goals
	flagDiscarded             // root of a part that waits to be reclaimed
	flagTogether              // more than one role chooses at its first level, chance not counted
	flagAlias                 // stands for another node; see transpose.go
	flagShared                // was reached by more than one joint move
	flagValued                // it is known of all moves what they are worth; see minimax.go
	flagJoint                 // the joint statistics of a forest know this node
	flagSolved                // its bounds leave nothing open; with the solver only
)

const cellWords = 7

// cell is a piece of a state, or of what is untried in a trie node. 64 bytes:
// one line of the cache.
type cell struct {
	words [cellWords]uint64
	next  uint32
}

// store owns the memory of a tree.
type store struct {
	nodes  arena.Of[node]
	links  [][]uint32 // pages beside nodes, as node.links; with more roles than fit there
	chunks arena.Of[chunk]
	amafs  arena.Of[amafs] // beside chunks; with RAVE only
	cells  arena.Of[cell]
	rave   bool

	valued     bool             // there are worths:
	nodeWorths [][]float32      // pages beside nodes: what a node is worth, by role
	edgeWorths arena.Of[worths] // beside chunks
	mixture                     // of worths and means

	roles  int
	levels []int

	freeNode, freeChunk, freeCell uint32 // heads of free lists
	discard                       uint32 // head of the list of roots to reclaim

	memory, bytes int64 // bound and pages held
	live          int   // nodes in use, discarded ones included

	root      uint32
	hand      uint32 // the sweep's place among the nodes
	threshold uint32 // the sweep takes leaves with at most so many visits
	lapFreed  int    // freed in this round of the sweep
	pruned    int    // freed by the sweep, ever
	created   int    // nodes made, ever

	index // by state; with transpositions only
	proving
}

// mayForce says whether the edges of role r in node n, which are yet to be
// made, can be a forced one.
func (s *store) mayForce(n uint32, r int, semimoves []uint32) bool {
	return s.roles == 2 && len(semimoves) == 1 && semimoves[0] < forced/2 &&
		s.levels[r] == 1 && s.tries(n)[1-r]&forced == 0
}

// forcedEdge is what a stored edge would hold in place of the forced one of
// role r in node n.
func (s *store) forcedEdge(n uint32, r int) edge {
	e := edge{semimove: s.tries(n)[r] &^ forced}
	e.setSum(s.nodes.At(n).sums[r])
	s.edgesOf(s.tries(n)[1-r], func(_ uint32, other *edge) bool {
		e.visits += other.visits
		return true
	})
	return e
}

// semimove of an edge, also of a forced one.
func (s *store) semimove(id uint32) uint32 {
	if id&forced != 0 {
		return id &^ loose
	}
	return s.edge(id).semimove
}

func (s *store) edge(i uint32) *edge { return &s.chunks.At(i >> placeBits).edges[i&placeMask] }

// tries are the first trie nodes of a node, by role; 0: not expanded.
func (s *store) tries(n uint32) []uint32 {
	if s.roles <= inlineRoles {
		return s.nodes.At(n).links[:s.roles:s.roles]
	}
	i := int(n&arena.PageMask) * 2 * s.roles
	return s.links[n>>arena.PageBits][i : i+s.roles : i+s.roles]
}

// leaves are the last edges, by role, that lead from the parent to n.
func (s *store) leaves(n uint32) []uint32 {
	if s.roles <= inlineRoles {
		return s.nodes.At(n).links[s.roles : 2*s.roles : 2*s.roles]
	}
	i := int(n&arena.PageMask)*2*s.roles + s.roles
	return s.links[n>>arena.PageBits][i : i+s.roles : i+s.roles]
}

type kind uint8

const (
	nodeKind kind = iota
	chunkKind
	cellKind
)

func (s *store) pageBytes(k kind) int64 {
	switch k {
	case nodeKind:
		size := int64(unsafe.Sizeof(node{}))
		if s.roles > inlineRoles {
			size += 8 * int64(s.roles)
		}
		if s.transposes() {
			size += int64(unsafe.Sizeof(crossing{}))
		}
		size += s.nodeBytes(s.roles)
		if s.valued {
			size += 8 * int64(s.roles)
		}
		return arena.PageSize * size
	case chunkKind:
		size := int64(unsafe.Sizeof(chunk{}))
		if s.rave {
			size += int64(unsafe.Sizeof(amafs{}))
		}
		size += s.chunkBytes()
		if s.valued {
			size += int64(unsafe.Sizeof(worths{}))
		}
		return arena.PageSize * size
	}
	return arena.PageSize * int64(unsafe.Sizeof(cell{}))
}

// slabShare is the part of the bound that a slab may take.
const slabShare = 16

// growth is the number of pages that arena k grows by: one as long as it is
// small, or when the bound is near.
func (s *store) growth(k kind) int {
	pages := len(s.cells.Pages)
	switch k {
	case nodeKind:
		pages = len(s.nodes.Pages)
	case chunkKind:
		pages = len(s.chunks.Pages)
	}
	size := arena.SlabPages * s.pageBytes(k)
	if pages < arena.SlabPages || size*slabShare > s.memory || s.bytes+size > s.memory {
		return 1
	}
	return arena.SlabPages
}

func (s *store) grow(k kind) {
	n := s.growth(k)
	switch k {
	case nodeKind:
		s.nodes.Grow(n)
		for len(s.links) < len(s.nodes.Pages) && s.roles > inlineRoles {
			s.links = append(s.links, make([]uint32, arena.PageSize*2*s.roles))
		}
		if s.transposes() {
			s.crossings.Grow(n)
		}
		s.growProofs()
		for s.valued && len(s.nodeWorths) < len(s.nodes.Pages) {
			s.nodeWorths = append(s.nodeWorths, make([]float32, 2*arena.PageSize*s.roles))
		}
	case chunkKind:
		s.chunks.Grow(n)
		if s.rave {
			s.amafs.Grow(n)
		}
		if s.proves() {
			s.settled.Grow(n)
		}
		for layer := range s.layers {
			s.ledgers[layer].Grow(n)
		}
		if s.ranked {
			s.bonuses.Grow(n)
		}
		if s.valued {
			s.edgeWorths.Grow(n)
		}
	case cellKind:
		s.cells.Grow(n)
	}
	s.bytes += int64(n) * s.pageBytes(k)
}

func (s *store) available(k kind) bool {
	switch k {
	case nodeKind:
		return s.freeNode != 0 || !s.nodes.Full()
	case chunkKind:
		return s.freeChunk != 0 || !s.chunks.Full()
	}
	return s.freeCell != 0 || !s.cells.Full()
}

// takeNode returns a zeroed node, not yet marked as used; 0 when memory is out.
func (s *store) takeNode(force bool) uint32 {
	if !s.ensure(nodeKind, force) {
		return 0
	}
	n := s.freeNode
	if n != 0 {
		s.freeNode = s.nodes.At(n).next
	} else {
		n = s.nodes.Take()
	}
	*s.nodes.At(n) = node{}
	if s.roles > inlineRoles {
		clear(s.tries(n))
		clear(s.leaves(n))
	}
	if s.transposes() {
		*s.crossings.At(n) = crossing{}
	}
	if s.proves() {
		s.unprove(n)
	}
	if s.valued {
		s.forgetWorth(n)
	}
	return n
}

func (s *store) dropNode(n uint32) {
	*s.nodes.At(n) = node{next: s.freeNode}
	s.freeNode = n
}

// newNode makes a node with the given words, linked to nothing; 0 when memory
// is out. With force it takes memory beyond the bound.
func (s *store) newNode(words []uint64, flags uint16, force bool) uint32 {
	n := s.takeNode(force)
	if n == 0 {
		return 0
	}
	first, ok := s.newCells(words, force)
	if !ok {
		s.dropNode(n)
		return 0
	}
	nd := s.nodes.At(n)
	nd.state, nd.words, nd.flags = first, uint32(len(words)), flags|flagUsed
	if s.proves() && flags&flagTerminal != 0 {
		s.noteEnd(n, words)
	}
	s.live++
	s.created++
	return n
}

// close makes a node terminal that has no children yet, with these goals.
func (s *store) close(n uint32, goals []float64) {
	nd := s.nodes.At(n)
	if s.transposes() {
		s.strike(n)
	}
	for r, trie := range s.tries(n) {
		if trie&forced == 0 {
			s.freeTrie(trie, s.levels[r])
		}
	}
	clear(s.tries(n))
	s.dropCells(nd.state)
	words := make([]uint64, len(goals))
	for i, v := range goals {
		words[i] = math.Float64bits(v)
	}
	nd.state, _ = s.newCells(words, true)
	nd.words, nd.sums = uint32(len(words)), [inlineRoles]float64{}
	nd.flags = nd.flags&^flagTogether | flagTerminal
	if s.proves() {
		s.noteEnd(n, words)
	}
}

func (s *store) newCells(words []uint64, force bool) (uint32, bool) {
	var first, last uint32
	for len(words) > 0 {
		if !s.ensure(cellKind, force) {
			s.dropCells(first)
			return 0, false
		}
		c := s.takeCell()
		at := s.cells.At(c)
		words = words[copy(at.words[:], words):]
		if first == 0 {
			first = c
		} else {
			s.cells.At(last).next = c
		}
		last = c
	}
	return first, true
}

// takeCell takes a cell that is available, linked to nothing.
func (s *store) takeCell() uint32 {
	c := s.freeCell
	if c != 0 {
		s.freeCell = s.cells.At(c).next
	} else {
		c = s.cells.Take()
	}
	s.cells.At(c).next = 0
	return c
}

func (s *store) dropCells(c uint32) {
	for c != 0 {
		at := s.cells.At(c)
		next := at.next
		at.next, s.freeCell = s.freeCell, c
		c = next
	}
}

// words appends the words of a node: its state, or its goals' bits.
func (s *store) words(n uint32, dst []uint64) []uint64 {
	nd := s.nodes.At(n)
	left := int(nd.words)
	for c := nd.state; c != 0; c = s.cells.At(c).next {
		m := min(left, cellWords)
		dst = append(dst, s.cells.At(c).words[:m]...)
		left -= m
	}
	return dst
}

// child finds the node below n that the roles' last edges lead to; 0: none.
func (s *store) child(n uint32, leaves []uint32) uint32 {
	nd := s.nodes.At(n)
	if nd.children == 0 {
		return 0 // there is no key yet
	}
	c := s.edge(leaves[nd.key]).child
search:
	for ; c != 0; c = s.nodes.At(c).next {
		for r, e := range s.leaves(c) {
			if e != leaves[r] {
				continue search
			}
		}
		return c
	}
	return 0
}

// visitsOf are the visits of a joint move, where no more than one role has a
// choice.
func (s *store) visitsOf(leaves []uint32) uint32 {
	visits := ^uint32(0)
	for _, id := range leaves {
		if id&forced == 0 {
			visits = min(visits, s.edge(id).visits)
		}
	}
	return visits
}

// busiest is the role with the most choices at the first level. Its edges make
// the shortest lists of children: where roles take turns, one child each.
func (s *store) busiest(n uint32) (role uint16) {
	most := uint32(0)
	for r, trie := range s.tries(n) {
		if trie&forced != 0 {
			continue
		}
		if c := s.chunks.At(trie).total(); c > most {
			role, most = uint16(r), c
		}
	}
	return role
}

// adopt links a new node below its parent.
func (s *store) adopt(parent, child uint32, leaves []uint32) {
	p, c := s.nodes.At(parent), s.nodes.At(child)
	if p.children == 0 {
		p.key = s.busiest(parent)
	}
	copy(s.leaves(child), leaves)
	e := s.edge(leaves[p.key])
	c.parent, c.next, e.child = parent, e.child, child
	p.children++
}

// orphan takes a node out of its parent's list.
func (s *store) orphan(child uint32) {
	c := s.nodes.At(child)
	parent := c.parent
	p := s.nodes.At(parent)
	link := &s.edge(s.leaves(child)[p.key]).child
	for *link != child {
		link = &s.nodes.At(*link).next
	}
	*link = c.next
	p.children--
	c.parent, c.next = 0, 0
	if s.proves() {
		s.unsettle(parent, child)
	}
}
