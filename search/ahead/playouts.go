// Package ahead looks at the states that moves lead to: in playouts that choose their
// moves by them, and for the worth of new nodes.
package ahead

import (
	"errors"
	"math/rand/v2"
	"sync/atomic"

	"semisplit/search/engine"
)

// Options say what playouts look for in the states that their moves lead to,
// where one role alone chooses and it is not chance. Elsewhere, and where nothing
// is asked for, moves are random, uniform among the semimoves at each level.
type Options struct {
	// Decisive playouts take a move that ends the game with goal 1 for who makes
	// it, and avoid one after which another role has such a move, or has won
	// already, as long as there are others (decisive and anti-decisive moves: F.
	// Teytaud, O. Teytaud, On the Huge Benefit of Decisive Moves in Monte-Carlo
	// Tree Search Algorithms, 2010).
	Decisive bool

	// Greedy is the probability, in [0, 1], of the move to the state that Evaluate
	// likes best for who makes it, ties by lot; the goals count where the game
	// ends. It is 1 - epsilon of epsilon-greedy playouts (M. Lanctot et al., 2014,
	// section 3). Without Evaluate it is 0.
	Greedy   float64
	Evaluate engine.Evaluator

	Chance []bool // by role: those that move at random; shorter than the roles: the rest are players
	Seed   uint64 // of the random moves
}

const (
	// playoutLanes bounds the lanes of playouts, each of which needs dozens
	// of its lookahead for a move.
	playoutLanes = 64
	// mostLooked bounds the moves that are looked at: in states with more of them
	// a random one is made.
	mostLooked = 4096
)

var (
	errStopped = errors.New("ahead: looking ahead was stopped")
	errFailed  = errors.New("ahead: moves could not be found")
)

// playouts is an Engine whose random moves are chosen by what they lead to. It
// plays on another engine, which never has to choose: each move is given.
type playouts struct {
	lister
	how       Options
	holder    engine.Engine // of the positions
	lookahead lookahead
	lanes     []laneState

	ended, stalled []uint64

	moving []int32 // lanes whose move is to be checked
	traced bool
	traces []uint64 // of Choices
}

// laneState is a lane.
type laneState struct {
	mode  laneMode
	state []uint64 // that the lane is at, or was loaded with
	joint []uint32 // given, or played in the last Step

	known    bool   // here is of the state
	foreseen bool   // there is of the state that the next move leads to
	here     onePly // what the moves of the state lead to
	there    onePly
	move     int // that is about to be made: its number in here
	first    int // that was the first choice
}

type laneMode uint8

const (
	unloaded laneMode = iota
	viewing           // loaded without a joint move
	given             // loaded with one
	roaming           // on its own
)

// New makes an engine whose playouts look a move ahead. Two engines of
// one machine serve it, and nobody else: holder has its positions, as many as
// it has lanes but 64 at most, and lookahead, for which more lanes are better, looks at the states
// after their moves. levels are those of the machine, by role.
//
// It costs a Step of a lookahead's lane for each legal move of each state, and a
// fraction more with Decisive. It is a Tracer but no Steerer: what it was made
// for decides on the moves of playouts.
func New(holder, scouting engine.Engine, levels []int, how Options) engine.Engine {
	n := min(holder.Lanes(), playoutLanes)
	chance := make([]bool, len(levels))
	copy(chance, how.Chance)
	how.Chance = chance
	if how.Evaluate == nil {
		how.Greedy = 0
	}
	e := &playouts{
		lister: lister{levels: levels, chance: how.Chance, greedy: how.Greedy, rng: rand.New(rand.NewPCG(how.Seed, 29))},
		how:    how, holder: holder,
		lanes: make([]laneState, n), ended: make([]uint64, (n+63)/64), stalled: make([]uint64, (n+63)/64),
	}
	m := scouting.Lanes()
	e.lookahead = lookahead{
		engine: scouting, how: &e.how, levels: levels,
		looks: make([]pending, 0, m), states: make([][]uint64, m), values: make([]float64, len(levels)),
	}
	return e
}

// Lanes is the number of positions.
func (e *playouts) Lanes() int { return len(e.lanes) }

