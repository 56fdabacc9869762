package mcts

import (
	"errors"
	"math/bits"
	"slices"

	"semisplit/search/tree"
)

// enter adds a node to the lane's path, with a virtual visit.
func (w *worker) enter(l *lane, n uint32) {
	l.nodes = append(l.nodes, n)
	w.selector.t.tree.Node(n).Virtual++
}

// commit adds the picked joint move to the lane's path, with virtual visits.
func (w *worker) commit(l *lane) {
	for _, id := range w.selector.picked {
		if tree.IsForced(id) {
			continue
		}
		w.selector.t.tree.Edges.EnterEdge(id)
	}
	l.edges = append(l.edges, w.selector.picked...)
}

// descend takes the lanes of w.going down the tree, until each has something
// to do or has reached a terminal node and is idle again. All go down by one
// node before any goes down by the next: what a round needs is touched ahead,
// so that the lanes wait for memory together: a tree is larger than the caches,
// and a descent is one miss after the other.
func (w *worker) descend() {
	for len(w.descending) > 0 && w.err == nil {
		if w.selector.t.tree.Index.Transposes() {
			w.crossAll()
		}
		w.enterNext()
		on := w.descending[:0]
		for _, number := range w.descending {
			if w.err == nil && w.down(&w.selector.lanes[number]) {
				on = append(on, number)
			}
		}
		w.descending = on
	}
}

// backUpClosed backs up the lanes that were to look at a node which was closed since.
func (w *worker) backUpClosed() {
	for i := range w.looking {
		for word := w.looking[i]; word != 0; word &= word - 1 {
			l := &w.selector.lanes[i*64+bits.TrailingZeros64(word)]
			if n := l.nodes[len(l.nodes)-1]; w.selector.t.tree.Node(n).Flags&tree.FlagTerminal != 0 {
				w.goals = w.selector.t.tree.Goals(n, w.goals)
				w.backup(l, w.goals, true)
			}
		}
	}
	w.closed = false
}

// down goes on from the last node of a lane's path by one joint move. False:
// the lane has something to do, or is idle.
func (w *worker) down(l *lane) bool {
	t := w.selector.t
	w.selector.at = l.nodes[len(l.nodes)-1]
	switch flags := t.tree.Node(w.selector.at).Flags; {
	case flags&(tree.FlagTerminal|tree.FlagSolved) == 0 || flags&tree.FlagTerminal == 0 && (w.selector.at == t.tree.Root || t.resisting):
	case flags&tree.FlagTerminal != 0:
		l.atNode = false
		w.goals = t.tree.Goals(w.selector.at, w.goals)
		w.keepLine(l, w.goals)
		w.backup(l, w.goals, true)
		return false
	default:
		l.atNode = false
		w.goals = t.proofs.ExactGoals(w.selector.at, w.goals)
		w.backup(l, w.goals, false)
		return false
	}
	number := -1
	if l.atNode {
		number, l.atNode = int(l.number), false
	}
	switch w.selector.pick(w.selector.at, number) {
	case needLook:
		w.turnTo(l, expanding)
		return false
	case full: // memory is out: the lane plays on from here
		l.begun, l.left = w.steps, w.steps
		w.turnTo(l, rollout)
		return false
	case over:
		if t.tree.Node(w.selector.at).Children > 0 {
			w.err = errors.New("search: the engine finds no legal move where it found one before")
			return false
		}
		w.selector.engine.Goals(number, w.goals)
		t.tree.EndNode(w.selector.at, w.goals)
		if t.values.On {
			w.selector.t.values.Set(w.selector.at, w.goals)
		}
		w.closed = true
		w.keepLine(l, w.goals)
		w.backup(l, w.goals, true)
		return false
	}
	w.commit(l)
	leaves := w.selector.leavesOf(w.selector.picked)
	var c uint32
	if nd := t.tree.Node(w.selector.at); t.options.Raw && slices.ContainsFunc(leaves, tree.IsUnstored) {
		c = 0
	} else if w.selector.singleMover && nd.Children > 0 {
		// Nobody else has a choice: the key's edge leads to one child.
		c = t.tree.Edges.Edge(leaves[nd.Key]).Child
	} else {
		c = t.tree.Child(w.selector.at, leaves)
	}
	if c == 0 {
		// With transpositions every state gets its node at once, since other joint
		// moves may lead to it.
		single := !t.tree.Index.Transposes()
		l.singleMover, l.firstVisit = single && w.selector.choosers <= 1, single && w.isFresh(leaves)
		w.turnTo(l, leaf)
		return false
	}
	l.nodes, l.entering = append(l.nodes, c), true
	return true
}

// isFresh tells whether the joint move with these leaves, which has just been
// committed, was never played before, nor is by another lane. Where several
// roles choose that is not known: then no joint move counts as fresh.
func (w *worker) isFresh(leaves []uint32) bool {
	if slices.ContainsFunc(leaves, tree.IsUnstored) {
		return true
	}
	if w.selector.choosers > 1 {
		return false
	}
	for _, id := range leaves {
		if tree.IsForced(id) {
			continue
		}
		if w.selector.t.tree.Edges.VisitsInclVirtual(id) <= 1 {
			return true
		}
	}
	return false
}

// giveUp takes a lane's virtual visits back.
func (w *worker) giveUp(l *lane) {
	for i, n := range l.nodes {
		if i < len(l.nodes)-1 || !l.entering {
			w.selector.t.tree.Node(n).Virtual--
		}
	}
	l.entering = false
	for _, a := range l.crossed {
		w.selector.t.tree.Node(a).Virtual--
	}
	for _, id := range l.edges {
		if !tree.IsForced(id) {
			w.selector.t.tree.Edges.LeaveEdge(id)
		}
	}
	w.turnTo(l, idle)
}
