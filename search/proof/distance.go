package proof

import (
	"slices"

	"semisplit/search/tree"
)

// The distance of a solved node is the number of joint moves to the end of the
// game, as far as the tree knows: who gets the highest goal takes the shortest
// way that was found, everybody else the longest. A node is solved by the first
// win that is found below it, so distances are too large at first. They shrink
// when the search goes on: see Resists.

// mostDistance is the largest distance that is told from larger ones.
const mostDistance = 1<<16 - 1

// UnknownDistance stands for a node that is not solved, or of which all that was
// below is gone.
const UnknownDistance = -1

// Distance of a node to the end of the game.
func (t *Bounds) Distance(n uint32) int {
	switch d := t.distances.Of(n)[0]; {
	case t.tree.Node(n).Flags&tree.FlagTerminal != 0:
		return 0
	case d > 0 && t.IsSolved(n):
		return int(d)
	}
	return UnknownDistance
}

// measureDistance brings the distance of a solved node up to date.
func (t *Bounds) measureDistance(n uint32) {
	if !t.children.Gather(n) {
		return
	}
	f, place := t.children, &t.distances.Of(n)[0]
	mover, sole := t.children.Sole()
	hurries := sole && t.Lows(n)[mover] == Certain
	best := UnknownDistance
	if !hurries && f.missing() > 0 {
		best = t.Distance(n) // of what was given up for want of memory
	}
	for _, c := range f.Children {
		if !t.IsSolved(c) || sole && !slices.Equal(t.Lows(c), t.Lows(n)) {
			continue
		}
		d := t.Distance(c)
		if d == UnknownDistance {
			continue
		}
		if d = min(d+1, mostDistance); best == UnknownDistance || hurries == (d < best) {
			best = d
		}
	}
	if best > 0 {
		*place = uint16(best)
	}
}
