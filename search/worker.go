package search

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
)

// mode is what a lane does in the next Step.
type mode uint8

const (
	idle  mode = iota
	look       // the engine looks at the last node of the path, whose trie must grow
	leave      // the last joint move of the path is played, out of the tree
	play       // random moves
)

// lane is one position in flight. Its path holds a virtual visit on each of
// its nodes and edges, which also protects them from the sweep.
type lane struct {
	mode  mode
	nodes []uint32
	edges []uint32 // for each node but perhaps the last: a joint move, as edges
	plies int      // joint moves played by the engine since the path was left
}

func (l *lane) clear() {
	l.mode, l.nodes, l.edges, l.plies = idle, l.nodes[:0], l.edges[:0], 0
}

// worker drives one engine over the shared tree. Its goroutine alone touches
// it, and touches the tree only under the tree's mutex.
type worker struct {
	t        *Tree
	engine   Engine
	rng      *rand.PCG
	lanes    []lane
	left     []int32  // joint moves until the playout of a lane is cut
	loaded   int      // lanes that are not idle
	limit    int      // lanes that may be in flight
	events   []uint64 // lanes that need attention after a Step
	ended    []uint64 // lanes whose state is terminal
	roleOf   []uint16
	at       uint32 // node where pick works
	together bool   // more than one role chooses there
	err      error

	// Scratch.
	picked, pickedTries, prefix, offers, leafBuf, joint []uint32
	goals                                               []float64
	state                                               []uint64

	playouts, states, plies int // counted in this search
}

func newWorker(t *Tree, engine Engine, number int) *worker {
	n := engine.Lanes()
	w := &worker{
		t: t, engine: engine, rng: rand.NewPCG(t.options.Seed, uint64(number)),
		lanes: make([]lane, n), left: make([]int32, n),
		events: make([]uint64, (n+63)/64), ended: make([]uint64, (n+63)/64),
		goals: make([]float64, len(t.levels)),
	}
	for r, levels := range t.levels {
		for range levels {
			w.roleOf = append(w.roleOf, uint16(r))
		}
	}
	return w
}

// reset empties every lane, here and in the engine. The virtual visits are
// taken back.
func (w *worker) reset() {
	for i := range w.lanes {
		w.giveUp(&w.lanes[i])
	}
	w.loaded, w.err = 0, nil
}

// stepsPerYield is how often a search lets others run. The scheduler takes a
// busy goroutine off its processor only after 10 ms; with a dozen of them on
// two processors, a request that changes hands five times would wait for half
// a second. A yield costs about as much as 1% of a Step when nobody waits.
const stepsPerYield = 16

// run searches until the tree's search is over. stop is handed to the engine.
func (w *worker) run(stop *atomic.Bool) {
	for i := range w.lanes {
		w.engine.Unload(i)
	}
	clear(w.events)
	for steps := 1; !w.t.over(stop); steps++ {
		if steps%stepsPerYield == 0 {
			runtime.Gosched()
		}
		if !w.turn() {
			return
		}
		if w.loaded == 0 {
			continue // all ended in the tree
		}
		ended, err := w.engine.Step(stop)
		if err != nil {
			// An engine that was stopped says so with an error.
			if !stop.Load() {
				w.t.fail(fmt.Errorf("search: %w", err))
			}
			return
		}
		w.note(ended)
	}
}

// turn is what happens under the mutex between two Steps: results are backed
// up and idle lanes get new work. False: there is nothing left to do.
func (w *worker) turn() bool {
	t := w.t
	t.mu.Lock()
	defer t.mu.Unlock()
	w.harvest()
	if w.err == nil {
		w.fill()
	}
	if w.err != nil {
		t.setError(w.err)
		return false
	}
	return w.loaded > 0 || t.mayBegin()
}

