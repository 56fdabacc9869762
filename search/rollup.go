package search

import "math"

// Roll-up (Split Moves for Monte-Carlo Tree Search, algorithm 3): as soon as
// all semimoves after a prefix were tried, and the prefix was visited often
// enough, the choice among them is made together with the choice of the
// prefix, as in an orthodox tree.
//
// Nothing is moved for that. The trie node is marked, and who chooses in a trie
// node above sees the edges of marked nodes below as its own. Their visits and
// sums are those that they would have after a move.
const rolledUp = ^uint32(0) // in place of chunk.untried, when nothing is left

func (s *store) isRolled(trie uint32) bool {
	return trie != 0 && trie != dead && s.chunks.At(trie).left == 0 && s.chunks.At(trie).untried == rolledUp
}

// mayRoll rolls a trie node up if it is time: with k edges, those of rolled-up
// nodes below counted in place of theirs, after factor * k visits. levels are
// those of the semimoves from this node on.
func (s *store) mayRoll(trie, visits uint32, levels int, factor float64) {
	if trie == 0 || trie == dead {
		return
	}
	h := s.chunks.At(trie)
	if h.left > 0 || h.untried == rolledUp || float64(visits) < factor*float64(h.count) {
		return
	}
	if k, tried := s.flatEdges(trie, levels); tried && float64(visits) >= factor*float64(k) {
		h.untried = rolledUp
	}
}

// rollUp rolls up what it can on a lane's path, from the bottom to the top.
func (w *worker) rollUp(l *lane) {
	t := w.t
	for i := len(l.edges) - 1; i >= 0; i-- {
		k := i % len(w.roleOf)
		if id := l.edges[i]; k+1 < len(w.roleOf) && w.roleOf[k+1] == w.roleOf[k] && id&forced == 0 {
			below := 1
			for k+below+1 < len(w.roleOf) && w.roleOf[k+below+1] == w.roleOf[k] {
				below++
			}
			e := t.edge(id)
			t.mayRoll(e.child, e.visits, below, t.options.MinSimulations)
		}
	}
}

// flatEdges counts the edges that are not dead, and says whether all were
// visited.
func (s *store) flatEdges(trie uint32, levels int) (count int, tried bool) {
	tried = true
	s.edgesOf(trie, func(_ uint32, e *edge) bool {
		switch {
		case e.child == dead:
		case levels > 1 && s.isRolled(e.child):
			n, _ := s.flatEdges(e.child, levels-1)
			count += n
		default:
			count++
			tried = tried && e.visits > 0
		}
		return tried
	})
	return count, tried
}

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
func (w *worker) pickRolled(trie uint32, role, level int, entered uint32) uint32 {
	f := &w.flat
	*f = flat{
		levels: w.t.levels[role] - level, entered: entered, bonus: w.t.options.Exploration * spreadOf(entered),
		score: math.Inf(-1), edges: f.edges[:0], tries: f.tries[:0],
	}
	if w.together {
		if w.random(stray) == 0 {
			w.chain.set(nil, nil)
			w.chain.tries = append(w.chain.tries, trie)
			return w.pickChance(trie)
		}
		f.bonus *= float64(w.random(1<<16)) / (1 << 15)
	}
	if w.scanFlat(trie); f.best == 0 {
		f.all = true
		w.scanFlat(trie)
	}
	return f.best
}

func (w *worker) scanFlat(trie uint32) {
	f, t := &w.flat, w.t
	if t.ranked {
		t.rank(trie)
	}
	deeper := len(f.edges) < f.levels-1
	t.edgesOf(trie, func(id uint32, e *edge) bool {
		if e.child == dead {
			return true
		}
		if deeper && t.isRolled(e.child) {
			f.edges, f.tries = append(f.edges, id), append(f.tries, trie)
			w.scanFlat(e.child)
			f.edges, f.tries = f.edges[:len(f.edges)-1], f.tries[:len(f.tries)-1]
			return true
		}
		if !f.all && t.proves() && t.isDone(id, e) {
			return true
		}
		score := math.Inf(1)
		if n := t.taken(id); n > 0 {
			inverse := newFactors(n)
			score = t.edgeValue(id, n, inverse.inverse, f.entered) + f.bonus*inverse.root
			if t.ranked {
				score += t.bonusOf(id)
			}
		}
		if score > f.score {
			f.ties = 0
		}
		if score >= f.score {
			if f.ties++; w.random(f.ties) == 0 {
				f.best, f.score = id, score
				w.chain.set(f.edges, f.tries)
				w.chain.tries = append(w.chain.tries, trie)
			}
		}
		return true
	})
}