// Load is that of Engine; the holder is given the state in the next Step.
func (e *playouts) Load(lane int, state []uint64, joint []uint32) {
	l := &e.lanes[lane]
	l.mode, l.known, l.foreseen = viewing, false, false
	l.state, l.joint = append(l.state[:0], state...), append(l.joint[:0], joint...)
	if joint != nil {
		l.mode = given
	}
}

// Unload empties a lane.
func (e *playouts) Unload(lane int) {
	e.lanes[lane].mode = unloaded
	e.holder.Unload(lane)
}

// State appends the state of a lane to dst.
func (e *playouts) State(lane int, dst []uint64) []uint64 {
	return append(dst, e.lanes[lane].state...)
}

// Goals is that of Engine.
func (e *playouts) Goals(lane int, dst []float64) { e.holder.Goals(lane, dst) }

// Offers is that of Engine.
func (e *playouts) Offers(lane, role int, prefix, dst []uint32) []uint32 {
	return e.holder.Offers(lane, role, prefix, dst)
}

// Partial tells whether Offers leaves moves of a role out, as those of the holder may.
func (e *playouts) Partial(role int) bool {
	s, ok := e.holder.(engine.Sampler)
	return ok && s.Partial(role)
}

// Stalled are the lanes that ended because a role had no legal move.
func (e *playouts) Stalled() []uint64 { return e.stalled }

// Step advances all lanes. It takes some Steps of the lookahead and one of the
// holder.
func (e *playouts) Step(stop *atomic.Bool) ([]uint64, error) {
	err := e.chooseMoves(stop)
	if err == nil {
		err = e.makeMoves(stop)
	}
	if err != nil {
		for i := range e.lanes {
			e.Unload(i)
		}
		return nil, err
	}
	return e.ended, nil
}

// chooseMoves decides on the moves of all lanes that are on their own.
func (e *playouts) chooseMoves(stop *atomic.Bool) error {
	e.stop = stop
	e.lookahead.looks = e.lookahead.looks[:0] // an engine that panicked may have left some
	for i := range e.lanes {
		if l := &e.lanes[i]; l.mode == roaming && !l.known {
			if err := e.begin(e.holder, i, &l.here); err != nil {
				return err
			}
			l.known = true
			if err := e.lookahead.survey(&l.here, stop); err != nil {
				return err
			}
		}
	}
	if err := e.lookahead.finish(stop); err != nil {
		return err
	}
	e.moving = e.moving[:0]
	for i := range e.lanes {
		l := &e.lanes[i]
		if l.mode != roaming || l.here.mover < 0 {
			continue
		}
		check := e.how.Decisive && len(e.levels) > 1 && l.here.win < 0 && l.here.left > 0
		l.move = e.pick(&l.here)
		if l.first = l.move; check {
			e.moving = append(e.moving, int32(i))
		}
	}
	for len(e.moving) > 0 {
		if err := e.check(stop); err != nil {
			return err
		}
		e.reject()
		if err := e.rejectAlike(stop); err != nil {
			return err
		}
		e.chooseAgain()
	}
	return nil
}

// begin is list, with an error also where moves could not be found: else the game would end
// there.
func (e *playouts) begin(from engine.Engine, lane int, o *onePly) error {
	if err := e.list(from, lane, o); err != nil || !o.stuck || !o.failed {
		return err
	}
	if _, err := from.Step(e.stop); err != nil { // which says why
		return err
	}
	return errFailed
}

// check looks at what the moves that are about to be made let others do.
func (e *playouts) check(stop *atomic.Bool) error {
	most := e.lookahead.engine.Lanes()
	for from := 0; from < len(e.moving); from += most {
		batch := e.moving[from:min(from+most, len(e.moving))]
		for k, i := range batch {
			l := &e.lanes[i]
			e.lookahead.engine.Load(k, l.state, l.here.jointOf(l.move))
		}
		ended, err := e.lookahead.step(len(batch), stop)
		if err != nil {
			return err
		}
		for k, i := range batch {
			l := &e.lanes[i]
			if l.foreseen = ended[k/64]>>(k%64)&1 == 0; l.foreseen {
				if err := e.begin(e.lookahead.engine, k, &l.there); err != nil {
					return err
				}
			}
		}
		for _, i := range batch {
			if l := &e.lanes[i]; l.foreseen {
				if err := e.lookahead.survey(&l.there, stop); err != nil {
					return err
				}
			}
		}
		if err := e.lookahead.finish(stop); err != nil {
			return err
		}
	}
	return nil
}

