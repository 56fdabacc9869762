package search

import (
	"fmt"
	"math"
)

// check verifies the tree at rest: links, visits and sums, and that every
// element of the arenas is in exactly one place. It costs time in proportion
// to the memory in use.
func (t *Tree) check() error {
	c := checker{t: t, nodes: map[uint32]bool{}, chunks: map[uint32]bool{}, cells: map[uint32]bool{}}
	if t.root != 0 {
		c.node(t.root, 0)
	}
	before := uint32(0)
	for n := t.discard; n != 0 && c.err == nil; n = t.nodes.At(n).next {
		if t.nodes.At(n).flags&flagDiscarded == 0 {
			c.fail("node %d in the discard list is not marked", n)
		}
		c.discarded = true
		c.node(n, before)
		if t.transposes() {
			before = n
		}
	}
	if t.transposes() && c.err == nil {
		c.index()
	}
	if live := len(c.nodes); c.err == nil && live != t.live {
		c.fail("%d nodes found, %d counted", live, t.live)
	}
	for n := t.freeNode; n != 0; n = t.nodes.At(n).next {
		c.once(c.nodes, n, "node")
	}
	for n := t.freeChunk; n != 0; n = t.chunks.At(n).next {
		c.once(c.chunks, n, "chunk")
	}
	for n := t.freeCell; n != 0; n = t.cells.At(n).next {
		c.once(c.cells, n, "cell")
	}
	c.all(len(c.nodes), t.nodes.Used, "nodes")
	c.all(len(c.chunks), t.chunks.Used, "chunks")
	c.all(len(c.cells), t.cells.Used, "cells")
	return c.err
}

type checker struct {
	t                    *Tree
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
	if nd.flags&flagUsed == 0 || nd.parent != parent || nd.virtual != 0 {
		c.fail("node %d: flags %d, parent %d for %d, %d virtual visits", n, nd.flags, nd.parent, parent, nd.virtual)
	}
	if t.transposes() && c.discarded && t.crossings.At(n).epoch == t.epoch {
		c.fail("node %d: discarded, and marked as in the tree", n)
	}
	if nd.flags&flagAlias != 0 {
		c.alias(n)
		return
	}
	c.proofs(n)
	words := 0
	for i := nd.state; i != 0; i = t.cells.At(i).next {
		c.once(c.cells, i, "cell")
		words += cellWords
	}
	if uint32(words) < nd.words {
		c.fail("node %d: %d words in room for %d", n, nd.words, words)
	}
	var through [2]uint32 // visits of the first role's edges, of another's
	children := uint32(0)
	if tries := t.tries(n); len(tries) == 2 && tries[0]&tries[1]&forced != 0 {
		c.fail("node %d: nobody has a stored edge", n)
		return
	}
	for r, trie := range t.tries(n) {
		if trie != 0 && nd.flags&flagTerminal != 0 {
			c.fail("node %d: moves in a terminal state", n)
		}
		visits := uint32(0)
		if trie&forced != 0 {
			visits = c.forced(n, r)
		} else {
			visits = c.trie(n, r, trie, t.levels[r], &children)
		}
		through[min(r, 1)] = visits
		if visits != through[0] || visits > nd.visits {
			c.fail("node %d: role %d has %d visits, role 0 %d, the node %d", n, r, visits, through[0], nd.visits)
		}
	}
	if children != nd.children {
		c.fail("node %d: %d children found, %d counted", n, children, nd.children)
	}
}

// forced checks the forced edge of a role and returns its visits.
func (c *checker) forced(n uint32, role int) uint32 {
	e := c.t.forcedEdge(n, role)
	if v := float64(e.visits); e.sum() < 0 || e.sum() > v+1e-9*v || math.IsNaN(e.sum()) {
		c.fail("node %d: a forced edge with sum %g of %d visits", n, e.sum(), e.visits)
	}
	if role >= inlineRoles || c.t.levels[role] != 1 || role == int(c.t.nodes.At(n).key) && c.t.nodes.At(n).children > 0 {
		c.fail("node %d: role %d has a forced edge", n, role)
	}
	return e.visits
}

