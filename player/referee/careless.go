package referee

import (
	"context"
	"math/rand/v2"
	"sync"

	"semisplit/kif"
	"semisplit/protocol"
)

// Careless is a seat that plays as another does, but for mistakes: with the given
// rate, from 0 to 1, a move is replaced by a random legal one. So an opponent can
// be made weak enough for anybody.
func Careless(of Seat, rate float64, seed uint64) Seat {
	return &careless{Seat: of, rate: rate, random: rand.New(rand.NewPCG(seed, 4))}
}

type careless struct {
	Seat
	rate   float64
	random *rand.Rand // under the lock

	mu    sync.Mutex // a call that the referee gave up may not have returned
	match *follower  // to know what is legal; nil: nothing is replaced
}

func (s *careless) Start(ctx context.Context, m protocol.Start) error {
	f, err := follow(ctx, m)
	s.mu.Lock()
	if s.match = nil; err == nil {
		s.match = f
	}
	s.mu.Unlock()
	return s.Seat.Start(ctx, m)
}

func (s *careless) Play(ctx context.Context, m protocol.Play) (kif.Term, error) {
	mistake, made := s.mistake(ctx, m)
	move, err := s.Seat.Play(ctx, m)
	if err == nil && made && !isBusy(move) {
		return mistake, nil
	}
	return move, err
}

// mistake is the move that takes the place of the player's own; made is false for
// most.
func (s *careless) mistake(ctx context.Context, m protocol.Play) (mistake kif.Term, made bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.match == nil {
		return kif.Term{}, false
	}
	if err := s.match.played(ctx, m); err != nil {
		s.match = nil
		return kif.Term{}, false
	}
	if s.random.Float64() >= s.rate {
		return kif.Term{}, false
	}
	path, ok := s.match.board.Random(s.match.role, s.random)
	if !ok {
		return kif.Term{}, false
	}
	return s.match.board.Machine().Move(s.match.role, path), true
}
