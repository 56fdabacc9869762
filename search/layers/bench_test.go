package layers

import (
	"semisplit/search/engine"
	"sync/atomic"
	"testing"

	"semisplit/search/internal/hashing"
)

// stroll is a cheap game for one that allocates nothing: forty steps with one of
// five moves each, through a million states, to a goal that is never the highest.
type stroll struct {
	lanes []strollLane
	ended []uint64
}

type strollLane struct {
	loaded, look bool
	at, step     uint64
	move         uint32
}

func newStroll(lanes int) *stroll {
	return &stroll{lanes: make([]strollLane, lanes), ended: make([]uint64, (lanes+63)/64)}
}

func (e *stroll) Lanes() int { return len(e.lanes) }
func (e *stroll) Load(lane int, s []uint64, joint []uint32) {
	l := strollLane{loaded: true, look: joint == nil, at: s[0], step: s[1]}
	if joint != nil {
		l.move = joint[0]
	}
	e.lanes[lane] = l
}
func (e *stroll) Unload(lane int) { e.lanes[lane].loaded = false }
func (e *stroll) Step(*atomic.Bool) ([]uint64, error) {
	clear(e.ended)
	for i := range e.lanes {
		l := &e.lanes[i]
		if !l.loaded {
			continue
		}
		if !l.look {
			l.at, l.step = hashing.Of(l.at*5+uint64(l.move))%1e6, l.step+1
		}
		if l.step == 40 {
			e.ended[i/64] |= 1 << (i % 64)
		}
	}
	return e.ended, nil
}
func (e *stroll) State(lane int, dst []uint64) []uint64 {
	return append(dst, e.lanes[lane].at, e.lanes[lane].step)
}
func (e *stroll) Goals(lane int, dst []float64) { dst[0] = float64(e.lanes[lane].at) / 2e6 }
func (e *stroll) Offers(_, _ int, _, dst []uint32) []uint32 {
	return append(dst, 0, 1, 2, 3, 4)
}

// BenchmarkLayers is the search by layers without the cost of an engine.
func BenchmarkLayers(b *testing.B) {
	f := New([]engine.Engine{newStroll(256)}, []int{1}, Options{Memory: 256 << 20, Seed: 1})
	if err := f.SetRoot([]uint64{0, 0}); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	if err := f.run(new(atomic.Bool), func() bool { return f.states >= b.N }); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(f.states)/b.Elapsed().Seconds(), "states/s")
}
