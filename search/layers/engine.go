package layers

import "sync/atomic"

// Engine is what a search by layers needs of an engine. search.Engine, which says
// more about each method, is one; it cannot be named here, since package search
// imports this one.
type Engine interface {
	// Lanes is the number of positions side by side.
	Lanes() int
	// Load puts a state into a lane. The next Step plays the joint move, or looks at
	// the state where there is none.
	Load(lane int, state []uint64, joint []uint32)
	// Step advances every loaded lane; ended has a bit for each whose state is terminal.
	Step(stop *atomic.Bool) (ended []uint64, err error)
	// Unload empties a lane.
	Unload(lane int)
	// State appends the state of a lane.
	State(lane int, dst []uint64) []uint64
	// Goals writes the goal values, in [0, 1].
	Goals(lane int, dst []float64)
	// Offers appends the semimoves that may follow a prefix.
	Offers(lane, role int, prefix []uint32, dst []uint32) []uint32
}
