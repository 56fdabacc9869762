package search

// Proof and disproof numbers, of each role against all others together: how
// many leaves at least must still turn out well for it to prove that it wins
// whatever the others do, and how many must turn out badly to prove that they
// can prevent it. To win is a goal of 1; in the second layer, any goal above 0.
// In a game of two with wins, draws and losses the disproof numbers of one role
// are the proof numbers of the other in the other layer.
//
// Joint moves without a child count as leaves of which nothing is known, with
// both numbers 1, and are not made for that: the paper's trees are expanded
// whole, which made Gomoku 20 times slower.

// plus adds numbers.
func plus(a, b uint32) uint32 {
	if a == never || b == never {
		return never
	}
	return min(a+b, never-1)
}

// plusUnknown adds leaves of which nothing is known.
func plusUnknown(a uint32, leaves int) uint32 { return plus(a, uint32(min(leaves, never-1))) }

// count computes the numbers of a node in a layer from those of its children,
// which meetFamily has found.
func (t *Tree) count(of []number, layer int, told *news) {
	mover, sole := t.sole()
	for r := range of {
		switch {
		case t.options.Chance[r]:
		case sole:
			told.set(&of[r], t.countSole(layer, r, mover))
		default:
			told.set(&of[r], t.countTogether(layer, r))
		}
	}
}

// countSole: the numbers of a role where one moves. For itself it needs one
// proof, for another role, of which it is an opponent, one disproof.
func (t *Tree) countSole(layer, role, mover int) number {
	f := &t.family
	missing := f.missingSole(mover)
	least, sum := uint32(never), plusUnknown(0, missing)
	if missing > 0 {
		least = 1
	}
	for _, c := range f.children {
		x := t.numbersOf(c, layer)[role]
		if role != mover {
			x.proof, x.disproof = x.disproof, x.proof
		}
		least, sum = min(least, x.proof), plus(sum, x.disproof)
	}
	if role != mover {
		return number{sum, least}
	}
	return number{least, sum}
}

// countTogether: the numbers of a role that others choose with, or chance. One
// of its moves must be proven against all that the others can do, chance
// included. A disproof is one of all joint moves: a role may have a way to mix
// its moves, and luck.
func (t *Tree) countTogether(layer, role int) number {
	f := &t.family
	need, complete := f.others(role)
	x := number{never, plusUnknown(0, f.missing())}
	known := 0
	for groups := t.groupBy(role); len(groups) > 0; {
		var of []group
		of, groups = nextGroup(groups)
		missing := max(need-len(of), 0)
		if !complete {
			missing = max(missing, 1)
		}
		proof := plusUnknown(0, missing)
		for _, g := range of {
			y := t.numbersOf(g.child, layer)[role]
			proof, x.disproof = plus(proof, y.proof), plus(x.disproof, y.disproof)
		}
		x.proof = min(x.proof, proof)
		known++
	}
	if known < f.moves[role] || f.open[role] > 0 {
		x.proof = min(x.proof, plusUnknown(0, max(need, 1)))
	}
	return x
}
