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
	return &simple{name: "random", choose: func(_ context.Context, f *follower) (kif.Term, error) { return f.draw(random) }}
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
	if err := ctx.Err(); err != nil { // it was given up, and another match may have begun
		return err
	}
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
	f, err := s.match, ctx.Err()
	if f == nil || f.id != m.Match {
		return kif.Symbol("busy"), err
	}
	// Where its time ran out the match goes on; where it was given up it may have begun anew.
	if err == nil || errors.Is(err, context.DeadlineExceeded) {
		f.add(m)
	}
	if err != nil {
		return kif.Term{}, err
	}
	defer f.within(ctx)()
	if err := f.catchUp(); err != nil {
		return kif.Term{}, err
	}
	return s.choose(ctx, f)
}

func (s *simple) Stop(_ context.Context, m protocol.Play) error {
	s.leave(m.Match)
	return nil
}

func (s *simple) Abort(_ context.Context, id string) error {
	s.leave(id)
	return nil
}

// leave forgets a match, but not the one that may have begun since.
func (s *simple) leave(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.match != nil && s.match.id == id {
		s.match = nil
	}
}

// follower keeps the position of one match for one role.
type follower struct {
	id     string // of the match
	board  *board.Board
	role   int
	stop   *atomic.Bool
	behind [][]kif.Term // joint moves that the board has not made yet
	blind  bool         // the board failed to make one, and does not see its state
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
	f := &follower{id: m.Match, role: -1, stop: new(atomic.Bool)}
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

// add takes the moves of the last turn; there are none in the first.
func (f *follower) add(m protocol.Play) {
	if m.Moves != nil {
		f.behind = append(f.behind, m.Moves)
	}
}

// within has the board stop where the context is over before release is called.
func (f *follower) within(ctx context.Context) (release func()) {
	f.stop.Store(false)
	over := make(chan struct{})
	unused := context.AfterFunc(ctx, func() {
		f.stop.Store(true)
		close(over)
	})
	return func() {
		if !unused() {
			<-over // or it would stop the next call
		}
	}
}

// draw is a legal move, each as likely as any other.
func (f *follower) draw(random *rand.Rand) (kif.Term, error) {
	path, ok := f.board.Random(f.role, random)
	if !ok {
		return kif.Term{}, errNoMove
	}
	return f.board.Machine().Move(f.role, path), nil
}

// catchUp makes the joint moves that are known. What a turn had no time for is
// left to the next one.
func (f *follower) catchUp() error {
	if f.blind {
		if err := f.board.Look(); err != nil {
			return err
		}
		f.blind = false
	}
	for len(f.behind) > 0 {
		if err := f.board.Play(f.behind[0]); err != nil {
			f.blind = true
			return err
		}
		f.behind = f.behind[1:]
	}
	return nil
}
