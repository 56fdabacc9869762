package heuristic

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

// Unvalued is what an edge or a node is worth before anything is known of it.
const Unvalued = -1

// chunkValues are those of the edges of a chunk, in the same place, and of how many they are
// the mean where they are means: visits do not tell, for joined trees count those of others
// too. best is of the first chunk of a trie node: the edge that is worth most, 0 if none is
// known.
type chunkValues struct {
	edges [tree.ChunkEdges]float32
	best  uint32
	means [tree.ChunkEdges]uint32 // last: most games need none
}

// Values is what nodes and edges are worth. It is empty without an evaluation.
type Values struct {
	tree       *tree.Tree
	knowledge  Knowledge
	width      int                   // semimoves of a joint move
	chance     []bool                // roles that move at random
	On         bool                  // values are kept
	nodeValues tree.Rows[float32]    // beside nodes: what a node is worth, by role, then what the evaluator said
	nodeMeans  tree.Rows[uint32]     // beside nodes: of how many children's values a node's is the mean
	edgeValues arena.Of[chunkValues] // beside chunks
	averages   bool                  // some value is a mean over visits; see backUpNode
	mixture                          // of values and means
}

// Keep puts what the knowledge asks for beside the nodes and edges of a tree. chance are
// the roles that move at random.
func (s *Values) Keep(t *tree.Tree, k Knowledge, chance []bool) {
	s.tree, s.chance, s.knowledge = t, chance, k
	for _, levels := range t.Levels {
		s.width += levels
	}
	if s.On = k.KeepsValues(); !s.On {
		return
	}
	s.mixture = k.mixture()
	tree.AddRows(&t.Edges.Memory, &s.nodeValues, 2*t.Roles, func(n uint32) {
		of := s.nodeValues.Of(n)
		for r := range of {
			of[r] = Unvalued
		}
	})
	tree.AddRows(&t.Edges.Memory, &s.nodeMeans, 1, func(n uint32) { s.nodeMeans.Of(n)[0] = 0 })
	tree.AddChunks(&t.Edges.Memory, &s.edgeValues, func(trie, id uint32) {
		*s.EdgeOf(id), *s.meanOf(id) = Unvalued, 0
		if id == tree.EdgeID(trie, 0) {
			s.edgeValues.At(trie).best = 0
		}
	})
	t.Edges.Value = s.Mixed
}

// Of is what a node is worth, by role, to be read and written.
func (s *Values) Of(n uint32) []float32 {
	return s.nodeValues.Of(n)[:s.nodeValues.Width/2]
}

// FirstOf is what the evaluator said of a node.
func (s *Values) FirstOf(n uint32) []float32 {
	return s.nodeValues.Of(n)[s.nodeValues.Width/2:]
}

// EdgeOf is what an edge is worth, to be read and written.
func (s *Values) EdgeOf(id uint32) *float32 {
	return &s.edgeValues.At(id >> tree.PlaceBits).edges[id&tree.PlaceMask]
}

// meanOf is of how many values the worth of an edge is the mean, to be read and written.
func (s *Values) meanOf(id uint32) *uint32 {
	return &s.edgeValues.At(id >> tree.PlaceBits).means[id&tree.PlaceMask]
}

// Set notes what a node is worth by an evaluation, or by its goals. Values are brought into
// [0, 1], whatever an evaluation says.
func (s *Values) Set(n uint32, values []float64) {
	of := s.Of(n)
	for r, v := range values[:len(of)] {
		if !(v >= 0) {
			v = 0
		}
		of[r] = float32(min(v, 1))
	}
	copy(s.FirstOf(n), of)
}

