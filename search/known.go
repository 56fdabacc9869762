package search

// Known calls visit for the states in the tree that have at least so many
// visits and do not end the game, with the mean goal of each role there, in
// [0, 1]. The slices are valid during the call only. No search may be under way.
func (t *Tree) Known(least int, visit func(state []uint64, means []float64)) {
	var state []uint64
	means := make([]float64, len(t.levels))
	for n := uint32(1); n < t.nodes.Used; n++ {
		nd := t.nodes.At(n)
		if nd.flags&(flagUsed|flagTerminal|flagDiscarded|flagAlias) != flagUsed || int(nd.visits) < least || nd.children == 0 {
			continue
		}
		state = t.words(n, state[:0])
		for r := range means {
			means[r] = t.mean(n, r)
		}
		visit(state, means)
	}
}
