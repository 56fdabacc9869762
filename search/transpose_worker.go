package search

import "slices"

// longestPath bounds the nodes on a path that crosses aliases. In a game that
// does not count its moves, a descent could wander through the whole tree.
const longestPath = 1000

// repeats says whether a lane's path must not go on in a node, since it has
// been there, or is too long.
func (l *lane) repeats(n uint32) bool {
	return len(l.nodes) >= longestPath || slices.Contains(l.nodes, n)
}

// meet is worker.arrive where there are transpositions, for a state that is not
// terminal. True: the state was known, and the lane goes on from its node.
func (w *worker) meet(l *lane, parent uint32, leaves []uint32) (known bool) {
	t := w.t
	n := t.child(parent, leaves)
	switch {
	case n == 0 || t.isAlias(n) && t.target(n) == 0:
		hash := hashState(l.state)
		if x := t.lookup(l.state, hash); x != 0 {
			return w.meetNode(l, parent, leaves, n, x)
		}
		if n = w.newcomer(parent, leaves, n, hash, l.state); n == 0 {
			return false
		}
	case t.isAlias(n):
		return w.cross(l, n)
	case l.repeats(n):
		return false
	}
	w.enter(l, n)
	return false
}

// newcomer makes the node of a state that the tree does not hold, in the place
// of an alias that stands for nothing, if there is one; 0 when memory is out.
func (w *worker) newcomer(parent uint32, leaves []uint32, alias, hash uint32, state []uint64) uint32 {
	t := w.t
	if alias != 0 {
		nd := t.nodes.at(alias)
		nd.virtual++ // keeps it from the sweep
		first, ok := t.newCells(state, false)
		nd.virtual--
		if !ok {
			return 0
		}
		nd.state, nd.words, nd.flags = first, uint32(len(state)), nd.flags&^flagAlias
		t.enroll(alias, hash)
		return alias
	}
	n := t.newNode(state, 0, false)
	if n != 0 {
		t.enroll(n, hash)
		t.adopt(parent, n, leaves)
	}
	return n
}

// meetNode is meet for a state that has the node x. alias stands for nothing,
// and is in the place; 0: nothing is there.
func (w *worker) meetNode(l *lane, parent uint32, leaves []uint32, alias, x uint32) (known bool) {
	t := w.t
	switch {
	case alias != 0:
		t.join(alias, x)
	case t.inTree(x):
		if alias = t.newAlias(x); alias == 0 {
			return false
		}
		t.adopt(parent, alias, leaves)
	default:
		t.detach(x)
		t.nodes.at(x).flags |= flagShared
		t.adopt(parent, x, leaves)
		t.crossings.at(x).epoch = t.epoch
		w.enter(l, x)
		return true
	}
	return w.cross(l, alias)
}

// cross takes a lane over an alias, the next on its path. False: the lane has
// been where it leads, and plays on from there.
func (w *worker) cross(l *lane, a uint32) bool {
	t := w.t
	x := t.target(a)
	if !t.inTree(x) {
		t.takePlace(x, a)
		w.enter(l, x)
		return true
	}
	l.crossed = append(l.crossed, a)
	t.nodes.at(a).virtual++
	if l.repeats(x) {
		return false
	}
	w.enter(l, x)
	return true
}

// crossAll takes the going lanes that have chosen an alias to its node. A lane
// that has been there already plays the joint move and goes on at random.
func (w *worker) crossAll() {
	t := w.t
	on := w.going[:0]
	for _, number := range w.going {
		l := &w.lanes[number]
		if !l.entering {
			on = append(on, number)
			continue
		}
		last := len(l.nodes) - 1
		c := l.nodes[last]
		nd := t.nodes.at(c)
		if nd.flags&flagUsed == 0 { // another lane has moved the node to the alias's place
			c = t.child(l.nodes[last-1], w.leavesOf(l.edges[len(l.edges)-len(w.roleOf):]))
			nd = t.nodes.at(c)
			l.nodes[last] = c
		}
		if nd.flags&flagAlias == 0 && len(l.crossed) == 0 {
			on = append(on, number)
			continue
		}
		l.nodes, l.entering = l.nodes[:last], false
		switch x := t.resolve(c); {
		case x == 0 || l.repeats(x):
			w.turnTo(l, leave)
			continue
		case x == c:
			w.enter(l, c)
		default:
			w.cross(l, c)
		}
		on = append(on, number)
	}
	w.going = on
}
