package layers

import (
	"sync/atomic"
	"testing"
	"time"

	"semisplit/reasoner/reasonertest"
)

// crowd is a game of one move, of which there are a thousand million; or, if it is
// dead, a thousand million beginnings of moves and no move.
type crowd struct{ dead bool }

func (crowd) Levels() []int                        { return []int{9} }
func (crowd) Initial() []uint64                    { return []uint64{0} }
func (crowd) Terminal(s []uint64) bool             { return s[0] != 0 }
func (crowd) Goals([]uint64) []float64             { return []float64{0.5} }
func (crowd) Play(_ []uint64, _ []uint32) []uint64 { return []uint64{1} }
func (g crowd) Offers(s []uint64, _ int, prefix []uint32) []uint32 {
	if s[0] != 0 || len(prefix) == 9 || g.dead && len(prefix) == 8 {
		return nil
	}
	return []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
}

// A state with a thousand million moves is looked at as far as it goes, which
// proves nothing.
func TestVeryManyMoves(t *testing.T) {
	reasonertest.Sparing(t, 256<<20, func() {
		f := begun(crowd{}, 8, 1<<20, 1)
		runFor(t, f, 2*mostMoves)
		if f.value != 0.5 || f.best.Proven || f.done {
			t.Errorf("value %v, proven %v, done %v", f.value, f.best.Proven, f.done)
		}
	})
}

// A listing of beginnings that lead nowhere hears the stop flag, and has changed
// nothing.
func TestListingStopped(t *testing.T) {
	f := begun(crowd{dead: true}, 8, 1<<20, 1)
	stop := new(atomic.Bool)
	time.AfterFunc(5*time.Millisecond, func() { stop.Store(true) })
	if err := f.run(stop, func() bool { return false }); err != nil {
		t.Error(err)
	}
	if f.done || f.best.Proven || len(f.queue) > 0 || f.pass.looked != 0 {
		t.Errorf("done %v, proven %v, %d moves in the queue, %d states looked at", f.done, f.best.Proven, len(f.queue), f.pass.looked)
	}
}
