package referee

import (
	"context"
	"fmt"

	"semisplit/kif"
	"semisplit/protocol"
)

// Seat is one player as the referee deals with it. The contexts carry the
// clock, a grace included. Errors of Play wrap those of protocol.Client, so
// that they are recorded alike wherever the player is; any other error counts
// as a lost connection. Stop and Abort free what Start took.
type Seat interface {
	// Name stands in the match record.
	Name() string
	Start(ctx context.Context, m protocol.Start) error
	// Play tells the moves of the last turn and returns the player's move as
	// it was given, legal or not.
	Play(ctx context.Context, m protocol.Play) (kif.Term, error)
	Stop(ctx context.Context, m protocol.Play) error
	Abort(ctx context.Context, match string) error
}

// HTTP is the seat of a player that is reached over the wire.
func HTTP(c *protocol.Client, r protocol.Remote) Seat { return remote{c, r} }

type remote struct {
	client *protocol.Client
	to     protocol.Remote
}

// A wrapper is a seat around another one, whose player it is.
type wrapper interface{ Unwrap() Seat }

// addressOf is where the player of a seat listens; "": nowhere.
func addressOf(s Seat) string {
	for {
		switch x := s.(type) {
		case remote:
			return x.to.URL
		case wrapper:
			s = x.Unwrap()
		default:
			return ""
		}
	}
}

func (s remote) Name() string {
	if s.to.Name != "" {
		return s.to.Name
	}
	return s.to.URL
}

func (s remote) Start(ctx context.Context, m protocol.Start) error {
	answer, err := s.client.Start(ctx, s.to, m)
	return ready(answer, err)
}

func (s remote) Play(ctx context.Context, m protocol.Play) (kif.Term, error) {
	return s.client.Play(ctx, s.to, m.Match, m.Moves)
}

func (s remote) Stop(ctx context.Context, m protocol.Play) error {
	_, err := s.client.Stop(ctx, s.to, m.Match, m.Moves)
	return err
}

func (s remote) Abort(ctx context.Context, match string) error {
	_, err := s.client.Abort(ctx, s.to, match)
	return err
}

// ready turns the answer to START into an error. The match goes on anyway;
// players may say ready in many ways, but busy is a refusal.
func ready(answer kif.Term, err error) error {
	if err == nil && isBusy(answer) {
		return ErrBusy
	}
	return err
}

// InProcess is the seat of a player in this process. The player stays the
// caller's, who closes it.
func InProcess(name string, p protocol.Player) Seat { return local{name, p} }

type local struct {
	name   string
	player protocol.Player
}

func (s local) Name() string { return s.name }

func (s local) Start(ctx context.Context, m protocol.Start) error {
	return ready(kif.Symbol(s.player.Start(ctx, m)), timeout(ctx))
}

func (s local) Play(ctx context.Context, m protocol.Play) (kif.Term, error) {
	move, ok := s.player.Play(ctx, m)
	if err := timeout(ctx); err != nil {
		return kif.Term{}, err
	}
	if !ok {
		return kif.Symbol("busy"), nil
	}
	return move, nil
}

func (s local) Stop(ctx context.Context, m protocol.Play) error {
	s.player.Stop(ctx, m)
	return timeout(ctx)
}

func (s local) Abort(ctx context.Context, match string) error {
	s.player.Abort(ctx, match)
	return timeout(ctx)
}

// timeout is the error of a seat whose context has ended.
func timeout(ctx context.Context) error {
	switch ctx.Err() {
	case nil:
		return nil
	case context.DeadlineExceeded:
		return fmt.Errorf("%w: %w", protocol.ErrTimeout, ctx.Err())
	}
	return fmt.Errorf("%w: %w", protocol.ErrConnection, ctx.Err())
}
