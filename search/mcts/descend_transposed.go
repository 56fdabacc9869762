package mcts

import (
	"slices"

	"semisplit/search/tree"
)

// longestPath bounds the nodes on a path that crosses aliases. In a game that
// does not count its moves, a descent could wander through the whole tree.
const longestPath = 1000

// repeats says whether a lane's path must not go on in a node, since it has
// been there, or is too long.
func (l *lane) repeats(n uint32) bool {
	return len(l.nodes) >= longestPath || slices.Contains(l.nodes, n)
}

// transpose is worker.arrive where there are transpositions, for a state that is not
// terminal. A lane that comes to a known state by a new way plays on from there,
// as from a new leaf; those that follow it go on in the tree. Going on at
// once costs a Step of the engine for each way that is found: 3.2 times the time
// of an iteration in Pentago, where 1.8 times are left.
func (w *worker) transpose(l *lane, parent uint32, leaves []uint32) {
	t := w.selector.t
	n := t.tree.Child(parent, leaves)
	if n == 0 || t.tree.IsAlias(n) && t.tree.Index.Target(n) == 0 {
		hash := tree.HashState(l.state)
		if x := t.tree.Index.Lookup(l.state, hash); x != 0 {
			n = t.tree.Index.Transpose(parent, leaves, n, x)
		} else {
			n = w.insertNode(parent, leaves, n, hash, l)
		}
	}
	switch {
	case n == 0 || l.repeats(n):
	case t.tree.IsAlias(n):
		l.crossed = append(l.crossed, n)
		t.tree.Node(n).Virtual++
	default:
		w.enter(l, n)
	}
}

// insertNode makes the node of the state that a lane has reached and the tree does not
// hold, in the place of an alias that stands for nothing, if there is one; 0 when memory is out.
func (w *worker) insertNode(parent uint32, leaves []uint32, alias, hash uint32, l *lane) uint32 {
	t, state := w.selector.t, l.state
	if alias != 0 {
		if !t.tree.Index.AliasToNode(alias, state, hash) {
			return 0
		}
		return alias
	}
	n := t.tree.NewNode(state, 0, false)
	if n != 0 && t.values.On {
		w.evaluate(n, l)
	}
	if n != 0 {
		t.tree.Index.Insert(n, hash)
		t.tree.Adopt(parent, n, leaves)
	}
	return n
}

// cross takes a lane over an alias to a node that is not on its path.
func (w *worker) cross(l *lane, a uint32) {
	t := w.selector.t
	x := t.tree.Index.Target(a)
	if t.tree.Index.InTree(x) {
		l.crossed = append(l.crossed, a)
		t.tree.Node(a).Virtual++
	} else {
		t.tree.Index.TakePlace(x, a)
	}
	w.enter(l, x)
}

// crossAll takes the going lanes that have chosen an alias to its node. A lane
// that has been there already plays the joint move and goes on at random.
func (w *worker) crossAll() {
	t := w.selector.t
	on := w.descending[:0]
	for _, number := range w.descending {
		l := &w.selector.lanes[number]
		if !l.entering {
			on = append(on, number)
			continue
		}
		last := len(l.nodes) - 1
		c := l.nodes[last]
		nd := t.tree.Node(c)
		if nd.Flags&tree.FlagUsed == 0 { // another lane has moved the node to the alias's place
			c = t.tree.Child(l.nodes[last-1], w.selector.leavesOf(l.edges[len(l.edges)-len(w.selector.roleOf):]))
			nd = t.tree.Node(c)
			l.nodes[last] = c
		}
		if nd.Flags&tree.FlagAlias == 0 && len(l.crossed) == 0 {
			on = append(on, number)
			continue
		}
		l.nodes, l.entering = l.nodes[:last], false
		switch x := t.tree.Resolve(c); {
		case x == 0 || l.repeats(x):
			w.turnTo(l, leaf)
			continue
		case x == c:
			w.enter(l, c)
		default:
			w.cross(l, c)
		}
		on = append(on, number)
	}
	w.descending = on
}
