package reasoner

import (
	"context"
	"runtime"
	"time"

	"semisplit/internal/cores"
	"semisplit/internal/guard"
)

// compileSlots bounds how much is compiled at a time in this process, whatever
// the number of matches: who compiles must not keep others from replying. Half
// of the processors stay free: with both of two compiling, 12 of 14,000 replies
// were late by up to 60 ms.
var compileSlots = make(slots, max(1, runtime.GOMAXPROCS(0)/2))

type slots chan struct{}

// enter waits for a slot, and then for a core; false if ctx ended before there
// were both.
func (s slots) enter(ctx context.Context) (leave func(), ok bool) {
	select {
	case s <- struct{}{}:
	case <-ctx.Done():
		return nil, false
	}
	giveBack, err := cores.Wait(ctx, 1)
	if err != nil {
		<-s
		return nil, false
	}
	return func() { giveBack(); <-s }, true
}

// do works in a slot, behind a fence.
func (s slots) do(ctx context.Context, work func() error) error {
	leave, ok := s.enter(ctx)
	if !ok {
		return context.Cause(ctx)
	}
	defer leave()
	return guard.Run(work)
}

// giving is the context of who compiles on a core: whoever asks it whether to go
// on lets measurements, and matches that must answer, go first.
type giving struct {
	context.Context
	yielded *time.Time
}

// give makes one for a goroutine.
func give(ctx context.Context) giving {
	now := time.Now()
	return giving{ctx, &now}
}

// compileSlice is how long who compiles goes on at least before it lets others have the core,
// the next time that it asks whether to go on: some 6 ms on average. The scheduler would wait
// for 10 to 20, and what passes through several hands for several times that. Searches yield
// after a millisecond, or a Step that is longer.
const compileSlice = 3 * time.Millisecond

func (c giving) Err() error {
	if time.Since(*c.yielded) > compileSlice {
		runtime.Gosched()
		*c.yielded = time.Now()
	}
	cores.GiveWay(c.Context)
	return c.Context.Err()
}

// wholeTurn is how long whole moves are compiled before a split plan that waits goes
// first: where they are too many they must not take all slots. What is grounded by then goes
// on, for the rest takes some three times as long. Else what was done is kept, and each turn
// is twice as long as the one before, so that they come before the second split plan where
// they are about as large as the first.
const wholeTurn = 2 * time.Second

// turn is the context of who compiles in a slot. Asked whether to go on at the end of its
// turn, it lets those who wait for a slot go first, and goes on when it has one again, for
// twice as long. What is settled at the end of the first turn has no other.
type turn struct {
	giving
	settled func() bool
	slots   slots
	leave   func() // the slot; nil: there is none
	length  time.Duration
	since   time.Time
	before  time.Duration // in turns that have ended
}

// takeTurn waits for a slot. Turns without a length have no end.
func takeTurn(ctx context.Context, s slots, length time.Duration, settled func() bool) (t *turn, ok bool) {
	leave, ok := s.enter(ctx)
	return &turn{giving: give(ctx), settled: settled, slots: s, leave: leave, length: length, since: time.Now()}, ok
}

// begin starts the clock.
func (t *turn) begin() { t.since = time.Now() }

// took is the time in all turns together.
func (t *turn) took() time.Duration {
	if t.leave == nil {
		return t.before
	}
	return t.before + time.Since(t.since)
}

// end leaves the slot.
func (t *turn) end() {
	if t.leave != nil {
		t.before = t.took()
		t.leave()
		t.leave = nil
	}
}

func (t *turn) Err() error {
	switch {
	case t.length == 0 || t.leave == nil || time.Since(t.since) <= t.length:
	case t.before == 0 && t.settled():
		t.length = 0
	default:
		t.end()
		t.length *= 2
		t.leave, _ = t.slots.enter(t.Context)
		t.begin()
	}
	if t.leave == nil { // the context ended while it waited
		return t.Context.Err()
	}
	return t.giving.Err()
}
