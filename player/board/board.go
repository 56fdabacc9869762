// Package board follows one match on a machine: the state that was reached,
// what is legal there, and the joint moves that lead on, as terms. Players,
// managers and experiments keep a board each; it has no clock and no search.
package board

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"sync/atomic"

	"semisplit/kif"
	"semisplit/reasoner"
)

// Board follows one match on one machine: the nodal state that was reached,
// what is legal there, and joint moves given as terms. It belongs to one
// goroutine. Every method that evaluates rules returns soon after the stop
// flag that was given to New is set.
type Board struct {
	machine  reasoner.Machine
	engine   reasoner.Engine
	stop     *atomic.Bool
	state    []uint64
	terminal bool
}

// ErrIllegal is wrapped by Joint for a move that is not legal in the state.
var ErrIllegal = errors.New("illegal move")

// New looks at the initial state of the machine.
func New(m reasoner.Machine, seed uint64, stop *atomic.Bool) (*Board, error) {
	b := &Board{machine: m, engine: m.NewNarrow(seed), stop: stop}
	return b, b.Set(m.Initial())
}

// Set goes to a state of the machine.
func (b *Board) Set(state []uint64) error { return b.move(state, nil) }

// Moved plays a joint move that must be legal: the paths of all roles one
// after the other. After an error the board still stands where it was.
func (b *Board) Moved(joint []uint32) error { return b.move(b.state, joint) }

func (b *Board) move(from []uint64, joint []uint32) error {
	b.engine.Load(0, from, joint)
	ended, err := b.engine.Step(b.stop)
	if err != nil {
		return fmt.Errorf("state machine: %w", err)
	}
	b.state = b.engine.State(0, nil)
	b.terminal = ended[0]&1 != 0
	return nil
}

// Look makes the engine see the board's state again after a failed step.
func (b *Board) Look() error { return b.move(b.state, nil) }

// Machine is the machine that the board runs on.
func (b *Board) Machine() reasoner.Machine { return b.machine }

// State is the current state, not to be modified.
func (b *Board) State() []uint64 { return b.state }

// Fluents spells the current state.
func (b *Board) Fluents() []kif.Term { return b.machine.Fluents(b.state) }

// Terminal tells whether the match is over.
func (b *Board) Terminal() bool { return b.terminal }

// Roles is the number of roles.
func (b *Board) Roles() int { return len(b.machine.Roles()) }

// Goals are the goal values of all roles, 0 to 100: the highest where the
// rules give several, 0 where they give none.
func (b *Board) Goals() []int {
	values := make([]float64, b.Roles())
	b.engine.Goals(0, values)
	goals := make([]int, len(values))
	for i, v := range values {
		goals[i] = int(100*v + 0.5)
	}
	return goals
}

// Paths are the legal moves of a role, each as its path of semimoves, in
// rising order. There are none in a terminal state.
func (b *Board) Paths(role int) [][]uint32 { return b.FirstPaths(role, math.MaxInt) }

// HasChoice tells whether a role has more than one legal move.
func (b *Board) HasChoice(role int) bool { return len(b.FirstPaths(role, 2)) > 1 }

// FirstPaths are the first legal moves of a role, at most so many.
func (b *Board) FirstPaths(role, most int) (paths [][]uint32) {
	if b.terminal {
		return nil
	}
	levels := b.machine.Levels(role)
	var walk func(prefix []uint32)
	walk = func(prefix []uint32) {
		if len(prefix) == levels {
			paths = append(paths, prefix)
			return
		}
		for _, semimove := range b.engine.Offers(0, role, prefix, nil) {
			if len(paths) < most {
				walk(append(prefix[:len(prefix):len(prefix)], semimove))
			}
		}
	}
	walk(nil)
	return paths
}

// Moves spells the legal moves of a role, in the order of Paths.
func (b *Board) Moves(role int) []kif.Term {
	paths := b.Paths(role)
	moves := make([]kif.Term, len(paths))
	for i, path := range paths {
		moves[i] = b.machine.Move(role, path)
	}
	return moves
}

// Random is a uniformly random legal move of a role; false if it has none.
func (b *Board) Random(role int, random *rand.Rand) ([]uint32, bool) {
	paths := b.Paths(role)
	if len(paths) == 0 {
		return nil, false
	}
	return paths[random.IntN(len(paths))], true
}

// Find is the path of a legal move, matched exactly first and then without
// case, since some managers write everything in upper case. False: there is
// no such legal move.
func (b *Board) Find(role int, move kif.Term) ([]uint32, bool) {
	move = Plain(move)
	if path, ok := b.machine.Path(role, move); ok && b.legal(role, path) {
		return path, true
	}
	for _, path := range b.Paths(role) {
		if kif.EqualFold(Plain(b.machine.Move(role, path)), move) {
			return path, true
		}
	}
	return nil, false
}

// legal walks down the offers along a path.
func (b *Board) legal(role int, path []uint32) bool {
	if b.terminal || len(path) != b.machine.Levels(role) {
		return false
	}
	var offers []uint32
next:
	for i, want := range path {
		offers = b.engine.Offers(0, role, path[:i], offers[:0])
		for _, offer := range offers {
			if offer == want {
				continue next
			}
		}
		return false
	}
	return true
}

// Joint is the joint move that a list of moves in role order spells. An error
// names the first move that is not legal, and wraps ErrIllegal.
func (b *Board) Joint(moves []kif.Term) ([]uint32, error) {
	if len(moves) != b.Roles() {
		return nil, fmt.Errorf("%w: %d moves for %d roles", ErrIllegal, len(moves), b.Roles())
	}
	var joint []uint32
	for role, move := range moves {
		path, ok := b.Find(role, move)
		if !ok {
			return nil, fmt.Errorf("%w: %v of %v", ErrIllegal, move, b.machine.Roles()[role])
		}
		joint = append(joint, path...)
	}
	return joint, nil
}

// Transfer goes to another machine for the same rules, with the state
// translated as terms. The old board stays as it is.
func (b *Board) Transfer(m reasoner.Machine, seed uint64) (*Board, error) {
	state, err := m.Encode(b.Fluents())
	if err != nil {
		return nil, fmt.Errorf("translate the state to %s: %w", m.Kind(), err)
	}
	next := &Board{machine: m, engine: m.NewNarrow(seed), stop: b.stop}
	return next, next.Set(state)
}

// Plain takes the parentheses from a list of one symbol: (pass) is pass.
func Plain(t kif.Term) kif.Term {
	if len(t.Items) == 1 && t.Items[0].IsSymbol() {
		return t.Items[0]
	}
	return t
}
