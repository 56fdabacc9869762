package forced

import "math/bits"

// sweep makes at least half of the memory free. Nodes keep their children where most
// was done below, and on the lines of what is proven; what is known of a node itself
// stays. It comes between turns, when nothing flies.
// The nodes that are held stay, the first one with all its children.
func (g *graph) sweep(held []*uint32) {
	g.swept++
	to := g.compact(g.reach(held, g.leastWork()))
	for _, n := range held {
		*n = to[*n]
	}
}

// leastWork is the work below a node from which on it keeps its children.
func (g *graph) leastWork() uint32 {
	var edges [33]int // of nodes by the bits of their work
	for i := range g.nodes {
		n := &g.nodes[i]
		edges[bits.Len32(n.work)] += int(n.count)
	}
	room := g.most / 2
	for b := len(edges) - 1; b > 0; b-- {
		if room -= edges[b]; room < 0 {
			return 1 << b
		}
	}
	return 0
}

// reach marks what is kept, and cuts off the rest.
func (g *graph) reach(held []*uint32, least uint32) (keep []bool) {
	keep = make([]bool, len(g.nodes))
	keep[0], keep[endless] = true, true
	var open []uint32
	add := func(n uint32) {
		if !keep[n] {
			keep[n] = true
			open = append(open, n)
		}
	}
	for _, n := range g.ends {
		keep[n] = true
	}
	for _, n := range held {
		add(*n)
	}
	for len(open) > 0 {
		id := open[len(open)-1]
		open = open[:len(open)-1]
		n := g.at(id)
		if id != *held[0] {
			g.prune(n, least)
		}
		for _, child := range g.edgesOf(n) {
			add(child)
		}
	}
	return keep
}

// prune takes from a node the children that are not to be kept: of one that is won or
// lost, where who is sure of it chooses, all but the one on the shortest line.
func (g *graph) prune(n *node, least uint32) {
	won, lost := n.yes(toWin), n.no(notToLose)
	switch {
	case !won && !lost:
		if n.work < least || n.closed() {
			n.count = 0
		}
	case won == (n.kind == ours) && n.kind != chance:
		edge, ok := g.shortest(n)
		if n.first, n.count = edge, 0; ok {
			n.count = 1
		}
	}
}

// compact moves what is kept together.
func (g *graph) compact(keep []bool) (to []uint32) {
	to = make([]uint32, len(keep))
	nodes, words := uint32(0), uint32(0)
	var edges, joints []uint32
	var near []uint8
	for i := range g.nodes {
		if !keep[i] {
			continue
		}
		to[i] = nodes
		n := g.nodes[i]
		copy(g.words[words:], g.words[n.state:][:n.size])
		n.state = words
		words += uint32(n.size)
		first := uint32(len(edges))
		edges, near = append(edges, g.edgesOf(&n)...), append(near, g.near[n.first:][:n.count]...)
		joints = append(joints, g.joints[int(n.first)*g.semimoves:][:int(n.count)*g.semimoves]...)
		n.first = first
		g.nodes[nodes] = n
		nodes++
	}
	g.nodes, g.words, g.edges, g.joints, g.near = g.nodes[:nodes], g.words[:words], edges, joints, near
	for i, n := range g.edges {
		g.edges[i] = to[n]
	}
	for i, n := range g.ends {
		g.ends[i] = to[n]
	}
	g.rehash(len(g.table))
	return to
}
