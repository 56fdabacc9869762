package mcts

import (
	"fmt"
	"math/bits"
	"runtime"
	"sync/atomic"
	"time"

	"semisplit/search/ahead"
	"semisplit/search/encoding"
	"semisplit/search/engine"
	"semisplit/search/internal/random"
	"semisplit/search/offers"
	"semisplit/search/selection"
)

// worker drives the engine of a tree: it loads what lanes are to do, and deals with what
// they have come to.
type worker struct {
	engine   engine.Engine
	stalls   engine.Staller        // the engine; nil: its lanes never stall
	children *ahead.ChildEvaluator // of new nodes; nil: there is none
	offers   *offers.Reader
	winSight winSight
	rng      *random.Source

	flight   flight
	descent  descent
	arrivals arrivals
	pace     pace
	loaded   int // lanes that are not idle
}

func newWorker(p *parts, a *allowance, e engine.Engine, number int) *worker {
	o := &p.options
	w := &worker{engine: e, winSight: newWinSight(p, e), rng: random.New(o.Seed, uint64(number))}
	w.flight = newFlight(p, a, e, w.rng)
	w.stalls, _ = e.(engine.Staller)
	w.arrivals = arrivals{flight: &w.flight, scratch: make([]float64, p.tree.Roles)}
	if lookahead := o.Knowledge.Lookahead; number < len(lookahead) && o.Knowledge.KeepsValues() {
		w.children = ahead.NewChildEvaluator(lookahead[number], encoding.EngineLevels(p.encodings), o.Chance, o.Knowledge.Evaluate, o.Seed)
	}
	w.offers = offers.New(e, p.encodings)
	w.descent = descent{flight: &w.flight, engine: e, goals: make([]float64, p.tree.Roles)}
	w.descent.selector.Setup = selection.Setup{
		Options: o.Selection, PNConstant: o.PN.Constant, Chance: o.Chance, Raw: o.Raw, RollUp: o.Backup.RollUp,
		Tree: &p.tree, Proofs: &p.proofs, Values: &p.values, Rave: &p.rave, Grave: &p.grave, Learner: &w.flight.learner, Offers: w.offers, Rng: w.rng,
	}
	w.flight.follow(e)
	return w
}

// reset gives up every lane. The virtual visits are taken back. What the engine holds
// is unloaded when lanes begin again.
func (w *worker) reset() {
	for i := range w.flight.lanes {
		w.flight.giveUp(&w.flight.lanes[i])
		w.flight.lanes[i].atNode = false
	}
	w.descent.descending, w.loaded, w.flight.fault = w.descent.descending[:0], 0, nil
}

// unload empties all lanes of the engine.
func (w *worker) unload() {
	for i := range w.flight.lanes {
		w.engine.Unload(i)
	}
}

// A search lets others run every millisecond. The scheduler takes a busy
// goroutine off its processor only after 10 ms; with a dozen of them on two
// processors, a request that changes hands five times would wait for half a
// second. When nobody waits a yield still wakes another processor up, which
// takes some 20 us; so the clock is looked at now and then, and decides.
const (
	yieldEvery    = time.Millisecond
	stepsPerClock = 8
)

// run searches until the tree's search is over. stop is handed to the engine.
func (w *worker) run(stop *atomic.Bool) {
	f := &w.flight
	w.unload()
	clear(f.held)
	clear(f.events)
	clear(f.sure)
	yielded, every := time.Now(), 1
	looked := yielded
	for steps := 1; !f.over(stop) && (f.states == 0 || w.pace.states < f.states); steps++ {
		more := false
		if steps%every == 0 {
			now := time.Now()
			slow := now.Sub(looked) > time.Duration(every)*yieldEvery/stepsPerClock
			if looked, every = now, stepsPerClock; slow {
				every = 1
			}
			if now.Sub(yielded) > yieldEvery {
				runtime.Gosched()
				yielded = time.Now()
				looked = yielded
			}
			more = w.mayHurry()
		}
		if !w.processEvents(more, stop) {
			return
		}
		if w.loaded == 0 {
			runtime.Gosched() // a solved tree never comes to a Step
			continue          // all ended in the tree
		}
		f.learner.Steer()
		ended, err := w.engine.Step(stop)
		if err != nil {
			// An engine that was stopped says so with an error.
			if !stop.Load() {
				f.setError(fmt.Errorf("search: %w", err))
			}
			return
		}
		w.note(ended)
	}
}

// mayHurry tells whether there are lanes to be had if time is short.
func (w *worker) mayHurry() bool {
	return !w.flight.deadline.IsZero() && w.loaded < len(w.flight.lanes)
}

