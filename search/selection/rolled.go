package selection

import (
	"math"

	"semisplit/search/tree"
)

// flat is the state of a choice among edges of several trie nodes.
type flat struct {
	levels  int // of the role
	entered uint32
	bonus   float64
	best    uint32
	score   float64
	ties    uint32
	edges   []uint32 // on the way down
	all     bool     // what is proven too
}

// pickRolled is pickEdge over the edges of a trie node, at a level of role, and
// of the rolled-up ones below. The edges of the choice but the last are left
// in s.chain.
func (s *Selector) pickRolled(trie uint32, role, level int, entered uint32) uint32 {
	if s.together && s.Rng.Below(uniformEvery) == 0 {
		s.chain = s.chain[:0]
		return s.pickChance(trie)
	}
	f := &s.flat
	*f = flat{
		levels: s.Tree.Levels[role] - level, entered: entered, bonus: s.bonus(entered),
		score: math.Inf(-1), edges: f.edges[:0], all: s.Proofs.Resisting,
	}
	if s.scanFlat(trie); f.best == 0 {
		f.all = true
		s.scanFlat(trie)
	}
	return f.best
}

func (s *Selector) scanFlat(trie uint32) {
	f := &s.flat
	ranked := s.Tree.Edges.HasBonuses && !s.Proofs.Resisting
	if ranked {
		s.Proofs.Ranks.Rank(trie)
	}
	deeper := len(f.edges) < f.levels-1
	s.Tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
		if e.Child == tree.Dead {
			return true
		}
		if deeper && s.Tree.Edges.IsRolled(e.Child) {
			f.edges = append(f.edges, id)
			s.scanFlat(e.Child)
			f.edges = f.edges[:len(f.edges)-1]
			return true
		}
		if !f.all && s.Proofs.Proves() && s.Tree.Edges.IsDone(id) {
			return true
		}
		score := math.Inf(1)
		if n := s.Tree.Edges.VisitsInclVirtual(id); n > 0 {
			inverse := tree.FactorsOf(n)
			score = s.edgeValue(id, n, inverse.Inverse, f.entered) + f.bonus*inverse.InvSqrt
			if ranked {
				score += s.bonusOf(id)
			}
		}
		if score > f.score {
			f.ties = 0
		}
		if score >= f.score {
			if f.ties++; s.Rng.Below(f.ties) == 0 {
				f.best, f.score = id, score
				s.chain = append(s.chain[:0], f.edges...)
			}
		}
		return true
	})
}