// BackUp carries what the last of these nodes is worth upwards, as far as it changes
// anything; edges are the joint moves between them.
func (s *Values) BackUp(nodes, edges []uint32) {
	for i := len(nodes) - 1; i > 0; i-- {
		parent, child := nodes[i-1], nodes[i]
		if s.Of(child)[0] == Unvalued {
			return
		}
		changed := s.backUpNode(parent, child, edges[(i-1)*s.width:i*s.width])
		// Means over visits change with every visit, and a node that several lines
		// lead to has parents that do not know yet what it is worth.
		if !changed && !s.averages && !s.tree.Index.Transposes() {
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
func (s *Values) mover(n uint32) (mover int) {
	mover = nobody
	for r, trie := range s.tree.Tries(n) {
		if !s.hasChoice(trie, s.tree.Levels[r]) {
			continue
		}
		if mover != nobody || s.chance[r] {
			return chance
		}
		mover = r
	}
	return mover
}

// hasChoice tells whether there is more than one semimove in a trie node or in
// the only ones after it.
func (s *Values) hasChoice(trie uint32, levels int) bool {
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

// backUpNode updates a node after its child by a joint move, and tells whether the
// node or an edge is worth something else now.
func (s *Values) backUpNode(parent, child uint32, joint []uint32) (changed bool) {
	mover, from := s.mover(parent), s.Of(child)
	if !s.knowledge.backsUp() {
		from = s.FirstOf(child)
	}
	at := 0
	for r, levels := range s.tree.Levels {
		path := joint[at : at+levels]
		at += levels
		if tree.IsForced(path[0]) || slices.ContainsFunc(path, tree.IsUnstored) {
			continue
		}
		value := from[r]
		last := path[levels-1]
		if mover == chance {
			s.averages = true
			of, n := s.EdgeOf(last), s.meanOf(last)
			if *n++; *of == Unvalued {
				*of = value
			} else {
				*of += (value - *of) / float32(*n)
			}
			value = *of
		}
		changed = *s.EdgeOf(last) != value || changed
		s.backUpEdges(s.tree.Tries(parent)[r], path, value)
	}
	of := s.Of(parent)
	switch {
	case !s.knowledge.backsUp():
		return changed
	case mover == nobody:
		return setAll(of, s.Of(child)) || changed
	case mover == chance:
		// Nobody picks the child: the mean over the visits. What the evaluator said is one.
		means := &s.nodeMeans.Of(parent)[0]
		*means++
		n := float32(*means + 1)
		for r, v := range s.Of(child) {
			if of[r] == Unvalued {
				of[r] = v
			} else {
				of[r] += (v - of[r]) / n
			}
		}
		return true
	}
	if best := s.refreshedBest(parent, mover); best != 0 {
		from := s.Of(best)
		if first := s.FirstOf(parent); first[mover] > from[mover] && !s.allValued(parent, mover) {
			from = first
		}
		changed = setAll(of, from) || changed
	}
	return changed
}

// setAll tells whether it made a difference.
func setAll(of, from []float32) (changed bool) {
	for r, v := range from {
		changed = changed || of[r] != v
		of[r] = v
	}
	return changed
}

// allValued tells whether it is known of all moves of a role in a node what they
// are worth.
func (s *Values) allValued(n uint32, role int) bool {
	nd := s.tree.Node(n)
	if nd.Flags&tree.FlagValued == 0 && s.valuedBelow(s.tree.Tries(n)[role], s.tree.Levels[role]) {
		nd.Flags |= tree.FlagValued
	}
	return nd.Flags&tree.FlagValued != 0
}

func (s *Values) valuedBelow(trie uint32, levels int) bool {
	known := trie != 0 && s.tree.Edges.Left(trie) == 0
	if !known {
		return false
	}
	s.tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
		if e.Child != tree.Dead {
			known = *s.EdgeOf(id) != Unvalued && (levels == 1 || s.valuedBelow(e.Child, levels-1))
		}
		return known
	})
	return known
}

// backUpEdges sets what the last edge of a path is worth, and with it those
// before it.
func (s *Values) backUpEdges(trie uint32, path []uint32, value float32) {
	if len(path) > 1 {
		below := s.tree.Edges.Edge(path[0]).Child
		s.backUpEdges(below, path[1:], value)
		value = *s.EdgeOf(s.edgeValues.At(below).best)
	}
	id := path[0]
	of, h := s.EdgeOf(id), s.edgeValues.At(trie)
	before := *of
	*of = value
	s.tree.Edges.Refresh(id)
	switch {
	case h.best == 0:
		h.best = id
	case h.best == id && value < before:
		s.tree.Edges.EdgesOf(trie, func(other uint32, e *tree.Edge) bool {
			if *s.EdgeOf(other) > *s.EdgeOf(h.best) {
				h.best = other
			}
			return true
		})
	case value >= *s.EdgeOf(h.best):
		h.best = id
	}
}

// bestChild is the last of the best edges of a role, and the node that they lead to, where
// the others have no choice, also if an alias stands there for it; 0: it is not in the tree.
func (s *Values) bestChild(n uint32, role int) (last, child uint32) {
	trie := s.tree.Tries(n)[role]
	for level := 1; ; level++ {
		id := s.edgeValues.At(trie).best
		if id == 0 {
			return 0, 0
		}
		if level == s.tree.Levels[role] {
			if role != int(s.tree.Node(n).Key) {
				return 0, 0
			}
			return id, s.tree.Resolve(s.tree.Edges.Edge(id).Child)
		}
		if trie = s.tree.Edges.Edge(id).Child; trie == 0 || trie == tree.Dead {
			return 0, 0
		}
	}
}

// refreshedBest is the child of bestChild. Where there are transpositions, the best edges are
// brought up to date until those stay the best: what their child is worth may have changed
// when it was reached by another line.
func (s *Values) refreshedBest(n uint32, role int) (child uint32) {
	for {
		last, child := s.bestChild(n, role)
		if child == 0 || !s.tree.Index.Transposes() || s.Of(child)[role] == *s.EdgeOf(last) {
			return child
		}
		s.refreshEdges(s.tree.Tries(n)[role], s.tree.Levels[role], s.Of(child)[role])
	}
}

// refreshEdges is backUpEdges for the best edges, so many levels of them.
func (s *Values) refreshEdges(trie uint32, levels int, value float32) {
	path := make([]uint32, 0, 16)
	for at := trie; len(path) < levels; at = s.tree.Edges.Edge(path[len(path)-1]).Child {
		path = append(path, s.edgeValues.At(at).best)
	}
	s.backUpEdges(trie, path, value)
}

// Maximizes tells whether Maximize is to be called.
func (s *Values) Maximizes() bool { return s.knowledge.MaxBackup > 0 }

// Maximize replaces the values that a backup carries upwards by the mean of the
// best move of a node's mover; the other of two roles gets the rest.
func (s *Values) Maximize(n uint32, values []float64) {
	if int(s.tree.Node(n).Visits) < s.knowledge.MaxBackup {
		return
	}
	mover := s.mover(n)
	if mover < 0 {
		return
	}
	best, trie := -1.0, s.tree.Tries(n)[mover]
	for level := s.tree.Levels[mover]; level > 0 && trie != 0 && trie != tree.Dead; level-- {
		best = -1
		next := uint32(0)
		s.tree.Edges.EdgesOf(trie, func(_ uint32, e *tree.Edge) bool {
			if e.Child == tree.Dead || e.Visits == 0 {
				return true
			}
			if mean := e.Sum() / float64(e.Visits); mean > best {
				best, next = mean, e.Child
			}
			return true
		})
		trie = next
	}
	if best < 0 {
		return
	}
	if len(values) == 2 {
		values[1-mover] = min(max(values[0]+values[1]-best, 0), 1) // a goal, if goals have no fixed sum as well
	}
	values[mover] = best
}
