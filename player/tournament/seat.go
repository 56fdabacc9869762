package tournament

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"semisplit/kif"
	"semisplit/player/arena"
	"semisplit/player/local"
	"semisplit/player/referee"
	"semisplit/protocol"
	"semisplit/search"
)

// thinker is the seat of an agent in this process, which thinks in its own turns alone,
// one of a match after the other, for no longer than its budget.
type thinker struct {
	label   string
	player  *local.Player
	turn    *sync.Mutex // that of all thinkers of a match
	stop    *atomic.Bool
	start   search.Budget // before the first move; zero: none
	move    search.Budget
	late    time.Duration     // a thought that takes longer is late; 0: none is
	thought func(t *thinking) // is told of each

}

// thinking is a thought with the move that it came to.
type thinking struct {
	report search.Report
	line   [][]kif.Term
	took   time.Duration
}

func (s *thinker) Name() string { return s.label }

func (s *thinker) Start(ctx context.Context, _ protocol.Start) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	if s.start == (search.Budget{}) {
		return nil
	}
	defer context.AfterFunc(ctx, func() { s.stop.Store(true) })()
	_, err := s.player.Prepare(s.start)
	return failed(err)
}

func (s *thinker) Play(ctx context.Context, m protocol.Play) (kif.Term, error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	defer context.AfterFunc(ctx, func() { s.stop.Store(true) })()
	if err := s.follow(m); err != nil {
		return kif.Term{}, err
	}
	begin := time.Now()
	move, report, err := s.player.Choose(s.move)
	if err != nil {
		return kif.Term{}, failed(err)
	}
	took := time.Since(begin)
	if report.Iterations > 0 {
		s.thought(&thinking{report, s.player.Line(report), took})
	}
	if s.late > 0 && took > s.late {
		return kif.Term{}, fmt.Errorf("%w: it thought for %v", protocol.ErrTimeout, took.Round(time.Millisecond))
	}
	return move, nil
}

// Follow tells a turn of the opening.
func (s *thinker) Follow(_ context.Context, m protocol.Play) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	return s.follow(m)
}

func (s *thinker) follow(m protocol.Play) error {
	if m.Moves == nil {
		return nil
	}
	return failed(s.player.Advance(m.Moves))
}

func (s *thinker) Stop(context.Context, protocol.Play) error { return nil }

func (s *thinker) Abort(context.Context, string) error { return nil }

// failed is the error of a player that broke down: its connection is lost.
func failed(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", protocol.ErrConnection, err)
}

// broken is the seat of a player that could not be started.
type broken struct {
	label string
	err   error
}

func (s broken) Name() string { return s.label }

func (s broken) Start(context.Context, protocol.Start) error { return failed(s.err) }

func (s broken) Play(context.Context, protocol.Play) (kif.Term, error) {
	return kif.Term{}, failed(s.err)
}

func (s broken) Stop(context.Context, protocol.Play) error { return nil }

func (s broken) Abort(context.Context, string) error { return nil }

// clocked is the seat of a player of others, which has its clock, while the referee
// waits for everybody without one.
type clocked struct {
	referee.Seat
	label       string
	start, play time.Duration
}

func (s clocked) Name() string { return s.label }

// Unwrap is the seat whose clocks are kept.
func (s clocked) Unwrap() referee.Seat { return s.Seat }

func (s clocked) Start(ctx context.Context, m protocol.Start) error {
	ctx, end := context.WithTimeout(ctx, s.start)
	defer end()
	return s.Seat.Start(ctx, m)
}

func (s clocked) Play(ctx context.Context, m protocol.Play) (kif.Term, error) {
	ctx, end := context.WithTimeout(ctx, s.play)
	defer end()
	return s.Seat.Play(ctx, m)
}

func (s clocked) Stop(ctx context.Context, m protocol.Play) error {
	ctx, end := context.WithTimeout(ctx, s.play)
	defer end()
	return s.Seat.Stop(ctx, m)
}

// budgets are what an agent may use before the first move, and for each.
func budgets(s arena.Setting, stretch float64) (start, move search.Budget, late time.Duration) {
	switch s.Kind {
	case arena.Iterations:
		return start, search.Budget{Iterations: s.Iterations}, 0
	case arena.Fixed:
		return start, search.Budget{States: s.States}, 0
	}
	start.Time, move.Time = seconds(s.Start*stretch), seconds(s.Seconds*stretch)
	return start, move, move.Time + referee.DefaultGrace
}
