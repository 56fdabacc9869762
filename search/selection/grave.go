package selection

import (
	"math"

	"semisplit/search/tree"
)

// pickByTable chooses among the semimoves of a trie node, those that were never tried as
// well, by what the reference says of them: GRAVE. 0: the reference cannot tell.
func (s *Selector) pickByTable(trie uint32, semimove uint32, entered uint32) uint32 {
	bonus := s.bonus(entered)
	best, score := s.bestByTable(trie, semimove, bonus)
	if s.Tree.Edges.Left(trie) == 0 {
		return best
	}
	untried := math.Inf(-1)
	s.Tree.Edges.Prefer(trie, func(label uint32) float64 {
		v := s.Grave.Mixed(s.Reference, semimove, label, 0, 0, 0)
		untried = max(untried, v)
		return v
	})
	if untried+bonus >= score {
		if id := s.Tree.Edges.Open(trie, s.node == s.Tree.Root); id != 0 {
			return id
		}
	}
	return best
}

// bestByTable is the best of the edges that there are and that are not done; 0 if there is
// none.
func (s *Selector) bestByTable(trie uint32, semimove uint32, bonus float64) (best uint32, top float64) {
	edges := &s.Tree.Edges
	ties := uint32(0)
	top = math.Inf(-1)
	edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
		n := edges.VisitsInclVirtual(id)
		if e.Child == tree.Dead || s.Proofs.Proves() && edges.IsDone(id) {
			return true
		}
		mean, visits := 0.0, float64(n)
		if n > 0 {
			mean = e.Sum() / visits
		}
		if s.Values.On {
			mean = s.Values.Mixed(id, mean, n)
		}
		score := s.Grave.Mixed(s.Reference, semimove, e.Semimove, mean, visits, float64(n-e.Visits)) + bonus/math.Sqrt(visits+1)
		switch {
		case score > top:
			best, top, ties = id, score, 1
		case score == top: // ties are drawn, as in pickAmong
			if ties++; s.Rng.Below(ties) == 0 {
				best = id
			}
		}
		return true
	})
	return best, top
}
