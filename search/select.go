package search

import (
	"errors"
	"math"
	"math/bits"
	"slices"
)

type outcome uint8

const (
	picked   outcome = iota // worker.picked is a joint move
	needLook                // a trie must grow: the engine has to look at the state
	full                    // a trie must grow and memory is out
	over                    // a role has no legal move: the game ends here
)

// random is a draw below n.
func (w *worker) random(n uint32) uint32 {
	hi, _ := bits.Mul64(w.rng.Uint64(), uint64(n))
	return uint32(hi)
}

// pick chooses a joint move in node n, each role for itself (decoupled UCT),
// into w.picked and w.pickedTries. lane is one that is at the state of n, or
// -1 if none is. Tries may grow, but no visits change.
func (w *worker) pick(n uint32, lane int) outcome {
	w.picked, w.pickedTries = w.picked[:0], w.pickedTries[:0]
	w.sole = true
	key := int(w.t.nodes.at(n).key)
	for r := range w.t.levels {
		w.choice = false
		if out := w.pickRole(n, r, lane); out != picked {
			return out
		}
		w.sole = w.sole && (!w.choice || r == key)
	}
	return picked
}

// pickRole walks down the trie of one role. A prefix that turns out to be
// dead is marked and the walk starts again at the top.
func (w *worker) pickRole(n uint32, r, lane int) outcome {
	t := w.t
	nd := t.nodes.at(n)
	base := len(w.picked)
	w.together = nd.flags&flagTogether != 0
	for {
		w.choice = false
		w.picked, w.pickedTries, w.prefix = w.picked[:base], w.pickedTries[:base], w.prefix[:0]
		link := &t.tries(n)[r]
		if *link&forced != 0 {
			return w.pickForced(*link)
		}
		visits := nd.visits + nd.virtual
		complete := true
		for len(w.prefix) < t.levels[r] {
			if *link == 0 {
				if lane < 0 {
					return needLook
				}
				w.offersAfter(lane, r)
				if len(w.offers) == 0 {
					complete = false
					break
				}
				if len(w.prefix) == 0 && t.mayForce(n, r, w.offers) {
					*link = forced | w.offers[0]
					return w.pickForced(*link)
				}
				if !w.expand(link, n == t.root) {
					return full
				}
				if len(w.prefix) == 0 {
					t.measure(n)
				}
			}
			id := edgeID(*link, 0)
			if t.chunks.at(*link).total() > 1 {
				w.choice = true
				if t.options.RollUp && t.chunks.at(*link).left == 0 && !t.options.Chance[r] {
					id = w.pickRolled(*link, r, len(w.prefix), visits)
					link = w.takeChain(link)
				} else {
					id = w.pickEdge(*link, r, visits)
				}
				if id == 0 && lane < 0 {
					return needLook // to play on from there
				} else if id == 0 {
					return full
				}
			}
			e := t.edge(id)
			w.picked = append(w.picked, id)
			w.pickedTries = append(w.pickedTries, *link)
			w.prefix = append(w.prefix, e.semimove)
			link, visits = &e.child, e.visits+e.virtual
			if t.options.Raw && visits == 0 && len(w.prefix) < t.levels[r] {
				if lane < 0 {
					return needLook
				}
				if complete = w.completeLoose(lane, r); !complete {
					break
				}
			}
		}
		if complete {
			return picked
		}
		if !w.bury(base) {
			return over
		}
	}
}

// takeChain picks the edges of w.chain, and returns the link to the last of its
// trie nodes, in which the choice is.
func (w *worker) takeChain(link *uint32) *uint32 {
	for _, id := range w.chain.edges {
		w.picked = append(w.picked, id)
		w.pickedTries = append(w.pickedTries, *link)
		e := w.t.edge(id)
		w.prefix = append(w.prefix, e.semimove)
		link = &e.child
	}
	return link
}

func (w *worker) pickForced(id uint32) outcome {
	w.picked = append(w.picked, id)
	w.pickedTries = append(w.pickedTries, id)
	return picked
}

// expand makes a trie node of w.offers. The semimoves are shuffled: they are
// tried in the order in which they lie.
func (w *worker) expand(link *uint32, force bool) bool {
	for i := len(w.offers) - 1; i > 0; i-- {
		j := w.random(uint32(i + 1))
		w.offers[i], w.offers[j] = w.offers[j], w.offers[i]
	}
	trie, ok := w.t.newTrie(w.offers, force)
	if ok {
		*link = trie
	}
	return ok
}

