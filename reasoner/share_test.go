package reasoner

import (
	"context"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// On a single core who compiles has a share of it beside others that yield, in slices that
// are short beside those of the scheduler: who gave way far more often had a fifteenth of the
// core, and Othello was played on the prover for its first 18 moves.
func TestCompilingTakesItsShare(t *testing.T) {
	if testing.Short() {
		t.Skip("beside the race detector it takes seven seconds, and finds nothing more")
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	a := NewAnalysis(bundledProgram(t, "skirmish"))
	a.Prepare(t.Context())
	slice := func(ctx context.Context) time.Duration {
		var stop atomic.Bool
		turns, ended := 0, make(chan struct{})
		go func() {
			defer close(ended)
			for last := time.Now(); !stop.Load(); runtime.Gosched() {
				now := time.Now()
				if now.Sub(last) > 100*time.Microsecond { // less where who compiles waits
					turns++
				}
				last = now
			}
		}()
		begin := time.Now()
		_, err := a.Circuit(ctx, "orthodox", DefaultLimits)
		took := time.Since(begin)
		stop.Store(true)
		if <-ended; err != nil {
			t.Fatal(err)
		}
		t.Logf("%d turns of others in %v", turns, took)
		return took / time.Duration(max(1, turns))
	}
	short, long := slice(give(t.Context())), slice(t.Context())
	if short < compileSlice/2 || short > 2*long/3 {
		t.Errorf("it gave way after %v on average, the scheduler takes the core after %v", short, long)
	}
}
