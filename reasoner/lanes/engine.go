package lanes

import (
	"sync/atomic"
	"time"

	"semisplit/reasoner/lanes/kernel"
)

// Engine plays a machine's game in its lanes. It satisfies the Engine of
// package search/engine, which describes the methods, and belongs to one goroutine.
//
// Its parts work on one circuit: loads wait for the next Step, turns choose
// joint moves, and the readers see what the last Step reached.
type Engine struct {
	circuit *circuit
	status  *status
	loads   *loader
	trace   *tracer
	picker  *picker
	turns   *turns
	decider decider

	states stateReader
	goals  goalReader
	offers *offerReader
	lister pathLister

	loaded []uint64 // scratch
	steps  int64
	clock  clock
}

func newEngine(m *Machine, seed uint64) *Engine {
	c := newCircuit(m.plan, m.code)
	e := &Engine{circuit: c, status: newStatus(c), loads: newLoader(c, m.compiled), trace: newTracer(c), loaded: c.empty()}
	e.picker = newPicker(c, e.trace, seed)
	e.turns = newTurns(c, e.status, e.loads, e.picker)
	e.decider = newDecider(c, e.status, e.loads, e.turns)
	e.states = newStateReader(c, m.words)
	e.goals = goalReader{circuit: c}
	e.offers = newOfferReader(c, e.status)
	e.lister = pathLister{offers: e.offers}
	return e
}

// Lanes is the number of positions side by side.
func (e *Engine) Lanes() int { return e.circuit.set.Lanes() }

// Load puts a state into a lane; see the Engine of package search/engine. The next
// Step reports a state of another length than the machine's, or a joint move
// that is none.
func (e *Engine) Load(lane int, state []uint64, joint []uint32) {
	e.Unload(lane)
	e.loads.load(lane, state, joint)
}

// LoadMany is Load of one state, without a joint move, into all lanes of a
// set.
func (e *Engine) LoadMany(lanes, state []uint64) {
	for w, x := range lanes[:e.circuit.words] {
		e.unload(w, x)
	}
	e.loads.loadMany(lanes, state)
}

// Unload empties a lane.
func (e *Engine) Unload(lane int) { e.unload(lane/64, 1<<(lane%64)) }

// unload empties lanes of a word.
func (e *Engine) unload(word int, lanes uint64) {
	e.status.held[word] &^= lanes
	e.status.parked[word] &^= lanes
	e.decider.lanes[word] &^= lanes
	e.loads.unload(word, lanes)
}

// Step advances the loaded lanes; see the Engine of package search/engine. After an
// error nothing is loaded.
func (e *Engine) Step(stop *atomic.Bool) (ended []uint64, err error) {
	err = e.loads.fault
	if stop != nil && stop.Load() {
		err = ErrStopped
	}
	e.steps++
	e.goals.current = false
	e.states.forget()
	c := e.circuit
	c.stop, c.cut = stop, false
	switch {
	case err != nil:
	case c.plan.asksForMoves:
		err = e.stepDeciding(stop)
	default:
		err = e.step(stop)
	}
	c.stop = nil // who reads what was reached needs all of it
	if err == nil {
		err = e.picker.fault
	}
	if err == nil && c.cut {
		err = ErrStopped
	}
	if err != nil {
		e.drop()
		return nil, err
	}
	e.loads.done()
	return e.status.ended, nil
}

// drop empties all lanes.
func (e *Engine) drop() {
	e.status.drop()
	e.loads.drop()
	clear(e.decider.lanes)
	e.picker.fault = nil
}

func (e *Engine) step(stop *atomic.Bool) error {
	if err := e.advance(stop); err != nil {
		return err
	}
	c, s, begin := e.circuit, e.status, e.clock.now()
	e.loads.bringLooked()
	for w, x := range s.held {
		e.loaded[w] = x | e.loads.look[w] | e.loads.play[w] | s.parked[w]
	}
	begin = e.clock.spent(&e.clock.next, begin)
	c.run(c.code.state)
	e.clock.spent(&e.clock.evaluate, begin)
	for w, x := range c.slot(c.plan.terminal) {
		s.ended[w] = x & e.loaded[w]
		s.held[w] = e.loaded[w] &^ x
	}
	if c.plan.parks && e.turns.passes != 0 {
		s.park(e.loads, c.plan.stepCost, float64(c.plan.goals.size()))
	}
	s.endWithoutMove()
	return nil
}

// advance plays one joint move in the lanes that hold a state, or were given
// one with a joint move. Lanes that do not come to a joint move keep their
// state.
func (e *Engine) advance(stop *atomic.Bool) error {
	c, s := e.circuit, e.status
	given := !kernel.Empty(e.loads.play)
	copy(s.stalled, s.parked)
	if !c.plan.simple {
		e.turns.resume()
	}
	if !given && kernel.Empty(s.held) {
		return nil
	}
	begin := e.clock.now()
	e.loads.bring(e.loads.play)
	if c.plan.simple {
		e.turns.chooseWhole()
		if s.someWithout { // their states come in again after the next ones were made
			e.loads.reload(s.noLegalMove)
			for w, x := range s.noLegalMove {
				s.held[w] &^= x
			}
		}
	} else {
		if err := e.turns.choose(stop); err != nil {
			return err
		}
		e.turns.noteStuck()
		e.turns.complete()
	}
	e.trace.record(s.stalled, s.noLegalMove)
	begin = e.clock.spent(&e.clock.choose, begin)
	if c.plan.held >= 0 {
		copy(c.slot(c.plan.held), s.stalled)
	}
	if given {
		// What the state program computed is stale in the lanes just loaded.
		c.run(c.code.fresh)
	} else {
		c.run(c.code.next)
	}
	e.clock.spent(&e.clock.next, begin)
	return nil
}

