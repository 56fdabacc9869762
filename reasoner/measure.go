package reasoner

import (
	"context"
	"fmt"
	"math/bits"
	"runtime"
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

	Tries, Dead int64 // paths of semimoves begun, and those of them that led nowhere; 0 if moves are whole

	// Where the time of the steps went, if phases were asked for and the
	// machine can tell: evaluating the state (terminal, offers, goals),
	// choosing semimoves (with the offers of deeper levels), next.
	Evaluate, Choose, Next time.Duration
}

// Measurement says how to measure a machine.
type Measurement struct {
	Seed     uint64
	Time     time.Duration // stop after this time; 0: no bound
	Playouts int64         // stop after so many playouts; 0: no bound
	Steps    int64         // stop after so many Steps of the engine; 0: no bound
	MaxPlies int           // bound on a playout, for games without end; 0: DefaultMaxPlies
	Phases   bool          // time the phases of the steps, which costs some speed

	// Context ends the measurement with its error, in the midst of a step as
	// well; nil: nothing does.
	Context context.Context
}

// DefaultMaxPlies bounds a playout where the caller gives no bound of its own.
const DefaultMaxPlies = 5000

// Measure plays uniformly random playouts from the initial state in all lanes
// of one engine, on the calling goroutine. On an error of the rules, or of the
// context, it returns what was played until then as well.
func Measure(m Machine, how Measurement) (Tally, error) {
	w := newMeasuring(m, how)
	stop := new(atomic.Bool)
	if how.Time > 0 {
		timer := time.AfterFunc(how.Time, func() { stop.Store(true) })
		defer timer.Stop()
	}
	if how.Context != nil {
		defer context.AfterFunc(how.Context, func() { stop.Store(true) })()
	}
	counts, _ := w.engine.(counting)
	if counts != nil {
		counts.Time(how.Phases)
	}
	begin := time.Now()
	err := w.play(stop)
	w.tally.Elapsed = time.Since(begin)
	if counts != nil {
		n := counts.Counters()
		w.tally.Tries, w.tally.Dead = n.Tries, n.Dead
		w.tally.Evaluate, w.tally.Choose, w.tally.Next = n.Evaluate, n.Choose, n.Next
	}
	if err != nil && stop.Load() {
		err = nil // the clock ended the batch
	}
	if how.Context != nil && how.Context.Err() != nil {
		err = context.Cause(how.Context)
	}
	return w.tally, err
}

// stepsPerYield is how often a measurement lets others run: machines are
// measured while matches are played, and the scheduler takes a busy goroutine
// off its processor only after 10 ms.
const stepsPerYield = 64

// measuring is the state of one Measure call. Masks have a bit for each lane.
type measuring struct {
	how     Measurement
	engine  Engine
	lanes   int
	initial []uint64
	all     []uint64 // every lane
	fresh   []uint64 // lanes that the next Step only looks at
	long    []uint64 // lanes whose playout is to be cut
	begun   []int64  // by lane: the step after which it stood at the initial state
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
	words := (e.Lanes() + 63) / 64
	w := &measuring{
		how: how, engine: e, lanes: e.Lanes(), initial: m.Initial(),
		all: make([]uint64, words), fresh: make([]uint64, words), long: make([]uint64, words),
		begun: make([]int64, e.Lanes()), goals: make([]float64, roles),
		tally: Tally{Goals: make([]float64, roles)},
	}
	for lane := range e.Lanes() {
		w.all[lane/64] |= 1 << (lane % 64)
	}
	return w
}

func (w *measuring) play(stop *atomic.Bool) error {
	w.load(w.all)
	stalls, _ := w.engine.(stalling)
	for !stop.Load() && (w.how.Playouts == 0 || w.tally.Playouts < w.how.Playouts) && (w.how.Steps == 0 || w.step < w.how.Steps) {
		ended, err := w.engine.Step(stop)
		if err != nil {
			return fmt.Errorf("playout: %w", err)
		}
		if w.step++; w.step%stepsPerYield == 0 {
			runtime.Gosched()
		}
		moved := w.lanes
		for i := range w.all {
			moved -= bits.OnesCount64(w.fresh[i])
		}
		if stalls != nil {
			moved -= w.stall(stalls.Stalled())
		}
		w.tally.States += int64(moved)
		clear(w.fresh)
		w.finish(ended)
		if w.step%64 == 0 {
			w.cut(ended)
		}
	}
	return nil
}

// stall counts the lanes that have not moved though they could have, and
// takes the step from the length of their playouts.
func (w *measuring) stall(stalled []uint64) (count int) {
	for i, word := range stalled {
		for word &^= w.fresh[i]; word != 0; word &= word - 1 {
			w.begun[i*64+bits.TrailingZeros64(word)]++
			count++
		}
	}
	return count
}

// load puts lanes back to the initial state: the next Step looks at it, and
// the one after that moves.
func (w *measuring) load(lanes []uint64) {
	for i, word := range lanes {
		w.fresh[i] |= word
		for ; word != 0; word &= word - 1 {
			w.begun[i*64+bits.TrailingZeros64(word)] = w.step + 1
		}
	}
	if b, ok := w.engine.(batch); ok {
		b.LoadMany(lanes, w.initial)
		return
	}
	each(lanes, func(lane int) { w.engine.Load(lane, w.initial, nil) })
}

// finish notes the playouts of the lanes, and begins new ones.
func (w *measuring) finish(lanes []uint64) {
	n, steps := 0, int64(0)
	for i, word := range lanes {
		n += bits.OnesCount64(word)
		for ; word != 0; word &= word - 1 {
			steps += w.step - w.begun[i*64+bits.TrailingZeros64(word)]
		}
	}
	if n == 0 {
		return
	}
	w.tally.Playouts += int64(n)
	w.tally.Plies += steps
	if b, ok := w.engine.(batch); ok {
		clear(w.goals)
		b.SumGoals(lanes, w.goals)
		w.add(w.goals)
	} else {
		each(lanes, func(lane int) {
			w.engine.Goals(lane, w.goals)
			w.add(w.goals)
		})
	}
	w.load(lanes)
}

// add notes goals by role.
func (w *measuring) add(goals []float64) {
	for r, g := range goals {
		w.tally.Goals[r] += 100 * g
	}
}

// cut ends playouts that have gone on for too long.
func (w *measuring) cut(ended []uint64) {
	clear(w.long)
	for lane := range w.begun {
		if w.step-w.begun[lane] >= int64(w.how.MaxPlies) && ended[lane/64]>>(lane%64)&1 == 0 {
			w.long[lane/64] |= 1 << (lane % 64)
			w.tally.Cut++
		}
	}
	w.finish(w.long)
}

// each calls f for every lane of a mask.
func each(lanes []uint64, f func(lane int)) {
	for i, word := range lanes {
		for ; word != 0; word &= word - 1 {
			f(i*64 + bits.TrailingZeros64(word))
		}
	}
}
