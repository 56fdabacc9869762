package mcts

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"semisplit/search/ahead"
	"semisplit/search/encoding"
	"semisplit/search/engine"
	"semisplit/search/internal/random"
	"semisplit/search/stats"
	"semisplit/search/tree"
)

// mode is what a lane does in the next Step.
type mode uint8

const (
	idle      mode = iota
	expanding      // the engine looks at the last node of the path, whose trie must grow
	leaf           // the last joint move of the path is played, out of the tree
	rollout        // random moves
)

// lane is one position in flight. Its path holds a virtual visit on each of
// its nodes and edges, which also protects them from the sweep.
type lane struct {
	number int32
	mode   mode // set by worker.turnTo only
	nodes  []uint32
	edges  []uint32 // for each node but perhaps the last: a joint move, as edges
	left   int64    // Step in which the lane left the tree
	begun  int64    // Step after which the engine had played no joint move of this lane; a stall moves it on
	atNode bool     // the engine's lane is at the state of the last node

	// The last node has no virtual visit of this lane yet; see enterNext.
	entering bool

	// Of the joint move that leaves the tree: nobody has played it before, so
	// it gets no node yet; and no more than one role had a choice.
	firstVisit, singleMover bool

	winner int // at once in the state that left the tree, which has its node; see sight.go

	// Carried between the tree and the engine, so that neither waits for the other.
	state  []uint64   // to load, or reached by leaving
	joint  []uint32   // to load
	goals  []float64  // reached
	offers [][]uint32 // found by looking: the first level of each role
	moves  []int32    // their number, as the engine offers them; for a MoveEvaluator
	ahead  []float64  // what a new node is worth by its moves; empty: not known; for a surveyor

	crossed []uint32 // aliases on the path; see transpose.go
}

// turnTo changes what a lane does in the next Step, and the masks with it.
func (w *worker) turnTo(l *lane, m mode) {
	i, bit := l.number/64, uint64(1)<<(l.number%64)
	l.mode = m
	w.idle[i] &^= bit
	w.singleStep[i] &^= bit
	w.looking[i] &^= bit
	switch m {
	case idle:
		w.idle[i] |= bit
		l.winner = noWinner
		l.nodes, l.edges, l.crossed = l.nodes[:0], l.edges[:0], l.crossed[:0]
	case expanding:
		w.looking[i] |= bit
		w.singleStep[i] |= bit
	case leaf:
		w.singleStep[i] |= bit
		l.begun = w.steps
		w.selector.learner.Left(int(l.number))
	case rollout:
		w.nextCut = min(w.nextCut, l.begun+w.longest)
	}
}

// worker drives the engine of a tree.
type worker struct {
	selector selector
	masks
	effort
	sight

	stalls     engine.Staller  // the engine; nil: its lanes never stall
	descending []int32         // lanes on their way down, or to go
	loaded     int             // lanes that are not idle
	limit      int             // lanes that may be in flight
	nextCut    int64           // no playout is to be cut before this Step
	longest    int64           // joint moves of a playout, with the one that left the tree
	guesses    bool            // a playout that is cut is worth what the evaluation says
	endsSure   bool            // playouts end where the evaluation is sure
	surveyor   *ahead.Surveyor // of new nodes; nil: there is none
	closed     bool            // a node was closed, at which other lanes may be about to look
	err        error

	passes  []pass       // of a backup
	result  result       // of the one under way
	lengths []lengths    // by role that won
	line    *stats.Trace // of plans; nil: none are kept of playouts

	// Scratch.
	state                 []uint64
	goals, values, maxima []float64

	touched uint32 // keeps the loads of touching ahead
}

// masks have a bit for each lane: most lanes play on in a Step, and are not looked at.
type masks struct {
	idle, singleStep, looking []uint64 // by mode; brief is look and leave, which last for one Step
	held                      []uint64 // loaded in the engine
	events                    []uint64 // that need attention after a Step
	ended                     []uint64 // whose state is terminal
	moved                     []uint64 // that played a joint move in the last Step
	sure                      []uint64 // whose goals are known by the evaluation
}

// effort is what a worker has done.
type effort struct {
	steps                   int64 // of the engine
	playouts, states, plies int   // counted in this search
	begun                   int64 // steps when it began

	playoutTime time.Duration // that a playout took in the last search; 0: unknown
}

