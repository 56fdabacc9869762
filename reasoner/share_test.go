package reasoner

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// On a single core who compiles has its slices as the search on the prover beside it has,
// of some ten milliseconds: who gave way of its own accord far more often had a fifteenth
// of the core, and Othello was played on the prover for its first 18 moves.
func TestCompilingTakesItsShare(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	a := NewAnalysis(bundledProgram(t, "skirmish"))
	a.Prepare(t.Context())
	var stop atomic.Bool
	turns, ended := 0, make(chan struct{})
	go func() {
		defer close(ended)
		for !stop.Load() {
			turns++
			runtime.Gosched()
		}
	}()
	begin := time.Now()
	_, err := a.Circuit(t.Context(), "orthodox", DefaultLimits)
	took := time.Since(begin)
	stop.Store(true)
	if <-ended; err != nil {
		t.Fatal(err)
	}
	if slice := took / time.Duration(max(1, turns)); slice < 3*time.Millisecond {
		t.Errorf("it gave way %d times in %v, each %v", turns, took, slice)
	}
	t.Logf("%d turns of others in %v", turns, took)
}
