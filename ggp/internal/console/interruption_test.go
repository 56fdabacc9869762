package console

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// TestSecondSignal holds when a command that goes on after a signal is ended.
func TestSecondSignal(t *testing.T) {
	const serverGrace, publisherGrace = 10 * time.Second, 30 * time.Second
	for name, c := range map[string]struct {
		prepare func(*Session)
		second  time.Duration // after the first signal; 0: there is none
		want    time.Duration
		told    string
	}{
		"the grace ends":       {func(*Session) {}, 0, UsualGrace, "not done after 2s"},
		"a second signal":      {func(*Session) {}, time.Second, time.Second, "second signal"},
		"a server's grace":     {func(s *Session) { s.Serving(serverGrace) }, 0, serverGrace, "not done after 10s"},
		"a server, two":        {func(s *Session) { s.Serving(serverGrace) }, 3 * time.Second, 3 * time.Second, "second signal"},
		"a publisher's grace":  {func(s *Session) { s.NeedsToEnd(publisherGrace) }, 0, publisherGrace, "not done after 30s"},
		"nobody to be told of": {func(s *Session) { (&Session{}).Serving(time.Second) }, 0, UsualGrace, "not done"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				s := &Session{Ctx: ctx, interruption: newInterruption()}
				c.prepare(s)
				signals := make(chan os.Signal, 2)
				var told bytes.Buffer
				done := make(chan time.Time)
				go func() { s.interruption.watch(signals, cancel, &told); done <- time.Now() }()
				time.Sleep(time.Hour)
				if ctx.Err() != nil {
					t.Fatal("it ended by itself")
				}
				begin := time.Now()
				signals <- syscall.SIGTERM
				synctest.Wait()
				if !errors.Is(context.Cause(ctx), errInterrupted) || !errors.Is(context.Cause(ctx), context.Canceled) {
					t.Error("the first signal does not end the context:", context.Cause(ctx))
				}
				if c.second > 0 {
					time.Sleep(c.second)
					signals <- os.Interrupt
				}
				if took := (<-done).Sub(begin); took != c.want || !strings.Contains(told.String(), c.told) {
					t.Errorf("ended after %v, not %v: %s", took, c.want, told.String())
				}
			})
		})
	}
}
