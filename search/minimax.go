package search

import (
	"slices"

	"semisplit/search/internal/arena"
)

// Implicit minimax backups (Lanctot, Winands, Pepels, Sturtevant: Monte Carlo
// Tree Search with Heuristic Evaluations using Implicit Minimax Backups, 2014):
// beside the mean of its playouts each node keeps what it is worth by the
// evaluation of the nodes below it.
//
// A node is worth the vector of values of the child that its mover likes best;
// as long as not all its moves have been evaluated, no less to the mover than the
// evaluator says of the node itself, for the rest may be better.
// Inside a turn the mover chooses all semimoves, so a semimove that is not the
// last is worth the best that follows. Where several roles choose at once, or
// chance does, nobody can pick a child: there a semimove is worth the mean of
// what the children that it led to were worth when they were visited, and so is
// the node. What was not evaluated yet, or lies in no node, is worth nothing:
// the mean of playouts stands alone then.

// unvalued is what an edge or a node is worth before anything is known of it.
const unvalued = -1

// worths are those of the edges of a chunk, in the same place. best is of the
// first chunk of a trie node: the edge that is worth most, 0 if none is known.
type worths struct {
	edges [chunkEdges]float32
	best  uint32
}

// worthOf is what a node is worth, by role, to be read and written.
func (s *store) worthOf(n uint32) []float32 {
	i := int(n&arena.PageMask) * 2 * s.roles
	return s.nodeWorths[n>>arena.PageBits][i : i+s.roles : i+s.roles]
}

// firstWorthOf is what the evaluator said of a node.
func (s *store) firstWorthOf(n uint32) []float32 {
	i := int(n&arena.PageMask)*2*s.roles + s.roles
	return s.nodeWorths[n>>arena.PageBits][i : i+s.roles : i+s.roles]
}

func (s *store) edgeWorth(id uint32) *float32 {
	return &s.edgeWorths.At(id >> placeBits).edges[id&placeMask]
}

// forgetWorth is for a node that is made.
func (s *store) forgetWorth(n uint32) {
	of := s.worthOf(n)
	for r := range of {
		of[r] = unvalued
	}
	copy(s.firstWorthOf(n), of)
}

// evaluate sets what the new node of the state that a lane has reached is worth.
func (w *worker) evaluate(n uint32, l *lane) {
	if len(l.ahead) > 0 {
		w.setWorth(n, l.ahead)
		return
	}
	if w.moveEvaluator != nil {
		w.moveEvaluator.ValuesWithMoves(l.state, l.moves, w.values)
	} else {
		w.t.options.Knowledge.Evaluate.Values(l.state, w.values)
	}
	w.setWorth(n, w.values)
}

func (w *worker) setWorth(n uint32, values []float64) {
	of := w.t.worthOf(n)
	for r := range of {
		of[r] = float32(values[r])
	}
	copy(w.t.firstWorthOf(n), of)
}

// backUpWorth carries what the last node of a lane's path is worth upwards, as
// far as it changes anything.
func (w *worker) backUpWorth(l *lane) {
	t, k := w.t, len(w.roleOf)
	for i := len(l.nodes) - 1; i > 0; i-- {
		parent, child := l.nodes[i-1], l.nodes[i]
		if t.worthOf(child)[0] == unvalued {
			return
		}
		changed := t.raise(parent, child, l.edges[(i-1)*k:i*k])
		// Means over visits change with every visit, and a node that several lines
		// lead to has parents that do not know yet what it is worth.
		if !changed && !t.averages && !t.transposes() {
			return
		}
	}
}

// Instead of a mover.
const (
	nobody = -1 // no role has a choice
	chance = -2 // several have one, or chance does
)

// mover is the role that alone has a choice in a node, or nobody or chance.
func (t *Tree) mover(n uint32) (mover int) {
	mover = nobody
	for r, trie := range t.tries(n) {
		if !t.hasChoice(trie, t.levels[r]) {
			continue
		}
		if mover != nobody || t.options.Chance[r] {
			return chance
		}
		mover = r
	}
	return mover
}

// hasChoice tells whether there is more than one semimove in a trie node or in
// the only ones after it.
func (s *store) hasChoice(trie uint32, levels int) bool {
	for ; trie != 0 && trie != dead && trie&forced == 0; levels-- {
		if s.chunks.At(trie).total() > 1 {
			return true
		}
		if levels == 1 {
			return false
		}
		trie = s.edge(edgeID(trie, 0)).child
	}
	return false
}

