// Package reasoner turns rules into a game that can be played fast. It is
// the interface of its subpackages: what can be played at once is played by the
// prover, and better machines follow as they are ready.
package reasoner

import (
	"slices"
	"sync/atomic"

	"semisplit/kif"
	"semisplit/reasoner/lanes"
	"semisplit/reasoner/prover"
)

// Engine is one goroutine's instance of a Machine: positions side by side in
// lanes. Its methods are described in package search/engine, whose interface of
// the same name it satisfies.
type Engine interface {
	Lanes() int
	Load(lane int, state []uint64, joint []uint32)
	Step(stop *atomic.Bool) (ended []uint64, err error)
	Unload(lane int)
	State(lane int, dst []uint64) []uint64
	Goals(lane int, dst []float64)
	Offers(lane, role int, prefix []uint32, dst []uint32) []uint32
}

// batch is what an engine with many lanes can do for some of them at once.
// Masks have a bit for each lane.
type batch interface {
	// LoadMany is Load(lane, state, nil) for each lane in the mask.
	LoadMany(lanes []uint64, state []uint64)
	// SumGoals adds the goals of the lanes in the mask to dst, by role.
	SumGoals(lanes []uint64, dst []float64)
}

// stalling is an engine whose lanes can run into dead prefixes, or wait for others to
// end: those that are not through at the end of a Step go on in the next one.
type stalling interface {
	// Stalled are the lanes that should have moved in the last Step and have
	// not. Lanes that were loaded with a joint move never stall.
	Stalled() []uint64
}

// tracing is an engine that tells by which joint move each lane came to its
// state, and steering is one whose random choices others can make. Package
// search describes both.
type (
	tracing interface {
		Trace(on bool)
		TraceWords() int
		TraceField(role, level int) (word int, shift, bits uint)
		Choices() []uint64
	}
	steering interface {
		Semimoves(role, level int) int
		SetPolicy(role, level int, order []int32, epsilon float64)
		SetChooser(role, level int, choose func(lanes, offers []uint64, words int, prefix []uint64, into []int32))
	}
)

// All engines are both.
var _, _ interface {
	Engine
	tracing
	steering
} = (*lanes.Engine)(nil), (*prover.Engine)(nil)

// counting is an engine that tells how its steps went.
type counting interface {
	Counters() lanes.Counters
	Time(on bool) // the phases of the steps, from now on
}

// Machine is a compiled game, safe for use by several goroutines. States and
// semimoves of one machine mean nothing to another: they are translated as
// terms.
type Machine interface {
	// Kind is "prover" or "lanes".
	Kind() string
	// Plan is the name of the plan that splits the moves.
	Plan() string
	// Lanes is the number of lanes of its engines.
	Lanes() int
	// Roles in the order of the rules.
	Roles() []kif.Term
	// Levels is the number of semimoves in a move of the role.
	Levels(role int) int
	// Initial is the initial state.
	Initial() []uint64
	// NewEngine makes an engine with its own random numbers, for searches and playouts:
	// its states leave out the Spare fluents, also where they are loaded.
	NewEngine(seed uint64) Engine
	// NewSingle makes an engine with as few lanes as there can be, for who
	// looks at one position at a time. Its states have all fluents.
	NewSingle(seed uint64) Engine
	// Spare are the fluents on which no end, goal or legal move depends, now or later, as
	// a state; nil: there are none, or they are not known.
	Spare() []uint64
	// Whole is a machine of the same plan and lanes all of whose engines have all fluents.
	// It may foresee less.
	Whole() Machine

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
	// state, rising, 0..100 as gdl.Symbols.Goal reads them; to tell a missing
	// goal from a contradictory one.
	GoalValues(role int, state []uint64) []int
}

// Essential is a copy of a state without the spare fluents of its machine.
func Essential(m Machine, state []uint64) []uint64 {
	state = slices.Clone(state)
	for w, x := range m.Spare() {
		state[w] &^= x
	}
	return state
}