// trie checks a trie node of node n and returns the visits of its edges.
func (c *checker) trie(n uint32, role int, trie uint32, levels int, children *uint32) (visits uint32) {
	t := c.t
	if trie == 0 || c.err != nil {
		return 0
	}
	h := t.chunks.At(trie)
	count, left := uint32(0), h.count
	for i := trie; i != 0; i = t.chunks.At(i).next {
		c.once(c.chunks, i, "chunk")
		m := uint32(0)
		if left > 0 {
			m = held(i == trie, left)
		}
		c.front(i, m)
		left -= m
		count += chunkEdges
	}
	if h.count > count || h.count+chunkEdges <= count {
		c.fail("trie %d: %d edges in room for %d", trie, h.count, count)
		return 0
	}
	room := uint32(0)
	for i := h.untried; h.left > 0 && i != 0; i = t.cells.At(i).next {
		c.once(c.cells, i, "cell")
		room += cellMoves
	}
	if h.left > room || h.left+cellMoves <= room {
		c.fail("trie %d: %d untried semimoves in room for %d", trie, h.left, room)
		return 0
	}
	t.edgesOf(trie, func(id uint32, e *edge) bool {
		virtual := t.taken(id) - e.visits
		if virtual != 0 || e.child == dead && e.visits != 0 {
			c.fail("edge %d: %d virtual visits, %d visits", id, virtual, e.visits)
		}
		if v := float64(e.visits); e.sum() < 0 || e.sum() > v+1e-9*v || math.IsNaN(e.sum()) {
			c.fail("edge %d: sum %g of %d visits", id, e.sum(), e.visits)
		}
		visits += e.visits
		switch {
		case levels == 1:
			c.childrenOf(n, role, id, e, children)
		case e.child != dead:
			if below := c.trie(n, role, e.child, levels-1, children); below != e.visits && !(t.options.Raw && below < e.visits) {
				c.fail("edge %d: %d visits, %d below", id, e.visits, below)
			}
		}
		return c.err == nil
	})
	return visits
}

// front checks that a chunk shows what its edges are, and nothing in other places.
func (c *checker) front(chunk, edges uint32) {
	at := c.t.chunks.At(chunk)
	for i := range uint32(chunkEdges) {
		value, root := at.value[i], at.root[i]
		if i >= edges {
			if value != last {
				c.fail("chunk %d: %g in place %d, of %d edges", chunk, value, i, edges)
			}
			continue
		}
		if !(root >= 0 && root <= 1) {
			c.fail("edge %d: shown as %g and %g", edgeID(chunk, i), value, root)
		}
		c.t.refresh(edgeID(chunk, i))
		if at.value[i] != value || at.root[i] != root {
			c.fail("edge %d: shown as %g and %g, which are %g and %g", edgeID(chunk, i), value, root, at.value[i], at.root[i])
		}
	}
}

// childrenOf checks the child nodes on a last edge. They may have fewer visits
// than the edge (pruned ones took theirs along), never more.
func (c *checker) childrenOf(n uint32, role int, id uint32, e *edge, children *uint32) {
	t := c.t
	if role != int(t.nodes.At(n).key) {
		if e.child != 0 {
			c.fail("edge %d: children with a role that is not the key", id)
		}
		return
	}
	visits := uint32(0)
	for ch := e.child; ch != 0 && c.err == nil; ch = t.nodes.At(ch).next {
		*children++
		if t.leaves(ch)[role] != id {
			c.fail("node %d: hangs on edge %d", ch, id)
		}
		if t.nodes.At(ch).flags&flagShared == 0 { // the others were visited by other edges too
			visits += t.nodes.At(ch).visits
		}
		c.node(ch, n)
	}
	// In a raw tree a role may have passed an edge by with a loose semimove.
	if visits > e.visits && !t.options.Raw {
		c.fail("edge %d: %d visits, %d in its children", id, e.visits, visits)
	}
}
