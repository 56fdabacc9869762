package proof

import (
	"slices"

	"semisplit/search/tree"
)

// Bounds on the goals of all roles in a node, if each plays for its own from
// there on.
//
// Where one role moves, it takes a child that is best for itself; of equally good
// ones any. So its own bounds are the highest of the children's. Another role
// gets what it gets in some child that may be best: one whose upper bound, for
// the mover, is not below what another child is sure to give. As soon as a child
// is solved that no other can beat, the mover takes it, and the node is solved:
// in games where a tie decides what others get, the proof is of one rational
// way to play (a subgame-perfect equilibrium); where there are none, as in games
// with a constant sum, of the only one.
//
// Where several roles choose, or chance does, a role is sure of the best among
// its moves when the worst of what the others can do is taken, and gets at most
// the best of all.

// bound computes the bounds of a node from those of its children. It says
// whether they have changed.
func (t *Prover) bound(n uint32) bool {
	f := &t.ChildSet
	t.ChildSet.Gather(n)
	f.low, f.high = slices.Grow(f.low[:0], t.Tree.Roles)[:t.Tree.Roles], slices.Grow(f.high[:0], t.Tree.Roles)[:t.Tree.Roles]
	if mover, ok := t.ChildSet.Sole(); ok {
		t.boundSole(mover)
	} else {
		for r := range f.low {
			f.low[r], f.high[r] = t.boundTogether(r)
		}
	}
	if t.Tree.Node(n).Flags&tree.FlagTold != 0 {
		t.keepTold(n)
	}
	low, high := t.Lows(n), t.Highs(n)
	if slices.Equal(low, f.low) && slices.Equal(high, f.high) {
		return false
	}
	copy(low, f.low)
	copy(high, f.high)
	t.seeSolved(n)
	return true
}

// boundSole: one role moves.
func (t *Prover) boundSole(mover int) {
	f := &t.ChildSet
	low, high := t.ownBounds(mover)
	for r := range f.low {
		f.low[r], f.high[r] = Certain, 0
		if f.MissingSole(mover) > 0 {
			f.low[r], f.high[r] = 0, Certain
		}
	}
	for _, c := range f.Children {
		if t.IsSolved(c) && t.Lows(c)[mover] == high {
			copy(f.low, t.Lows(c))
			copy(f.high, t.Highs(c))
			return
		}
		if t.Highs(c)[mover] < low {
			continue
		}
		for r := range f.low {
			f.low[r], f.high[r] = min(f.low[r], t.Lows(c)[r]), max(f.high[r], t.Highs(c)[r])
		}
	}
	f.low[mover], f.high[mover] = low, high
}

// ownBounds are the bounds of the role that moves.
func (t *Prover) ownBounds(mover int) (low, high uint8) {
	f := &t.ChildSet
	if f.MissingSole(mover) > 0 {
		high = Certain
	}
	for _, c := range f.Children {
		low, high = max(low, t.Lows(c)[mover]), max(high, t.Highs(c)[mover])
	}
	return low, high
}

// boundTogether: the bounds of a role that others choose with.
func (t *Prover) boundTogether(role int) (low, high uint8) {
	f := &t.ChildSet
	all := f.missing() == 0
	if !all {
		high = Certain
	}
	worst := uint8(Certain)
	for _, c := range f.Children {
		worst, high = min(worst, t.Lows(c)[role]), max(high, t.Highs(c)[role])
	}
	if t.chance[role] {
		if !all {
			worst = 0
		}
		return worst, high
	}
	need, complete := f.others(role)
	for groups := t.ChildSet.groupBy(role); complete && len(groups) > 0; {
		var of []child
		of, groups = nextGroup(groups)
		if len(of) < need {
			continue
		}
		worst := uint8(Certain)
		for _, g := range of {
			worst = min(worst, t.Lows(g.child)[role])
		}
		low = max(low, worst)
	}
	return low, high
}
