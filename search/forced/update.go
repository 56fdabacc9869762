package forced

// update computes what is known of an expanded node from its children.
func (g *graph) update(id uint32) {
	n := g.at(id)
	if n.count == 0 {
		return
	}
	best, rest := bounds{}, bounds{whole, whole}
	var sum, least [layers]numbers
	for layer := range least {
		least[layer] = numbers{infinite, infinite}
	}
	for _, child := range g.edgesOf(n) {
		c := g.at(child)
		best.low, best.high = max(best.low, c.low), max(best.high, c.high)
		rest.low, rest.high = min(rest.low, c.low), min(rest.high, c.high)
		for layer := range c.counts {
			of := &c.counts[layer]
			sum[layer] = numbers{plus(sum[layer].prove, of.prove), plus(sum[layer].refute, of.refute)}
			least[layer] = numbers{min(least[layer].prove, of.prove), min(least[layer].refute, of.refute)}
		}
	}
	switch n.kind {
	case ours:
		n.bounds = best
	case theirs:
		n.bounds = rest
	case chance:
		n.low, n.high = rest.low, best.high
	}
	for layer := range n.counts {
		c := sum[layer]
		if n.kind == ours {
			c.prove = least[layer].prove
		}
		if n.kind == theirs {
			c.refute = least[layer].refute
		}
		n.counts[layer] = numbers{min(c.prove, stuck), min(c.refute, stuck)}
	}
	n.decide()
	g.measure(n)
}

// plus adds proof numbers.
func plus(a, b uint32) uint32 { return min(a, stuck) + min(b, stuck-min(a, stuck)) }

// measure finds the distance of a node that is won or lost: who is sure of it takes the
// shortest way that is known, the others the longest.
func (g *graph) measure(n *node) {
	won, lost := n.yes(toWin), n.no(notToLose)
	if !won && !lost {
		return
	}
	shortest, longest := uint16(1<<16-2), uint16(0)
	for _, child := range g.edgesOf(n) {
		if c := g.at(child); won && c.yes(toWin) || lost && c.no(notToLose) {
			shortest, longest = min(shortest, c.distance), max(longest, c.distance)
		}
	}
	if n.distance = longest + 1; won == (n.kind == ours) && n.kind != chance {
		n.distance = shortest + 1
	}
}

// shortest is the edge of the line from a node on that is won or lost.
func (g *graph) shortest(n *node) (edge uint32, ok bool) {
	won, lost := n.yes(toWin), n.no(notToLose)
	hurry := won == (n.kind == ours) && n.kind != chance
	for i, child := range g.edgesOf(n) {
		c, best := g.at(child), n.first+uint32(i)
		if !(won && c.yes(toWin) || lost && c.no(notToLose)) {
			continue
		}
		if of := g.at(g.edges[edge]); !ok || hurry && c.distance < of.distance || !hurry && c.distance > of.distance {
			edge, ok = best, true
		}
	}
	return edge, ok
}