// note finds the lanes that need attention after a Step.
func (w *worker) note(ended []uint64) {
	clear(w.events)
	copy(w.ended, ended)
	for i := range w.lanes {
		l := &w.lanes[i]
		switch l.mode {
		case idle:
			w.ended[i/64] &^= 1 << (i % 64)
			continue
		case look:
			w.events[i/64] |= 1 << (i % 64)
			continue
		case leave:
			w.events[i/64] |= 1 << (i % 64)
		case play:
			if w.left[i]--; w.left[i] <= 0 {
				w.events[i/64] |= 1 << (i % 64)
			}
		}
		l.plies++
		w.states++
	}
	for i, word := range w.ended {
		w.events[i] |= word
	}
}

// harvest reads the lanes that need attention. Nothing is loaded before all
// are read.
func (w *worker) harvest() {
	for i, word := range w.events {
		w.events[i] = 0
		for ; word != 0 && w.err == nil; word &= word - 1 {
			b := bits.TrailingZeros64(word)
			w.attend(i*64+b, w.ended[i]>>b&1 != 0)
		}
	}
}

func (w *worker) attend(number int, ended bool) {
	l := &w.lanes[number]
	before := l.mode
	switch before {
	case look:
		if ended {
			w.err = errors.New("search: the engine finds a state terminal that it found open before")
			return
		}
		w.descend(l, number)
		return
	case leave:
		w.arrive(l, number, ended)
		if !ended {
			l.mode = play
			w.left[number] = int32(w.t.options.PlayoutLimit)
			return
		}
	}
	w.engine.Goals(number, w.goals)
	w.playouts++
	w.plies += l.plies
	w.backup(l, w.goals)
}

// arrive makes the node of the state that a lane has reached with its given
// joint move, unless another lane has made it or memory is out.
func (w *worker) arrive(l *lane, number int, ended bool) {
	t := w.t
	parent := l.nodes[len(l.nodes)-1]
	leaves := w.leavesOf(l.edges[len(l.edges)-len(w.roleOf):])
	n := t.child(parent, leaves)
	if n == 0 {
		w.state = w.state[:0]
		var flags uint8
		if ended {
			flags = flagTerminal
			w.engine.Goals(number, w.goals)
			for _, v := range w.goals {
				w.state = append(w.state, math.Float64bits(v))
			}
		} else {
			w.state = w.engine.State(number, w.state)
		}
		if n = t.newNode(w.state, flags, false); n == 0 {
			return
		}
		if t.nodes.at(parent).children == 0 {
			t.nodes.at(parent).key = t.busiest(parent)
		}
		t.adopt(parent, n, leaves)
	}
	w.enter(l, n)
}

// fill gives work to idle lanes, and loads every lane whose work is new.
func (w *worker) fill() {
	t := w.t
	w.limit = t.lanesAllowed(len(w.lanes))
	w.loaded = 0
	for i := range w.lanes {
		if w.lanes[i].mode != idle {
			w.loaded++
		}
	}
	for i := range w.lanes {
		l := &w.lanes[i]
		fresh := l.mode == look || l.mode == leave
		if l.mode == idle && w.loaded < w.limit {
			w.begin(l)
			if w.err != nil {
				return
			}
			if l.mode != idle {
				w.loaded++
				fresh = true
			}
		}
		if fresh {
			w.load(l, i)
		} else if l.mode == idle {
			w.engine.Unload(i)
		}
	}
}

// terminalRuns bounds the iterations that one lane makes inside the tree
// before the mutex is given up and the clock is looked at.
const terminalRuns = 32

// begin starts iterations until one needs the engine.
func (w *worker) begin(l *lane) {
	for range terminalRuns {
		if !w.t.mayBegin() {
			return
		}
		w.t.begun++
		w.enter(l, w.t.root)
		w.descend(l, -1)
		if l.mode != idle || w.err != nil {
			return
		}
	}
}

func (w *worker) load(l *lane, number int) {
	t := w.t
	w.state = t.words(l.nodes[len(l.nodes)-1], w.state[:0])
	if l.mode == look {
		w.engine.Load(number, w.state, nil)
		return
	}
	w.joint = w.joint[:0]
	for _, e := range l.edges[len(l.edges)-len(w.roleOf):] {
		w.joint = append(w.joint, t.edge(e).semimove)
	}
	w.engine.Load(number, w.state, w.joint)
}
