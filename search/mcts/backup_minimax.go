package mcts

import (
	"slices"

	"semisplit/search/internal/arena"
	"semisplit/search/tree"
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

// chunkValues are those of the edges of a chunk, in the same place. best is of the
// first chunk of a trie node: the edge that is worth most, 0 if none is known.
type chunkValues struct {
	edges [tree.ChunkEdges]float32
	best  uint32
}

// heuristicValues is what nodes and edges are worth. It is empty without an evaluation.
type heuristicValues struct {
	tree       *tree.Tree
	knowledge  Knowledge
	chance     []bool                // roles that move at random
	valued     bool                  // there are worths
	nodeValues tree.Rows[float32]    // beside nodes: what a node is worth, by role, then what the evaluator said
	edgeValues arena.Of[chunkValues] // beside chunks
	averages   bool                  // some worth is a mean over visits; see raise
	mixture                          // of worths and means
}

// keep puts what the knowledge asks for beside the nodes and edges of a tree. chance are
// the roles that move at random.
func (s *heuristicValues) keep(t *tree.Tree, k Knowledge, chance []bool) {
	s.tree, s.chance, s.knowledge = t, chance, k
	if s.valued = k.values(); !s.valued {
		return
	}
	s.mixture = k.mixture()
	tree.AddRows(&t.Edges.Memory, &s.nodeValues, 2*t.Roles, func(n uint32) {
		of := s.nodeValues.Of(n)
		for r := range of {
			of[r] = unvalued
		}
	})
	tree.AddChunks(&t.Edges.Memory, &s.edgeValues, func(trie, id uint32) {
		*s.edgeValueOf(id) = unvalued
		if id == tree.EdgeID(trie, 0) {
			s.edgeValues.At(trie).best = 0
		}
	})
	t.Edges.Value = s.mixed
}

// valuesOf is what a node is worth, by role, to be read and written.
func (s *heuristicValues) valuesOf(n uint32) []float32 {
	return s.nodeValues.Of(n)[:s.nodeValues.Width/2]
}

// firstValuesOf is what the evaluator said of a node.
func (s *heuristicValues) firstValuesOf(n uint32) []float32 {
	return s.nodeValues.Of(n)[s.nodeValues.Width/2:]
}

func (s *heuristicValues) edgeValueOf(id uint32) *float32 {
	return &s.edgeValues.At(id >> tree.PlaceBits).edges[id&tree.PlaceMask]
}

// evaluate sets what the new node of the state that a lane has reached is worth.
func (w *worker) evaluate(n uint32, l *lane) {
	if len(l.ahead) > 0 {
		w.setWorth(n, l.ahead)
		return
	}
	if w.selector.moveEvaluator != nil {
		w.selector.moveEvaluator.ValuesWithMoves(l.state, l.moves, w.values)
	} else {
		w.selector.t.options.Knowledge.Evaluate.Values(l.state, w.values)
	}
	w.setWorth(n, w.values)
}

func (w *worker) setWorth(n uint32, values []float64) {
	of := w.selector.t.values.valuesOf(n)
	for r := range of {
		of[r] = float32(values[r])
	}
	copy(w.selector.t.values.firstValuesOf(n), of)
}

// passMinimax carries what the last node of a lane's path is worth upwards, as far as it
// changes anything.
func passMinimax(w *worker, l *lane, _ *result) {
	t, k := w.selector.t, len(w.selector.roleOf)
	for i := len(l.nodes) - 1; i > 0; i-- {
		parent, child := l.nodes[i-1], l.nodes[i]
		if t.values.valuesOf(child)[0] == unvalued {
			return
		}
		changed := t.values.backUpMinimax(parent, child, l.edges[(i-1)*k:i*k])
		// Means over visits change with every visit, and a node that several lines
		// lead to has parents that do not know yet what it is worth.
		if !changed && !t.values.averages && !t.tree.Index.Transposes() {
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
func (t *heuristicValues) mover(n uint32) (mover int) {
	mover = nobody
	for r, trie := range t.tree.Tries(n) {
		if !t.hasChoice(trie, t.tree.Levels[r]) {
			continue
		}
		if mover != nobody || t.chance[r] {
			return chance
		}
		mover = r
	}
	return mover
}

// hasChoice tells whether there is more than one semimove in a trie node or in
// the only ones after it.
func (s *heuristicValues) hasChoice(trie uint32, levels int) bool {
	for ; tree.IsTrie(trie); levels-- {
		if s.tree.Edges.SemimovesOf(trie) > 1 {
			return true
		}
		if levels == 1 {
			return false
		}
		trie = s.tree.Edges.Edge(tree.EdgeID(trie, 0)).Child
	}
	return false
}

// backUpMinimax updates a node after its child by a joint move, and tells whether the
// node or an edge is worth something else now.
func (t *heuristicValues) backUpMinimax(parent, child uint32, joint []uint32) (changed bool) {
	mover, from := t.mover(parent), t.valuesOf(child)
	if !t.knowledge.backsUp() {
		from = t.firstValuesOf(child)
	}
	at := 0
	for r, levels := range t.tree.Levels {
		path := joint[at : at+levels]
		at += levels
		if tree.IsForced(path[0]) || slices.ContainsFunc(path, tree.IsUnstored) {
			continue
		}
		value := from[r]
		last := path[levels-1]
		if mover == chance {
			t.averages = true
			of := t.edgeValueOf(last)
			if *of == unvalued {
				*of = value
			} else {
				*of += (value - *of) / float32(max(t.tree.Edges.Edge(last).Visits, 1))
			}
			value = *of
		}
		changed = *t.edgeValueOf(last) != value || changed
		t.backUpEdges(t.tree.Tries(parent)[r], path, value)
	}
	of := t.valuesOf(parent)
	switch {
	case !t.knowledge.backsUp():
		return changed
	case mover == nobody:
		return copyWorth(of, t.valuesOf(child)) || changed
	case mover == chance:
		// Nobody picks the child: the mean over the visits.
		n := float32(max(t.tree.Node(parent).Visits, 1))
		for r, v := range t.valuesOf(child) {
			if of[r] == unvalued {
				of[r] = v
			} else {
				of[r] += (v - of[r]) / n
			}
		}
		return true
	}
	if best := t.bestChild(parent, mover); best != 0 {
		from := t.valuesOf(best)
		if first := t.firstValuesOf(parent); first[mover] > from[mover] && !t.allValued(parent, mover) {
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
func (t *heuristicValues) allValued(n uint32, role int) bool {
	nd := t.tree.Node(n)
	if nd.Flags&tree.FlagValued == 0 && t.valuedBelow(t.tree.Tries(n)[role], t.tree.Levels[role]) {
		nd.Flags |= tree.FlagValued
	}
	return nd.Flags&tree.FlagValued != 0
}

func (s *heuristicValues) valuedBelow(trie uint32, levels int) bool {
	known := trie != 0 && s.tree.Edges.Left(trie) == 0
	if !known {
		return false
	}
	s.tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
		if e.Child != tree.Dead {
			known = *s.edgeValueOf(id) != unvalued && (levels == 1 || s.valuedBelow(e.Child, levels-1))
		}
		return known
	})
	return known
}

// backUpEdges sets what the last edge of a path is worth, and with it those
// before it.
func (t *heuristicValues) backUpEdges(trie uint32, path []uint32, value float32) {
	if len(path) > 1 {
		below := t.tree.Edges.Edge(path[0]).Child
		t.backUpEdges(below, path[1:], value)
		value = *t.edgeValueOf(t.edgeValues.At(below).best)
	}
	id := path[0]
	of, h := t.edgeValueOf(id), t.edgeValues.At(trie)
	before := *of
	*of = value
	t.tree.Edges.Refresh(id)
	switch {
	case h.best == 0:
		h.best = id
	case h.best == id && value < before:
		t.tree.Edges.EdgesOf(trie, func(other uint32, e *tree.Edge) bool {
			if *t.edgeValueOf(other) > *t.edgeValueOf(h.best) {
				h.best = other
			}
			return true
		})
	case value >= *t.edgeValueOf(h.best):
		h.best = id
	}
}

// bestChild is the node that the best edges of a role lead to, where the others
// have no choice; 0: it is not in the tree.
func (t *heuristicValues) bestChild(n uint32, role int) uint32 {
	trie := t.tree.Tries(n)[role]
	for level := 1; ; level++ {
		id := t.edgeValues.At(trie).best
		if id == 0 {
			return 0
		}
		if level == t.tree.Levels[role] {
			if role != int(t.tree.Node(n).Key) {
				return 0
			}
			return t.tree.Edges.Edge(id).Child
		}
		if trie = t.tree.Edges.Edge(id).Child; trie == 0 || trie == tree.Dead {
			return 0
		}
	}
}
