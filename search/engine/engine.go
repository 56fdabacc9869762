// Package engine says what a search needs of a game: engines that play it in lanes,
// and evaluators of its states.
package engine

import "sync/atomic"

// Engine plays a game in lanes: independent positions side by side, all
// advanced together. An engine belongs to one goroutine.
//
// A nodal state travels as a slice of words whose meaning is the engine's;
// its length may differ from state to state; equal states are equal slices.
// Engines of the same machine understand each other's states and semimoves.
//
// A semimove is a number that names it among the semimoves of its role and
// level. A joint move is the semimoves of role 0 from its first level to its
// last, then those of role 1, and so on. An orthodox game has one level a
// role, so a joint move is one number a role.
type Engine interface {
	// Lanes is the number of positions side by side, at least 1.
	Lanes() int

	// Load puts a state into a lane. With a joint move, the next Step plays
	// it there (it must be legal). With nil, the next Step looks at the state
	// itself. The slices are not kept.
	Load(lane int, state []uint64, joint []uint32)

	// Step advances every loaded lane by one joint move: the one given with
	// Load, or a random one, uniform among the offers at each level (see also
	// Staller). ended has a bit for each loaded lane
	// whose state is now terminal; such a lane must be unloaded or loaded anew
	// before the next Step. ended is valid until the next call. An error is
	// returned when stop was set (ErrStopped of the caller's making is not
	// needed: any error ends the batch), or when the rules cannot be followed;
	// then the lanes hold nothing and must be loaded again.
	//
	// Where a role has no legal move though the state is not terminal, there
	// is no random joint move: the game ends, with the goals of that state. The
	// lane ends in the Step that was to move it, and stalled in it.
	Step(stop *atomic.Bool) (ended []uint64, err error)

	// Unload empties a lane.
	Unload(lane int)

	// The following read the state that a lane reached in the last Step.

	// State appends the state of a lane to dst. It may leave out what nothing depends on,
	// also in the state that was loaded.
	State(lane int, dst []uint64) []uint64
	// Goals writes the goal value of every role, in [0, 1]; no goal is 0, of
	// several the highest counts. Also for states that are not terminal.
	Goals(lane int, dst []float64)
	// Offers appends the semimoves that role may choose next, given the
	// prefix of semimoves that it has chosen in this state, in rising order.
	// A completed prefix has no offers.
	Offers(lane, role int, prefix []uint32, dst []uint32) []uint32
}

// Lister is what an Engine may be as well: one that lists the whole moves of many
// lanes together quicker than lane by lane with Engine.Offers.
type Lister interface {
	// Paths calls visit with each legal move of a role in each lane of a mask
	// that has not ended, as the semimoves of all levels, those of a lane in
	// the order in which Offers gives them, until there are as many as most, or
	// until it has looked for too long. The path is valid during the call. cut has
	// the lanes in which there may be more moves, and is valid until the next call.
	Paths(lanes []uint64, role, most int, visit func(lane int, path []uint32)) (cut []uint64)

	// Firsts appends to into, by lane, the semimoves that a role may begin with in
	// each lane of a mask that has not ended, in the order of Offers.
	Firsts(lanes []uint64, role int, into [][]uint32)
}

// Sampler is what an Engine may be as well: one that offers only some of the moves
// of a role, taken whole, where there are very many, or nothing after a prefix where it
// cannot find what there is.
type Sampler interface {
	// Partial tells that of the position that was looked at last, as far as it was asked
	// for offers.
	Partial(role int) bool
}

// Seer is what an Engine may be as well: one whose random joint moves are such that a
// role takes a move that wins at once (ends the game with goal 1 for it) where it has
// one and no other role has a choice.
type Seer interface {
	// Sees tells whether it is so.
	Sees() bool
	// Winners appends a mask of the lanes where a role has such a move, in the states
	// reached in the last Step; if it sees.
	Winners(role int, dst []uint64) []uint64
}

// Preferrer is what a Seer may be as well: one that sees which moves let another role win
// at once.
type Preferrer interface {
	// Preferred appends the semimoves that a role, the only one with a choice, prefers to
	// begin with in the state that a lane reached in the last Step, in rising order: those of
	// moves that win at once; or, where there are none, those of moves after which nobody
	// else does. None: it prefers nothing, or nothing is seen.
	Preferred(lane, role int, dst []uint32) []uint32
}

// Staller is what an Engine may be as well: one whose lanes now and then need
// several Steps for a random joint move: because the semimoves that they drew
// led nowhere and they take them back one by one, or because their game ends by it
// and goals are dear, so that several lanes end together.
type Staller interface {
	// Stalled has a bit for each lane that did not complete a random joint
	// move in the last Step. It goes on in the next Step; until then what the
	// readers say of it means nothing (but if it ended, see Step). A lane that
	// was loaded before the Step, with or without a joint move, never stalls.
	// The slice is valid until the next call of Step.
	Stalled() []uint64
}
