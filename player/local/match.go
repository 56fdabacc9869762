// Package local plays matches inside this process, without messages and clocks: a
// judge, and a player on each seat.
package local

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"semisplit/internal/guard"
	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/search"
)

// Thinker is what plays for a role in a Match; Player is one.
type Thinker interface {
	Advance(moves []kif.Term) error
	Prepare(search.Budget) (search.Report, error)
	Choose(search.Budget) (kif.Term, search.Report, error)
}

// Sides of a Match. Chance moves at random, as the rules' role "random" does.
const (
	Chance = iota - 1
	FirstSide
	SecondSide
)

// Seat is a role in a Match.
type Seat struct {
	Side    int
	Name    string  // of the side, for errors
	Thinker Thinker // nil for Chance
}

// Match is one in progress: a judge
// that knows the state and what is legal, and somebody on each seat who
// follows on his own. It belongs to one goroutine.
type Match struct {
	Judge  *board.Board
	Turns  int       // joint moves played
	Effort [2]Effort // by side
	// Observe is told each joint move once it is played, for who looks on; nil: nobody.
	Observe func(moves []kif.Term)

	seats  []Seat
	random *rand.Rand
}

// Effort is what a side did in a match, all its seats together.
type Effort struct {
	Moves      int           // moves that it thought about: those with a choice
	Iterations int64         // in these
	Playouts   int64         // of them
	States     int64         // joint moves that engines played
	Time       time.Duration // spent thinking about moves
	Longest    time.Duration // the longest thought
}

// errStalled ends a match in which a role has no legal move.
var errStalled = errors.New("a role has no legal move")

// spread is a generator for one purpose of a match.
func spread(seed uint64, purpose uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, purpose)) }

// NewMatch seats who plays at the state of the judge, which must be the initial
// one. seed is for the moves of chance.
func NewMatch(judge *board.Board, seats []Seat, seed uint64) *Match {
	return &Match{Judge: judge, seats: seats, random: spread(seed, 0)}
}

// Fault is an error of who sits on a seat.
type Fault struct {
	Role int
	Err  error
}

func (f *Fault) Error() string { return f.Err.Error() }
func (f *Fault) Unwrap() error { return f.Err }

// blame says whose error it is.
func (t *Match) blame(role int, err error) error {
	return &Fault{role, fmt.Errorf("%s as %v, turn %d: %w", t.seats[role].Name, t.Judge.Machine().Roles()[role], t.Turns, err)}
}

// Open plays the joint moves of Opening.
func (t *Match) Open(moves int, seed uint64) (played int, err error) {
	line, err := Opening(t.Judge, moves, seed)
	if err != nil {
		return 0, err
	}
	if err := t.Judge.Set(t.Judge.Machine().Initial()); err != nil {
		return 0, err
	}
	for _, joint := range line {
		if err := t.advance(joint); err != nil {
			return 0, err
		}
	}
	return len(line), nil
}

// Opening is a line of random joint moves from the initial state, the same for the same
// seed on every machine, and never to the end of the match: fewer, if need be. It leaves
// the board at any state.
func Opening(b *board.Board, moves int, seed uint64) ([][]kif.Term, error) {
	const attempts = 10
	for count := moves; count > 0; count-- {
		for attempt := range attempts {
			line, err := randomLine(b, count, spread(seed, uint64(count*attempts+attempt)))
			if err != nil {
				return nil, err
			}
			if len(line) == count && !b.Terminal() {
				return line, nil
			}
		}
	}
	return nil, nil
}

// randomLine plays random moves on a board alone, from the initial
// state until the match ends or so many have been played. Moves are drawn in
// the order of their spelling, which is that of no machine.
func randomLine(b *board.Board, count int, random *rand.Rand) (line [][]kif.Term, err error) {
	if err := b.Set(b.Machine().Initial()); err != nil {
		return nil, err
	}
	for len(line) < count && !b.Terminal() {
		joint := make([]kif.Term, b.Roles())
		for role := range joint {
			move, ok := randomMove(b, role, random)
			if !ok {
				return line, nil
			}
			joint[role] = move
		}
		if err := b.Play(joint); err != nil {
			return nil, err
		}
		line = append(line, joint)
	}
	return line, nil
}

