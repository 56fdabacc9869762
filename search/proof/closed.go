package proof

import (
	"semisplit/search/tree"
)

// isClosed says whether the role that moves to a node has nothing more to learn
// there.
func (t *Prover) isClosed(n uint32, role int) bool {
	if t.Bounds.On && t.Bounds.IsSolved(n) {
		// A sure win decides the node it is chosen in but for what it leaves the others: without
		// its visits the node would look like what its other moves bring.
		return t.Bounds.Lows(n)[role] < Certain
	}
	if !t.pn.Solve {
		return false
	}
	// A proven win stays: it decides the node it is chosen in, and where that is
	// the root, its visits are what plays it. With two layers what is proven not to be
	// lost leaves as well.
	x := t.NumbersOf(n, t.Ranks.Layers-1)[role]
	return x.Disproof == 0 || t.Ranks.Layers > 1 && x.Proof == 0 && t.NumbersOf(n, 0)[role].Proof > 0
}

// propagateSolved settles the edges below which all is settled, and says whether that is so
// of the whole trie node.
func (t *Prover) propagateSolved(trie uint32, levels int) bool {
	if trie == 0 {
		return false
	}
	all := t.Tree.Edges.Left(trie) == 0
	t.Tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
		if levels > 1 && e.Child != tree.Dead {
			t.Tree.Edges.SetProven(id, t.propagateSolved(e.Child, levels-1))
		}
		all = all && (levels > 1 && e.Child == tree.Dead || t.Tree.Edges.IsProven(id))
		return true
	})
	return all
}

// Knows tells whether it is proven what a node brings, and it is not to be played on from.
func (t *Prover) Knows(n uint32) bool { return t.Bounds.On && t.Bounds.IsSolved(n) && !t.Resisting }

// Refutes tells whether the role that alone chooses in a node has made a joint move to a
// child where it is known to get nothing, before that move was counted; id is the edge of
// its choice, which leaves the selection when that is proven. of is the number of moves that it
// has, at least 2 and no fewer than were refuted; 0: the joint move is not refuted.
func (t *Prover) Refutes(n, child uint32, joint []uint32) (id uint32, of int) {
	if !t.Bounds.On || !t.Bounds.IsSolved(child) || !t.ChildSet.gatherMoves(n) {
		return 0, 0
	}
	mover, sole := t.ChildSet.Sole()
	of = t.ChildSet.moves[mover] + t.ChildSet.open[mover]
	if !sole || of < 2 || t.Bounds.Highs(child)[mover] > 0 {
		return 0, 0
	}
	id = t.lastOf(joint, mover)
	if tree.IsForced(id) || t.Tree.Edges.Edge(id).Visits > 0 || t.Tree.Edges.IsProven(id) {
		return 0, 0
	}
	return id, of
}
