package mcts

import "semisplit/search/tree"

// known is Forest.Known.
func (t *searcher) known(least int, visit func(state []uint64, means []float64)) {
	var state []uint64
	means := make([]float64, len(t.tree.Levels))
	var walk func(n uint32)
	walk = func(n uint32) { // from the root on: the arena holds nodes of trees that were given up as well
		nd := t.tree.Node(n)
		if nd.Flags&(tree.FlagTerminal|tree.FlagAlias) != 0 || nd.Children == 0 {
			return
		}
		if int(nd.Visits) >= least {
			state = t.tree.Words(n, state[:0])
			for r := range means {
				means[r] = t.tree.Mean(n, r)
			}
			visit(state, means)
		}
		t.tree.EachChild(n, walk)
	}
	if t.tree.Root != 0 {
		walk(t.tree.Root)
	}
}
