package protocol

import (
	"context"
	"fmt"
	"strings"

	"golang.org/x/sync/semaphore"

	"semisplit/kif"
	"semisplit/protocol/internal/untrusted"
)

// A budget bounds the memory of all messages in flight: their text, the terms
// that are read from it, and the replies. What a connection takes anyway (text
// and reply up to freeText each) is bounded by the number of connections and
// not counted.
//
// A quarter is kept for messages that ask for little, as PLAY does in every
// known game. They wait for their turn there, and are never refused; large ones
// are, at once, when the rest is spent.
type budget struct {
	small, large *semaphore.Weighted
	largest      int64 // size of large
}

const (
	freeText   = 16 << 10
	smallTerms = 64 << 10 // bytes of terms up to which a message is a small one
	leastSmall = 1 << 20
)

func newBudget(bytes int64) *budget {
	small := max(leastSmall, bytes/4)
	large := max(0, bytes-small)
	return &budget{small: semaphore.NewWeighted(small), large: semaphore.NewWeighted(large), largest: large}
}

// A claim is what one connection has of the budget. It belongs to the
// goroutine that serves the connection.
type claim struct {
	budget       *budget
	small, large int64
}

// text claims room for a text of that length in all, which is built up: while
// it grows there are two copies of it.
func (c *claim) text(length int) error {
	if length <= freeText {
		return nil
	}
	return c.take(2*int64(length) - c.large)
}

// message parses a message, for whose terms it claims room first.
func (c *claim) message(ctx context.Context, text string) (Message, error) {
	if untrusted.Blank(strings.TrimPrefix(text, "\ufeff")) {
		return ParseMessage(text)
	}
	number, err := kif.CountFirst(text)
	if err != nil {
		return Message{}, fmt.Errorf("%w: %w", ErrMessage, err)
	}
	if err := c.terms(ctx, number); err != nil {
		return Message{}, err
	}
	return ParseMessage(text)
}

// terms claims room for terms. ctx bounds the wait of a small message.
func (c *claim) terms(ctx context.Context, number int) error {
	n := int64(number) * kif.TermBytes
	if n > smallTerms {
		return c.take(n)
	}
	// What is free is taken whatever ctx says: a manager that has closed its
	// direction is told what is wrong with its message all the same.
	if !c.budget.small.TryAcquire(n) && c.budget.small.Acquire(ctx, n) != nil {
		return refuse(503, "the player is occupied: say it again later")
	}
	c.small += n
	return nil
}

// reply claims room for the reply, of which there are three copies while it is
// put together.
func (c *claim) reply(length int) error {
	if length <= freeText {
		return nil
	}
	return c.take(3 * int64(length))
}

// take claims so many bytes more of what large messages may have.
func (c *claim) take(n int64) error {
	switch {
	case n <= 0:
		return nil
	case c.large+n > c.budget.largest:
		return refuse(413, "the message takes %d bytes of memory: at most %d", c.large+n, c.budget.largest)
	case !c.budget.large.TryAcquire(n):
		return refuse(503, "too many large messages at a time: say it again later")
	}
	c.large += n
	return nil
}

func (c *claim) release() {
	c.budget.small.Release(c.small)
	c.budget.large.Release(c.large)
	c.small, c.large = 0, 0
}
