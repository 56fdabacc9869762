package selection

import "semisplit/search/tree"

// pickByTable chooses among the semimoves of a trie node, those that were never tried as
// well, by what the reference says of them: GRAVE. 0: the reference cannot tell.
func (s *Selector) pickByTable(trie uint32, semimove uint32, entered uint32) uint32 {
	edges := &s.Tree.Edges
	by := tree.ByEvidence{
		Edges: edges, Of: s.Grave.Of(s.Reference, semimove),
		Mix: tree.Mix{Bias: float32(s.Grave.Bias), Exploration: float32(s.bonus(entered))},
	}
	best, ties, score := by.Scan(trie)
	if edges.Left(trie) > 0 && by.Prefer(trie)+by.Exploration >= score {
		if id := edges.Open(trie, s.node == s.Tree.Root); id != 0 {
			return id
		}
	}
	if ties > 1 {
		return by.Nth(trie, best, s.Rng.Below(ties))
	}
	return best
}
