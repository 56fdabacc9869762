// Package tree keeps the nodal states of a search, and how they follow each other. In
// each node every role has a trie of its semimoves, whose edges carry the visits and the
// goals of that role; a node hangs on the last edges of a joint move. Nodes, edges and
// states lie in arenas and are named by numbers. What some searches keep beside them is
// a column. When the bound on memory is reached, a sweep gives up what was visited least.
//
// A tree knows nothing of how edges are chosen, of playouts or of proofs.
package tree

import (
	"math"

	"semisplit/search/internal/arena"
)

// Node is a nodal state in the tree. 64 bytes, one line of the cache, no
// pointers.
type Node struct {
	Visits   uint32 // results backed up through or to this node
	Virtual  uint32 // lanes in flight whose path holds this node
	parent   uint32 // node; 0 for the root; of discarded ones the one before in the list, with transpositions
	Next     uint32 // next child below the same edge, or next in the free or the discard list
	state    uint32 // first cell of the state, or of the goals' bits if terminal; the node if an alias
	words    uint32 // words in the cells
	Children uint32 // child nodes in the tree
	Key      uint16 // role whose last edges hold the lists of children
	Flags    uint16

	// For each role the first trie, then for each role the parent's last edge
	// that leads here; of games with more roles they are in Tree.links.
	links [2 * inlineRoles]uint32

	Sums [inlineRoles]float64 // by role, if it has a forced edge here: the sum of that
}

// inlineRoles is the number of roles up to which a node has its links in itself.
const inlineRoles = 2

const (
	FlagUsed      = 1 << iota // not in the free list
	FlagTerminal              // no moves; the cells hold the goals
	FlagDiscarded             // root of a part that waits to be reclaimed
	FlagTogether              // more than one role chooses at its first level, chance not counted
	FlagAlias                 // stands for another node; see transpose.go
	FlagShared                // was reached by more than one joint move, in this tree or in one joined with it
	FlagValued                // it is known of all moves what they are worth; with implicit minimax
	FlagPartial               // there may be moves that were never offered, of a role that has several
	FlagSolved                // its bounds leave nothing open; with the solver only
)

// Tree is the memory of a tree of nodal states: nodes, with their edges in tries, and
// what is kept beside them.
type Tree struct {
	Edges Edges
	Index Index      // by state; with transpositions only
	Joint JointMoves // where several roles choose

	nodes arena.Of[Node]
	links Rows[uint32] // as Node.links; with more roles than fit there

	Roles  int
	Levels []int    // by role
	RoleOf []uint16 // by semimove of a joint move

	freeNode  uint32 // head of the free list
	discarded uint32 // head of the list of roots to reclaim
	Live      int    // nodes in use, discarded ones included
	Created   int    // nodes made, ever
	Root      uint32

	sweeper

	OnEnd    func(n uint32, goals []uint64) // called when a node is found to be terminal; nil: nobody asks
	OnOrphan func(parent, child uint32)     // called when a node leaves its place; nil: nobody asks
}

// Init makes a tree without nodes, for roles that choose in so many levels each,
// with a bound on its memory.
func (s *Tree) Init(levels []int, bound int64) {
	s.Roles, s.Levels, s.Joint.tree = len(levels), levels, s
	for r, n := range levels {
		for range n {
			s.RoleOf = append(s.RoleOf, uint16(r))
		}
	}
	s.Edges.Memory.Limit, s.threshold = min(bound, MaxMemory), 1
	s.Edges.cells.makeRoom = func(force bool) bool { return s.makeRoom(cellKind, force) }
	s.Edges.makeChunkRoom = func(force bool) bool { return s.makeRoom(chunkKind, force) }
	s.Edges.Memory.addColumn(nodeKind, columnOf(&s.nodes))
	s.Edges.Memory.addColumn(chunkKind, columnOf(&s.Edges.chunks))
	s.Edges.Memory.addColumn(cellKind, columnOf(&s.Edges.cells.Of))
	if s.Roles > inlineRoles {
		AddRows(&s.Edges.Memory, &s.links, 2*s.Roles, func(n uint32) { clear(s.links.Of(n)) })
	}
}

// Clear gives the whole tree up: it has no root.
func (s *Tree) Clear() {
	if s.Root != 0 {
		s.discard(s.Root)
		s.Root = 0
	}
	s.Index.forget()
}

// NewRoot makes the root of a tree that has none, as newNode.
func (s *Tree) NewRoot(words []uint64, flags uint16) {
	s.Root = s.NewNode(words, flags, true)
	if s.Index.Transposes() && flags&FlagTerminal == 0 {
		s.Index.Insert(s.Root, HashState(words))
	}
}