// advance plays a joint move everywhere.
func (t *Match) advance(moves []kif.Term) error {
	var joint []uint32
	for role, move := range moves {
		path, ok := t.Judge.Find(role, move)
		if !ok {
			err := fmt.Errorf("%w: %v", board.ErrIllegal, move)
			if t.seats[role].Side == Chance {
				return err
			}
			return t.blame(role, err)
		}
		joint = append(joint, path...)
	}
	if err := t.Judge.Moved(joint); err != nil {
		return err
	}
	t.Turns++
	if t.Observe != nil {
		t.Observe(moves)
	}
	for role, seat := range t.seats {
		if seat.Thinker == nil {
			continue
		}
		if err := guard.Run(func() error { return seat.Thinker.Advance(moves) }); err != nil {
			return t.blame(role, err)
		}
	}
	return nil
}

// Run plays to the end, one after the other, with a budget for the moves of
// each side, and one for before the first move (zero: none). It fails when the
// match has not ended after most joint moves.
func (t *Match) Run(ctx context.Context, budgets [2]search.Budget, start search.Budget, most int) error {
	if start != (search.Budget{}) && !t.Judge.Terminal() {
		for role, seat := range t.seats {
			if seat.Thinker == nil {
				continue
			}
			err := guard.Run(func() error {
				_, err := seat.Thinker.Prepare(start)
				return err
			})
			if err != nil {
				return t.blame(role, err)
			}
		}
	}
	for !t.Judge.Terminal() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if t.Turns >= most {
			return fmt.Errorf("the match has not ended after %d joint moves", most)
		}
		moves := make([]kif.Term, len(t.seats))
		for role := range moves {
			var err error
			if moves[role], err = t.choose(role, budgets); errors.Is(err, errStalled) {
				return ctx.Err() // a board that was stopped lists no moves, which is no end
			} else if err != nil {
				return err
			}
		}
		if err := t.advance(moves); err != nil {
			return err
		}
	}
	return nil
}

// choose is the move of a role. errStalled: it has none.
func (t *Match) choose(role int, budgets [2]search.Budget) (kif.Term, error) {
	if t.seats[role].Thinker == nil {
		move, ok := randomMove(t.Judge, role, t.random)
		if !ok {
			return kif.Term{}, errStalled
		}
		return move, nil
	}
	var move kif.Term
	var report search.Report
	err := guard.Run(func() (err error) {
		move, report, err = t.seats[role].Thinker.Choose(budgets[t.seats[role].Side])
		return err
	})
	if errors.Is(err, ErrNoMove) && len(t.Judge.FirstPaths(role, 1)) == 0 {
		return kif.Term{}, errStalled
	}
	if err != nil {
		return kif.Term{}, t.blame(role, err)
	}
	t.Effort[t.seats[role].Side].add(report)
	return move, nil
}

func (e *Effort) add(r search.Report) {
	if r.Iterations > 0 {
		e.Join(Effort{1, int64(r.Iterations), int64(r.Playouts), int64(r.States), r.Elapsed, r.Elapsed})
	}
}

// Join adds what was done in another match.
func (e *Effort) Join(f Effort) {
	e.Moves += f.Moves
	e.Iterations += f.Iterations
	e.Playouts += f.Playouts
	e.States += f.States
	e.Time += f.Time
	e.Longest = max(e.Longest, f.Longest)
}

// randomMove is a random legal move of a role, the same on every machine: the
// moves are taken in the order of their spelling. False: there is none.
func randomMove(b *board.Board, role int, random *rand.Rand) (kif.Term, bool) {
	moves := b.Moves(role)
	if len(moves) == 0 {
		return kif.Term{}, false
	}
	if len(moves) == 1 {
		return moves[0], true
	}
	spelled := make([]string, len(moves))
	order := make([]int, len(moves))
	for i, m := range moves {
		spelled[i], order[i] = m.String(), i
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(spelled[a], spelled[b]) })
	return moves[order[random.IntN(len(order))]], true
}
