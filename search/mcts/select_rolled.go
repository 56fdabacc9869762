package mcts

import (
	"math"

	"semisplit/search/tree"
)

// chain is edges from a trie node down to one that is chosen as one of its
// own, with the trie nodes that they are in.
type chain struct{ edges, tries []uint32 }

func (c *chain) set(edges, tries []uint32) {
	c.edges = append(c.edges[:0], edges...)
	c.tries = append(c.tries[:0], tries...)
}

// flat is the state of a choice among edges of several trie nodes.
type flat struct {
	levels       int // of the role
	entered      uint32
	bonus        float64
	best         uint32
	score        float64
	ties         uint32
	edges, tries []uint32 // on the way down
	all          bool     // what is proven too
}

// pickRolled is pickEdge over the edges of a trie node, at a level of role, and
// of the rolled-up ones below. The edges of the choice but the last are left
// in w.chain, with all their trie nodes.
func (w *selector) pickRolled(trie uint32, role, level int, entered uint32) uint32 {
	f := &w.flat
	*f = flat{
		levels: w.t.tree.Levels[role] - level, entered: entered, bonus: w.t.options.Exploration * tree.SqrtLog(entered),
		score: math.Inf(-1), edges: f.edges[:0], tries: f.tries[:0], all: w.t.resisting,
	}
	if w.together {
		if w.rng.Below(uniformEvery) == 0 {
			w.chain.set(nil, nil)
			w.chain.tries = append(w.chain.tries, trie)
			return w.pickChance(trie)
		}
		f.bonus *= float64(w.rng.Below(1<<16)) / (1 << 15)
	}
	if w.scanFlat(trie); f.best == 0 {
		f.all = true
		w.scanFlat(trie)
	}
	return f.best
}

func (w *selector) scanFlat(trie uint32) {
	f, t := &w.flat, w.t
	ranked := t.tree.Edges.HasBonuses && !t.resisting
	if ranked {
		t.proofs.Ranks.Rank(trie)
	}
	deeper := len(f.edges) < f.levels-1
	t.tree.Edges.EdgesOf(trie, func(id uint32, e *tree.Edge) bool {
		if e.Child == tree.Dead {
			return true
		}
		if deeper && t.tree.Edges.IsRolled(e.Child) {
			f.edges, f.tries = append(f.edges, id), append(f.tries, trie)
			w.scanFlat(e.Child)
			f.edges, f.tries = f.edges[:len(f.edges)-1], f.tries[:len(f.tries)-1]
			return true
		}
		if !f.all && t.proofs.Proves() && t.tree.Edges.IsDone(id) {
			return true
		}
		score := math.Inf(1)
		if n := t.tree.Edges.VisitsInclVirtual(id); n > 0 {
			inverse := tree.FactorsOf(n)
			score = t.edgeValue(id, n, inverse.Inverse, f.entered) + f.bonus*inverse.InvSqrt
			if ranked {
				score += t.bonusOf(id)
			}
		}
		if score > f.score {
			f.ties = 0
		}
		if score >= f.score {
			if f.ties++; w.rng.Below(f.ties) == 0 {
				f.best, f.score = id, score
				w.chain.set(f.edges, f.tries)
				w.chain.tries = append(w.chain.tries, trie)
			}
		}
		return true
	})
}
