package proof

import (
	"math"
	"slices"

	"semisplit/search/internal/roles"
	"semisplit/search/tree"
)

// Certain is a goal of 1 in the unit of bounds, which is the one of GDL. Goals
// between two of its steps get bounds around them, and are never exact.
const Certain = 100

// Bounds on the goals of all roles in a node, if each plays for its own from
// there on.
//
// Where one role moves, it takes a child that is best for itself. So its own bounds are the highest of the children's. Another role
// gets what it gets in some child that may be best: one whose upper bound, for
// the mover, is not below what another child is sure to give. Among those that are
// equally good for itself, a mover with one opponent takes what is worst for the
// opponent (chance is none), as players do who want to win: a match of Qyshinsu was thought won, and not
// searched any more, since whoever had lost could as well let the other win; but it could
// also let both lose. With several opponents nobody knows whom a mover spares: as
// soon as a child is solved that no other can beat, the node is solved, and where ties
// decide what others get, the proof is of one rational way to play (a subgame-perfect
// equilibrium).
//
// Where several roles choose, or chance does, a role is sure of the best among
// its moves when the worst of what the others can do is taken, and gets at most
// the best of all.

// Bounds keeps those of the nodes of a tree, and how far the game goes on where they meet.
type Bounds struct {
	On bool // there are bounds

	tree     *tree.Tree
	children *ChildSet // of the node at hand
	chance   []bool    // roles that move at random

	rows      tree.Rows[uint8]  // beside nodes: the lower bounds by role, then the upper ones
	distances tree.Rows[uint16] // beside nodes: of those that are solved; 0: not known
}

// keep puts bounds beside the nodes.
func (t *Bounds) keep() {
	tree.AddRows(&t.tree.Edges.Memory, &t.rows, 2*t.tree.Roles, t.open)
	tree.AddRows(&t.tree.Edges.Memory, &t.distances, 1, func(n uint32) { t.distances.Of(n)[0] = 0 })
}

// Lows are the lower bounds of a node, by role.
func (t *Bounds) Lows(n uint32) []uint8 {
	return t.rows.Of(n)[:t.tree.Roles]
}

// Highs are the upper bounds of a node, by role.
func (t *Bounds) Highs(n uint32) []uint8 {
	return t.rows.Of(n)[t.tree.Roles:]
}

// open leaves all goals open in a node.
func (t *Bounds) open(n uint32) {
	low, high := t.Lows(n), t.Highs(n)
	for r := range low {
		low[r], high[r] = 0, Certain
	}
}

// end notes what is known of a node that is terminal, from its goals' bits.
func (t *Bounds) end(n uint32, words []uint64) {
	if !t.On {
		return
	}
	for r, word := range words[:t.tree.Roles] {
		t.Lows(n)[r], t.Highs(n)[r] = Percents(math.Float64frombits(word))
	}
	t.seeSolved(n)
}

// settle notes that a node is one joint move of its mover before the end of the game, with
// these goals, if the mover can have no better ones.
func (t *Bounds) settle(n uint32, mover int, goals []float64) {
	if !t.On {
		return
	}
	for r, goal := range goals {
		t.Lows(n)[r], t.Highs(n)[r] = Percents(goal)
	}
	if other := roles.Rival(mover, t.chance); other >= 0 {
		t.Lows(n)[other] = 0 // there may be an end that is worse for the other
	}
	t.distances.Of(n)[0] = 1
	t.seeSolved(n)
}

// Percents are bounds around a goal.
func Percents(goal float64) (low, high uint8) {
	const off = 1e-6 // of a hundredth, far beyond the errors of doubles
	v := min(max(goal, 0), 1) * Certain
	return uint8(math.Floor(v + off)), uint8(math.Ceil(v - off))
}

// seeSolved marks a node whose bounds leave nothing open.
func (t *Bounds) seeSolved(n uint32) {
	if slices.Equal(t.Lows(n), t.Highs(n)) {
		t.tree.Node(n).Flags |= tree.FlagSolved
	}
}

// IsSolved says whether the bounds of a node leave nothing open.
func (t *Bounds) IsSolved(n uint32) bool { return t.tree.Node(n).Flags&tree.FlagSolved != 0 }

// ExactGoals appends the goals of a node that is solved.
func (t *Bounds) ExactGoals(n uint32, dst []float64) []float64 {
	dst = dst[:0]
	for _, v := range t.Lows(n) {
		dst = append(dst, float64(v)/Certain)
	}
	return dst
}

// update computes the bounds of a node from those of its children. It says
// whether they have changed.
func (t *Bounds) update(n uint32) bool {
	f := t.children
	t.children.Gather(n)
	f.low, f.high = slices.Grow(f.low[:0], t.tree.Roles)[:t.tree.Roles], slices.Grow(f.high[:0], t.tree.Roles)[:t.tree.Roles]
	if mover, ok := t.children.Sole(); ok {
		t.boundSole(mover)
	} else {
		for r := range f.low {
			f.low[r], f.high[r] = t.boundTogether(r)
		}
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
func (t *Bounds) boundSole(mover int) {
	f := t.children
	low, high := t.ownBounds(mover)
	for r := range f.low {
		f.low[r], f.high[r] = Certain, 0
		if f.MissingSole(mover) > 0 {
			f.low[r], f.high[r] = 0, Certain
		}
	}
	other := roles.Rival(mover, t.chance)
	rivals := other >= 0
	worst := uint8(Certain) // for the other: the mover need not leave it more
	for _, c := range f.Children {
		if t.IsSolved(c) && t.Lows(c)[mover] == high && (!rivals || t.Lows(c)[other] == 0) {
			copy(f.low, t.Lows(c))
			copy(f.high, t.Highs(c))
			return
		}
		if rivals && t.Lows(c)[mover] == high {
			worst = min(worst, t.Highs(c)[other])
		}
		if t.Highs(c)[mover] < low {
			continue
		}
		for r := range f.low {
			f.low[r], f.high[r] = min(f.low[r], t.Lows(c)[r]), max(f.high[r], t.Highs(c)[r])
		}
	}
	f.low[mover], f.high[mover] = low, high
	if rivals {
		f.high[other] = min(f.high[other], worst)
	}
}

// ownBounds are the bounds of the role that moves.
func (t *Bounds) ownBounds(mover int) (low, high uint8) {
	f := t.children
	if f.MissingSole(mover) > 0 {
		high = Certain
	}
	for _, c := range f.Children {
		low, high = max(low, t.Lows(c)[mover]), max(high, t.Highs(c)[mover])
	}
	return low, high
}

// boundTogether: the bounds of a role that others choose with.
func (t *Bounds) boundTogether(role int) (low, high uint8) {
	f := t.children
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
	for groups := t.children.groupBy(role); complete && len(groups) > 0; {
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
