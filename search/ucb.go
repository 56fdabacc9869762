package search

import (
	"math"
	"math/bits"
)

// stray: where roles choose together, one choice in so many is drawn
// uniformly. Roles that all follow UCB1 fall in step: each sees a move beside
// one move of the other only. Matching pennies then came out at 0.80 for one
// side after 4,000 visits, and a prisoner's dilemma as 3,992 cooperations.
// A varying exploration (see pickEdge) leaves pennies at 0.30 to 0.70; with
// one stray choice in 64, 32, 16 as well it is off by 0.15, 0.12, 0.10 at most,
// and the error shrinks as visits grow.
const stray = 16

// pickEdge chooses among several semimoves of a trie node that was entered so
// often: one never taken if there is one, then by UCB1; 0 when memory is out and
// there is nothing to choose from. A lane in flight counts as a
// visit with a goal of 0 (virtual loss), or too many lanes follow each other:
// on Nim with heaps 2, 3, 4 and 3,000 iterations in 64 lanes the winning move
// was found in 11 of 20 searches, in 7 with lanes that count for exploration
// but not in the mean, in 16 with one lane.
func (w *worker) pickEdge(trie uint32, role int, entered uint32) uint32 {
	t := w.t
	h := t.chunks.At(trie)
	if w.t.options.Chance[role] {
		return w.pickChance(trie)
	}
	if h.left > 0 {
		id := t.lastEdge(trie)
		if t.edge(id).child != dead && t.taken(id) == 0 {
			return id
		}
		if m := w.learner.mast; m != nil && !m.PlainTree {
			w.preferUntried(trie, role)
		}
		if id = t.open(trie, w.at == t.root); id != 0 {
			return id
		}
	}
	if w.together && w.random(stray) == 0 {
		return w.pickChance(trie)
	}
	bonus := t.options.Exploration * spreadOf(entered)
	if w.together {
		// Exploration from none to twice the parameter, drawn for each role
		// and visit, keeps the roles from falling in step.
		bonus *= float64(w.random(1<<16)) / (1 << 15)
	}
	if t.ranked {
		t.rank(trie)
	}
	if !t.rave {
		if id := w.pickShown(trie, weights{float32(bonus), float32(t.options.PN.Constant)}); id != 0 || !t.proves() {
			return id
		}
	} else if id := w.pickAmong(trie, entered, bonus, !t.proves()); id != 0 || !t.proves() {
		return id
	}
	return w.pickAmong(trie, entered, bonus, true)
}

// pickShown chooses by UCB1, or UCT-PN, among the edges that are not done, by
// their fronts; 0 if there is none. Ties are drawn: by order, two roles would go
// in step.
func (w *worker) pickShown(trie uint32, by weights) uint32 {
	best, ties := w.t.scan(trie, by)
	if ties < 2 {
		return best
	}
	return w.t.nthBest(trie, by, best, w.random(ties))
}

// pickAmong is pickShown where RAVE says something too, which is not in the
// fronts, or among all edges, done or not.
func (w *worker) pickAmong(trie uint32, entered uint32, bonus float64, all bool) uint32 {
	t := w.t
	best, bestScore, ties := uint32(0), math.Inf(-1), uint32(0)
	left := t.chunks.At(trie).count
	constant := t.options.PN.Constant
	for c := trie; left > 0; {
		at := t.chunks.At(c)
		m := held(c == trie, left)
		settled := uint16(0)
		if !all {
			settled = *t.settled.At(c)
		}
		var ranks *[chunkEdges]float32
		if t.ranked {
			ranks = t.bonuses.At(c)
		}
		edges := at.edges[:m]
		for i := range edges {
			e := &edges[i]
			n := e.visits + uint32(at.virtual[i])
			if e.child == dead || settled>>i&1 != 0 && n >= settleVisits {
				continue
			}
			if n == 0 { // taken once by a lane that was given up
				return edgeID(c, uint32(i))
			}
			f := factorsOf(n)
			score := t.edgeValue(edgeID(c, uint32(i)), n, f.inverse, entered) + bonus*f.root
			if ranks != nil {
				score += constant * float64(ranks[i])
			}
			if score > bestScore {
				best, bestScore, ties = edgeID(c, uint32(i)), score, 1
			} else if score == bestScore {
				// Ties are drawn: by order, two roles would go in step.
				if ties++; w.random(ties) == 0 {
					best = edgeID(c, uint32(i))
				}
			}
		}
		left -= m
		c = at.next
	}
	return best
}

// factors are what UCB1 needs of a number of visits. Two divisions and a root
// for each edge were half the time of a search with short playouts.
type factors struct {
	inverse, root float64 // 1/n and 1/sqrt(n)
}

const tabledVisits = 4096

// logTable holds ln N.
var logTable = func() (t [tabledVisits]float64) {
	for n := range t {
		t[n] = math.Log(float64(max(n, 1)))
	}
	return t
}()

// spreadOf is sqrt(ln N), for the number of visits of a node. Of a number
// beyond the table the highest twelve bits count: the logarithm is off by less
// than 0.0005 then, the root by a thirty-thousandth.
func spreadOf(n uint32) float64 {
	if n < tabledVisits {
		return math.Sqrt(logTable[n])
	}
	shift := bits.Len32(n / tabledVisits)
	return math.Sqrt(logTable[n>>shift] + float64(shift)*math.Ln2)
}

var factorTable = func() (t [tabledVisits]factors) {
	for n := range t {
		t[n] = newFactors(uint32(n))
	}
	return t
}()

func factorsOf(n uint32) factors {
	if n < tabledVisits {
		return factorTable[n]
	}
	return newFactors(n)
}

func newFactors(n uint32) factors {
	inverse := 1 / float64(n)
	return factors{inverse, math.Sqrt(inverse)}
}

// measure notes in a node whether several roles choose at its first level.
func (t *Tree) measure(n uint32) {
	choosers := 0
	for r, trie := range t.tries(n) {
		if trie == 0 || trie&forced != 0 {
			continue
		}
		if t.chunks.At(trie).total() > 1 && !t.options.Chance[r] {
			choosers++
		}
	}
	nd := t.nodes.At(n)
	nd.flags &^= flagTogether
	if choosers > 1 {
		nd.flags |= flagTogether
	}
}

// pickOpen draws among the edges that there are and that are not dead; 0 if
// there is none.
func (w *worker) pickOpen(trie uint32) (id uint32) {
	seen := uint32(0)
	w.t.edgesOf(trie, func(i uint32, e *edge) bool {
		if e.child != dead {
			if seen++; w.random(seen) == 0 {
				id = i
			}
		}
		return true
	})
	return id
}

// pickChance draws among the semimoves that are not dead, uniformly; 0 when
// memory is out.
func (w *worker) pickChance(trie uint32) uint32 {
	for {
		h := w.t.chunks.At(trie)
		k := w.random(h.total())
		if k >= h.count {
			if id := w.t.open(trie, w.at == w.t.root); id != 0 {
				return id
			}
			return w.pickOpen(trie)
		}
		c, left := trie, h.count
		for m := held(true, left); k >= m; m = held(false, left) {
			k, left, c = k-m, left-m, w.t.chunks.At(c).next
		}
		if id := edgeID(c, k); w.t.edge(id).child != dead {
			return id
		}
	}
}
