package tree

import (
	"fmt"
	"math"
)

// Check verifies the tree at rest: links, visits and sums, and that every
// element of the arenas is in exactly one place. It costs time in proportion
// to the memory in use. raw: edges may have visits that none below them has. also
// is asked of each node.
func (t *Tree) Check(raw bool, also func(n uint32) error) error {
	c := checker{t: t, raw: raw, also: also, nodes: map[uint32]bool{}, chunks: map[uint32]bool{}, cells: map[uint32]bool{}}
	if t.Root != 0 {
		c.node(t.Root, 0)
	}
	before := uint32(0)
	for n := t.discarded; n != 0 && c.err == nil; n = t.nodes.At(n).Next {
		if t.nodes.At(n).Flags&FlagDiscarded == 0 {
			c.fail("node %d in the discard list is not marked", n)
		}
		c.discarded = true
		c.node(n, before)
		if t.Index.Transposes() {
			before = n
		}
	}
	if t.Index.Transposes() && c.err == nil {
		c.index()
	}
	if live := len(c.nodes); c.err == nil && live != t.Live {
		c.fail("%d nodes found, %d counted", live, t.Live)
	}
	for n := t.freeNode; n != 0; n = t.nodes.At(n).Next {
		c.once(c.nodes, n, "node")
	}
	for n := t.Edges.freeChunk; n != 0; n = t.Edges.chunks.At(n).Next {
		c.once(c.chunks, n, "chunk")
	}
	for n := t.Edges.cells.free; n != 0; n = t.Edges.cells.At(n).next {
		c.once(c.cells, n, "cell")
	}
	c.all(len(c.nodes), t.nodes.Used, "nodes")
	c.all(len(c.chunks), t.Edges.chunks.Used, "chunks")
	c.all(len(c.cells), t.Edges.cells.Used, "cells")
	return c.err
}

type checker struct {
	t                    *Tree
	raw                  bool
	also                 func(n uint32) error
	nodes, chunks, cells map[uint32]bool // seen
	err                  error           // the first fault
	discarded            bool            // what is looked at is not in the tree
}

func (c *checker) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("search: tree: "+format, args...)
	}
}

func (c *checker) once(seen map[uint32]bool, i uint32, what string) {
	if seen[i] {
		c.fail("%s %d is in two places", what, i)
	}
	seen[i] = true
}

func (c *checker) all(found int, used uint32, what string) {
	if uint32(found) != max(used, 1)-1 {
		c.fail("%d of %d %s found", found, max(used, 1)-1, what)
	}
}

// node checks a node and everything below it.
func (c *checker) node(n, parent uint32) {
	t := c.t
	if c.once(c.nodes, n, "node"); c.err != nil {
		return
	}
	nd := t.nodes.At(n)
	if nd.Flags&FlagUsed == 0 || nd.parent != parent || nd.Virtual != 0 {
		c.fail("node %d: flags %d, parent %d for %d, %d virtual visits", n, nd.Flags, nd.parent, parent, nd.Virtual)
	}
	if t.Index.Transposes() && c.discarded && t.Index.crossings.At(n).epoch == t.Index.epoch {
		c.fail("node %d: discarded, and marked as in the tree", n)
	}
	if nd.Flags&FlagAlias != 0 {
		c.alias(n)
		return
	}
	if err := c.also(n); err != nil {
		c.fail("%w", err)
	}
	words := 0
	for i := nd.state; i != 0; i = t.Edges.cells.At(i).next {
		c.once(c.cells, i, "cell")
		words += cellWords
	}
	if uint32(words) < nd.words {
		c.fail("node %d: %d words in room for %d", n, nd.words, words)
	}
	var through [2]uint32 // visits of the first role's edges, of another's
	children := uint32(0)
	if tries := t.Tries(n); len(tries) == 2 && IsForced(tries[0]) && IsForced(tries[1]) {
		c.fail("node %d: nobody has a stored edge", n)
		return
	}
	for r, trie := range t.Tries(n) {
		if trie != 0 && nd.Flags&FlagTerminal != 0 {
			c.fail("node %d: moves in a terminal state", n)
		}
		visits := uint32(0)
		if IsForced(trie) {
			visits = c.forced(n, r)
		} else {
			visits = c.trie(n, r, trie, t.Levels[r], &children)
		}
		through[min(r, 1)] = visits
		if visits != through[0] || visits > nd.Visits {
			c.fail("node %d: role %d has %d visits, role 0 %d, the node %d", n, r, visits, through[0], nd.Visits)
		}
	}
	if children != nd.Children {
		c.fail("node %d: %d children found, %d counted", n, children, nd.Children)
	}
}

