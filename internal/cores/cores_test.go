package cores

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// withCores makes a test see so many cores.
func withCores(t *testing.T, n int) {
	before := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(before) })
}

// Jobs never use more cores than there are, those that want all included.
func TestWait(t *testing.T) {
	withCores(t, 2)
	synctest.Test(t, func(t *testing.T) {
		var used, most atomic.Int64
		var group sync.WaitGroup
		for i := range 20 {
			group.Go(func() {
				wanted := 1 + i%3
				leave, err := Wait(t.Context(), wanted)
				if err != nil {
					t.Error(err)
					return
				}
				defer leave()
				n := used.Add(int64(min(wanted, 2)))
				most.Store(max(most.Load(), n))
				time.Sleep(time.Second)
				used.Add(-int64(min(wanted, 2)))
			})
		}
		group.Wait()
		if most.Load() != 2 || Used() != 0 {
			t.Errorf("%d cores at a time, %d in the end", most.Load(), Used())
		}
	})
}

// Who gives up waiting leaves nothing behind.
func TestWaitEnds(t *testing.T) {
	withCores(t, 1)
	synctest.Test(t, func(t *testing.T) {
		leave, err := Wait(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := Wait(ctx, 1); err == nil {
			t.Error("two jobs on one core")
		}
		leave()
		leave() // once is enough
		if again, err := Wait(t.Context(), 1); err != nil {
			t.Error(err)
		} else {
			again()
		}
		if Used() != 0 {
			t.Errorf("%d cores in the end", Used())
		}
	})
}

// A job with checkpoints stands aside for one that waits, and as long as a match
// takes the core by force.
func TestGiveWay(t *testing.T) {
	withCores(t, 1)
	synctest.Test(t, func(t *testing.T) {
		leave, err := Wait(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		var steps atomic.Int64
		ended := make(chan bool)
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			defer close(ended)
			defer leave()
			for ctx.Err() == nil {
				GiveWay(ctx)
				steps.Add(1)
				time.Sleep(time.Millisecond)
			}
		}()
		still := func(what string) {
			t.Helper()
			time.Sleep(2 * time.Millisecond) // it comes by its checkpoint
			before := steps.Load()
			time.Sleep(time.Second)
			if steps.Load() != before {
				t.Errorf("%s: the job goes on", what)
			}
		}
		measured, err := Wait(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		still("while another measures")
		measured()
		Force(1)
		still("while a match must answer")
		Force(-1)
		before := steps.Load()
		time.Sleep(time.Second)
		if steps.Load() == before {
			t.Error("the job did not come back")
		}
		stop()
		<-ended
		if Used() != 0 {
			t.Errorf("%d cores in the end", Used())
		}
	})
}
