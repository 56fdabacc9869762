package mcts

import (
	"slices"

	"semisplit/search/encoding"
	"semisplit/search/tree"
)

// What another search needs that works on the same game beside a forest: where the
// forest looks most, and a way to tell what is proven there.

// TakeBounds tells the bounds, by role as goals in [0, 1], of rational play from the
// state that these joint moves lead to from the root. Every tree that holds the state
// goes by them, and carries them up as what it proves itself: selection, Best and the
// bounds of a report then go by them. False: no tree has taken them, for none holds the
// state, none has the solver, several roles choose at once on the way, or they contradict
// what is known. No search may be under way.
func (f *Forest) TakeBounds(moves [][]uint32, low, high []float64) (taken bool) {
	for _, t := range f.trees {
		if nodes, edges := t.walk(moves); nodes != nil && t.proofs.TakeBounds(nodes, edges, low, high) {
			taken = true
		}
	}
	return taken
}

// walk are the nodes from the root on along these joint moves, with the edges between
// them; nil: the tree does not hold them.
func (t *searcher) walk(moves [][]uint32) (nodes, edges []uint32) {
	n := t.tree.Root
	if n == 0 {
		return nil, nil
	}
	nodes = append(nodes, n)
	for _, joint := range moves {
		if n = t.tree.Resolve(t.follow(n, joint)); n == 0 {
			return nil, nil
		}
		edges = append(edges, t.edgesOf(nodes[len(nodes)-1], joint)...)
		nodes = append(nodes, n)
	}
	return nodes, edges
}

// Line is a way from the root to a state that the search has come to.
type Line struct {
	Moves  [][]uint32 // joint moves of the engine
	State  []uint64
	Visits int
}

// Lines are ways to the states below the root with the most visits, at most so many, and
// with no fewer visits than least, in falling order; each state once. What ends the game
// and what is solved is left out, with what is below. No search may be under way.
func (f *Forest) Lines(most, least int) []Line { return f.trees[0].lines(most, least) }

// place is where a node hangs in the tree.
type place struct {
	node   uint32 // which may be an alias
	parent int    // among the lines; -1: the root
}

func (t *searcher) lines(most, least int) (lines []Line) {
	if t.tree.Root == 0 || most <= 0 {
		return nil
	}
	nodes := []uint32{t.tree.Root}
	met := map[uint32]bool{t.tree.Root: true}
	open := t.childPlaces(nil, t.tree.Root, -1, least)
	for len(open) > 0 && len(lines) < most {
		next := 0
		for i, p := range open {
			if t.tree.Node(p.node).Visits > t.tree.Node(open[next].node).Visits {
				next = i
			}
		}
		p := open[next]
		open = slices.Delete(open, next, next+1)
		n := t.tree.Resolve(p.node)
		if n == 0 || met[n] || t.tree.Node(n).Flags&(tree.FlagTerminal|tree.FlagSolved) != 0 {
			continue
		}
		met[n] = true
		line := Line{State: t.tree.Words(n, nil), Visits: int(t.tree.Node(p.node).Visits)}
		if p.parent >= 0 {
			line.Moves = slices.Clone(lines[p.parent].Moves)
		}
		joint := t.jointTo(nodes[p.parent+1], p.node)
		if joint == nil {
			continue
		}
		line.Moves = append(line.Moves, joint)
		lines, nodes = append(lines, line), append(nodes, n)
		open = t.childPlaces(open, n, len(lines)-1, least)
	}
	return lines
}

// childPlaces appends the places below a node with enough visits.
func (t *searcher) childPlaces(dst []place, n uint32, parent, least int) []place {
	t.tree.EachChild(n, func(c uint32) {
		if int(t.tree.Node(c).Visits) >= least {
			dst = append(dst, place{c, parent})
		}
	})
	return dst
}

// jointTo is the engine's joint move from a node to a place below it; nil: its edges are
// gone.
func (t *searcher) jointTo(n, child uint32) []uint32 {
	var labels []uint32
	for r, leaf := range t.tree.LastEdges(child) {
		path := []uint32{leaf}
		if !tree.IsForced(leaf) {
			path = t.final.PathTo(n, r, leaf)
		}
		if len(path) < t.tree.Levels[r] {
			return nil
		}
		labels = t.tree.Semimoves(path, labels)
	}
	return encoding.AppendJoint(t.encodings, nil, labels)
}
