package proof

import (
	"semisplit/search/tree"
)

// isClosed says whether the role that moves to a node has nothing more to learn
// there.
func (t *Prover) isClosed(n uint32, role int) bool {
	if t.Bounds.On && t.Bounds.IsSolved(n) {
		return true
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
