package proof

import (
	"slices"

	"semisplit/search/tree"
)

// The distance of a solved node is the number of joint moves to the end of the
// game, as far as the tree knows: who gets the highest goal takes the shortest
// way that was found, everybody else the longest. A node is solved by the first
// win that is found below it, so distances are too large at first. They shrink
// when the search goes on: see resists.

// mostDistance is the largest distance that is told from larger ones.
const mostDistance = 1<<16 - 1

// UnknownDistance stands for a node that is not solved, or of which all that was
// below is gone.
const UnknownDistance = -1

// Distance of a node to the end of the game.
func (t *Prover) Distance(n uint32) int {
	switch d := t.distances.Of(n)[0]; {
	case t.Tree.Node(n).Flags&tree.FlagTerminal != 0:
		return 0
	case d > 0 && t.IsSolved(n):
		return int(d)
	}
	return UnknownDistance
}

// measureDistance brings the distance of a solved node up to date.
func (t *Prover) measureDistance(n uint32) {
	if !t.ChildSet.Gather(n) {
		return
	}
	f, place := &t.ChildSet, &t.distances.Of(n)[0]
	mover, sole := t.ChildSet.Sole()
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

// Resists says whether the search goes on though nothing better can be found in
// the root: several moves are proven to bring the same, which is no win, and
// somebody may answer them wrongly who has not seen that proof. The search then
// goes on in solved nodes as well, and shows which moves are hardest to answer.
func (t *Prover) Resists() bool {
	players := 0
	for _, chance := range t.chance {
		if !chance {
			players++
		}
	}
	if players < 2 || !t.Bounded || t.Tree.Root == 0 || t.Tree.Node(t.Tree.Root).Flags&tree.FlagTerminal != 0 {
		return false
	}
	for r := range t.Tree.Levels {
		moves, more := t.BoundsOfMoves(t.Tree.Root, r)
		if low, best := Surest(moves, more); best && low < Certain && len(SureMoves(moves, low)) > 1 {
			return true
		}
	}
	return false
}

// SureMoves are the moves that are sure to bring so much.
func SureMoves(moves []MoveBounds, low uint8) (sure []MoveBounds) {
	for _, o := range moves {
		if o.Low == low {
			sure = append(sure, o)
		}
	}
	return sure
}
