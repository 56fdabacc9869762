package ahead

import (
	"slices"

	"semisplit/search/internal/toys"
)

// What playouts may do by the rules, found the long way.

// nexts are the states after the moves of the one role that has a choice, if
// there is one and it is not chance; else mover is -1. Where no role has a choice
// there is one state.
func nexts(g toys.Game, s []uint64, chance []bool) (mover int, all [][]uint64) {
	mover, choosers := -1, 0
	joints := [][]uint32{nil}
	for role := range g.Levels() {
		moves := toys.Moves(g, s, role, nil)
		if len(moves) > 1 {
			if mover = role; choosers > 0 || role < len(chance) && chance[role] {
				return -1, nil
			}
			choosers++
		}
		var longer [][]uint32
		for _, joint := range joints {
			for _, move := range moves {
				longer = append(longer, slices.Concat(joint, move))
			}
		}
		joints = longer
	}
	for _, joint := range joints {
		all = append(all, g.Play(s, joint))
	}
	return mover, all
}

// wonBy tells whether a state ends the game with goal 1 for a role.
func wonBy(g toys.Game, s []uint64, role int) bool { return g.Terminal(s) && g.Goals(s)[role] == 1 }

// spoils tells whether after a move of a role another has won, wins with its
// next move, or when all play the only move that they have.
func spoils(g toys.Game, s []uint64, mover int, chance []bool) bool {
	if g.Terminal(s) {
		return slices.Max(g.Goals(s)) == 1 && g.Goals(s)[mover] != 1
	}
	next, all := nexts(g, s, chance)
	if next < 0 && len(all) == 1 {
		return g.Terminal(all[0]) && spoils(g, all[0], mover, chance)
	}
	return next >= 0 && next != mover && slices.ContainsFunc(all, func(s []uint64) bool { return wonBy(g, s, next) })
}

// decisive are the states that decisive playouts may go to.
func decisive(g toys.Game, mover int, all [][]uint64, chance []bool) (some [][]uint64) {
	for _, s := range all {
		if wonBy(g, s, mover) {
			some = append(some, s)
		}
	}
	if some != nil {
		return some
	}
	for _, s := range all {
		if !spoils(g, s, mover, chance) {
			some = append(some, s)
		}
	}
	if some != nil {
		return some
	}
	return all
}

// pairs is a nim in which each role moves twice in a row.
type pairs struct{ toys.Nim }

func (g pairs) Goals(s []uint64) []float64 {
	goals := []float64{0, 0}
	goals[(s[len(s)-1]+3)/2%2] = 1 // who made the last move
	return goals
}
func (g pairs) Offers(s []uint64, role int, prefix []uint32) []uint32 {
	turn := slices.Clone(s)
	turn[len(s)-1] /= 2
	return g.Nim.Offers(turn, role, prefix)
}
func (g pairs) Play(s []uint64, joint []uint32) []uint64 {
	n := slices.Clone(s)
	move := joint[s[len(s)-1]/2]
	n[move/8] -= uint64(move % 8)
	n[len(n)-1] = (n[len(n)-1] + 1) % 4
	return n
}

// misere is a nim in which who takes the last one loses.
type misere struct{ toys.Nim }

func (g misere) Goals(s []uint64) []float64 {
	goals := g.Nim.Goals(s)
	return []float64{goals[1], goals[0]}
}

// hashes likes states at random, with few ties.
type hashes struct{}

func (hashes) Values(s []uint64, values []float64) {
	h := uint64(1)
	for _, word := range s {
		h = (h ^ word) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	for r := range values {
		values[r] = float64(h>>(16*r)&0xff) / 255
	}
}

// even likes all states the same.
type even struct{}

func (even) Values(_ []uint64, values []float64) {
	for r := range values {
		values[r] = 0.5
	}
}
