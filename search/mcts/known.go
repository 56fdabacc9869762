package mcts

import "semisplit/search/tree"

// known is Forest.Known.
func (t *searcher) known(least int, visit func(state []uint64, means []float64)) {
	var state []uint64
	means := make([]float64, len(t.tree.Levels))
	t.tree.EachNode(func(n uint32, nd *tree.Node) {
		if nd.Flags&(tree.FlagTerminal|tree.FlagDiscarded) != 0 || int(nd.Visits) < least || nd.Children == 0 {
			return
		}
		state = t.tree.Words(n, state[:0])
		for r := range means {
			means[r] = t.tree.Mean(n, r)
		}
		visit(state, means)
	})
}
