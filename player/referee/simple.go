package referee

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/protocol"
	"semisplit/reasoner"
)

// Random is the seat of a player that moves uniformly at random.
func Random(seed uint64) Seat {
	random := rand.New(rand.NewPCG(seed, 2))
	return &simple{name: "random", choose: func(_ context.Context, f *follower) (kif.Term, error) {
		path, ok := f.board.Random(f.role, random)
		if !ok {
			return kif.Term{}, errNoMove
		}
		return f.board.Machine().Move(f.role, path), nil
	}}
}

// Legal is the seat of a player that always makes its first legal move.
func Legal() Seat {
	return &simple{name: "legal", choose: func(_ context.Context, f *follower) (kif.Term, error) {
		paths := f.board.FirstPaths(f.role, 1)
		if len(paths) == 0 {
			return kif.Term{}, errNoMove
		}
		return f.board.Machine().Move(f.role, paths[0]), nil
	}}
}

var errNoMove = errors.New("no legal move")

// simple is a seat without thought: it follows one match on the prover and
// chooses by a function. The lock is for calls that the referee gave up: they
// may not have returned when the next one comes.
type simple struct {
	name   string
	choose func(ctx context.Context, f *follower) (kif.Term, error)
	mu     sync.Mutex
	match  *follower
}

func (s *simple) Name() string { return s.name }

func (s *simple) Start(ctx context.Context, m protocol.Start) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.match = nil
	f, err := follow(ctx, m)
	if err == nil {
		s.match = f
	}
	return err
}

func (s *simple) Play(ctx context.Context, m protocol.Play) (kif.Term, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil { // it was given up, and another match may have begun
		return kif.Term{}, err
	}
	if s.match == nil {
		return kif.Symbol("busy"), nil
	}
	if err := s.match.played(ctx, m); err != nil {
		return kif.Term{}, err
	}
	return s.choose(ctx, s.match)
}

func (s *simple) Stop(context.Context, protocol.Play) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.match = nil
	return nil
}

func (s *simple) Abort(context.Context, string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.match = nil
	return nil
}

// follower keeps the position of one match for one role.
type follower struct {
	board *board.Board
	role  int
	stop  *atomic.Bool
}

func follow(ctx context.Context, m protocol.Start) (*follower, error) {
	program, diagnostics := reasoner.Analyze(m.Rules)
	if err := diagnostics.Err(); err != nil {
		return nil, fmt.Errorf("rules: %w", err)
	}
	machine, err := reasoner.Build(ctx, program, reasoner.Variant{Engine: "prover"}, reasoner.DefaultLimits)
	if err != nil {
		return nil, err
	}
	f := &follower{role: -1, stop: new(atomic.Bool)}
	for i, role := range machine.Roles() {
		if kif.Equal(role, m.Role) {
			f.role = i
		}
	}
	if f.role < 0 {
		return nil, fmt.Errorf("the rules have no role %v", m.Role)
	}
	f.board, err = board.New(machine, 0, f.stop)
	return f, err
}

// played takes the moves of the last turn; nil in the first.
func (f *follower) played(ctx context.Context, m protocol.Play) error {
	if m.Moves == nil {
		return nil
	}
	defer context.AfterFunc(ctx, func() { f.stop.Store(true) })()
	return f.board.Play(m.Moves)
}