// raise updates a node after its child by a joint move, and tells whether the
// node or an edge is worth something else now.
func (t *Tree) raise(parent, child uint32, joint []uint32) (changed bool) {
	mover, from := t.mover(parent), t.worthOf(child)
	if !t.options.Knowledge.backsUp() {
		from = t.firstWorthOf(child)
	}
	at := 0
	for r, levels := range t.levels {
		path := joint[at : at+levels]
		at += levels
		if path[0]&forced != 0 || slices.ContainsFunc(path, isLoose) {
			continue
		}
		value := from[r]
		last := path[levels-1]
		if mover == chance {
			t.averages = true
			of := t.edgeWorth(last)
			if *of == unvalued {
				*of = value
			} else {
				*of += (value - *of) / float32(max(t.edge(last).visits, 1))
			}
			value = *of
		}
		changed = *t.edgeWorth(last) != value || changed
		t.raiseEdges(t.tries(parent)[r], path, value)
	}
	of := t.worthOf(parent)
	switch {
	case !t.options.Knowledge.backsUp():
		return changed
	case mover == nobody:
		return copyWorth(of, t.worthOf(child)) || changed
	case mover == chance:
		// Nobody picks the child: the mean over the visits.
		n := float32(max(t.nodes.At(parent).visits, 1))
		for r, v := range t.worthOf(child) {
			if of[r] == unvalued {
				of[r] = v
			} else {
				of[r] += (v - of[r]) / n
			}
		}
		return true
	}
	if best := t.bestChild(parent, mover); best != 0 {
		from := t.worthOf(best)
		if first := t.firstWorthOf(parent); first[mover] > from[mover] && !t.allValued(parent, mover) {
			from = first
		}
		changed = copyWorth(of, from) || changed
	}
	return changed
}

// copyWorth tells whether it made a difference.
func copyWorth(of, from []float32) (changed bool) {
	for r, v := range from {
		changed = changed || of[r] != v
		of[r] = v
	}
	return changed
}

// allValued tells whether it is known of all moves of a role in a node what they
// are worth.
func (t *Tree) allValued(n uint32, role int) bool {
	nd := t.nodes.At(n)
	if nd.flags&flagValued == 0 && t.valuedBelow(t.tries(n)[role], t.levels[role]) {
		nd.flags |= flagValued
	}
	return nd.flags&flagValued != 0
}

func (s *store) valuedBelow(trie uint32, levels int) bool {
	known := trie != 0 && s.chunks.At(trie).left == 0
	if !known {
		return false
	}
	s.edgesOf(trie, func(id uint32, e *edge) bool {
		if e.child != dead {
			known = *s.edgeWorth(id) != unvalued && (levels == 1 || s.valuedBelow(e.child, levels-1))
		}
		return known
	})
	return known
}

// raiseEdges sets what the last edge of a path is worth, and with it those
// before it.
func (t *Tree) raiseEdges(trie uint32, path []uint32, value float32) {
	if len(path) > 1 {
		below := t.edge(path[0]).child
		t.raiseEdges(below, path[1:], value)
		value = *t.edgeWorth(t.edgeWorths.At(below).best)
	}
	id := path[0]
	of, h := t.edgeWorth(id), t.edgeWorths.At(trie)
	before := *of
	*of = value
	t.refresh(id)
	switch {
	case h.best == 0:
		h.best = id
	case h.best == id && value < before:
		t.edgesOf(trie, func(other uint32, e *edge) bool {
			if *t.edgeWorth(other) > *t.edgeWorth(h.best) {
				h.best = other
			}
			return true
		})
	case value >= *t.edgeWorth(h.best):
		h.best = id
	}
}

// bestChild is the node that the best edges of a role lead to, where the others
// have no choice; 0: it is not in the tree.
func (t *Tree) bestChild(n uint32, role int) uint32 {
	trie := t.tries(n)[role]
	for level := 1; ; level++ {
		id := t.edgeWorths.At(trie).best
		if id == 0 {
			return 0
		}
		if level == t.levels[role] {
			if role != int(t.nodes.At(n).key) {
				return 0
			}
			return t.edge(id).child
		}
		if trie = t.edge(id).child; trie == 0 || trie == dead {
			return 0
		}
	}
}
