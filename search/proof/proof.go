// Package proof finds what can be proven of the nodes of a tree: bounds on the goals of
// rational play, and proof numbers. It reads the tree and knows nothing of playouts.
package proof

import (
	"math"

	"semisplit/search/tree"
)

// What a tree can prove of its nodes, kept beside them: bounds on the goals that
// the roles get there if all play for their own goals (MCTS-Solver, Winands,
// Bjornsson, Saito 2008, with bounds as in Cazenave, Saffidine: Score Bounded
// Monte-Carlo Tree Search, 2010), and proof and disproof numbers (Kowalski, Doe,
// Winands, Gorski, Soemers: Proof Number Based Monte-Carlo Tree Search).
//
// Both are computed from what the tree holds below a node, nothing else: a joint
// move without a child node stands for one of which nothing is known, whether it
// was never tried, tried once, or given up for want of memory. So pruning makes
// bounds wider, never wrong. Where a list of moves was cut, one more is missing.

// PN says what proof numbers are used for; the zero value for nothing, then
// there are none.
type PN struct {
	Final  bool // F: Best takes a proven win
	Solve  bool // S: what is proven or disproven leaves the selection
	Select bool // U: selection prefers what is close to a proof (UCT-PN)

	// Draws adds a second layer of numbers, for goals above 0: it breaks ties in
	// U, decides in place of the first in S, and lets F take a proven draw where
	// the mean of the root is strictly below Contempt.
	Draws    bool
	Contempt float64 // a goal, in [0, 1]; 0: a proven draw is never preferred

	// Constant is C_pn of UCT-PN; usually DefaultConstant.
	Constant float64
}

// DefaultConstant is C_pn = 1 of the paper, whose values lie in [-1, 1].
const DefaultConstant = 0.5

// On says whether there are proof numbers.
func (p PN) On() bool { return p.Final || p.Solve || p.Select }

func (p PN) layers() int {
	switch {
	case !p.On():
		return 0
	case p.Draws:
		return 2
	}
	return 1
}

// Numbers is a proof and a disproof number of a role.
type Numbers struct{ Proof, Disproof uint32 }

// Infinite stands for infinity. Sums stay below.
const Infinite = 1 << 30

// Unknown are the numbers of a leaf of which nothing is known.
var Unknown = Numbers{1, 1}

// Prover finds what can be proven of the nodes of a tree. It is empty without the options.
type Prover struct {
	Tree      *tree.Tree
	ChildSet  ChildSet // of the node at hand
	Ranks     Ranks
	Bounds    Bounds
	Resisting bool // the root is decided, and the search goes on also in what is proven; see Resists
	width     int  // semimoves of a joint move
	pn        PN
	chance    []bool             // roles that move at random
	numbers   tree.Rows[Numbers] // beside nodes: layer by layer, the numbers by role
}

// edgeProofNumbers is beside a chunk: on each edge the numbers of what is below it, for
// the role that has the edge, and for the other in games of two.
type edgeProofNumbers struct{ Own, other [tree.ChunkEdges]Numbers }

// Keep puts what is to be proven beside the nodes and edges of a tree: bounds, and proof
// numbers. chance are the roles that move at random.
func (t *Prover) Keep(s *tree.Tree, bounded bool, pn PN, chance []bool) {
	t.Tree, t.pn, t.chance = s, pn, chance
	t.ChildSet.tree, t.ChildSet.chance = s, chance
	t.Bounds.tree, t.Bounds.On, t.Bounds.children, t.Bounds.chance = s, bounded, &t.ChildSet, chance
	t.Ranks.tree, t.Ranks.Layers = s, pn.layers()
	for _, levels := range s.Levels {
		t.width += levels
	}
	if !t.Proves() {
		return
	}
	s.Edges.KeepProven()
	s.OnEnd, s.OnOrphan = t.noteEnd, t.forget
	if bounded {
		t.Bounds.keep()
	}
	if t.Ranks.Layers > 0 {
		tree.AddRows(&s.Edges.Memory, &t.numbers, t.Ranks.Layers*s.Roles, t.forgetNumbers)
	}
	for layer := range t.Ranks.Layers {
		tree.AddChunks(&s.Edges.Memory, &t.Ranks.EdgeNumbers[layer], func(_, id uint32) { t.forgetEdge(layer, id) })
	}
	if pn.Select {
		s.Edges.KeepBonuses()
		tree.AddChunks(&s.Edges.Memory, &t.Ranks.Dirty, func(trie, _ uint32) { t.Ranks.MarkRanksDirty(trie) })
	}
}

