// Package layers searches games for one, with a counted number of semimoves in a
// move: it finds lines that playouts do not find. It knows nothing of trees.
package layers

import (
	"sync/atomic"

	"semisplit/search/engine"
	"semisplit/search/internal/hashing"
	"semisplit/search/line"
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
	memory int64 // bytes

	rooted bool
	root   []uint64
	value  float64   // of the best line found; below 0: there is none
	best   line.Best // that line, once it has been played again
	done   bool      // there is nothing left to do

	seed     uint64
	number   int // passes begun, ever
	schedule schedule
	pass     pass
	tables   tables
	novelty  novelty
	brood    brood

	queue  []branch // moves that wait to be played
	moves  []uint32 // their semimoves
	played int      // of the queue

	lister lister
	state  []uint64 // scratch
	goals  [1]float64

	states int // joint moves played, ever
}

// branch is a move in a state of the layer.
type branch struct {
	parent uint32 // state, by its place in the layer
	move   uint32 // by its place among the moves of the state
}

// pass is one run from the root to the ends of the game.
type pass struct {
	order  order
	width  int
	words  int    // of the longest state so far, which the width has memory for
	seed   uint64 // of ties
	looked int    // states of the layer that were looked at
	cut    bool   // something was left out
	best   ending // of the best line of this pass, if it was not told yet

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

// beginPass starts at the root again.
func (f *Search) beginPass() {
	f.number++
	width := min(f.schedule.width(), f.tables.widest(len(f.root), f.memory))
	f.pass = pass{order: f.schedule.order(), width: width, words: len(f.root), seed: hashing.Of(f.seed + uint64(f.number))}
	f.queue, f.moves, f.played = f.queue[:0], f.moves[:0], 0
	f.novelty.clear()
	f.brood.clear()
	f.tables.clear(f.memory)
	f.tables.add(candidate{hash: hashing.Words(f.root)}, f.root)
	f.commit()
}

// run goes on until over says so, which is asked between Steps, until there
// is nothing left to do, or until the engine fails. The lanes are empty then.
func (f *Search) run(stop *atomic.Bool, over func() bool) (err error) {
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
func (f *Search) unload(first int) {
	for i := first; i < f.engine.Lanes(); i++ {
		f.engine.Unload(i)
	}
}

// turn is one Step, or the end of a layer. Nothing has happened if it fails.
func (f *Search) turn(stop *atomic.Bool) error {
	switch {
	case f.pass.best.record != 0: // at once: who halts the search later has the line
		return f.tell(stop)
	case f.played < len(f.queue):
		return f.play(stop)
	case f.pass.looked < f.tables.layer.len():
		return f.look(stop)
	}
	f.settleBrood()
	f.seeQuestions()
	f.narrow(f.pass.width)
	room := f.tables.hasRoom()
	if room {
		if f.commit(); f.tables.layer.len() > 0 {
			return nil
		}
	}
	if room && !f.pass.cut {
		f.best.Proven, f.done = true, true
		return nil
	}
	f.schedule.advance(!room)
	f.beginPass()
	return nil
}

// commit makes the candidates the layer.
func (f *Search) commit() {
	f.tables.commit()
	f.pass.looked = 0
	if f.pass.order.by == byNovelty {
		f.novelty.note(&f.tables.layer)
	}
}

// look lists the moves of the next states of the layer.
func (f *Search) look(stop *atomic.Bool) error {
	n := min(f.engine.Lanes(), f.tables.layer.len()-f.pass.looked)
	for i := range n {
		f.engine.Load(i, f.tables.layer.state(f.pass.looked+i), nil)
	}
	f.unload(n)
	if _, err := f.engine.Step(stop); err != nil {
		return err
	}
	f.queue, f.moves, f.played = f.queue[:0], f.moves[:0], 0
	looked := 0
	for i := range n {
		first := len(f.moves)
		all := false
		f.moves, all = f.lister.list(i, f.moves, stop)
		if stop.Load() {
			f.queue, f.moves = f.queue[:0], f.moves[:0]
			return errStopped
		}
		count := (len(f.moves) - first) / f.lister.levels
		for move := range count {
			f.queue = append(f.queue, branch{uint32(f.pass.looked + i), uint32(move)})
		}
		f.pass.cut = f.pass.cut || !all
		if count == 0 && all {
			f.ends(i, ending{f.tables.first + uint32(f.pass.looked+i), noMove})
		}
		if looked++; len(f.queue) > mostBranches {
			break
		}
	}
	f.pass.looked += looked
	return nil
}

// play plays the next moves of the queue.
func (f *Search) play(stop *atomic.Bool) error {
	n := min(f.engine.Lanes(), len(f.queue)-f.played)
	for i := range n {
		next := f.played + i
		f.engine.Load(i, f.tables.layer.state(int(f.queue[next].parent)), f.moves[next*f.lister.levels:(next+1)*f.lister.levels])
	}
	f.unload(n)
	ended, err := f.engine.Step(stop)
	if err != nil {
		return err
	}
	f.states += n
	for i := range n {
		b := f.queue[f.played+i]
		switch end := (ending{f.tables.first + b.parent, b.move}); {
		case ended[i/64]>>(i%64)&1 != 0:
			f.ends(i, end)
		case f.pass.order.by == byGroups:
			f.gather(i, end, f.tables.layer.state(int(b.parent)))
		default:
			f.insert(i, end)
		}
	}
	f.played += n
	return nil
}

// ends notes the end of a line, in a lane.
func (f *Search) ends(lane int, end ending) {
	f.engine.Goals(lane, f.goals[:])
	if f.goals[0] <= f.value {
		return
	}
	f.value, f.pass.best = f.goals[0], end
	f.done = f.value >= 1
}

// insert makes the state of a lane a candidate, unless it was met before.
func (f *Search) insert(lane int, end ending) {
	f.state = f.engine.State(lane, f.state[:0])
	c := candidate{hash: hashing.Words(f.state), parent: end.record, move: end.move}
	if f.tables.isKnown(c.hash) {
		return
	}
	c.score = f.score(lane, c.hash)
	f.admit(c, f.state)
}

// admit adds a candidate that is not known, unless it is worth less than all that
// would stay.
func (f *Search) admit(c candidate, state []uint64) {
	if c.score < f.tables.bar {
		f.pass.cut = true
		return
	}
	if n := len(state); n > f.pass.words { // the prover's states grow
		f.pass.words, f.pass.width = n, min(f.pass.width, f.tables.widest(n, f.memory))
	}
	f.tables.add(c, state)
	if f.tables.isCrowded(f.pass.width) {
		f.narrow(f.pass.width)
	}
}

// narrow leaves no more candidates than the width.
func (f *Search) narrow(width int) {
	if f.tables.narrow(width) {
		f.pass.cut = true
	}
}
