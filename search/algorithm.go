package search

import "sync/atomic"

// Algorithm searches a game from one state on, which is its root. It belongs to one
// goroutine. States and semimoves are those of engine.Engine.
//
// All are made alike: New(engines, levels, options), of engines of one machine, each of
// which stands for a thread, of its levels of moves by role, and of options of its own, the
// bound on memory among them.
type Algorithm interface {
	// SetRoot starts anew at a state. After an error (an engine cannot follow the rules
	// there, or a Refusal) there is no root.
	SetRoot(state []uint64) error

	// Advance makes the state after a joint move the root, with what is known of it.
	// False: that is nothing, and SetRoot must follow before the next Search. Until then
	// each further joint move is to be told as well.
	Advance(joint []uint32) (kept bool)

	// Search goes on from the root until the budget is used up, until stop is set, which
	// also interrupts the engines, or until there is nothing left to find. A nil stop is
	// never set. On an error of an engine it ends with that error, and the report of
	// what was done; another Search may follow. Without a root: ErrNoRoot.
	Search(stop *atomic.Bool, b Budget) (Report, error)

	// Best is the move that is recommended to a role, as the engine's semimoves. It is
	// false as long as nothing is known, and in a terminal state.
	Best(role int) (path []uint32, ok bool)

	// RootEdges are the semimoves of a role in the root with what is known of each, in
	// the order of their numbers; nil if the algorithm keeps no such statistics.
	RootEdges(role int) []EdgeStats
}

// Refusal is the error of an Algorithm that is not for such a state, and says which one is.
type Refusal string

func (r Refusal) Error() string { return string(r) }
