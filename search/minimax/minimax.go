// Package minimax searches games in which one role chooses at a time by the values of
// states: best-first, and by alpha-beta with iterative deepening. All moves of many
// positions are played side by side in the lanes of an engine, so that one Step makes
// and evaluates hundreds of states. Moves are taken whole, whatever the levels are.
package minimax

import (
	"math"

	"semisplit/search"
	"semisplit/search/engine"
)

// Options are the parameters of both searches.
type Options struct {
	// Evaluate says what states are worth that are not terminal. nil: playouts say it.
	Evaluate engine.Evaluator

	// Playouts is the number of random playouts whose mean is the value of a state, if
	// there is no Evaluate. 0: DefaultPlayouts.
	Playouts int

	// Memory bounds what is kept, in bytes. 0: DefaultMemory.
	Memory int64

	// Chance marks, by role, those that move at random. Shorter than the number of
	// roles: the rest are players.
	Chance []bool

	// Numbered: states are lists of numbers, as the prover's are, not a bit for each
	// fluent. Then they do not tell what a move takes.
	Numbered bool

	// Counted is a mask of the fluents whose number falls by a move that takes something.
	// nil: all are counted.
	Counted []uint64
}

// Bounds that are meant where Options give none.
const (
	DefaultMemory   = 256 << 20 // bytes
	DefaultPlayouts = 4         // of a search without any value else
)

// Reasons why a search refuses a state as its root.
const (
	ErrTogether = search.Refusal("minimax: several roles choose at once, which minimax knows no value of: Monte Carlo tree search does")
	ErrChance   = search.Refusal("minimax: chance moves, whose values would have to be averaged: Monte Carlo tree search does that")
	ErrRoles    = search.Refusal("minimax: alpha-beta is for two roles: best-first takes any number")
	ErrMany     = search.Refusal("minimax: too many moves")
)

const (
	mostMoves = 1 << 12 // of a state: one with more of them is not searched
	top       = 1.0     // the goal that nothing beats
	surest    = 0.999   // an estimate is between 1-surest and surest: proven ends are beyond
)

// bounded has the bounds that are meant where none is given.
func (o Options) bounded() Options {
	if o.Memory <= 0 {
		o.Memory = DefaultMemory
	}
	switch {
	case o.Evaluate != nil:
		o.Playouts = 0
	case o.Playouts <= 0:
		o.Playouts = DefaultPlayouts
	}
	return o
}

// estimate makes a value one that is not taken for a proven end.
func estimate(v float64) float32 {
	if math.IsNaN(v) {
		v = 0.5
	}
	return float32(min(max(v, 1-surest), surest))
}
