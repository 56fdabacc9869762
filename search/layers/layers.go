// Package layers searches games for one, with a counted number of semimoves in a
// move: it finds lines that playouts do not find. It knows nothing of trees.
package layers

import (
	"errors"
	"sync/atomic"

	"semisplit/search/engine"
	"semisplit/search/internal/hashing"
)

// Search searches a game for one by layers: all states after one joint move,
// all after two, and so on. A state is met once, however many orders of moves
// lead to it, and never comes back. Where a layer has more states than the
// width of the pass, those stay that its order puts first (a beam). Passes grow
// wider, and each has another order, until one has left nothing out: what was
// found is proven best then.
//
// It goes on where it was interrupted, between any two Steps of its engine, and
// takes no memory for a state once its tables have grown. It belongs to one
// goroutine at a time.
//
// States are told apart by 64 bits of hash. Of ten million states two have the
// same with a probability of 3 in a million; one is left out then. A line that
// is told was played again to its end, whatever the hashes.
type Search struct {
	engine engine.Engine
	levels int // of the role's moves
	memory int64

	root   []uint64
	value  float64    // of the best line known, wherever it is from; below 0: there is none
	line   [][]uint32 // that ends with value, from the root on; nil: it is not from here
	proven bool       // no line is better than value
	done   bool       // there is nothing left to do

	seed     uint64
	number   int // passes begun, ever
	schedule schedule
	pass     pass
	tables
	novelty novelty
	kin     kin

	queue  []branch // moves that wait to be played, with
	moves  []uint32 // their semimoves
	played int      // of the queue

	prefix, offers []uint32 // scratch
	listed, asked  int      // moves and prefixes of the state that is being listed
	state          []uint64
	goals          [1]float64

	states int // joint moves played, ever
}

// Root is the state it began at.
func (f *Search) Root() []uint64 { return f.root }

// Value is that of the best line known, wherever it is from; below 0: there is none.
func (f *Search) Value() float64 { return f.value }

// Line ends with Value, from the root on: the semimoves of each move; nil: it is
// not from here.
func (f *Search) Line() [][]uint32 { return f.line }

// Proven says that no line is better than Value.
func (f *Search) Proven() bool { return f.proven }

// States counts the joint moves played, ever.
func (f *Search) States() int { return f.states }

// Busy says whether Run would do anything.
func (f *Search) Busy() bool { return !f.done || f.pass.best.record != 0 }

// Close leaves nothing to do, after a fault, until it begins anew.
func (f *Search) Close() { f.done = true }

// branch is a move in a state of the layer.
type branch struct {
	parent uint32 // state, by its place in the layer
	move   uint32 // by its place among the moves of the state
}

// pass is one run from the root to the ends of the game.
type pass struct {
	order order
	width int
	seed  uint64 // of ties
	at    int    // states of the layer that were looked at
	cut   bool   // something was left out
	best  ending // of the best line of this pass, if it was not told yet

	open, before int // by groups: the most of them in a state, in this layer and in the one before
}

// ending is where a line ends: a move in a state that was kept, or (noMove) that
// state itself.
type ending struct {
	record uint32 // 0: there is none
	move   uint32
}

// noMove as the move of an ending: the state has none.
const noMove = ^uint32(0)

// New makes a search in the lanes of an engine, for a role with so many levels; its
// memory is in bytes. There is nothing to do before Begin.
func New(e engine.Engine, levels int, memory int64, seed uint64) *Search {
	return &Search{engine: e, levels: levels, memory: memory, seed: hashing.Of(seed ^ 0x66726f6e74696572), done: true}
}

// Begin starts at a state from which a line to the value is known; below 0: none.
func (f *Search) Begin(root []uint64, value float64) {
	f.root = append(f.root[:0], root...)
	f.value, f.line, f.proven, f.done = value, nil, false, false
	f.schedule = schedule{}
	f.beginPass()
}

// Raise says that a line to the value is known.
func (f *Search) Raise(value float64) {
	if value > f.value {
		f.value, f.line, f.pass.best = value, nil, ending{}
	}
}

// beginPass starts at the root again.
func (f *Search) beginPass() {
	f.number++
	width := min(f.schedule.width(), f.tables.widest(len(f.root), f.memory))
	f.pass = pass{order: f.schedule.order(), width: width, seed: hashing.Of(f.seed + uint64(f.number))}
	f.queue, f.moves, f.played = f.queue[:0], f.moves[:0], 0
	f.novelty.clear()
	f.kin.clear()
	f.tables.clear(f.memory)
	f.tables.add(candidate{hash: hashing.Words(f.root)}, f.root)
	f.commit()
}

// Run goes on until over says so, which is asked between Steps, until there
// is nothing left to do, or until the engine fails. The lanes are empty then.
func (f *Search) Run(stop *atomic.Bool, over func() bool) (err error) {
	f.unload(0)
	defer f.unload(0)
	for !f.done && !over() && err == nil {
		err = f.turn(stop)
	}
	if err == nil {
		err = f.tell(stop)
	}
	if stop.Load() {
		return nil // an engine that was stopped says so with an error
	}
	return err
}

// unload empties the lanes from one on.
func (f *Search) unload(from int) {
	for i := from; i < f.engine.Lanes(); i++ {
		f.engine.Unload(i)
	}
}