// Reroot makes a node of the tree its root, and gives up what is not below it; 0: all.
func (s *Tree) Reroot(n uint32) {
	old := s.Root
	s.Root = n
	s.Index.epoch++
	if n != old { // which a state that repeats can come back to
		s.detach(n)
		s.discard(old)
	}
}

// available says whether an element can be taken from an arena.
func (s *Tree) available(k kind) bool {
	switch k {
	case nodeKind:
		return s.freeNode != 0 || !s.nodes.Full()
	case chunkKind:
		return s.Edges.freeChunk != 0 || !s.Edges.chunks.Full()
	}
	return s.Edges.cells.available()
}

// Node is the node of a name.
func (s *Tree) Node(n uint32) *Node { return s.nodes.At(n) }

// EachNode calls visit with the nodes that are not free and no aliases, in the order of
// their names.
func (s *Tree) EachNode(visit func(n uint32, nd *Node)) {
	for n := uint32(1); n < s.nodes.Used; n++ {
		if nd := s.nodes.At(n); nd.Flags&(FlagUsed|FlagAlias) == FlagUsed {
			visit(n, nd)
		}
	}
}

// Tries are the first trie nodes of a node, by role; 0: not expanded.
func (s *Tree) Tries(n uint32) []uint32 {
	if s.Roles <= inlineRoles {
		return s.nodes.At(n).links[:s.Roles:s.Roles]
	}
	return s.links.Of(n)[:s.Roles:s.Roles]
}

// LastEdges are the last edges, by role, that lead from the parent to n.
func (s *Tree) LastEdges(n uint32) []uint32 {
	if s.Roles <= inlineRoles {
		return s.nodes.At(n).links[s.Roles : 2*s.Roles : 2*s.Roles]
	}
	return s.links.Of(n)[s.Roles:]
}

// takeNode returns a zeroed node, not yet marked as used; 0 when memory is out.
func (s *Tree) takeNode(force bool) uint32 {
	if !s.available(nodeKind) && !s.makeRoom(nodeKind, force) {
		return 0
	}
	n := s.freeNode
	if n != 0 {
		s.freeNode = s.nodes.At(n).Next
	} else {
		n = s.nodes.Take()
	}
	*s.nodes.At(n) = Node{}
	for _, reset := range s.Edges.Memory.resetNode {
		reset(n)
	}
	return n
}

func (s *Tree) dropNode(n uint32) {
	*s.nodes.At(n) = Node{Next: s.freeNode}
	s.freeNode = n
}

// NewNode makes a node with the given words, linked to nothing; 0 when memory
// is out. With force it takes memory beyond the bound.
func (s *Tree) NewNode(words []uint64, flags uint16, force bool) uint32 {
	n := s.takeNode(force)
	if n == 0 {
		return 0
	}
	first, ok := s.Edges.cells.add(words, force)
	if !ok {
		s.dropNode(n)
		return 0
	}
	nd := s.nodes.At(n)
	nd.state, nd.words, nd.Flags = first, uint32(len(words)), flags|FlagUsed
	if s.OnEnd != nil && flags&FlagTerminal != 0 {
		s.OnEnd(n, words)
	}
	s.Live++
	s.Created++
	return n
}

// EndNode makes a node terminal that has no children yet, with these goals.
func (s *Tree) EndNode(n uint32, goals []float64) {
	nd := s.nodes.At(n)
	if s.Index.Transposes() {
		s.Index.remove(n)
	}
	for r, trie := range s.Tries(n) {
		s.freeTrie(trie, s.Levels[r])
	}
	clear(s.Tries(n))
	s.Edges.cells.drop(nd.state)
	words := make([]uint64, len(goals))
	for i, v := range goals {
		words[i] = math.Float64bits(v)
	}
	nd.state, _ = s.Edges.cells.add(words, true)
	nd.words, nd.Sums = uint32(len(words)), [inlineRoles]float64{}
	nd.Flags = nd.Flags&^FlagTogether | FlagTerminal
	if s.OnEnd != nil {
		s.OnEnd(n, words)
	}
}

// Words appends the words of a node: its state, or its goals' bits.
func (s *Tree) Words(n uint32, dst []uint64) []uint64 {
	nd := s.nodes.At(n)
	return s.Edges.cells.words(nd.state, nd.words, dst)
}

