package mcts

import (
	"errors"
	"math/bits"
	"slices"

	"semisplit/search/engine"
	"semisplit/search/selection"
	"semisplit/search/tree"
)

// descent takes lanes down the tree.
type descent struct {
	*flight
	engine     engine.Engine
	selector   selection.Selector
	descending []int32 // lanes on their way down, or to go
	closed     bool    // a node was closed, at which other lanes may be about to look

	goals   []float64 // scratch
	touched uint32    // keeps the loads of touching ahead
}

// commit adds the picked joint move to the lane's path, with virtual visits.
func (d *descent) commit(l *lane) {
	for _, id := range d.selector.Edges {
		if tree.IsForced(id) {
			continue
		}
		d.tree.Edges.EnterEdge(id)
	}
	l.edges = append(l.edges, d.selector.Edges...)
}

// run takes the going lanes down the tree, until each has something
// to do or has reached a terminal node and is idle again. All go down by one
// node before any goes down by the next: what a round needs is touched ahead,
// so that the lanes wait for memory together: a tree is larger than the caches,
// and a descent is one miss after the other.
func (d *descent) run() {
	for len(d.descending) > 0 && d.fault == nil {
		if d.tree.Index.Transposes() {
			d.crossAll()
		}
		d.enterNext()
		on := d.descending[:0]
		for _, number := range d.descending {
			if d.fault == nil && d.down(&d.lanes[number]) {
				on = append(on, number)
			}
		}
		if d.descending = on; d.closed && len(on) == 0 {
			d.backUpClosed()
		}
	}
}

// backUpClosed backs up the lanes that were to look at a node which was closed since.
func (d *descent) backUpClosed() {
	for i := range d.looking {
		for word := d.looking[i]; word != 0; word &= word - 1 {
			l := &d.lanes[i*64+bits.TrailingZeros64(word)]
			if n := l.nodes[len(l.nodes)-1]; d.tree.Node(n).Flags&tree.FlagTerminal != 0 {
				d.goals = d.tree.Goals(n, d.goals)
				if d.finish(l, d.goals, true) {
					d.descending = append(d.descending, l.number)
				}
			}
		}
	}
	d.closed = false
}

// down goes on from the last node of a lane's path by one joint move. False:
// the lane has something to do, or is idle.
func (d *descent) down(l *lane) bool {
	n := l.nodes[len(l.nodes)-1]
	switch flags := d.tree.Node(n).Flags; {
	case flags&(tree.FlagTerminal|tree.FlagSolved) == 0 || flags&tree.FlagTerminal == 0 && (n == d.tree.Root || d.proofs.Resisting):
	case flags&tree.FlagTerminal != 0:
		l.atNode = false
		d.goals = d.tree.Goals(n, d.goals)
		return d.finish(l, d.goals, true)
	default:
		l.atNode = false
		d.goals = d.proofs.Bounds.ExactGoals(n, d.goals)
		return d.finish(l, d.goals, false)
	}
	number := -1
	if l.atNode {
		number, l.atNode = int(l.number), false
	}
	d.selector.Reference = l.reference
	switch d.selector.Pick(n, number) {
	case selection.Picked:
		d.commit(l)
		return d.goOn(l, n)
	case selection.NeedLook:
		d.turnTo(l, expanding)
	case selection.Full: // the lane plays on from here
		l.begun, l.left, l.stalls = d.steps, d.steps, 0
		d.turnTo(l, rollout)
	case selection.Over:
		return d.close(l, n)
	}
	return false
}

// close ends the game in a node where a role has no legal move. It returns what finish does.
func (d *descent) close(l *lane, n uint32) (again bool) {
	if d.tree.Node(n).Children > 0 {
		d.fault = errors.New("search: the engine finds no legal move where it found one before")
		return false
	}
	d.engine.Goals(int(l.number), d.goals)
	d.tree.EndNode(n, d.goals)
	if d.values.On {
		d.values.Set(n, d.goals)
	}
	d.closed = true
	return d.finish(l, d.goals, true)
}

// goOn takes a lane to the child of a node by the joint move that it has committed. False:
// there is none, and the lane leaves the tree.
func (d *descent) goOn(l *lane, n uint32) bool {
	leaves := d.leavesOf(d.selector.Edges)
	var c uint32
	if nd := d.tree.Node(n); d.options.Raw && slices.ContainsFunc(leaves, tree.IsUnstored) {
		c = 0
	} else if d.selector.SingleMover && nd.Children > 0 {
		// Nobody else has a choice: the key's edge leads to one child.
		c = d.tree.Edges.Edge(leaves[nd.Key]).Child
	} else {
		c = d.tree.Child(n, leaves)
	}
	if c == 0 {
		l.singleMover, l.firstVisit = d.selector.Choosers <= 1, d.isFresh(n, leaves)
		d.turnTo(l, leaf)
		return false
	}
	l.nodes, l.entering = append(l.nodes, c), true
	return true
}

// isFresh tells whether the joint move of a node with these leaves, which has just been
// committed, was never played before, nor is by another lane.
func (d *descent) isFresh(n uint32, leaves []uint32) bool {
	if slices.ContainsFunc(leaves, tree.IsUnstored) {
		return true
	}
	if d.selector.Choosers > 1 {
		return d.tree.Joint.IsFirst(n, leaves)
	}
	for _, id := range leaves {
		if tree.IsForced(id) {
			continue
		}
		if d.tree.Edges.VisitsInclVirtual(id) <= 1 {
			return true
		}
	}
	return false
}