func isSet(stop *atomic.Bool) bool { return stop != nil && stop.Load() }

// reject keeps those lanes in e.moving whose move lets another role win.
func (e *playouts) reject() {
	kept := e.moving[:0]
	for _, i := range e.moving {
		l := &e.lanes[i]
		if !l.foreseen || !l.there.lostFor(l.here.mover) {
			continue
		}
		l.foreseen = false
		l.here.strike(l.move)
		if l.here.replier = l.there.mover; l.here.replier >= 0 {
			l.here.reply = append(l.here.reply[:0], l.there.jointOf(l.there.win)...)
		}
		kept = append(kept, i)
	}
	e.moving = kept
}

// rejectAlike strikes what the same replies refute. A threat that a move does not
// meet is met by few others: one by one, Breakthrough took 18 rounds of checks for
// a Step of 64 lanes.
func (e *playouts) rejectAlike(stop *atomic.Bool) error {
	for _, i := range e.moving {
		if o := &e.lanes[i].here; o.replier >= 0 {
			if err := e.lookahead.refute(o, stop); err != nil {
				return err
			}
		}
	}
	return e.lookahead.finishRefuting(stop)
}

// chooseAgain gives the lanes in e.moving their next choice. Where all moves let
// another role win, the first is made, unchecked.
func (e *playouts) chooseAgain() {
	kept := e.moving[:0]
	for _, i := range e.moving {
		l := &e.lanes[i]
		if l.here.left == 0 {
			l.move = l.first
			continue
		}
		l.move = e.pick(&l.here)
		kept = append(kept, i)
	}
	e.moving = kept
}

// makeMoves plays what was given and chosen.
func (e *playouts) makeMoves(stop *atomic.Bool) error {
	clear(e.stalled)
	for i := range e.lanes {
		l := &e.lanes[i]
		switch {
		case l.mode == unloaded:
			continue
		case l.mode == roaming && l.here.stuck:
			e.stalled[i/64] |= 1 << (i % 64)
			e.holder.Load(i, l.state, nil)
			continue
		case l.mode == viewing:
			e.holder.Load(i, l.state, nil)
			continue
		case l.mode == roaming:
			l.joint = append(l.joint[:0], l.here.jointOf(l.move)...)
		}
		e.holder.Load(i, l.state, l.joint)
		if e.traced {
			for k, semimove := range l.joint {
				e.traces[i*len(l.joint)+k] = uint64(semimove)
			}
		}
	}
	ended, err := e.holder.Step(stop)
	if err != nil {
		return err
	}
	for w := range e.ended {
		e.ended[w] = ended[w] | e.stalled[w]
	}
	for i := range e.lanes {
		l := &e.lanes[i]
		if l.mode == unloaded {
			continue
		}
		l.state = e.holder.State(i, l.state[:0])
		if l.known = l.foreseen; l.known {
			l.here, l.there = l.there, l.here
		}
		l.mode, l.foreseen = roaming, false
	}
	return nil
}

// Trace switches the Choices on.
func (e *playouts) Trace(on bool) {
	if e.traced = on; on && e.traces == nil {
		e.traces = make([]uint64, len(e.lanes)*e.TraceWords())
	}
}

// TraceWords is a word for each semimove of a joint move.
func (e *playouts) TraceWords() (n int) {
	for _, levels := range e.levels {
		n += levels
	}
	return n
}

// TraceField is that of Tracer.
func (e *playouts) TraceField(role, level int) (word int, shift, bits uint) {
	for _, levels := range e.levels[:role] {
		word += levels
	}
	return word + level, 0, 32
}

// Choices are the joint moves of the last Step.
func (e *playouts) Choices() []uint64 { return e.traces }
