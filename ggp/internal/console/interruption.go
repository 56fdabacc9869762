package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// interruptedError is the cause of a context that a signal has ended.
type interruptedError struct{}

func (interruptedError) Error() string { return "interrupted" }

// Unwrap makes it a cancellation for whoever asks.
func (interruptedError) Unwrap() error { return context.Canceled }

var errInterrupted error = interruptedError{}

// UsualGrace is how long a command may take to end after a signal. Rules can
// hold up a step of evaluation, and reading can wait for ever.
const UsualGrace = 2 * time.Second

// interruption makes SIGINT and SIGTERM end whatever command runs. The first
// signal ends its context. A second one, or the end of the grace, ends the
// process.
type interruption struct {
	grace   atomic.Int64 // as a time.Duration
	orderly atomic.Bool  // a signal is how this command ends, and no failure
}

func newInterruption() *interruption {
	i := &interruption{}
	i.grace.Store(int64(UsualGrace))
	return i
}

// interruptible is a context that ends at a signal.
func interruptible(errout io.Writer) (context.Context, *interruption) {
	ctx, cancel := context.WithCancelCause(context.Background())
	i := newInterruption()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		i.watch(signals, cancel, errout)
		os.Exit(ExitInterrupted)
	}()
	return ctx, i
}

// watch returns when the process must end, whatever the command is at.
func (i *interruption) watch(signals <-chan os.Signal, cancel context.CancelCauseFunc, errout io.Writer) {
	<-signals
	cancel(errInterrupted)
	grace := time.Duration(i.grace.Load())
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case <-signals:
		fmt.Fprintln(errout, "ggp: ended by a second signal")
	case <-late.C:
		fmt.Fprintf(errout, "ggp: interrupted, and not done after %v: ended\n", grace)
	}
}

// Serving says that the command runs until a signal, which is its proper end,
// and how long it may take then.
func (s *Session) Serving(grace time.Duration) {
	if s.interruption != nil {
		s.interruption.orderly.Store(true)
		s.interruption.grace.Store(int64(grace))
	}
}

// NeedsToEnd says how long the command may take to end after a signal.
func (s *Session) NeedsToEnd(grace time.Duration) {
	if s.interruption != nil {
		s.interruption.grace.Store(int64(grace))
	}
}

// interrupted tells whether a signal has cut the command short.
func (s *Session) interrupted() bool {
	return errors.Is(context.Cause(s.Ctx), errInterrupted) && (s.interruption == nil || !s.interruption.orderly.Load())
}

// saysInterrupted tells whether an error says no more than that. Who runs the
// commands may have wrapped it.
func saysInterrupted(err error) bool {
	return err.Error() == errInterrupted.Error() || err.Error() == context.Canceled.Error()
}

// Conclude says what a command that has ended came to, and is its exit code.
func (s *Session) Conclude(err error) int {
	var usage *usageError
	switch {
	case s.interrupted() && (err == nil || saysInterrupted(err) || errors.Is(err, ErrQuiet)):
		fmt.Fprintln(s.Errout, "ggp: interrupted")
		return ExitInterrupted
	case s.interrupted():
		fmt.Fprintf(s.Errout, "ggp: interrupted: %s\n", errorText(err))
		return ExitInterrupted
	case err == nil:
		return ExitOK
	case errors.Is(err, ErrQuiet):
		return ExitFailed
	}
	fmt.Fprintf(s.Errout, "ggp: %s\n", errorText(err))
	if errors.As(err, &usage) {
		return ExitUsage
	}
	return ExitFailed
}
