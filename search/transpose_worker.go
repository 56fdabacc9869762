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
// terminal. A lane that comes to a known state by a new way plays on from there,
// as from a new leaf; those that follow it go on in the tree. Going on at
// once costs a Step of the engine for each way that is found: 3.2 times the time
// of an iteration in Pentago, where 1.8 times are left.
func (w *worker) meet(l *lane, parent uint32, leaves []uint32) {
	t := w.t
	n := t.child(parent, leaves)
	if n == 0 || t.isAlias(n) && t.target(n) == 0 {
		hash := hashState(l.state)
		if x := t.lookup(l.state, hash); x != 0 {
			n = w.meetNode(parent, leaves, n, x)
		} else {
			n = w.newcomer(parent, leaves, n, hash, l)
		}
	}
	switch {
	case n == 0 || l.repeats(n):
	case t.isAlias(n):
		l.crossed = append(l.crossed, n)
		t.nodes.At(n).virtual++
	default:
		w.enter(l, n)
	}
}

// newcomer makes the node of the state that a lane has reached and the tree does not
// hold, in the place of an alias that stands for nothing, if there is one; 0 when memory is out.
func (w *worker) newcomer(parent uint32, leaves []uint32, alias, hash uint32, l *lane) uint32 {
	t, state := w.t, l.state
	if alias != 0 {
		nd := t.nodes.At(alias)
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
	if n != 0 && t.valued {
		w.evaluate(n, l)
	}
	if n != 0 {
		t.enroll(n, hash)
		t.adopt(parent, n, leaves)
	}
	return n
}

// meetNode gives the state with the node x a further place, and returns what is
// there then: an alias, or x itself if it was in no other place; 0 when memory is
// out. alias stands for nothing, and is in the place; 0: nothing is there.
func (w *worker) meetNode(parent uint32, leaves []uint32, alias, x uint32) uint32 {
	t := w.t
	switch kept := t.inTree(x); {
	case alias != 0:
		if t.join(alias, x); !kept {
			t.takePlace(x, alias)
			return x
		}
	case kept:
		if alias = t.newAlias(x); alias != 0 {
			t.adopt(parent, alias, leaves)
		}
	default:
		t.detach(x)
		t.nodes.At(x).flags |= flagShared
		t.adopt(parent, x, leaves)
		t.crossings.At(x).epoch = t.epoch
		return x
	}
	return alias
}

// cross takes a lane over an alias to a node that is not on its path.
func (w *worker) cross(l *lane, a uint32) {
	t := w.t
	x := t.target(a)
	if t.inTree(x) {
		l.crossed = append(l.crossed, a)
		t.nodes.At(a).virtual++
	} else {
		t.takePlace(x, a)
	}
	w.enter(l, x)
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
		nd := t.nodes.At(c)
		if nd.flags&flagUsed == 0 { // another lane has moved the node to the alias's place
			c = t.child(l.nodes[last-1], w.leavesOf(l.edges[len(l.edges)-len(w.roleOf):]))
			nd = t.nodes.At(c)
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
