package mcts

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
func (w *selector) pickEdge(trie uint32, role int, entered uint32) uint32 {
	t := w.t
	if w.t.options.Chance[role] {
		return w.pickChance(trie)
	}
	if t.tree.Edges.Left(trie) > 0 {
		id := t.tree.Edges.NewestEdge(trie)
		if t.tree.Edges.Edge(id).Child != tree.Dead && t.tree.Edges.VisitsInclVirtual(id) == 0 {
			return id
		}
		w.learner.PreferUntried(trie, role, w.prefix)
		if id = t.tree.Edges.Open(trie, w.at == t.tree.Root); id != 0 {
			return id
		}
	}
	if w.together && w.rng.Below(uniformEvery) == 0 {
		return w.pickChance(trie)
	}
	bonus := t.options.Exploration * tree.SqrtLog(entered)
	if w.together {
		// Exploration from none to twice the parameter, drawn for each role
		// and visit, keeps the roles from falling in step.
		bonus *= float64(w.rng.Below(1<<16)) / (1 << 15)
	}
	if t.resisting { // in what is proven as well, which the fronts leave out
		return w.pickAmong(trie, entered, bonus, true)
	}
	if t.tree.Edges.HasBonuses {
		t.proofs.Ranks.Rank(trie)
	}
	if t.options.Rave.Kind == stats.None {
		if id := w.pickShown(trie, tree.Weights{Exploration: float32(bonus), Bonus: float32(t.options.PN.Constant)}); id != 0 || !t.proofs.Proves() {
			return id
		}
	} else if id := w.pickAmong(trie, entered, bonus, !t.proofs.Proves()); id != 0 || !t.proofs.Proves() {
		return id
	}
	return w.pickAmong(trie, entered, bonus, true)
}

// pickShown chooses by UCB1, or UCT-PN, among the edges that are not done, by
// their fronts; 0 if there is none. Ties are drawn: by order, two roles would go
// in step.
func (w *selector) pickShown(trie uint32, by tree.Weights) uint32 {
	best, ties := w.t.tree.Edges.Scan(trie, by)
	if ties < 2 {
		return best
	}
	return w.t.tree.Edges.NthBest(trie, by, best, w.rng.Below(ties))
}

// pickAmong is pickShown where RAVE says something too, which is not in the
// fronts, or among all edges, done or not.
func (w *selector) pickAmong(trie uint32, entered uint32, bonus float64, all bool) uint32 {
	t := w.t
	best, bestScore, ties := uint32(0), math.Inf(-1), uint32(0)
	left := t.tree.Edges.Opened(trie)
	constant := t.options.PN.Constant
	for c := trie; left > 0; {
		at := t.tree.Edges.Chunk(c)
		m := tree.Held(c == trie, left)
		proven := uint8(0)
		if !all {
			proven = t.tree.Edges.ProvenOf(c)
		}
		var ranks *[tree.ChunkEdges]float32
		if t.tree.Edges.HasBonuses && !t.resisting { // which looks for no proof
			ranks = t.tree.Edges.BonusesOf(c)
		}
		edges := at.Edges[:m]
		for i := range edges {
			e := &edges[i]
			n := t.tree.Edges.VisitsInclVirtual(tree.EdgeID(c, uint32(i)))
			if e.Child == tree.Dead || proven>>i&1 != 0 && n >= tree.ProvenVisits {
				continue
			}
			if n == 0 { // taken once by a lane that was given up
				return tree.EdgeID(c, uint32(i))
			}
			f := tree.FactorsOf(n)
			score := t.edgeValue(tree.EdgeID(c, uint32(i)), n, f.Inverse, entered) + bonus*f.InvSqrt
			if ranks != nil {
				score += constant * float64(ranks[i])
			}
			if score > bestScore {
				best, bestScore, ties = tree.EdgeID(c, uint32(i)), score, 1
			} else if score == bestScore {
				// Ties are drawn: by order, two roles would go in step.
				if ties++; w.rng.Below(ties) == 0 {
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
func (w *selector) pickOpen(trie uint32) (id uint32) {
	seen := uint32(0)
	w.t.tree.Edges.EdgesOf(trie, func(i uint32, e *tree.Edge) bool {
		if e.Child != tree.Dead {
			if seen++; w.rng.Below(seen) == 0 {
				id = i
			}
		}
		return true
	})
	return id
}

// pickChance draws among the semimoves that are not dead, uniformly; 0 when
// memory is out.
func (w *selector) pickChance(trie uint32) uint32 {
	for {
		k := w.rng.Below(w.t.tree.Edges.SemimovesOf(trie))
		if k >= w.t.tree.Edges.Opened(trie) {
			if id := w.t.tree.Edges.Open(trie, w.at == w.t.tree.Root); id != 0 {
				return id
			}
			return w.pickOpen(trie)
		}
		if id := w.t.tree.Edges.NthEdge(trie, k); w.t.tree.Edges.Edge(id).Child != tree.Dead {
			return id
		}
	}
}

// bonusOf is what UCT-PN adds to the score of an edge, where there are ranks.
func (t *searcher) bonusOf(id uint32) float64 {
	return t.options.PN.Constant * float64(t.tree.Edges.BonusesOf(id >> tree.PlaceBits)[id&tree.PlaceMask])
}

// edgeValue is the value of an edge for selection: its mean, with RAVE what its semimove
// is worth elsewhere, as long as the node was entered seldom, and with implicit minimax
// backups what it is worth as well.
func (t *searcher) edgeValue(id, visits uint32, inverse float64, entered uint32) float64 {
	value := t.rave.Mixed(id, t.tree.Edges.Edge(id).Sum()*inverse, entered)
	if t.values.On {
		value = t.values.Mixed(id, value, visits)
	}
	return value
}