func newWorker(t *searcher, e engine.Engine, number int) *worker {
	n := e.Lanes()
	w := &worker{
		selector: selector{t: t, engine: e, rng: random.New(t.options.Seed, uint64(number)), lanes: make([]lane, n)},
		goals:    make([]float64, len(t.tree.Levels)), values: make([]float64, len(t.tree.Levels)),
		lengths: make([]lengths, len(t.tree.Levels)), nextCut: math.MaxInt64,
	}
	for _, mask := range []*[]uint64{&w.idle, &w.singleStep, &w.looking, &w.held, &w.events, &w.ended, &w.moved, &w.sure, &w.selector.unread} {
		*mask = make([]uint64, (n+63)/64)
	}
	w.stalls, _ = e.(engine.Staller)
	w.sight = newSight(t, e)
	if slices.ContainsFunc(t.encodings, func(s encoding.Moves) bool { return s.Whole != nil }) {
		w.selector.lists, _ = e.(engine.Lister)
	}
	if by, ok := t.options.Knowledge.Evaluate.(engine.MoveEvaluator); ok && t.options.Knowledge.KeepsValues() && by.CountsMoves() {
		w.selector.moveEvaluator = by
	}
	if scouts := t.options.Knowledge.Scouts; number < len(scouts) && t.options.Knowledge.KeepsValues() {
		w.surveyor = ahead.NewSurveyor(scouts[number], encoding.EngineLevels(t.encodings), t.options.Chance, t.options.Knowledge.Evaluate, t.options.Seed)
	}
	w.longest, w.guesses, w.endsSure = t.options.longestPlayout(), t.options.Knowledge.Guesses(), t.options.Knowledge.EndsSure()
	for i := range w.selector.lanes {
		w.selector.lanes[i].number = int32(i)
		w.turnTo(&w.selector.lanes[i], idle)
		w.selector.lanes[i].goals = make([]float64, len(t.tree.Levels))
		w.selector.lanes[i].offers = make([][]uint32, len(t.tree.Levels))
		w.selector.lanes[i].moves = make([]int32, len(t.tree.Levels))
	}
	for r, levels := range t.tree.Levels {
		for range levels {
			w.selector.roleOf = append(w.selector.roleOf, uint16(r))
		}
	}
	w.selector.learner = stats.New(stats.Setup{
		Tree: &t.tree, Engine: e, Rng: w.selector.rng, Encodings: t.encodings, Chance: t.options.Chance, Mast: t.options.Mast, ByEdges: &t.rave,
	})
	w.passes = passesOf(t)
	w.selector.learner.Start()
	w.newLine()
	return w
}