// Proves says whether there is anything of this.
func (t *Prover) Proves() bool { return t.Bounds.On || t.Ranks.Layers > 0 }

// NumbersOf are the numbers of a node in a layer, by role.
func (t *Prover) NumbersOf(n uint32, layer int) []Numbers {
	return t.numbers.Of(n)[layer*t.Tree.Roles : (layer+1)*t.Tree.Roles]
}

// forgetNumbers makes the numbers of a node unknown.
func (t *Prover) forgetNumbers(n uint32) {
	of := t.numbers.Of(n)
	for r := range of {
		of[r] = Unknown
	}
}

// forgetEdge makes the numbers on an edge unknown.
func (t *Prover) forgetEdge(layer int, id uint32) {
	at := t.Ranks.EdgeNumbers[layer].At(id >> tree.PlaceBits)
	at.Own[id&tree.PlaceMask], at.other[id&tree.PlaceMask] = Unknown, Unknown
}

// noteEnd notes what is known of a node that is terminal, from its goals' bits.
func (t *Prover) noteEnd(n uint32, words []uint64) {
	t.Bounds.end(n, words)
	for r, word := range words[:t.Tree.Roles] {
		goal := math.Float64frombits(word)
		for layer := range t.Ranks.Layers {
			of := &t.NumbersOf(n, layer)[r]
			if reaches(goal, layer) {
				*of = Numbers{0, Infinite}
			} else {
				*of = Numbers{Infinite, 0}
			}
		}
	}
}

// Settle notes that a role, whose turn it is in a node, has a move that ends the game with
// these goals, of which its own is the highest there is. The node is solved then, where
// the goals are exact, without children. It does nothing where nothing is proven, or the
// node is solved already.
func (t *Prover) Settle(n uint32, mover int, goals []float64) {
	if !t.Proves() || t.Tree.Node(n).Flags&(tree.FlagTerminal|tree.FlagSolved) != 0 {
		return
	}
	t.Bounds.settle(n, mover, goals)
	for r, goal := range goals {
		for layer := range t.Ranks.Layers {
			switch of := &t.NumbersOf(n, layer)[r]; {
			case r == mover:
				*of = Numbers{0, Infinite}
			case !reaches(goal, layer): // the mover may have other moves, which bring r more
				*of = Numbers{Infinite, 0}
			}
		}
	}
}

// reaches tells whether a goal is what a layer of numbers is about.
func reaches(goal float64, layer int) bool { return layer == 0 && goal >= 1 || layer == 1 && goal > 0 }

// forget lets selection come back to a node that leaves the tree; the moves of its
// parent are to be ranked anew.
func (t *Prover) forget(parent, n uint32) {
	for _, id := range t.Tree.LastEdges(n) {
		if tree.IsForced(id) {
			continue
		}
		t.Tree.Edges.SetProven(id, false)
		for layer := range t.Ranks.Layers {
			t.forgetEdge(layer, id)
		}
		if t.Tree.Edges.HasBonuses {
			t.Tree.Edges.BonusesOf(id >> tree.PlaceBits)[id&tree.PlaceMask] = 0
		}
	}
	if t.Tree.Edges.HasBonuses {
		for r, trie := range t.Tree.Tries(parent) {
			if tree.IsTrie(trie) {
				t.Ranks.markAllRanksDirty(trie, t.Tree.Levels[r])
			}
		}
	}
}
