package search

import (
	"errors"
	"math"
	"math/bits"
	"slices"
)

// mean is the mean value over the first edges of a role, one half without visits.
func (s *store) mean(n uint32, r int) float64 {
	var sum float64
	var visits uint32
	trie := s.tries(n)[r]
	if trie&forced != 0 {
		e := s.forcedEdge(n, r)
		sum, visits, trie = e.sum(), e.visits, 0
	}
	s.edgesOf(trie, func(_ uint32, e *edge) bool {
		sum += e.sum()
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
	w.t.nodes.At(n).virtual++
}

// commit adds the picked joint move to the lane's path, with virtual visits.
func (w *worker) commit(l *lane) {
	for _, id := range w.picked {
		if id&forced != 0 {
			continue
		}
		w.t.enterEdge(id)
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
		if w.t.transposes() {
			w.crossAll()
		}
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
			if n := l.nodes[len(l.nodes)-1]; w.t.nodes.At(n).flags&flagTerminal != 0 {
				w.goals = w.t.goals(n, w.goals)
				w.backUpEnd(l, w.goals)
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
	switch flags := t.nodes.At(w.at).flags; {
	case flags&(flagTerminal|flagSolved) == 0 || flags&flagTerminal == 0 && w.at == t.root:
	case flags&flagTerminal != 0:
		l.there = false
		w.goals = t.goals(w.at, w.goals)
		w.keepLine(l, w.goals)
		w.backUpEnd(l, w.goals)
		return false
	default:
		l.there = false
		w.goals = t.exactly(w.at, w.goals)
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
		if t.nodes.At(w.at).children > 0 {
			w.err = errors.New("search: the engine finds no legal move where it found one before")
			return false
		}
		w.engine.Goals(number, w.goals)
		t.close(w.at, w.goals)
		if t.valued {
			w.setWorth(w.at, w.goals)
		}
		w.closed = true
		w.keepLine(l, w.goals)
		w.backUpEnd(l, w.goals)
		return false
	}
	w.commit(l)
	leaves := w.leavesOf(w.picked)
	var c uint32
	if nd := t.nodes.At(w.at); t.options.Raw && slices.ContainsFunc(leaves, isLoose) {
		c = 0
	} else if w.sole && nd.children > 0 {
		// Nobody else has a choice: the key's edge leads to one child.
		c = t.edge(leaves[nd.key]).child
	} else {
		c = t.child(w.at, leaves)
	}
	if c == 0 {
		// With transpositions every state gets its node at once, since other joint
		// moves may lead to it.
		single := !t.transposes()
		l.sole, l.fresh = single && w.choosers <= 1, single && w.isFresh(leaves)
		w.turnTo(l, leave)
		return false
	}
	l.nodes, l.entering = append(l.nodes, c), true
	return true
}

// isFresh tells whether the joint move with these leaves, which has just been
// committed, was never played before, nor is by another lane. Where several
// roles choose that is not known: then no joint move counts as fresh.
func (w *worker) isFresh(leaves []uint32) bool {
	if slices.ContainsFunc(leaves, isLoose) {
		return true
	}
	if w.choosers > 1 {
		return false
	}
	for _, id := range leaves {
		if id&forced != 0 {
			continue
		}
		if w.t.taken(id) <= 1 {
			return true
		}
	}
	return false
}

// backup adds a result to everything on the lane's path. The lane is idle then.
func (w *worker) backup(l *lane, values []float64) {
	t := w.t
	for _, n := range l.nodes {
		nd := t.nodes.At(n)
		nd.visits++
		nd.virtual--
	}
	for _, a := range l.crossed {
		nd := t.nodes.At(a)
		nd.visits++
		nd.virtual--
	}
	if t.options.Knowledge.MaxBackup > 0 {
		w.backUpMaxima(l, values)
	} else {
		for i, k, n := 0, 0, 0; i < len(l.edges); i++ {
			r := w.roleOf[k]
			switch id := l.edges[i]; {
			case isLoose(id):
			case id&forced != 0:
				t.nodes.At(l.nodes[n]).sums[r] += values[r]
			default:
				t.addResult(id, values[r])
			}
			if k++; k == len(w.roleOf) {
				k, n = 0, n+1
			}
		}
	}
	if n := len(l.nodes); l.sole && n*len(w.roleOf) == len(l.edges) {
		w.countLate(l.nodes[n-1], l.edges[len(l.edges)-len(w.roleOf):])
	}
	if t.valued {
		w.backUpWorth(l)
	}
	if t.options.RollUp {
		w.rollUp(l)
	}
	w.learn(l, values)
	if t.proves() {
		w.prove(l)
	}
	w.turnTo(l, idle)
	t.done++
}

// countLate counts a visit of the node that a joint move leads to, if there is
// one: for a lane that left the tree with it before another lane made the node.
func (w *worker) countLate(parent uint32, joint []uint32) {
	if w.t.nodes.At(parent).children == 0 {
		return
	}
	leaves := w.leavesOf(joint)
	if slices.ContainsFunc(leaves, isLoose) {
		return
	}
	if c := w.t.child(parent, leaves); c != 0 {
		w.t.nodes.At(c).visits++
	}
}

// giveUp takes a lane's virtual visits back.
func (w *worker) giveUp(l *lane) {
	for i, n := range l.nodes {
		if i < len(l.nodes)-1 || !l.entering {
			w.t.nodes.At(n).virtual--
		}
	}
	l.entering = false
	for _, a := range l.crossed {
		w.t.nodes.At(a).virtual--
	}
	for _, id := range l.edges {
		if id&forced == 0 {
			w.t.leaveEdge(id)
		}
	}
	w.turnTo(l, idle)
}

// goals of a terminal node.
func (t *Tree) goals(n uint32, dst []float64) []float64 {
	nd := t.nodes.At(n)
	dst = dst[:0]
	left := int(nd.words)
	for c := nd.state; c != 0; c = t.cells.At(c).next {
		at := t.cells.At(c)
		for i := range min(left, cellWords) {
			dst = append(dst, math.Float64frombits(at.words[i]))
		}
		left -= cellWords
	}
	return dst
}