// turn is one Step, or the end of a layer. Nothing has happened if it fails.
func (f *Search) turn(stop *atomic.Bool) error {
	switch {
	case f.played < len(f.queue):
		return f.play(stop)
	case f.pass.at < f.layer.len():
		return f.look(stop)
	}
	f.settleKin()
	f.seeQuestions()
	f.narrow(f.pass.width)
	room := f.hasRoom()
	if room {
		if f.commit(); f.layer.len() > 0 {
			return nil
		}
	}
	if err := f.tell(stop); err != nil {
		return err
	}
	if room && !f.pass.cut {
		f.proven, f.done = true, true
		return nil
	}
	f.schedule.advance(!room)
	f.beginPass()
	return nil
}

// commit makes the candidates the layer.
func (f *Search) commit() {
	f.tables.commit()
	f.pass.at = 0
	if f.pass.order.by == byNovelty {
		f.novelty.note(&f.layer)
	}
}

// look lists the moves of the next states of the layer.
func (f *Search) look(stop *atomic.Bool) error {
	n := min(f.engine.Lanes(), f.layer.len()-f.pass.at)
	for i := range n {
		f.engine.Load(i, f.layer.state(f.pass.at+i), nil)
	}
	f.unload(n)
	if _, err := f.engine.Step(stop); err != nil {
		return err
	}
	f.queue, f.moves, f.played = f.queue[:0], f.moves[:0], 0
	looked := 0
	for i := range n {
		from := len(f.moves)
		all := f.list(i, stop)
		if stop.Load() {
			f.queue, f.moves = f.queue[:0], f.moves[:0]
			return errStopped
		}
		count := (len(f.moves) - from) / f.levels
		for move := range count {
			f.queue = append(f.queue, branch{uint32(f.pass.at + i), uint32(move)})
		}
		f.pass.cut = f.pass.cut || !all
		if count == 0 && all {
			f.ends(i, ending{f.first + uint32(f.pass.at+i), noMove})
		}
		if looked++; len(f.queue) > mostBranches {
			break
		}
	}
	f.pass.at += looked
	return nil
}

// Moves are listed up to mostMoves of a state, and to mostBranches of several, not
// counting the last one: rules can give a state any number of them. What is
// beyond is left out. So is what comes after mostPrefixes beginnings of moves,
// of which any number can lead nowhere.
const (
	mostMoves    = 1 << 16
	mostBranches = 1 << 21
	mostPrefixes = 1 << 20
)

var errStopped = errors.New("search: stopped while moves were listed")

// list appends the whole moves of a lane; false if it has more.
func (f *Search) list(lane int, stop *atomic.Bool) (all bool) {
	f.prefix = f.prefix[:0]
	f.listed, f.asked = 0, 0
	all = f.listMore(lane, stop)
	if s, ok := f.engine.(engine.Sampler); ok && s.Partial(0) {
		return false
	}
	return all
}

// listMore appends those that begin with the prefix.
func (f *Search) listMore(lane int, stop *atomic.Bool) (all bool) {
	if len(f.prefix) == f.levels {
		if f.listed == mostMoves {
			return false
		}
		f.listed++
		f.moves = append(f.moves, f.prefix...)
		return true
	}
	if f.asked++; f.asked > mostPrefixes || stop.Load() {
		return false
	}
	from, level := len(f.offers), len(f.prefix)
	f.offers = f.engine.Offers(lane, 0, f.prefix, f.offers)
	all = true
	for i := from; i < len(f.offers) && all; i++ {
		f.prefix = append(f.prefix[:level], f.offers[i])
		all = f.listMore(lane, stop)
	}
	f.prefix, f.offers = f.prefix[:level], f.offers[:from]
	return all
}

// play plays the next moves of the queue.
func (f *Search) play(stop *atomic.Bool) error {
	n := min(f.engine.Lanes(), len(f.queue)-f.played)
	for i := range n {
		at := f.played + i
		f.engine.Load(i, f.layer.state(int(f.queue[at].parent)), f.moves[at*f.levels:(at+1)*f.levels])
	}
	f.unload(n)
	ended, err := f.engine.Step(stop)
	if err != nil {
		return err
	}
	f.states += n
	for i := range n {
		b := f.queue[f.played+i]
		switch from := (ending{f.first + b.parent, b.move}); {
		case ended[i/64]>>(i%64)&1 != 0:
			f.ends(i, from)
		case f.pass.order.by == byGroups:
			f.gather(i, from, f.layer.state(int(b.parent)))
		default:
			f.meet(i, from)
		}
	}
	f.played += n
	return nil
}

// ends notes the end of a line, in a lane.
func (f *Search) ends(lane int, at ending) {
	f.engine.Goals(lane, f.goals[:])
	if f.goals[0] <= f.value {
		return
	}
	f.value, f.line, f.pass.best = f.goals[0], nil, at
	if f.value >= 1 {
		f.proven, f.done = true, true
	}
}

// meet makes the state of a lane a candidate, unless it was met before.
func (f *Search) meet(lane int, from ending) {
	f.state = f.engine.State(lane, f.state[:0])
	c := candidate{hash: hashing.Words(f.state), parent: from.record, move: from.move}
	if f.isKnown(c.hash) {
		return
	}
	c.score = f.score(lane, c.hash)
	f.admit(c, f.state)
}

// admit adds a candidate that is not known, unless it is worth less than all that
// would stay.
func (f *Search) admit(c candidate, state []uint64) {
	if c.score < f.bar {
		f.pass.cut = true
		return
	}
	f.tables.add(c, state)
	if f.isCrowded(f.pass.width) {
		f.narrow(f.pass.width)
	}
}

// narrow leaves no more candidates than the width.
func (f *Search) narrow(width int) {
	if f.tables.narrow(width) {
		f.pass.cut = true
	}
}
