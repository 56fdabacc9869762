package selection

import (
	"math"

	"semisplit/search/stats"
	"semisplit/search/tree"
)

// uniformEvery: where roles choose together, one choice in so many is drawn
// uniformly. Roles that all follow UCB1 fall in step: each sees a move beside
// one move of the other only. Matching pennies then came out at 0.80 for one
// side after 4,000 visits, and a prisoner's dilemma as 3,992 cooperations.
// A varying exploration (see pickEdge) leaves pennies at 0.30 to 0.70; with
// one stray choice in 64, 32, 16 as well it is off by 0.15, 0.12, 0.10 at most,
// and the error shrinks as visits grow.
const uniformEvery = 16

// pickEdge chooses among several semimoves of a trie node that was entered so
// often: one never taken if there is one, then by UCB1; 0 when memory is out and
// there is nothing to choose from. A lane in flight counts as a
// visit with a goal of 0 (virtual loss), or too many lanes follow each other:
// on Nim with heaps 2, 3, 4 and 3,000 iterations in 64 lanes the winning move
// was found in 11 of 20 searches, in 7 with lanes that count for exploration
// but not in the mean, in 16 with one lane.
func (s *Selector) pickEdge(trie uint32, role int, entered uint32) uint32 {
	if s.Chance[role] {
		return s.pickChance(trie)
	}
	if s.Reference != 0 && !s.together && !s.Proofs.Resisting {
		if id := s.pickByTable(trie, uint32(len(s.Edges)), entered); id != 0 {
			return id
		}
	}
	if s.Tree.Edges.Left(trie) > 0 {
		id := s.Tree.Edges.NewestEdge(trie)
		if s.Tree.Edges.Edge(id).Child != tree.Dead && s.Tree.Edges.VisitsInclVirtual(id) == 0 && !(s.Proofs.Proves() && s.Tree.Edges.IsProven(id)) {
			return id
		}
		s.Learner.PreferUntried(trie, role, s.prefix)
		if id = s.Tree.Edges.Open(trie, s.node == s.Tree.Root); id != 0 {
			return id
		}
	}
	if s.together && s.Rng.Below(uniformEvery) == 0 {
		return s.pickChance(trie)
	}
	bonus := s.bonus(entered)
	if s.Proofs.Resisting { // in what is proven as well, which the fronts leave out
		return s.pickAmong(trie, entered, bonus, true)
	}
	if s.Tree.Edges.HasBonuses {
		s.Proofs.Ranks.Rank(trie)
	}
	if s.Rave.Kind == stats.None {
		if id := s.pickShown(trie, tree.Weights{Exploration: float32(bonus), Bonus: float32(s.PNConstant)}); id != 0 || !s.Proofs.Proves() {
			return id
		}
	} else if id := s.pickAmong(trie, entered, bonus, !s.Proofs.Proves()); id != 0 || !s.Proofs.Proves() {
		return id
	}
	return s.pickAmong(trie, entered, bonus, true)
}

// bonus is what UCB1 adds to the mean of an edge with one visit, in a trie node that was
// entered so often; that of others is divided by the square root of their visits.
func (s *Selector) bonus(entered uint32) float64 {
	bonus := s.Exploration * tree.SqrtLog(entered)
	if s.together {
		// Exploration from none to twice the parameter, drawn for each role
		// and visit, keeps the roles from falling in step.
		bonus *= float64(s.Rng.Below(1<<16)) / (1 << 15)
	}
	return bonus
}

// pickShown chooses by UCB1, or UCT-PN, among the edges that are not done, by
// their fronts; 0 if there is none. Ties are drawn: by order, two roles would go
// in step.
func (s *Selector) pickShown(trie uint32, by tree.Weights) uint32 {
	best, ties := s.Tree.Edges.Scan(trie, by)
	if ties < 2 {
		return best
	}
	return s.Tree.Edges.NthBest(trie, by, best, s.Rng.Below(ties))
}

// pickAmong is pickShown where RAVE says something too, which is not in the
// fronts, or among all edges, done or not.
func (s *Selector) pickAmong(trie uint32, entered uint32, bonus float64, all bool) uint32 {
	best, bestScore, ties := uint32(0), math.Inf(-1), uint32(0)
	left := s.Tree.Edges.Opened(trie)
	constant := s.PNConstant
	for c := trie; left > 0; {
		at := s.Tree.Edges.Chunk(c)
		m := tree.Held(c == trie, left)
		proven := uint8(0)
		if !all {
			proven = s.Tree.Edges.ProvenOf(c)
		}
		var ranks *[tree.ChunkEdges]float32
		if s.Tree.Edges.HasBonuses && !s.Proofs.Resisting { // which looks for no proof
			ranks = s.Tree.Edges.BonusesOf(c)
		}
		edges := at.Edges[:m]
		for i := range edges {
			e := &edges[i]
			n := s.Tree.Edges.VisitsInclVirtual(tree.EdgeID(c, uint32(i)))
			if e.Child == tree.Dead || proven>>i&1 != 0 && tree.IsEnough(n) {
				continue
			}
			if n == 0 { // taken once by a lane that was given up
				return tree.EdgeID(c, uint32(i))
			}
			f := tree.FactorsOf(n)
			score := s.edgeValue(tree.EdgeID(c, uint32(i)), n, f.Inverse, entered) + bonus*f.InvSqrt
			if ranks != nil {
				score += constant * float64(ranks[i])
			}
			if score > bestScore {
				best, bestScore, ties = tree.EdgeID(c, uint32(i)), score, 1
			} else if score == bestScore {
				// Ties are drawn: by order, two roles would go in step.
				if ties++; s.Rng.Below(ties) == 0 {
					best = tree.EdgeID(c, uint32(i))
				}
			}
		}
		left -= m
		c = at.Next
	}
	return best
}

// pickOpen draws among the edges that there are and that are not dead; 0 if
// there is none.
func (s *Selector) pickOpen(trie uint32) (id uint32) {
	seen := uint32(0)
	s.Tree.Edges.EdgesOf(trie, func(i uint32, e *tree.Edge) bool {
		if e.Child != tree.Dead {
			if seen++; s.Rng.Below(seen) == 0 {
				id = i
			}
		}
		return true
	})
	return id
}

// pickChance draws among the semimoves that are not dead, uniformly; 0 when
// memory is out.
func (s *Selector) pickChance(trie uint32) uint32 {
	for {
		k := s.Rng.Below(s.Tree.Edges.SemimovesOf(trie))
		if k >= s.Tree.Edges.Opened(trie) {
			if id := s.Tree.Edges.Open(trie, s.node == s.Tree.Root); id != 0 {
				return id
			}
			return s.pickOpen(trie)
		}
		if id := s.Tree.Edges.NthEdge(trie, k); s.Tree.Edges.Edge(id).Child != tree.Dead {
			return id
		}
	}
}

// bonusOf is what UCT-PN adds to the score of an edge, where there are ranks.
func (s *Selector) bonusOf(id uint32) float64 {
	return s.PNConstant * float64(s.Tree.Edges.BonusesOf(id >> tree.PlaceBits)[id&tree.PlaceMask])
}

// edgeValue is the value of an edge for selection: its mean, with RAVE what its semimove
// is worth elsewhere, as long as the node was entered seldom, and with implicit minimax
// backups what it is worth as well.
func (s *Selector) edgeValue(id, visits uint32, inverse float64, entered uint32) float64 {
	value := s.Rave.Mixed(id, s.Tree.Edges.Edge(id).Sum()*inverse, entered)
	if s.Values.On {
		value = s.Values.Mixed(id, value, visits)
	}
	return value
}
