// Package board follows one match on a machine: the state that was reached,
// what is legal there, and the joint moves that lead on, as terms. Players,
// managers and experiments keep a board each; it has no clock and no search.
package board

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

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
	step     time.Duration // what the last one took
}

// ErrIllegal is wrapped by Joint for a move that is not legal in the state.
var ErrIllegal = errors.New("illegal move")

// New looks at the initial state of the machine. Without a stop flag nothing ends
// an evaluation early.
func New(m reasoner.Machine, seed uint64, stop *atomic.Bool) (*Board, error) {
	if stop == nil {
		stop = new(atomic.Bool)
	}
	b := &Board{machine: m, engine: m.NewSingle(seed), stop: stop}
	return b, b.Set(m.Initial())
}

// Set goes to a state of the machine.
func (b *Board) Set(state []uint64) error { return b.move(state, nil) }

// Moved plays a joint move that must be legal: the paths of all roles one
// after the other. After an error the board still stands where it was.
func (b *Board) Moved(joint []uint32) error { return b.move(b.state, joint) }

func (b *Board) move(from []uint64, joint []uint32) error {
	b.engine.Load(0, from, joint)
	begin := time.Now()
	ended, err := b.engine.Step(b.stop)
	b.step = time.Since(begin)
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

// Most is how many legal moves of a role are listed at most: far more than any
// published game has in a state, and some megabytes. Rules can have any
// number of them.
const Most = 1 << 16

// mostFolded is how many legal moves are spelled to find one without case: what is
// illegal is compared with all of them, in some tens of milliseconds.
const mostFolded = 1 << 13

// maxPrefixes bounds the prefixes of moves that a listing looks at, most of which
// may be dead: some seconds.
const maxPrefixes = 1 << 20

// Paths are the legal moves of a role, each as its path of semimoves, in
// rising order, but no more than Most; see List. There are none in a terminal
// state.
func (b *Board) Paths(role int) [][]uint32 { return b.FirstPaths(role, Most) }

// HasChoice tells whether a role has more than one legal move.
func (b *Board) HasChoice(role int) bool { return len(b.FirstPaths(role, 2)) > 1 }

// FirstPaths are the first legal moves of a role, at most so many.
func (b *Board) FirstPaths(role, most int) [][]uint32 {
	paths, _ := b.List(role, most)
	return paths
}

// List is FirstPaths that tells as well whether these are all legal moves. They
// are not where there are more, where the board was stopped, and where after
// very many prefixes of moves the end is not in sight.
func (b *Board) List(role, most int) (paths [][]uint32, all bool) {
	if b.terminal {
		return nil, true
	}
	levels, looked := b.machine.Levels(role), 0
	s, spreads := b.engine.(spreader)
	tedious, begin := false, time.Now()
	var walk func(prefix []uint32) bool
	walk = func(prefix []uint32) bool {
		if len(prefix) == levels {
			if len(paths) == most {
				return false
			}
			paths = append(paths, prefix)
			return true
		}
		if looked++; looked > maxPrefixes || b.stop.Load() {
			return false
		}
		if tedious = spreads && levels > 1 && time.Since(begin) > b.step; tedious {
			return false
		}
		for _, semimove := range b.engine.Offers(0, role, prefix, nil) {
			if !walk(append(prefix[:len(prefix):len(prefix)], semimove)) {
				return false
			}
		}
		return true
	}
	all = walk(nil)
	if tedious {
		paths = paths[:0]
		complete, err := s.Spread(b.state, role, most, b.stop, func(path []uint32) { paths = append(paths, slices.Clone(path)) })
		return paths, complete && err == nil
	}
	if p, ok := b.engine.(partial); ok && p.Partial(role) {
		all = false
	}
	return paths, all
}

// spreader is an engine that lists the moves of a state with all of its lanes, for which it
// has to step to the state once more. So a list is begun prefix by prefix, and goes on with
// all lanes when it has taken as long as a step.
type spreader interface {
	Spread(state []uint64, role, most int, stop *atomic.Bool, visit func(path []uint32)) (all bool, err error)
}

// partial is an engine that offers only some of the moves where there are very
// many, but knows them all.
type partial interface {
	Partial(role int) bool
	Legal(lane, role int, path []uint32) bool
}

// Moves spells the legal moves of a role, in the order of Paths.
func (b *Board) Moves(role int) []kif.Term { return b.spell(role, b.Paths(role)) }

// FirstMoves spells the first legal moves of a role, at most so many, and tells
// whether these are all, as List does.
func (b *Board) FirstMoves(role, most int) (moves []kif.Term, all bool) {
	paths, all := b.List(role, most)
	return b.spell(role, paths), all
}

func (b *Board) spell(role int, paths [][]uint32) []kif.Term {
	moves := make([]kif.Term, len(paths))
	for i, path := range paths {
		moves[i] = b.machine.Move(role, path)
	}
	return moves
}

// Random is a uniformly random legal move of a role; false if it has none. Of
// more than Most moves it is one that Draw would give.
func (b *Board) Random(role int, random *rand.Rand) ([]uint32, bool) {
	paths, all := b.List(role, Most)
	if !all {
		if path, ok := b.Draw(role, random); ok {
			return path, true
		}
	}
	if len(paths) == 0 {
		return nil, false
	}
	return paths[random.IntN(len(paths))], true
}

// Draw is a random legal move of a role, drawn semimove by semimove and so not
// uniformly, whatever the number of moves; false if there is none, or none that
// could be found.
func (b *Board) Draw(role int, random *rand.Rand) ([]uint32, bool) {
	if b.terminal {
		return nil, false
	}
	levels, looked := b.machine.Levels(role), 0
	var path []uint32
	var walk func() bool
	walk = func() bool {
		if len(path) == levels {
			return true
		}
		if looked++; looked > maxPrefixes || b.stop.Load() {
			return false
		}
		offers := b.engine.Offers(0, role, path, nil)
		random.Shuffle(len(offers), func(i, j int) { offers[i], offers[j] = offers[j], offers[i] })
		for _, semimove := range offers {
			path = append(path, semimove)
			if walk() {
				return true
			}
			path = path[:len(path)-1] // it turned out dead
		}
		return false
	}
	found := walk()
	return path, found
}

// Find is the path of a legal move, matched exactly first and then without
// case, since some managers write everything in upper case. False: there is
// no such legal move. Without case only the first mostFolded moves are compared.
func (b *Board) Find(role int, move kif.Term) ([]uint32, bool) {
	move = Plain(move)
	if path, ok := b.machine.Path(role, move); ok && b.legal(role, path) {
		return path, true
	}
	for _, path := range b.FirstPaths(role, mostFolded) {
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
	if p, ok := b.engine.(partial); ok {
		return p.Legal(0, role, path)
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

// shownMove is how many bytes of a move an error holds: who sent it may have sent
// megabytes.
const shownMove = 200

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
			return nil, fmt.Errorf("%w: %v of %v", ErrIllegal, move.Short(shownMove), b.machine.Roles()[role])
		}
		joint = append(joint, path...)
	}
	return joint, nil
}

// Play plays the joint move that a list of moves in role order spells. After an error,
// which wraps ErrIllegal where a move is illegal, the board still stands where it was.
func (b *Board) Play(moves []kif.Term) error {
	joint, err := b.Joint(moves)
	if err != nil {
		return err
	}
	return b.Moved(joint)
}

// Transfer goes to another machine for the same rules, with the state
// translated as terms. The old board stays as it is.
func (b *Board) Transfer(m reasoner.Machine, seed uint64) (*Board, error) {
	state, err := m.Encode(b.Fluents())
	if err != nil {
		return nil, fmt.Errorf("translate the state to %s: %w", m.Kind(), err)
	}
	next := &Board{machine: m, engine: m.NewSingle(seed), stop: b.stop}
	return next, next.Set(state)
}

// Plain takes the parentheses from a list of one symbol: (pass) is pass.
func Plain(t kif.Term) kif.Term {
	if len(t.Items) == 1 && t.Items[0].IsSymbol() {
		return t.Items[0]
	}
	return t
}
