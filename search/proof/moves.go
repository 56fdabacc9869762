package proof

import "semisplit/search/tree"

// MoveBounds is what a move is sure to bring its role, and at most, and between
// which distances the game ends then, if that is known.
type MoveBounds struct {
	Leaf            uint32
	Low, High       uint8
	Soonest, Latest int
}

// BoundsOfMoves are those of the moves of a role in a node that are known to some
// degree, and whether there may be others.
func (t *Prover) BoundsOfMoves(n uint32, role int) (moves []MoveBounds, more bool) {
	if !t.Bounds.On || t.chance[role] || !t.ChildSet.Gather(n) {
		return nil, true
	}
	f := &t.ChildSet
	need, complete := f.others(role)
	for groups := t.ChildSet.groupBy(role); len(groups) > 0; {
		var of []child
		of, groups = nextGroup(groups)
		o := MoveBounds{Leaf: of[0].leaf, Low: Certain, Soonest: mostDistance}
		if len(of) < need || !complete {
			o.Low, o.High = 0, Certain
		}
		for _, g := range of {
			o.Low, o.High = min(o.Low, t.Bounds.Lows(g.child)[role]), max(o.High, t.Bounds.Highs(g.child)[role])
			d := t.Bounds.Distance(g.child)
			o.Soonest, o.Latest = min(o.Soonest, d), max(o.Latest, d)
		}
		moves = append(moves, o)
	}
	return moves, f.open[role] > 0 || len(moves) < f.moves[role]
}

// Surest is the highest lower bound, and whether no other move can be better.
func Surest(moves []MoveBounds, more bool) (low uint8, best bool) {
	for _, o := range moves {
		low = max(low, o.Low)
	}
	best = len(moves) > 0 && (!more || low == Certain)
	for _, o := range moves {
		best = best && o.High <= low
	}
	return low, best
}

// Decided says whether no search can make a better choice of moves in a node.
func (t *Prover) Decided(n uint32) bool {
	if n == 0 || !t.mayBeDecided(n) || !t.ChildSet.Gather(n) {
		return false
	}
	choosers := 0
	for r := range t.Tree.Levels {
		if t.chance[r] || t.ChildSet.moves[r] == 1 && t.ChildSet.open[r] == 0 {
			continue
		}
		choosers++
		if t.pn.Final && t.ProvenMoves(n, r, 0) != nil {
			continue
		}
		if _, best := Surest(t.BoundsOfMoves(n, r)); !best {
			return false
		}
	}
	return choosers > 0 || t.Bounds.On && t.Bounds.IsSolved(n)
}

// mayBeDecided looks at the node alone, which is quick.
func (t *Prover) mayBeDecided(n uint32) bool {
	if t.Tree.Node(n).Flags&tree.FlagTerminal != 0 {
		return false
	}
	for r := range t.Tree.Levels {
		if t.Bounds.On && t.Bounds.Lows(n)[r] == t.Bounds.Highs(n)[r] || t.pn.Final && t.NumbersOf(n, 0)[r].Proof == 0 {
			return true
		}
	}
	return false
}

// ProvenMoves are the moves of a role that alone moves in a node which are proven by
// the numbers of a layer.
func (t *Prover) ProvenMoves(n uint32, role, layer int) (leaves []uint32) {
	if t.Ranks.Layers <= layer || !t.ChildSet.Gather(n) {
		return nil
	}
	f := &t.ChildSet
	if mover, ok := t.ChildSet.Sole(); !ok || mover != role {
		return nil
	}
	for i, c := range f.Children {
		if t.NumbersOf(c, layer)[role].Proof == 0 {
			leaves = append(leaves, t.Tree.LastEdges(f.places[i])[role])
		}
	}
	return leaves
}

// DisprovenMoves are the moves of a role that moves alone in a node which are disproven by
// the numbers of the last layer.
func (t *Prover) DisprovenMoves(n uint32, role int) (leaves []uint32) {
	if !t.ChildSet.Gather(n) {
		return nil
	}
	f := &t.ChildSet
	if mover, ok := f.Sole(); !ok || mover != role {
		return nil
	}
	for i, c := range f.Children {
		if t.NumbersOf(c, t.Ranks.Layers-1)[role].Disproof == 0 {
			leaves = append(leaves, t.Tree.LastEdges(f.places[i])[role])
		}
	}
	return leaves
}
