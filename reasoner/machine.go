// Package reasoner turns rules into a game that can be played fast. It is
// the door to its subpackages: what can be played at once is played by the
// prover, and better machines follow as they are ready.
package reasoner

import (
	"sync/atomic"

	"semisplit/kif"
)

// Engine is one goroutine's instance of a Machine: positions side by side in
// lanes. Its methods are described in package search, whose interface of the
// same name it satisfies.
type Engine interface {
	Lanes() int
	Load(lane int, state []uint64, joint []uint32)
	Step(stop *atomic.Bool) (ended []uint64, err error)
	Unload(lane int)
	State(lane int, dst []uint64) []uint64
	Goals(lane int, dst []float64)
	Offers(lane, role int, prefix []uint32, dst []uint32) []uint32
}

// Machine is a compiled game, safe for use by several goroutines. States and
// semimoves of one machine mean nothing to another: they are translated as
// terms.
type Machine interface {
	// Kind is "prover" or "lanes".
	Kind() string
	// Roles in the order of the rules.
	Roles() []kif.Term
	// Levels is the number of semimoves in a move of the role.
	Levels(role int) int
	// Initial is the initial state.
	Initial() []uint64
	// NewEngine makes an engine with its own random numbers.
	NewEngine(seed uint64) Engine

	// Fluents spells a state, in a fixed order.
	Fluents(state []uint64) []kif.Term
	// Encode is the inverse of Fluents. It fails for a fluent that the
	// machine cannot represent.
	Encode(fluents []kif.Term) ([]uint64, error)
	// Move spells a completed path of semimoves.
	Move(role int, path []uint32) kif.Term
	// Path is the inverse of Move; false if the machine does not know the move.
	Path(role int, move kif.Term) ([]uint32, bool)
	// GoalValues are all the values v for which (goal role v) holds in a
	// state, rising; to tell a missing goal from a contradictory one.
	GoalValues(role int, state []uint64) []int
}
