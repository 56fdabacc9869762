package protocol

import (
	"context"
	"fmt"
	"time"
)

// A Result is what one of several players did with a message.
type Result[T any] struct {
	Value   T
	Err     error         // nil, or wraps ErrTimeout, ErrConnection or ErrReply
	Elapsed time.Duration // from the sending to the reply or the giving up
}

// Gather calls send for the players 0..n-1 at once and returns their results
// in order, at the latest when limit has passed: whoever has not answered by
// then has ErrTimeout. The context of the calls ends there, too. So:
//
//	moves := protocol.Gather(ctx, len(seats), playClock+time.Second,
//		func(ctx context.Context, i int) (kif.Term, error) {
//			return client.Play(ctx, seats[i], match, lastMoves)
//		})
func Gather[T any](ctx context.Context, n int, limit time.Duration, send func(ctx context.Context, i int) (T, error)) []Result[T] {
	type answer struct {
		i int
		r Result[T]
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	began := time.Now()
	answers := make(chan answer, n)
	for i := range n {
		go func() {
			v, err := send(ctx, i)
			answers <- answer{i, Result[T]{v, err, time.Since(began)}}
		}()
	}
	results := make([]Result[T], n)
	have := make([]bool, n)
	for range n {
		select {
		case a := <-answers:
			results[a.i], have[a.i] = a.r, true
			continue
		case <-ctx.Done():
		}
		break
	}
	// What has arrived counts, even where the deadline was seen first; the
	// calls of a Client need a moment after it to say why they failed.
	for i := range results {
		if !have[i] {
			results[i] = Result[T]{Err: missed(ctx), Elapsed: time.Since(began)}
		}
	}
	for {
		select {
		case a := <-answers:
			if !have[a.i] {
				results[a.i], have[a.i] = a.r, true
			}
		default:
			return results
		}
	}
}

// missed is the error of a player that had not answered when ctx ended.
func missed(ctx context.Context) error {
	if ctx.Err() == context.DeadlineExceeded {
		return fmt.Errorf("%w: %w", ErrTimeout, ctx.Err())
	}
	return fmt.Errorf("%w: %w", ErrConnection, ctx.Err())
}