// Goals of a terminal node.
func (s *Tree) Goals(n uint32, dst []float64) []float64 {
	nd := s.nodes.At(n)
	dst = dst[:0]
	left := int(nd.words)
	for c := nd.state; c != 0; c = s.Edges.cells.At(c).next {
		at := s.Edges.cells.At(c)
		for i := range min(left, cellWords) {
			dst = append(dst, math.Float64frombits(at.words[i]))
		}
		left -= cellWords
	}
	return dst
}

// Child finds the node below n that the roles' last edges lead to; 0: none.
func (s *Tree) Child(n uint32, leaves []uint32) uint32 {
	nd := s.nodes.At(n)
	if nd.Children == 0 {
		return 0 // there is no key yet
	}
	if s.Joint.knows(n) {
		return s.Joint.child(n, leaves)
	}
	return childInList(s, n, leaves)
}

// childInList is Child, by the list in which the node would be.
func childInList(s *Tree, n uint32, leaves []uint32) uint32 {
	c := s.Edges.Edge(leaves[s.nodes.At(n).Key]).Child
search:
	for ; c != 0; c = s.nodes.At(c).Next {
		for r, e := range s.LastEdges(c) {
			if e != leaves[r] {
				continue search
			}
		}
		return c
	}
	return 0
}

// EachChild calls visit with the nodes that hang below n, aliases as they are.
func (s *Tree) EachChild(n uint32, visit func(c uint32)) {
	if nd := s.nodes.At(n); nd.Children > 0 {
		s.eachBelow(s.Tries(n)[nd.Key], s.Levels[nd.Key], visit)
	}
}

func (s *Tree) eachBelow(trie uint32, levels int, visit func(c uint32)) {
	s.Edges.EdgesOf(trie, func(_ uint32, e *Edge) bool {
		if levels > 1 {
			s.eachBelow(e.Child, levels-1, visit)
			return true
		}
		for c := e.Child; c != 0; {
			next := s.nodes.At(c).Next
			visit(c)
			c = next
		}
		return true
	})
}

// busiest is the role with the most choices at the first level. Its edges make
// the shortest lists of children: where roles take turns, one child each.
func (s *Tree) busiest(n uint32) (role uint16) {
	most := uint32(0)
	for r, trie := range s.Tries(n) {
		if !IsTrie(trie) {
			continue
		}
		if c := s.Edges.SemimovesOf(trie); c > most {
			role, most = uint16(r), c
		}
	}
	return role
}

// Adopt links a new node below its parent.
func (s *Tree) Adopt(parent, child uint32, leaves []uint32) {
	p, c := s.nodes.At(parent), s.nodes.At(child)
	if p.Children == 0 {
		p.Key = s.busiest(parent)
	}
	copy(s.LastEdges(child), leaves)
	e := s.Edges.Edge(leaves[p.Key])
	c.parent, c.Next, e.Child = parent, e.Child, child
	p.Children++
	s.Joint.adopted(parent, leaves, child)
}

// orphan takes a node out of its parent's list.
func (s *Tree) orphan(child uint32) {
	c := s.nodes.At(child)
	parent := c.parent
	p := s.nodes.At(parent)
	link := &s.Edges.Edge(s.LastEdges(child)[p.Key]).Child
	for *link != child {
		link = &s.nodes.At(*link).Next
	}
	*link = c.Next
	p.Children--
	c.parent, c.Next = 0, 0
	if s.OnOrphan != nil {
		s.OnOrphan(parent, child)
	}
}

// Mean is the mean value over the first edges of a role, one half without visits.
func (s *Tree) Mean(n uint32, r int) float64 {
	var sum float64
	var visits uint32
	trie := s.Tries(n)[r]
	if IsForced(trie) {
		e := s.ForcedEdge(n, r)
		sum, visits, trie = e.Sum(), e.Visits, 0
	}
	s.Edges.EdgesOf(trie, func(_ uint32, e *Edge) bool {
		sum += e.Sum()
		visits += e.Visits
		return true
	})
	if visits == 0 {
		return 0.5
	}
	return sum / float64(visits)
}

// UpdateSimultaneousFlag notes in a node whether several roles choose at its first level;
// chance are the roles that move at random.
func UpdateSimultaneousFlag(s *Tree, n uint32, chance []bool) {
	choosers := 0
	for r, trie := range s.Tries(n) {
		if IsTrie(trie) && s.Edges.SemimovesOf(trie) > 1 && !chance[r] {
			choosers++
		}
	}
	nd := s.Node(n)
	nd.Flags &^= FlagTogether
	if choosers > 1 {
		nd.Flags |= FlagTogether
	}
}
