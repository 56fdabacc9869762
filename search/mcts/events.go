package mcts

import (
	"errors"
	"math/bits"
	"sync/atomic"
)

// note finds the lanes that need attention after a Step.
func (w *worker) note(ended []uint64) {
	f := &w.flight
	f.steps++
	var stalled []uint64
	if w.stalls != nil {
		stalled = w.stalls.Stalled()
	}
	for i := range f.events {
		moved := ^(f.idle[i] | f.looking[i])
		if stalled != nil {
			// No joint move: nothing has happened.
			for word := stalled[i] & moved &^ f.singleStep[i]; word != 0; word &= word - 1 {
				f.lanes[i*64+bits.TrailingZeros64(word)].stalls++
				moved &^= word & -word
			}
		}
		f.ended[i] = ended[i] &^ f.idle[i]
		f.events[i] = f.ended[i] | f.singleStep[i]
		if i == len(f.events)-1 {
			moved &= ^uint64(0) >> (-len(f.lanes) & 63) // there are no lanes beyond the last
		}
		w.pace.states += bits.OnesCount64(moved)
		f.moved[i] = moved
	}
	f.learner.Note(f.steps, f.moved)
	f.noteLine()
	if f.steps >= f.nextCut {
		w.cut()
	}
	if f.options.Knowledge.EndsSure() && f.steps%dynamicEvery == 0 {
		w.endSure()
	}
}

// read takes from the engine what the lanes that need attention have reached.
func (w *worker) read(stop *atomic.Bool) {
	f := &w.flight
	w.winSight.spot(f.tree.Roles)
	for i, word := range f.events {
		for ; word != 0; word &= word - 1 {
			b := bits.TrailingZeros64(word)
			number := i*64 + b
			l, ended := &f.lanes[number], f.ended[i]>>b&1 != 0
			switch {
			case l.mode == expanding:
				w.mark(number, l.nodes[len(l.nodes)-1] == f.tree.Root)
			case l.mode == joining && !ended:
			case l.mode == leaf && !ended:
				w.readLeaf(l, number)
			case f.sure[i]>>b&1 != 0:
			case !ended && f.options.Knowledge.Guesses():
				l.state = w.engine.State(number, l.state[:0])
				f.options.Knowledge.Evaluate.Values(l.state, l.goals)
			default:
				w.engine.Goals(number, l.goals)
			}
		}
	}
	w.offers.Read()
	if w.children != nil {
		if err := w.children.Find(w.engine, stop); err != nil && !stop.Load() {
			f.fault = err
		}
	}
}

// readLeaf reads the state that a lane has reached by leaving the tree, as far as it will
// be wanted.
func (w *worker) readLeaf(l *lane, number int) {
	l.ahead, l.winner = l.ahead[:0], w.winSight.winnerOf(number, w.flight.options.Chance)
	stored := w.stores(l)
	if w.children != nil && stored {
		w.children.Add(number, &l.ahead)
	}
	if stored {
		l.state = w.engine.State(number, l.state[:0])
	}
	if !l.firstVisit && l.singleMover {
		w.mark(number, false)
	}
}

// mark has the offers read in a lane. Those of a root that is new are all shown.
func (w *worker) mark(lane int, root bool) {
	if !root && w.winSight.losesAll() {
		w.offers.MarkBest(lane)
	} else {
		w.offers.Mark(lane)
	}
}

// stores says whether a lane that has left the tree is to have a node for its state, which
// does not end the game.
func (w *worker) stores(l *lane) bool {
	return !l.firstVisit || w.flight.options.Eager || l.winner != noWinner
}

// collect deals with the lanes that need attention.
func (w *worker) collect() {
	f := &w.flight
	for i, word := range f.events {
		f.events[i], f.sure[i] = 0, 0
		for ; word != 0 && f.fault == nil; word &= word - 1 {
			b := bits.TrailingZeros64(word)
			w.handle(&f.lanes[i*64+b], f.ended[i]>>b&1 != 0)
		}
	}
}

// handle deals with one of them.
func (w *worker) handle(l *lane, ended bool) {
	f := &w.flight
	switch l.mode {
	case expanding:
		if ended {
			f.fault = errors.New("search: the engine finds a state terminal that it found open before")
			return
		}
		w.descendFrom(l)
		return
	case leaf:
		l.left, l.stalls = f.steps, 0
		arrived := (ended || w.stores(l)) && w.arrivals.arrive(l, ended)
		if ended || !arrived {
			l.winner = noWinner
		}
		if n := l.nodes[len(l.nodes)-1]; !ended && l.comesTo(len(f.tree.RoleOf)) && f.proofs.Knows(n) {
			l.goals = f.proofs.Bounds.ExactGoals(n, l.goals)
			break
		}
		if arrived && l.singleMover && !l.firstVisit && !ended && l.winner == noWinner {
			w.descendFrom(l)
			return
		}
		if !ended {
			f.turnTo(l, rollout)
			return
		}
	case joining:
		l.left, l.stalls = f.steps, 0
		if !ended {
			f.turnTo(l, rollout)
			return
		}
	}
	if l.winner != noWinner && ended && f.steps == l.left+l.stalls+1 && l.goals[l.winner] >= 1 {
		// A win was seen in the state that left the tree, and the move that was to win has.
		w.winSight.settle(f.parts, l.nodes[len(l.nodes)-1], l.winner, l.goals)
	}
	w.pace.playouts++
	w.pace.plies += int(f.steps - l.begun - l.stalls)
	if f.finish(l, l.goals, ended) {
		w.descent.descending = append(w.descent.descending, l.number)
	}
}

// descendFrom sends a lane on down from the last node of its path, at whose state the
// engine is.
func (w *worker) descendFrom(l *lane) {
	l.atNode = true
	w.descent.descending = append(w.descent.descending, l.number)
}
