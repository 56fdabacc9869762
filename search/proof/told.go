package proof

import (
	"slices"

	"semisplit/search/tree"
)

// Bounds can be told of a node by another search. They stay as long as the node does,
// whatever its children say, and count above it like those that were found here. Proof
// numbers are of what the tree holds, and are not told.

// TakeBounds narrows the bounds of the last node on a path from the root to these, by
// role as goals in [0, 1], and brings those above it up to date; edges are the joint
// moves between the nodes. False: there are no bounds, several roles choose at once on
// the path, or what is told contradicts what is known; nothing has changed then.
func (t *Prover) TakeBounds(nodes, edges []uint32, low, high []float64) bool {
	if !t.Bounds.On || len(low) != t.Tree.Roles || len(high) != t.Tree.Roles {
		return false
	}
	if slices.ContainsFunc(nodes, func(n uint32) bool { return t.Tree.Node(n).Flags&tree.FlagTogether != 0 }) {
		return false
	}
	n := nodes[len(nodes)-1]
	f := &t.ChildSet
	f.low, f.high = append(f.low[:0], t.Bounds.Lows(n)...), append(f.high[:0], t.Bounds.Highs(n)...)
	for r := range low {
		if !(low[r] <= high[r]) {
			return false
		}
		least, _ := Percents(low[r])
		_, most := Percents(high[r])
		f.low[r], f.high[r] = max(f.low[r], least), min(f.high[r], most)
		if f.low[r] > f.high[r] {
			return false
		}
	}
	if t.Bounds.IsSolved(n) {
		return true
	}
	t.Tree.Node(n).Flags |= tree.FlagTold
	copy(t.Bounds.Lows(n), f.low)
	copy(t.Bounds.Highs(n), f.high)
	t.Bounds.seeSolved(n)
	solved := t.Bounds.IsSolved(n)
	if solved {
		t.Bounds.measureDistance(n)
	}
	t.carryUp(nodes, edges, proofDelta{bounds: true, proof: solved}, false)
	return true
}

// keepTold narrows the bounds that were computed for a node to those it has, which were
// told. If they contradict each other, for a tie has several ends, those it has stand.
func (t *Bounds) keepTold(n uint32) {
	f, low, high := t.children, t.Lows(n), t.Highs(n)
	for r := range low {
		if max(f.low[r], low[r]) > min(f.high[r], high[r]) {
			copy(f.low, low)
			copy(f.high, high)
			return
		}
	}
	for r := range low {
		f.low[r], f.high[r] = max(f.low[r], low[r]), min(f.high[r], high[r])
	}
}
