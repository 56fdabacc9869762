package search

import "slices"

// proofs checks what is known of a node for contradictions.
func (c *checker) proofs(n uint32) {
	t := c.t
	solved := t.isSolved(n)
	if !t.bounded && solved {
		c.fail("node %d: solved without a solver", n)
	}
	if t.bounded {
		low, high := t.lows(n), t.highs(n)
		for r := range low {
			if low[r] > high[r] || high[r] > certain {
				c.fail("node %d: role %d gets %d to %d", n, r, low[r], high[r])
			}
		}
		if solved != slices.Equal(low, high) {
			c.fail("node %d: bounds %v, %v; solved: %v", n, low, high, solved)
		}
	}
	for layer := range t.layers {
		for r, x := range t.numbersOf(n, layer) {
			if (x.proof == 0) != (x.disproof == never) && t.nodes.At(n).flags&flagTerminal != 0 || x.proof == 0 && x.disproof == 0 {
				c.fail("node %d: role %d, layer %d: numbers %v", n, r, layer, x)
			}
		}
	}
}