// processEvents is what happens between two Steps: results are backed up and idle lanes
// get new work. False: there is nothing left to do. more: see whether there is work for idle lanes,
// even if no lane needs attention.
func (w *worker) processEvents(more bool, stop *atomic.Bool) bool {
	if w.loaded > 0 && !more && !w.flight.eventful() {
		return true // all play on
	}
	w.read(stop)
	if !w.update() {
		return false
	}
	w.load()
	return true
}

// update is the part of processEvents in which the engine is not asked.
func (w *worker) update() bool {
	f := &w.flight
	w.collect()
	if f.fault == nil {
		w.dispatch()
	}
	if f.fault == nil {
		w.prepareLoads()
	}
	if f.fault != nil {
		f.setError(f.fault)
		return false
	}
	if m := f.member; m != nil && f.done >= m.Due {
		m.Exchange(f.done)
	}
	return w.loaded > 0 || f.mayBegin() && !w.hasCounted()
}

// mostVisits of a root end its search: counts have 32 bits, and two threads of a quick game
// use them up in an hour.
const mostVisits = 1 << 31

// hasCounted tells whether the root has as many visits as are counted.
func (w *worker) hasCounted() bool {
	return w.flight.tree.Node(w.flight.tree.Root).Visits >= mostVisits
}

// terminalRuns bounds the iterations that one lane makes inside the tree
// before the clock is looked at.
const terminalRuns = 4

// dispatch gives work to idle lanes.
func (w *worker) dispatch() {
	w.pace.timePressure(&w.flight)
	limit := w.pace.lanesAllowed(&w.flight)
	if k := w.flight.options.LeafPlayouts; k > 1 {
		limit = min(limit, max(1, len(w.flight.lanes)/k))
	}
	for range terminalRuns {
		w.begin(limit)
		if len(w.descent.descending) == 0 {
			break
		}
		w.descent.run()
	}
	w.flight.gather()
	w.loaded = w.flight.busy(len(w.flight.lanes))
}

// begin puts idle lanes at the root, until so many are in flight.
func (w *worker) begin(limit int) {
	f := &w.flight
	if w.hasCounted() {
		return
	}
	n := f.busy(len(f.lanes)) - f.following
	for i, word := range f.idle {
		for ; word != 0 && n < limit && f.mayBegin(); word &= word - 1 {
			l := &f.lanes[i*64+bits.TrailingZeros64(word)]
			f.begun++
			n++
			f.enter(l, f.tree.Root)
			w.descent.descending = append(w.descent.descending, l.number)
		}
	}
}

// prepareLoads takes from the tree what the engine needs for the lanes whose work is
// new.
func (w *worker) prepareLoads() {
	f := &w.flight
	w.descent.touchStates()
	for i := range f.singleStep {
		for word := f.singleStep[i]; word != 0; word &= word - 1 {
			l := &f.lanes[i*64+bits.TrailingZeros64(word)]
			if l.mode == joining {
				continue // it is loaded with what its leader is
			}
			l.state = f.tree.Words(l.nodes[len(l.nodes)-1], l.state[:0])
			l.joint = l.joint[:0]
			if l.mode == leaf {
				l.joint = f.jointOf(f.lastJoint(l), l.joint)
			}
		}
	}
}

// load gives the engine the lanes whose work is new: in the modes expanding,
// leaf and joining, which last for one Step.
func (w *worker) load() {
	f := &w.flight
	for i := range f.singleStep {
		for word := f.singleStep[i]; word != 0; word &= word - 1 {
			number := i*64 + bits.TrailingZeros64(word)
			l := &f.lanes[number]
			switch l.mode {
			case expanding:
				w.engine.Load(number, l.state, nil)
			case joining:
				lead := &f.lanes[l.group.leader]
				w.engine.Load(number, lead.state, lead.joint)
			default:
				w.engine.Load(number, l.state, l.joint)
			}
		}
		for word := f.idle[i] & f.held[i]; word != 0; word &= word - 1 {
			w.engine.Unload(i*64 + bits.TrailingZeros64(word))
		}
		f.held[i] = (f.held[i] | f.singleStep[i]) &^ f.idle[i]
	}
}

// complete draws what follows after labels of a role in the root, on lane 0; nil if the
// engine does not know.
func (w *worker) complete(role int, labels []uint32) []uint32 {
	w.unload()
	w.engine.Load(0, w.flight.tree.Words(w.flight.tree.Root, nil), nil)
	var never atomic.Bool
	if _, err := w.engine.Step(&never); err != nil {
		return nil
	}
	w.offers.ReadRole(0, role)
	all := w.descent.selector.Complete(0, role, labels)
	w.engine.Unload(0)
	return append([]uint32(nil), all...)
}
