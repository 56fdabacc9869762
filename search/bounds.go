package search

import "slices"

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
func (t *Tree) bound(n uint32) bool {
	f := &t.family
	t.meetFamily(n)
	f.low, f.high = slices.Grow(f.low[:0], t.roles)[:t.roles], slices.Grow(f.high[:0], t.roles)[:t.roles]
	if mover, ok := t.sole(); ok {
		t.boundSole(mover)
	} else {
		for r := range f.low {
			f.low[r], f.high[r] = t.boundTogether(r)
		}
	}
	t.boundSum()
	low, high := t.lows(n), t.highs(n)
	if slices.Equal(low, f.low) && slices.Equal(high, f.high) {
		return false
	}
	copy(low, f.low)
	copy(high, f.high)
	t.seeSolved(n)
	return true
}

// boundSole: one role moves.
func (t *Tree) boundSole(mover int) {
	f := &t.family
	low, high := t.ownBounds(mover)
	for r := range f.low {
		f.low[r], f.high[r] = certain, 0
		if f.missingSole(mover) > 0 {
			f.low[r], f.high[r] = 0, certain
		}
	}
	for _, c := range f.children {
		if t.isSolved(c) && t.lows(c)[mover] == high {
			copy(f.low, t.lows(c))
			copy(f.high, t.highs(c))
			return
		}
		if t.highs(c)[mover] < low {
			continue
		}
		for r := range f.low {
			f.low[r], f.high[r] = min(f.low[r], t.lows(c)[r]), max(f.high[r], t.highs(c)[r])
		}
	}
	f.low[mover], f.high[mover] = low, high
}

// ownBounds are the bounds of the role that moves.
func (t *Tree) ownBounds(mover int) (low, high uint8) {
	f := &t.family
	if f.missingSole(mover) > 0 {
		high = certain
	}
	for _, c := range f.children {
		low, high = max(low, t.lows(c)[mover]), max(high, t.highs(c)[mover])
	}
	return low, high
}

// boundTogether: the bounds of a role that others choose with.
func (t *Tree) boundTogether(role int) (low, high uint8) {
	f := &t.family
	all := f.missing() == 0
	if !all {
		high = certain
	}
	worst := uint8(certain)
	for _, c := range f.children {
		worst, high = min(worst, t.lows(c)[role]), max(high, t.highs(c)[role])
	}
	if t.options.Chance[role] {
		if !all {
			worst = 0
		}
		return worst, high
	}
	need, complete := f.others(role)
	for groups := t.groupBy(role); complete && len(groups) > 0; {
		var of []group
		of, groups = nextGroup(groups)
		if len(of) < need {
			continue
		}
		worst := uint8(certain)
		for _, g := range of {
			worst = min(worst, t.lows(g.child)[role])
		}
		low = max(low, worst)
	}
	return low, high
}

// boundSum uses that the goals of two roles have a constant sum.
func (t *Tree) boundSum() {
	sum := int(t.options.Sum*certain + 0.5)
	if sum <= 0 || t.roles != 2 {
		return
	}
	f := &t.family
	for r := range f.low {
		// The other's bounds, as they came from the children: what this one
		// takes from them is what it gives back.
		f.low[r] = uint8(max(int(f.low[r]), sum-int(f.high[1-r])))
		f.high[r] = uint8(min(int(f.high[r]), max(sum-int(f.low[1-r]), 0)))
	}
}
