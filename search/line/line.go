// Package line keeps the best line that is known of a game for one.
package line

import "slices"

// Best is the best known line from a root to an end of the game. Nobody else moves, so
// it can be played as it is: a line that reaches the highest goal solves the game.
type Best struct {
	Value  float64    // the goal at its end, in [0, 1]
	Moves  [][]uint32 // joint moves of the engine, from the root on; empty: there is none
	Given  bool       // another algorithm has found it
	Proven bool       // nothing is better

	pending bool // the root was lost, and the line goes on
}

// Known says whether there is one.
func (b *Best) Known() bool { return len(b.Moves) > 0 }

// Advance goes on in the line after a joint move, if that is its first. kept: the root
// is the state after the move now; else a call of Begin with that state will follow.
func (b *Best) Advance(joint []uint32, kept bool) {
	if !b.Known() || !slices.Equal(b.Moves[0], joint) {
		*b = Best{}
		return
	}
	b.Moves, b.pending = b.Moves[1:], !kept
	if !b.Known() {
		*b = Best{}
	}
}

// Begin says that a state is the root: there is no line then, unless the one that was
// advanced goes on there.
func (b *Best) Begin() {
	if !b.pending {
		*b = Best{}
	}
	b.pending = false
}