// bury marks the edge that led to a dead prefix, and those above it that have
// no other edge below them; false if that reaches the top.
func (w *worker) bury(base int) bool {
	for i := len(w.picked) - 1; i >= base; i-- {
		if isLoose(w.picked[i]) {
			continue
		}
		w.t.edge(w.picked[i]).child = dead
		alive := w.t.chunks.at(w.pickedTries[i]).left > 0
		if alive {
			return true
		}
		w.t.edgesOf(w.pickedTries[i], func(_ uint32, e *edge) bool {
			alive = e.child != dead
			return !alive
		})
		if alive {
			return true
		}
		// The trie node above will hold dead in place of this one.
		w.t.dropChain(w.pickedTries[i])
		if i == base {
			// The top goes on living empty-handed: the next visit looks again.
			w.t.tries(w.at)[w.roleOf[i]] = 0
			w.t.measure(w.at)
		}
	}
	return false
}

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
	h := t.chunks.at(trie)
	if w.t.options.Chance[role] {
		return w.pickChance(trie)
	}
	if h.left > 0 {
		id := t.lastEdge(trie)
		if e := t.edge(id); e.child != dead && e.visits+e.virtual == 0 {
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
	best, bestScore, ties := uint32(0), math.Inf(-1), uint32(0)
	left := h.count
	for c := trie; left > 0; {
		at := t.chunks.at(c)
		m := held(c == trie, left)
		edges := at.edges[:m]
		for i := range edges {
			e := &edges[i]
			if e.child == dead {
				continue
			}
			n := e.visits + e.virtual
			var f factors
			switch {
			case n == 0: // taken once by a lane that was given up
				return edgeID(c, uint32(i))
			case n < tabledVisits:
				f = factorTable[n]
			default:
				f = newFactors(n)
			}
			score := e.sum * f.inverse
			if t.rave {
				score = t.edgeValue(edgeID(c, uint32(i)), e, f.inverse, entered)
			}
			score += bonus * f.root
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
		if t.chunks.at(trie).total() > 1 && !t.options.Chance[r] {
			choosers++
		}
	}
	nd := t.nodes.at(n)
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
		h := w.t.chunks.at(trie)
		k := w.random(h.total())
		if k >= h.count {
			if id := w.t.open(trie, w.at == w.t.root); id != 0 {
				return id
			}
			return w.pickOpen(trie)
		}
		c, left := trie, h.count
		for m := held(true, left); k >= m; m = held(false, left) {
			k, left, c = k-m, left-m, w.t.chunks.at(c).next
		}
		if id := edgeID(c, k); w.t.edge(id).child != dead {
			return id
		}
	}
}

// mean is the mean value over the first edges of a role, one half without visits.
func (s *store) mean(n uint32, r int) float64 {
	var sum float64
	var visits uint32
	trie := s.tries(n)[r]
	if trie&forced != 0 {
		e := s.forcedEdge(n, r)
		sum, visits, trie = e.sum, e.visits, 0
	}
	s.edgesOf(trie, func(_ uint32, e *edge) bool {
		sum += e.sum
		visits += e.visits
		return true
	})
	if visits == 0 {
		return 0.5
	}
	return sum / float64(visits)
}

// enter adds a node to the lane's path, with a virtual visit.
func (w *worker) enter(l *lane, n uint32) {
	l.nodes = append(l.nodes, n)
	w.t.nodes.at(n).virtual++
}

// commit adds the picked joint move to the lane's path, with virtual visits.
func (w *worker) commit(l *lane) {
	for _, id := range w.picked {
		if id&forced != 0 {
			continue
		}
		w.t.edge(id).virtual++
	}
	l.edges = append(l.edges, w.picked...)
}

// leavesOf gives the last edge of each role in a joint move of edges.
func (w *worker) leavesOf(edges []uint32) []uint32 {
	w.leafBuf = w.leafBuf[:0]
	i := 0
	for _, levels := range w.t.levels {
		i += levels
		w.leafBuf = append(w.leafBuf, edges[i-1])
	}
	return w.leafBuf
}

// descend takes the lanes of w.going down the tree, until each has something
// to do or has reached a terminal node and is idle again. All go down by one
// node before any goes down by the next: what a round needs is touched ahead,
// so that the lanes wait for memory together: a tree is larger than the caches,
// and a descent is one miss after the other.
func (w *worker) descend() {
	for len(w.going) > 0 && w.err == nil {
		w.enterNext()
		on := w.going[:0]
		for _, number := range w.going {
			if w.err == nil && w.down(&w.lanes[number]) {
				on = append(on, number)
			}
		}
		w.going = on
	}
}

// settle backs up the lanes that were to look at a node which was closed since.
func (w *worker) settle() {
	for i := range w.looking {
		for word := w.looking[i]; word != 0; word &= word - 1 {
			l := &w.lanes[i*64+bits.TrailingZeros64(word)]
			if n := l.nodes[len(l.nodes)-1]; w.t.nodes.at(n).flags&flagTerminal != 0 {
				w.goals = w.t.goals(n, w.goals)
				w.backup(l, w.goals)
			}
		}
	}
	w.closed = false
}

// down goes on from the last node of a lane's path by one joint move. False:
// the lane has something to do, or is idle.
func (w *worker) down(l *lane) bool {
	t := w.t
	w.at = l.nodes[len(l.nodes)-1]
	if t.nodes.at(w.at).flags&flagTerminal != 0 {
		w.goals = t.goals(w.at, w.goals)
		w.backup(l, w.goals)
		return false
	}
	number := -1
	if l.there {
		number, l.there = int(l.number), false
	}
	switch w.pick(w.at, number) {
	case needLook:
		w.turnTo(l, look)
		return false
	case full: // memory is out: the lane plays on from here
		l.begun, l.left = w.steps, w.steps
		w.turnTo(l, play)
		return false
	case over:
		if t.nodes.at(w.at).children > 0 {
			w.err = errors.New("search: the engine finds no legal move where it found one before")
			return false
		}
		w.engine.Goals(number, w.goals)
		t.close(w.at, w.goals)
		w.closed = true
		w.backup(l, w.goals)
		return false
	}
	w.commit(l)
	leaves := w.leavesOf(w.picked)
	var c uint32
	if nd := t.nodes.at(w.at); t.options.Raw && slices.ContainsFunc(leaves, isLoose) {
		c = 0
	} else if w.sole && nd.children > 0 {
		// Nobody else has a choice: the key's edge leads to one child.
		c = t.edge(leaves[nd.key]).child
	} else {
		c = t.child(w.at, leaves)
	}
	if c == 0 {
		w.turnTo(l, leave)
		return false
	}
	l.nodes, l.entering = append(l.nodes, c), true
	return true
}

// backup adds a result to everything on the lane's path. The lane is idle then.
func (w *worker) backup(l *lane, values []float64) {
	t := w.t
	for _, n := range l.nodes {
		nd := t.nodes.at(n)
		nd.visits++
		nd.virtual--
	}
	for i, k, n := 0, 0, 0; i < len(l.edges); i++ {
		r := w.roleOf[k]
		switch id := l.edges[i]; {
		case isLoose(id):
		case id&forced != 0:
			t.nodes.at(l.nodes[n]).sums[r] += values[r]
		default:
			e := t.edge(id)
			e.visits++
			e.virtual--
			e.sum += values[r]
		}
		if k++; k == len(w.roleOf) {
			k, n = 0, n+1
		}
	}
	if t.options.RollUp {
		w.rollUp(l)
	}
	w.learn(l, values)
	w.turnTo(l, idle)
	t.done++
}

// giveUp takes a lane's virtual visits back.
func (w *worker) giveUp(l *lane) {
	for i, n := range l.nodes {
		if i < len(l.nodes)-1 || !l.entering {
			w.t.nodes.at(n).virtual--
		}
	}
	l.entering = false
	for _, id := range l.edges {
		if id&forced == 0 {
			w.t.edge(id).virtual--
		}
	}
	w.turnTo(l, idle)
}

// goals of a terminal node.
func (t *Tree) goals(n uint32, dst []float64) []float64 {
	nd := t.nodes.at(n)
	dst = dst[:0]
	left := int(nd.words)
	for c := nd.state; c != 0; c = t.cells.at(c).next {
		at := t.cells.at(c)
		for i := range min(left, cellWords) {
			dst = append(dst, math.Float64frombits(at.words[i]))
		}
		left -= cellWords
	}
	return dst
}
