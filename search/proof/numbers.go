package proof

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
	if a == Infinite || b == Infinite {
		return Infinite
	}
	return min(a+b, Infinite-1)
}

// plusUnknown adds leaves of which nothing is known.
func plusUnknown(a uint32, leaves int) uint32 { return plus(a, uint32(min(leaves, Infinite-1))) }

// count computes the numbers of a node in a layer from those of its children,
// which ChildSet.Gather has found.
func (t *Prover) count(of []Numbers, layer int, told *proofDelta) {
	mover, sole := t.ChildSet.Sole()
	for r := range of {
		switch {
		case t.chance[r]:
		case sole:
			told.set(&of[r], t.countSole(layer, r, mover))
		default:
			told.set(&of[r], t.countTogether(layer, r))
		}
	}
}

// countSole: the numbers of a role where one moves. For itself it needs one
// proof, for another role, of which it is an opponent, one disproof.
func (t *Prover) countSole(layer, role, mover int) Numbers {
	f := &t.ChildSet
	missing := f.MissingSole(mover)
	least, sum := uint32(Infinite), plusUnknown(0, missing)
	if missing > 0 {
		least = 1
	}
	for _, c := range f.Children {
		x := t.NumbersOf(c, layer)[role]
		if role != mover {
			x.Proof, x.Disproof = x.Disproof, x.Proof
		}
		least, sum = min(least, x.Proof), plus(sum, x.Disproof)
	}
	if role != mover {
		return Numbers{sum, least}
	}
	return Numbers{least, sum}
}

// countTogether: the numbers of a role that others choose with, or chance. One
// of its moves must be proven against all that the others can do, chance
// included. A disproof is one of all joint moves: a role may have a way to mix
// its moves, and luck.
func (t *Prover) countTogether(layer, role int) Numbers {
	f := &t.ChildSet
	need, complete := f.others(role)
	x := Numbers{Infinite, plusUnknown(0, f.missing())}
	known := 0
	for groups := t.ChildSet.groupBy(role); len(groups) > 0; {
		var of []child
		of, groups = nextGroup(groups)
		missing := max(need-len(of), 0)
		if !complete {
			missing = max(missing, 1)
		}
		proof := plusUnknown(0, missing)
		for _, g := range of {
			y := t.NumbersOf(g.child, layer)[role]
			proof, x.Disproof = plus(proof, y.Proof), plus(x.Disproof, y.Disproof)
		}
		x.Proof = min(x.Proof, proof)
		known++
	}
	if known < f.moves[role] || f.open[role] > 0 {
		x.Proof = min(x.Proof, plusUnknown(0, max(need, 1)))
	}
	return x
}
