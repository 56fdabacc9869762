package proof

import (
	"fmt"
	"slices"

	"semisplit/search/tree"
)

// Check looks for contradictions in what is known of a node.
func (t *Prover) Check(n uint32) error {
	solved := t.Bounds.IsSolved(n)
	if !t.Bounds.On && solved {
		return fmt.Errorf("node %d: solved without a solver", n)
	}
	if t.Bounds.On {
		low, high := t.Bounds.Lows(n), t.Bounds.Highs(n)
		for r := range low {
			if low[r] > high[r] || high[r] > Certain {
				return fmt.Errorf("node %d: role %d gets %d to %d", n, r, low[r], high[r])
			}
		}
		if solved != slices.Equal(low, high) {
			return fmt.Errorf("node %d: bounds %v, %v; solved: %v", n, low, high, solved)
		}
	}
	for layer := range t.Ranks.Layers {
		for r, x := range t.NumbersOf(n, layer) {
			if (x.Proof == 0) != (x.Disproof == Infinite) && t.Tree.Node(n).Flags&tree.FlagTerminal != 0 || x.Proof == 0 && x.Disproof == 0 {
				return fmt.Errorf("node %d: role %d, layer %d: numbers %v", n, r, layer, x)
			}
		}
	}
	return nil
}