// stepDeciding is step for nets that ask whether a role has a legal move.
func (e *Engine) stepDeciding(stop *atomic.Bool) error {
	c, s, d, begin := e.circuit, e.status, &e.decider, e.clock.now()
	d.playChosen()
	for w, x := range s.noLegalMove {
		s.held[w] &^= x
	}
	copy(d.must, e.loads.play)
	e.loads.bringLooked()
	for w, x := range e.loads.look {
		d.must[w] |= x
		e.loaded[w] = s.held[w] | d.must[w]
		s.held[w] = 0
	}
	d.arrive(e.loaded)
	begin = e.clock.spent(&e.clock.next, begin)
	c.run(c.code.state)
	c.stale = false
	clear(d.recheck)
	begin = e.clock.spent(&e.clock.evaluate, begin)
	if err := d.decide(stop); err != nil {
		return err
	}
	begin = e.clock.spent(&e.clock.choose, begin)
	d.report()
	s.endWithoutMove()
	e.clock.spent(&e.clock.evaluate, begin)
	return nil
}

// State appends the state of a lane to dst.
func (e *Engine) State(lane int, dst []uint64) []uint64 { return e.states.state(lane, dst) }

// Goals writes the goal value of every role, in [0, 1].
func (e *Engine) Goals(lane int, dst []float64) { e.goals.goals(lane, dst) }

// SumGoals adds the goals of the lanes in a set to dst, by role, in [0, 1]
// each.
func (e *Engine) SumGoals(lanes []uint64, dst []float64) { e.goals.sum(lanes, dst) }

// Offers appends the semimoves that a role may choose next, in rising order;
// some of a level before the last may be dead. In a terminal state there are
// none, whatever the rules say of it.
func (e *Engine) Offers(lane, role int, prefix []uint32, dst []uint32) []uint32 {
	return e.offers.offers(lane, role, prefix, dst)
}

// Paths calls visit with each legal move of a role in each lane of a mask that
// has not ended, as the semimoves of all levels, those of one lane in rising
// order, until there are as many as most, or until very many prefixes were dead. The
// path is valid during the call. It returns the lanes in which there may be more
// moves, valid until the next call. It costs as much as the lane with the most
// prefixes.
func (e *Engine) Paths(mask []uint64, role, most int, visit func(lane int, path []uint32)) (cut []uint64) {
	return e.lister.paths(mask, role, most, visit)
}

// Spread calls visit with each legal move of a role in a state, in rising order, until there
// are as many as most. The path is valid during the call. False: there may be more. All lanes
// work on it, and what they held is lost; lane 0 holds the state then, as after a Load of it
// and a Step.
func (e *Engine) Spread(state []uint64, role, most int, stop *atomic.Bool, visit func(path []uint32)) (all bool, err error) {
	lanes := e.circuit.empty()
	for w := range lanes {
		lanes[w] = ^uint64(0)
	}
	e.LoadMany(lanes, state)
	if _, err := e.Step(stop); err != nil {
		return false, err
	}
	all = e.lister.spread(role, most, stop, visit)
	lanes[0] &^= 1
	for w, x := range lanes {
		e.unload(w, x)
	}
	return all, nil
}

// Factors is engine.Factorer.Factors.
func (e *Engine) Factors(mask []uint64, role int, visit func(lane int, values [][]uint32)) {
	e.lister.factor(mask, role, visit)
}

// Firsts is engine.Lister.Firsts.
func (e *Engine) Firsts(mask []uint64, role int, into [][]uint32) { e.lister.firsts(mask, role, into) }

// Stalled are the lanes that were to play a random joint move in the last
// Step and have not found one within the passes that were allowed (or, where
// the rules ask whether there is a legal move, not found out whether there is
// one in the next state). They go on in the next Step; what the readers say of
// them means nothing. It is valid until then. Without a bound on passes there
// are none, and never those loaded since the Step before.
//
// Where goals cost more than a state and the next one, lanes whose game has ended stall
// as well, until it pays to evaluate the goals of them all.
//
// Lanes in which a role has no legal move, though the state is not terminal,
// are stalled and ended at once, and can be read.
func (e *Engine) Stalled() []uint64 { return e.status.stalled }

// SetPasses bounds how often one Step lets lanes choose that ran into dead
// prefixes; 0 is no bound, and no lane stalls.
func (e *Engine) SetPasses(n int) { e.turns.passes = n }

// clock sums up where the time went, if it was asked for.
type clock struct {
	on                     bool
	evaluate, choose, next time.Duration
}

func (c *clock) now() time.Time {
	if !c.on {
		return time.Time{}
	}
	return time.Now()
}

// spent adds the time since begin to a sum, and returns the present.
func (c *clock) spent(sum *time.Duration, begin time.Time) time.Time {
	if !c.on {
		return begin
	}
	now := time.Now()
	*sum += now.Sub(begin)
	return now
}
