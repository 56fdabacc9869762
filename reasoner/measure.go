package reasoner

import (
	"fmt"
	"math/bits"
	"sync/atomic"
	"time"
)

// Tally sums up random playouts.
type Tally struct {
	Playouts int64         // playouts that ended
	Cut      int64         // those among them that were ended by the bound on plies
	States   int64         // states reached by joint moves, the initial one excluded
	Plies    int64         // of the playouts that ended
	Goals    []float64     // by role, sum over the playouts that ended, 0..100 each
	Elapsed  time.Duration // time spent playing
}

// Measurement says how to measure a machine.
type Measurement struct {
	Seed     uint64
	Time     time.Duration // stop after this time; 0: no bound
	Playouts int64         // stop after so many playouts; 0: no bound
	MaxPlies int           // bound on a playout, for games without end; 0: DefaultMaxPlies
}

// DefaultMaxPlies bounds a playout where the caller gives no bound of its own.
const DefaultMaxPlies = 5000

// Measure plays uniformly random playouts from the initial state in all lanes
// of one engine, on the calling goroutine. On an error of the rules it
// returns what was played until then as well.
func Measure(m Machine, how Measurement) (Tally, error) {
	w := newMeasuring(m, how)
	stop := new(atomic.Bool)
	if how.Time > 0 {
		timer := time.AfterFunc(how.Time, func() { stop.Store(true) })
		defer timer.Stop()
	}
	begin := time.Now()
	err := w.play(stop)
	w.tally.Elapsed = time.Since(begin)
	if err != nil && stop.Load() {
		err = nil // the clock ended the batch
	}
	return w.tally, err
}

// measuring is the state of one Measure call.
type measuring struct {
	how     Measurement
	engine  Engine
	initial []uint64
	begun   []int64 // by lane: the step in which it was loaded
	step    int64
	goals   []float64
	tally   Tally
}

func newMeasuring(m Machine, how Measurement) *measuring {
	if how.MaxPlies == 0 {
		how.MaxPlies = DefaultMaxPlies
	}
	roles := len(m.Roles())
	e := m.NewEngine(how.Seed)
	return &measuring{
		how: how, engine: e, initial: m.Initial(),
		begun: make([]int64, e.Lanes()), goals: make([]float64, roles),
		tally: Tally{Goals: make([]float64, roles)},
	}
}

func (w *measuring) play(stop *atomic.Bool) error {
	lanes := len(w.begun)
	for lane := range lanes {
		w.load(lane)
	}
	fresh := int64(lanes) // lanes that the next step only looks at
	for !stop.Load() && (w.how.Playouts == 0 || w.tally.Playouts < w.how.Playouts) {
		ended, err := w.engine.Step(stop)
		if err != nil {
			return fmt.Errorf("playout: %w", err)
		}
		w.step++
		w.tally.States += int64(lanes) - fresh
		fresh = w.refill(ended)
		if w.step%64 == 0 {
			fresh += w.cut(ended)
		}
	}
	return nil
}

func (w *measuring) load(lane int) {
	w.engine.Load(lane, w.initial, nil)
	w.begun[lane] = w.step + 1 // the next step looks, the one after that moves
}

func (w *measuring) refill(ended []uint64) (fresh int64) {
	for i, word := range ended {
		for ; word != 0; word &= word - 1 {
			w.finish(i*64 + bits.TrailingZeros64(word))
			fresh++
		}
	}
	return fresh
}

// cut ends playouts that have gone on for too long.
func (w *measuring) cut(ended []uint64) (fresh int64) {
	for lane := range w.begun {
		if w.step-w.begun[lane] >= int64(w.how.MaxPlies) && ended[lane/64]>>(lane%64)&1 == 0 {
			w.tally.Cut++
			w.finish(lane)
			fresh++
		}
	}
	return fresh
}

func (w *measuring) finish(lane int) {
	w.engine.Goals(lane, w.goals)
	for r, g := range w.goals {
		w.tally.Goals[r] += 100 * g
	}
	w.tally.Playouts++
	w.tally.Plies += w.step - w.begun[lane]
	w.load(lane)
}