// forced checks the forced edge of a role and returns its visits.
func (c *checker) forced(n uint32, role int) uint32 {
	e := c.t.ForcedEdge(n, role)
	if v := float64(e.Visits); e.Sum() < 0 || e.Sum() > v+1e-9*v || math.IsNaN(e.Sum()) {
		c.fail("node %d: a forced edge with sum %g of %d visits", n, e.Sum(), e.Visits)
	}
	if role >= inlineRoles || c.t.Levels[role] != 1 || role == int(c.t.nodes.At(n).Key) && c.t.nodes.At(n).Children > 0 {
		c.fail("node %d: role %d has a forced edge", n, role)
	}
	return e.Visits
}

// trie checks a trie node of node n and returns the visits of its edges.
func (c *checker) trie(n uint32, role int, trie uint32, levels int, children *uint32) (visits uint32) {
	t := c.t
	if trie == 0 || c.err != nil {
		return 0
	}
	h := t.Edges.chunks.At(trie)
	count, left := uint32(0), h.count
	for i := trie; i != 0; i = t.Edges.chunks.At(i).Next {
		c.once(c.chunks, i, "chunk")
		m := uint32(0)
		if left > 0 {
			m = Held(i == trie, left)
		}
		c.front(i, m)
		left -= m
		count += ChunkEdges
	}
	if h.count > count || h.count+ChunkEdges <= count {
		c.fail("trie %d: %d edges in room for %d", trie, h.count, count)
		return 0
	}
	room := uint32(0)
	for i := h.untried; h.left > 0 && i != 0; i = t.Edges.cells.At(i).next {
		c.once(c.cells, i, "cell")
		room += cellMoves
	}
	if h.left > room || h.left+cellMoves <= room {
		c.fail("trie %d: %d untried semimoves in room for %d", trie, h.left, room)
		return 0
	}
	t.Edges.EdgesOf(trie, func(id uint32, e *Edge) bool {
		virtual := t.Edges.VisitsInclVirtual(id) - e.Visits
		if virtual != 0 || e.Child == Dead && e.Visits != 0 {
			c.fail("edge %d: %d virtual visits, %d visits", id, virtual, e.Visits)
		}
		if v := float64(e.Visits); e.Sum() < 0 || e.Sum() > v+1e-9*v || math.IsNaN(e.Sum()) {
			c.fail("edge %d: sum %g of %d visits", id, e.Sum(), e.Visits)
		}
		visits += e.Visits
		switch {
		case levels == 1:
			c.childrenOf(n, role, id, e, children)
		case e.Child != Dead:
			if below := c.trie(n, role, e.Child, levels-1, children); below != e.Visits && !(c.raw && below < e.Visits) {
				c.fail("edge %d: %d visits, %d below", id, e.Visits, below)
			}
		}
		return c.err == nil
	})
	return visits
}

// front checks that a chunk shows what its edges are, and nothing in other places.
func (c *checker) front(chunk, edges uint32) {
	at := c.t.Edges.chunks.At(chunk)
	for i := range uint32(ChunkEdges) {
		value, root := at.value[i], at.invSqrtVisits[i]
		if i >= edges {
			if value != excludedScore {
				c.fail("chunk %d: %g in place %d, of %d edges", chunk, value, i, edges)
			}
			continue
		}
		if !(root >= 0 && root <= 1) {
			c.fail("edge %d: shown as %g and %g", EdgeID(chunk, i), value, root)
		}
		c.t.Edges.Refresh(EdgeID(chunk, i))
		if at.value[i] != value || at.invSqrtVisits[i] != root {
			c.fail("edge %d: shown as %g and %g, which are %g and %g", EdgeID(chunk, i), value, root, at.value[i], at.invSqrtVisits[i])
		}
	}
}

// childrenOf checks the child nodes on a last edge. They may have fewer visits
// than the edge (pruned ones took theirs along), never more.
func (c *checker) childrenOf(n uint32, role int, id uint32, e *Edge, children *uint32) {
	t := c.t
	if role != int(t.nodes.At(n).Key) {
		if e.Child != 0 {
			c.fail("edge %d: children with a role that is not the key", id)
		}
		return
	}
	visits := uint32(0)
	for ch := e.Child; ch != 0 && c.err == nil; ch = t.nodes.At(ch).Next {
		*children++
		if t.LastEdges(ch)[role] != id {
			c.fail("node %d: hangs on edge %d", ch, id)
		}
		if found := t.Child(n, t.LastEdges(ch)); found != ch {
			c.fail("node %d: its joint move leads to %d", ch, found)
		}
		if t.nodes.At(ch).Flags&FlagShared == 0 { // the others were visited by other edges too
			visits += t.nodes.At(ch).Visits
		}
		c.node(ch, n)
	}
	// In a raw tree a role may have passed an edge by with an unstored semimove.
	if visits > e.Visits && !c.raw {
		c.fail("edge %d: %d visits, %d in its children", id, e.Visits, visits)
	}
}
