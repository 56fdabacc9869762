package mcts

import "semisplit/search/tree"

// transpose is arrive where there are transpositions, for a state that is not
// terminal. A lane that comes to a known state by a new way plays on from there,
// as from a new leaf, and false is returned; those that follow it go on in the tree. Going
// on at once costs a Step of the engine for each way that is found: 3.2 times the time
// of an iteration in Pentago, where 1.8 times are left.
func (a *arrivals) transpose(l *lane, parent uint32, leaves []uint32) (isNew bool) {
	n := a.tree.Child(parent, leaves)
	if n == 0 || a.tree.IsAlias(n) && a.tree.Index.Target(n) == 0 {
		hash := tree.HashState(l.state)
		if x := a.tree.Index.Lookup(l.state, hash); x != 0 {
			n = a.tree.Index.Transpose(parent, leaves, n, x)
		} else {
			n = a.insertNode(parent, leaves, n, hash, l)
			isNew = n != 0
		}
	}
	switch {
	case n == 0 || l.repeats(n):
		return false
	case a.tree.IsAlias(n):
		l.crossed = append(l.crossed, n)
		a.tree.Node(n).Virtual++
		if x := a.tree.Index.Target(n); a.proofs.Knows(x) {
			a.enter(l, x) // and there is nothing to play for
		}
	default:
		a.enter(l, n)
		return isNew
	}
	return false
}

// insertNode makes the node of the state that a lane has reached and the tree does not
// hold, in the place of an alias that stands for nothing, if there is one; 0 when memory is out.
func (a *arrivals) insertNode(parent uint32, leaves []uint32, alias, hash uint32, l *lane) uint32 {
	state := l.state
	if alias != 0 {
		if !a.tree.Index.AliasToNode(alias, state, hash) {
			return 0
		}
		if a.values.On {
			a.evaluate(alias, l)
		}
		return alias
	}
	n := a.newNode(l, false)
	if n != 0 {
		a.tree.Index.Insert(n, hash)
		a.adopt(l, parent, n, leaves)
	}
	return n
}
