package reasoner_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"semisplit/reasoner"
)

// TestMeasureStopped ends a measurement that would go on for an hour.
func TestMeasureStopped(t *testing.T) {
	why := errors.New("enough")
	m := machineOf(t, "tictactoe", "orthodox")
	ctx, stop := context.WithCancelCause(t.Context())
	time.AfterFunc(10*time.Millisecond, func() { stop(why) })
	tally, err := reasoner.Measure(m, reasoner.Measurement{Seed: 1, Time: time.Hour, Context: ctx})
	if !errors.Is(err, why) || tally.Elapsed <= 0 {
		t.Errorf("%v after %v", err, tally.Elapsed)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = reasoner.Measure(m, reasoner.Measurement{Seed: 1, Time: time.Hour, Context: ended})
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
