package search

import "slices"

// outlook is what a move is sure to bring its role, and at most.
type outlook struct {
	leaf      uint32
	low, high uint8
}

// outlooks are those of the moves of a role in a node that are known to some
// degree, and whether there may be others.
func (t *Tree) outlooks(n uint32, role int) (moves []outlook, more bool) {
	if !t.bounded || t.options.Chance[role] || !t.meetFamily(n) {
		return nil, true
	}
	f := &t.family
	need, complete := f.others(role)
	for groups := t.groupBy(role); len(groups) > 0; {
		var of []group
		of, groups = nextGroup(groups)
		o := outlook{leaf: of[0].leaf, low: certain}
		if len(of) < need || !complete {
			o.low, o.high = 0, certain
		}
		for _, g := range of {
			o.low, o.high = min(o.low, t.lows(g.child)[role]), max(o.high, t.highs(g.child)[role])
		}
		moves = append(moves, o)
	}
	return moves, f.open[role] > 0 || len(moves) < f.moves[role]
}

// surest is the highest lower bound, and whether no other move can be better.
func surest(moves []outlook, more bool) (low uint8, best bool) {
	for _, o := range moves {
		low = max(low, o.low)
	}
	best = len(moves) > 0 && (!more || low == certain)
	for _, o := range moves {
		best = best && o.high <= low
	}
	return low, best
}

// rootBounds are the bounds of the root, by role; nil if there are none.
func (t *Tree) rootBounds() (low, high []float64) {
	if !t.bounded || t.root == 0 {
		return nil, nil
	}
	for r := range t.levels {
		low = append(low, float64(t.lows(t.root)[r])/certain)
		high = append(high, float64(t.highs(t.root)[r])/certain)
	}
	if t.hasPlan() {
		low[0] = max(low[0], t.plan.value)
	}
	return low, high
}

// decided says whether no search can make a better choice of moves in a node.
func (t *Tree) decided(n uint32) bool {
	if n != 0 && n == t.root && t.isPlanBest() {
		return true
	}
	if n == 0 || !t.mayBeDecided(n) || !t.meetFamily(n) {
		return false
	}
	choosers := 0
	for r := range t.levels {
		if t.options.Chance[r] || t.family.moves[r]+t.family.open[r] < 2 {
			continue
		}
		choosers++
		if t.options.PN.Final && t.proven(n, r, 0) != nil {
			continue
		}
		if _, best := surest(t.outlooks(n, r)); !best {
			return false
		}
	}
	return choosers > 0 || t.bounded && t.isSolved(n)
}

// mayBeDecided looks at the node alone, which is quick.
func (t *Tree) mayBeDecided(n uint32) bool {
	if t.nodes.At(n).flags&flagTerminal != 0 {
		return false
	}
	for r := range t.levels {
		if t.bounded && t.lows(n)[r] == t.highs(n)[r] || t.options.PN.Final && t.numbersOf(n, 0)[r].proof == 0 {
			return true
		}
	}
	return false
}

// proven are the moves of a role that alone moves in a node which are proven by
// the numbers of a layer.
func (t *Tree) proven(n uint32, role, layer int) (leaves []uint32) {
	if t.layers <= layer || !t.meetFamily(n) {
		return nil
	}
	f := &t.family
	if mover, ok := t.sole(); !ok || mover != role {
		return nil
	}
	for i, c := range f.children {
		if t.numbersOf(c, layer)[role].proof == 0 {
			leaves = append(leaves, t.leaves(f.places[i])[role])
		}
	}
	return leaves
}

// bestProven is best where there are proofs: a move that is proven to be the
// best, else the usual choice among those that are not proven to be worse than
// another. A move that is sure to bring more than the mean of that choice goes
// before it.
func (t *Tree) bestProven(n uint32, role int) (path []uint32) {
	if pn := t.options.PN; pn.Final {
		leaves := t.proven(n, role, 0)
		if leaves == nil && pn.Draws && t.mean(n, role) < pn.Contempt {
			leaves = t.proven(n, role, 1)
		}
		if leaves != nil {
			return t.pathTo(n, role, t.bestOf(leaves))
		}
	}
	moves, more := t.outlooks(n, role)
	low, best := surest(moves, more)
	var sure []uint32
	t.barred = t.barred[:0]
	for _, o := range moves {
		if o.low == low {
			sure = append(sure, o.leaf)
		} else if o.high <= low {
			t.barred = append(t.barred, o.leaf)
		}
	}
	if best {
		return t.pathTo(n, role, t.bestOf(sure))
	}
	if low == 0 { // what is lost for sure
		for _, o := range moves {
			if o.high == 0 {
				t.barred = append(t.barred, o.leaf)
			}
		}
	}
	before := len(t.barred)
	if t.options.PN.Solve {
		t.barDisproven(n, role)
	}
	path = t.choose(n, role, nil)
	if len(t.barred) > before && len(path) < t.levels[role] { // nothing else was visited
		t.barred = t.barred[:before]
		path = t.choose(n, role, nil)
	}
	t.barred = t.barred[:0]
	if len(path) == t.levels[role] && len(sure) > 0 && low > 0 {
		if e := t.edge(path[len(path)-1]); float64(low)/certain > e.sum()/float64(e.visits) {
			return t.pathTo(n, role, t.bestOf(sure))
		}
	}
	return path
}

// barDisproven bars the moves of a role that moves alone which are disproven:
// the visits that they have are from before that was known.
func (t *Tree) barDisproven(n uint32, role int) {
	if !t.meetFamily(n) {
		return
	}
	f := &t.family
	if mover, ok := t.sole(); !ok || mover != role {
		return
	}
	for i, c := range f.children {
		if t.numbersOf(c, t.layers-1)[role].disproof == 0 {
			t.barred = append(t.barred, t.leaves(f.places[i])[role])
		}
	}
}

// bestOf is the leaf that the usual choice prefers.
func (t *Tree) bestOf(leaves []uint32) (best uint32) {
	for _, id := range leaves {
		if best == 0 || t.better(id, best) {
			best = id
		}
	}
	return best
}

// pathTo are the edges of a role in a node down to a leaf.
func (t *Tree) pathTo(n uint32, role int, leaf uint32) (path []uint32) {
	var find func(trie uint32, way []uint32)
	find = func(trie uint32, way []uint32) {
		t.edgesOf(trie, func(id uint32, e *edge) bool {
			switch way := append(way[:len(way):len(way)], id); {
			case id == leaf && len(way) == t.levels[role]:
				path = way
			case len(way) < t.levels[role] && e.child != dead && e.child != 0:
				find(e.child, way)
			}
			return path == nil
		})
	}
	find(t.tries(n)[role], nil)
	return path
}

// isBarred says whether an edge leads to moves only that are not to be chosen;
// levels are those from its trie node on.
func (t *Tree) isBarred(id uint32, e *edge, levels int) bool {
	switch {
	case len(t.barred) == 0:
		return false
	case levels == 1:
		return slices.Contains(t.barred, id)
	case e.child == dead:
		return true
	case e.child == 0 || t.chunks.At(e.child).left > 0:
		return false
	}
	all := true
	t.edgesOf(e.child, func(id uint32, e *edge) bool {
		all = t.isBarred(id, e, levels-1)
		return all
	})
	return all
}
