package referee

import (
	"context"
	"errors"
	"math/rand/v2"

	"semisplit/kif"
	"semisplit/protocol"
)

// Careless is a seat that plays as another does, but for mistakes: with the given
// rate, from 0 to 1, a move is replaced by a random legal one. So an opponent can
// be made weak enough for anybody.
func Careless(of Seat, rate float64, seed uint64) Seat {
	random := rand.New(rand.NewPCG(seed, 4))
	return &careless{Seat: of, mistakes: simple{choose: func(_ context.Context, f *follower) (kif.Term, error) {
		if random.Float64() >= rate {
			return kif.Term{}, errNoMistake
		}
		return f.draw(random)
	}}}
}

var errNoMistake = errors.New("no mistake in this turn")

type careless struct {
	Seat
	mistakes simple // follows the match as well, to know what is legal
}

// Unwrap is the seat of the player that makes mistakes.
func (s *careless) Unwrap() Seat { return s.Seat }

func (s *careless) Start(ctx context.Context, m protocol.Start) error {
	_ = s.mistakes.Start(ctx, m) // without it no mistakes are made
	return s.Seat.Start(ctx, m)
}

func (s *careless) Play(ctx context.Context, m protocol.Play) (kif.Term, error) {
	mistake, none := s.mistakes.Play(ctx, m)
	move, err := s.Seat.Play(ctx, m)
	if err == nil && none == nil && !isBusy(mistake) && !isBusy(move) {
		return mistake, nil
	}
	return move, err
}