// reset gives up every lane. The virtual visits are taken back. What the engine holds
// is unloaded when lanes begin again.
func (w *worker) reset() {
	for i := range w.selector.lanes {
		w.giveUp(&w.selector.lanes[i])
		w.selector.lanes[i].atNode = false
	}
	w.descending, w.loaded, w.err = w.descending[:0], 0, nil
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

// run searches until the tree's search is over. stop is handed to the engine. Lanes that
// an earlier search has left in flight go on. If it ends with an error, nothing is.
func (w *worker) run(stop *atomic.Bool) {
	if w.loaded == 0 {
		for i := range w.selector.lanes {
			w.selector.engine.Unload(i)
		}
		clear(w.held)
		clear(w.events)
		clear(w.sure)
	}
	yielded := time.Now()
	for steps := 1; !w.selector.t.over(stop) && (w.selector.t.states == 0 || w.states < w.selector.t.states); steps++ {
		more := false
		if steps%stepsPerClock == 0 {
			if time.Since(yielded) > yieldEvery {
				runtime.Gosched()
				yielded = time.Now()
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
		w.selector.learner.Steer()
		ended, err := w.selector.engine.Step(stop)
		if err != nil {
			// An engine that was stopped says so with an error.
			if !stop.Load() {
				w.selector.t.setError(fmt.Errorf("search: %w", err))
			}
			w.reset()
			return
		}
		w.note(ended)
	}
}

// processEvents is what happens between two Steps: results are backed up and idle lanes
// get new work. False: there is nothing left to do. more: see whether there is work for idle lanes,
// even if no lane needs attention.
func (w *worker) processEvents(more bool, stop *atomic.Bool) bool {
	if w.loaded > 0 && !more && !w.eventful() {
		return true // all play on
	}
	w.read(stop)
	if !w.update() {
		return false
	}
	w.load()
	return true
}

func (w *masks) eventful() bool {
	for _, word := range w.events {
		if word != 0 {
			return true
		}
	}
	return false
}

func (w *worker) update() bool {
	t := w.selector.t
	w.collect()
	if w.err == nil {
		w.dispatch()
	}
	if w.err == nil {
		w.prepareLoads()
	}
	if w.err != nil {
		t.setError(w.err)
		w.reset()
		return false
	}
	if m := t.member; m != nil && t.done >= m.Due {
		m.Exchange(t.done)
	}
	return w.loaded > 0 || t.mayBegin()
}

// note finds the lanes that need attention after a Step.
func (w *worker) note(ended []uint64) {
	w.steps++
	var stalled []uint64
	if w.stalls != nil {
		stalled = w.stalls.Stalled()
	}
	for i := range w.events {
		moved := ^(w.idle[i] | w.looking[i])
		if stalled != nil {
			// No joint move: nothing has happened.
			for word := stalled[i] & moved &^ w.singleStep[i]; word != 0; word &= word - 1 {
				w.selector.lanes[i*64+bits.TrailingZeros64(word)].begun++
				moved &^= word & -word
			}
		}
		w.ended[i] = ended[i] &^ w.idle[i]
		w.events[i] = w.ended[i] | w.singleStep[i]
		if i == len(w.events)-1 {
			moved &= ^uint64(0) >> (-len(w.selector.lanes) & 63) // there are no lanes beyond the last
		}
		w.states += bits.OnesCount64(moved)
		w.moved[i] = moved
	}
	w.selector.learner.Note(w.steps, w.moved)
	w.noteLine()
	if w.steps >= w.nextCut {
		w.cut()
	}
	if w.endsSure && w.steps%dynamicEvery == 0 {
		w.endSure()
	}
}

// read takes from the engine what the lanes that need attention have reached.
func (w *worker) read(stop *atomic.Bool) {
	w.sight.spot(w.selector.t.tree.Roles)
	for i, word := range w.events {
		for ; word != 0; word &= word - 1 {
			b := bits.TrailingZeros64(word)
			number := i*64 + b
			l := &w.selector.lanes[number]
			switch {
			case l.mode == expanding:
				w.selector.wantOffers(l)
			case l.mode == leaf && w.ended[i]>>b&1 == 0:
				l.ahead, l.winner = l.ahead[:0], w.winnerOf(number, w.selector.t.options.Chance)
				stored := !l.firstVisit || w.selector.t.options.Eager || l.winner != noWinner
				if w.surveyor != nil && stored {
					w.surveyor.Add(number, &l.ahead)
				}
				if stored {
					l.state = w.selector.engine.State(number, l.state[:0])
				}
				if !l.firstVisit && l.singleMover || w.selector.moveEvaluator != nil && stored {
					w.selector.wantOffers(l)
				}
			case w.sure[i]>>b&1 != 0:
			case w.guesses && w.ended[i]>>b&1 == 0:
				l.state = w.selector.engine.State(number, l.state[:0])
				w.selector.t.options.Knowledge.Evaluate.Values(l.state, l.goals)
			default:
				w.selector.engine.Goals(number, l.goals)
			}
		}
	}
	w.selector.readOffers()
	if w.surveyor != nil {
		if err := w.surveyor.Find(w.selector.engine, stop); err != nil && !stop.Load() {
			w.err = err
		}
	}
}

// collect deals with the lanes that need attention.
func (w *worker) collect() {
	for i, word := range w.events {
		w.events[i], w.sure[i] = 0, 0
		for ; word != 0 && w.err == nil; word &= word - 1 {
			b := bits.TrailingZeros64(word)
			w.handle(i*64+b, w.ended[i]>>b&1 != 0)
		}
	}
}

func (w *worker) handle(number int, ended bool) {
	l := &w.selector.lanes[number]
	switch l.mode {
	case expanding:
		if ended {
			w.err = errors.New("search: the engine finds a state terminal that it found open before")
			return
		}
		l.atNode = true
		w.descending = append(w.descending, l.number)
		return
	case leaf:
		l.left = w.steps
		arrived := (ended || !l.firstVisit || w.selector.t.options.Eager || l.winner != noWinner) && w.arrive(l, ended)
		if ended || !arrived {
			l.winner = noWinner
		}
		if arrived && l.singleMover && !l.firstVisit && !ended && l.winner == noWinner {
			l.atNode = true
			w.descending = append(w.descending, l.number)
			return
		}
		if !ended {
			w.turnTo(l, rollout)
			return
		}
	}
	w.settle(l, ended)
	w.playouts++
	w.plies += int(w.steps - l.begun)
	if !ended {
		w.backup(l, l.goals, false)
		return
	}
	w.keepLine(l, l.goals)
	w.backup(l, l.goals, true)
}

// arrive puts the node of the state that a lane has reached with its given
// joint move on its path, and makes it unless another lane has. False: there
// is none, for memory is out.
//
// A joint move gets its node when it is played for the second time: most are
// played once, and their states need not be read, kept and touched again. A
// state that ends the game is kept at once, as nothing is to be played there.
func (w *worker) arrive(l *lane, ended bool) bool {
	t := w.selector.t
	parent := l.nodes[len(l.nodes)-1]
	leaves := w.selector.leavesOf(l.edges[len(l.edges)-len(w.selector.roleOf):])
	if slices.ContainsFunc(leaves, tree.IsUnstored) {
		return false // the tree has not come so far
	}
	if t.tree.Index.Transposes() && !ended {
		w.transpose(l, parent, leaves)
		return false // the lane plays on, wherever it came to
	}
	n := t.tree.Child(parent, leaves)
	if n == 0 {
		var flags uint16
		if ended {
			flags = tree.FlagTerminal
			l.state = l.state[:0]
			for _, v := range l.goals {
				l.state = append(l.state, math.Float64bits(v))
			}
		}
		if n = t.tree.NewNode(l.state, flags, false); n == 0 {
			return false
		}
		if t.values.On && ended {
			w.selector.t.values.Set(n, l.goals)
		} else if t.values.On {
			w.evaluate(n, l)
		}
		if l.singleMover && t.member == nil { // joined trees count the visits of others on edges too
			t.tree.Node(n).Visits = t.tree.Edges.VisitsOf(leaves)
		}
		t.tree.Adopt(parent, n, leaves)
	}
	w.enter(l, n)
	return true
}

// terminalRuns bounds the iterations that one lane makes inside the tree
// before the clock is looked at.
const terminalRuns = 4

// dispatch gives work to idle lanes.
func (w *worker) dispatch() {
	w.timePressure()
	w.limit = w.selector.t.lanesAllowed(len(w.selector.lanes))
	for range terminalRuns {
		w.begin()
		if len(w.descending) == 0 {
			break
		}
		w.descend()
		if w.closed {
			w.backUpClosed()
		}
	}
	w.loaded = w.inFlight()
}

// inFlight counts the lanes that are not idle.
func (w *worker) inFlight() int {
	n := len(w.selector.lanes)
	for _, word := range w.idle {
		n -= bits.OnesCount64(word)
	}
	return n
}

// begin puts idle lanes at the root.
func (w *worker) begin() {
	t := w.selector.t
	n := w.inFlight()
	for i, word := range w.idle {
		for ; word != 0 && n < w.limit && t.mayBegin(); word &= word - 1 {
			l := &w.selector.lanes[i*64+bits.TrailingZeros64(word)]
			t.begun++
			n++
			w.enter(l, t.tree.Root)
			w.descending = append(w.descending, l.number)
		}
	}
}

// prepareLoads takes from the tree what the engine needs for the lanes whose work is
// new.
func (w *worker) prepareLoads() {
	t := w.selector.t
	w.touchStates()
	for i := range w.singleStep {
		for word := w.singleStep[i]; word != 0; word &= word - 1 {
			l := &w.selector.lanes[i*64+bits.TrailingZeros64(word)]
			l.state = t.tree.Words(l.nodes[len(l.nodes)-1], l.state[:0])
			l.joint = l.joint[:0]
			if l.mode == leaf {
				l.joint = w.selector.jointOf(l.edges[len(l.edges)-len(w.selector.roleOf):], l.joint)
			}
		}
	}
}

// load gives the engine the lanes whose work is new: in the modes look and
// leave, which last for one Step.
func (w *worker) load() {
	for i := range w.singleStep {
		for word := w.singleStep[i]; word != 0; word &= word - 1 {
			number := i*64 + bits.TrailingZeros64(word)
			l := &w.selector.lanes[number]
			if l.mode == expanding {
				w.selector.engine.Load(number, l.state, nil)
			} else {
				w.selector.engine.Load(number, l.state, l.joint)
			}
		}
		for word := w.idle[i] & w.held[i]; word != 0; word &= word - 1 {
			w.selector.engine.Unload(i*64 + bits.TrailingZeros64(word))
		}
		w.held[i] = (w.held[i] | w.singleStep[i]) &^ w.idle[i]
	}
}
