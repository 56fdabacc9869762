package player

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"semisplit/internal/guard"
	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/protocol"
	"semisplit/reasoner"
	"semisplit/search"
)

// A search reports its best move after each slice of time: if it should not
// end when it is told to, the current move is this old. The end of a slice
// costs the playouts in flight, so slices grow where playouts are slow.
const (
	shortestSlice = 100 * time.Millisecond
	longestSlice  = 10 * time.Second
	fewIterations = 500 // in a slice
)

// assignment is what a worker is given.
type assignment struct {
	start   protocol.Start
	agent   agent.Agent
	seed    uint64
	log     *slog.Logger
	tell    func(event any)
	source  func(ctx context.Context, rules []kif.Term) (source, error)
	newTree func(m reasoner.Machine, a agent.Agent, seed uint64) search.Algorithm
	limits  reasoner.Limits
	watch   func(event any) // see Config.Watch

	// For the matches that have machines, and that have stand-ins, ended ones included.
	places, standIns *semaphore.Weighted
}

// worker carries out the orders of one match, one after the other, on a
// goroutine of its own.
type worker struct {
	assignment
	placed  bool
	crew    sync.WaitGroup // the goroutines beside run
	spawn   func(func())   // starts one of them
	ctx     context.Context
	cancel  context.CancelFunc
	quit    atomic.Bool // ends every evaluation of rules
	orders  *queue
	last    *atomic.Bool // halts the last search that was ordered; nil: none was
	standIn *standIn
	better  chan upgrade // the newest one that was not adopted
	random  *rand.Rand

	playing  agent.Agent // what plays: the agent, or what was chosen for it
	role     int
	single   bool      // it has one legal move
	position *position // nil: there is none, and the stand-in follows
	slice    time.Duration
	layered  float64   // value of the line by layers that was logged last
	shown    time.Time // when the watch was told of the search last
}

// run works until the queue is closed.
func (w *worker) run() {
	defer w.leave()
	for {
		t, ok := w.orders.pop()
		if !ok {
			return
		}
		w.carryOut(t)
	}
}

// halt ends the last search that was ordered.
func (w *worker) halt() {
	if w != nil && w.last != nil {
		w.last.Store(true)
	}
}

// leave gives the place back when all that works for the match has ended: rules
// that are deaf to the end of their match hold their memory until then.
func (w *worker) leave() {
	w.cancel()
	w.standIn.cancel()
	w.crew.Wait()
	w.show(WatchEnd{Match: w.start.Match, Role: w.start.Role})
	if w.placed {
		w.places.Release(1)
	}
}

func (w *worker) carryOut(t task) {
	switch what := t.what.(type) {
	case prepare:
		w.prepare()
	case advance:
		w.advance(what)
	case startSearch:
		w.search(what.turn, t.stop)
	case adopt:
		w.adopt()
	case fallBackToProver:
		w.transfer(nil)
	case free:
		w.finish(what)
	}
}

// advance plays the joint move of a turn.
func (w *worker) advance(a advance) {
	p := w.position
	if p == nil {
		return // the stand-in follows
	}
	if err := guard.Run(func() error { return p.back(a.from) }); err != nil {
		w.log.Error("what was played too early cannot be taken back", "match", w.start.Match, "error", err)
	}
	mended, err := p.follow(a.moves)
	if err != nil && !errors.Is(err, board.ErrIllegal) {
		w.giveUp(err)
		return
	}
	if err != nil && a.force {
		mended, err = p.force(a, err, w.random)
	}
	switch {
	case err == nil:
		p.reached(a.turn)
		w.report(a.turn, a.moves, mended)
	case a.force: // nothing can be done: the old state stands for the new one
		p.history = append(p.history, nil)
		p.reached(a.turn)
		w.report(a.turn, nil, fmt.Sprintf("stayed at the state before: %v", err))
	default:
		w.standIn.drop(a.turn)
		w.tell(rejected{a.turn, err})
	}
}

// adopt moves the match to the newest machine.
func (w *worker) adopt() {
	select {
	case u := <-w.better:
		if w.transfer(u.machine) {
			w.playing = u.agent
		}
	default:
		w.tell(adopted{err: errNothingNewer})
	}
}

// errNothingNewer: what was to be adopted had come in the place of an upgrade before it, and
// was adopted when that one was to be.
var errNothingNewer = errors.New("no better machine")

// transfer goes to a machine, nil: to the prover, for what the rules say without any
// doubt, and tells what came of it.
func (w *worker) transfer(m reasoner.Machine) (done bool) {
	e := adopted{err: errNoPosition}
	if p := w.position; p != nil {
		if m == nil {
			m = p.prover
		}
		e.kind, e.plan, e.lanes, e.err = m.Kind(), m.Plan(), m.Lanes(), p.transfer(m)
	}
	w.tell(e)
	if e.err == nil {
		w.slice = shortestSlice // its playouts have another speed
	}
	return e.err == nil
}

// treeLost logs why the tree was given up.
func (w *worker) treeLost(err error) {
	w.log.Error("the tree was given up", "match", w.start.Match, "error", err)
}

var errNoPosition = errors.New("no position")

func (w *worker) prepare() {
	err := guard.Run(func() error {
		if err := w.places.Acquire(w.ctx, 1); err != nil {
			return err
		}
		w.placed = true
		w.show(WatchStart{
			Match: w.start.Match, Role: w.start.Role, Rules: w.start.Rules, Player: w.agent.Name, StartClock: w.start.StartClock, PlayClock: w.start.PlayClock,
		})
		src, err := w.source(w.ctx, w.start.Rules)
		w.start.Rules = nil
		if err != nil {
			return err
		}
		first := src.first.machine
		w.playing = src.first.agent
		w.role = findRole(first.Roles(), w.start.Role)
		if w.role < 0 {
			w.cancel()
			return fmt.Errorf("the rules have no such role: %v", w.start.Role)
		}
		if w.position, err = newPosition(first, w.seed, &w.quit, w.treeLost); err != nil {
			w.giveUp(err)
			return nil
		}
		w.spawn(func() {
			if err := guard.Run(func() error { w.await(src); return nil }); err != nil {
				w.log.Error("the match stays on its machine", "match", w.start.Match, "error", err)
				w.tell(compiled{})
			}
		})
		return nil
	})
	if err != nil {
		w.tell(prepared{err: err})
		return
	}
	if w.position == nil {
		return
	}
	w.tell(prepared{role: w.role, kind: w.position.prover.Kind()})
	w.report(0, nil, "")
}

// giveUp leaves the match to the stand-in, after an error of the rules in a state
// that has to be known.
func (w *worker) giveUp(err error) {
	w.cancel()
	w.position = nil
	if w.quit.Load() {
		return // the match is over
	}
	w.log.Error("the state cannot be evaluated: the match goes on with one legal move after the other", "match", w.start.Match, "error", err)
}

// findRole is the index of a role, exactly or else without case; -1: none.
func findRole(roles []kif.Term, role kif.Term) int {
	for _, same := range []func(a, b kif.Term) bool{kif.Equal, kif.EqualFold} {
		for i, r := range roles {
			if same(board.Plain(r), board.Plain(role)) {
				return i
			}
		}
	}
	return -1
}

// mostCounted is how many legal moves are counted after each turn: whoever has as
// many does not wait for the exact number.
const mostCounted = 1 << 13

// report tells where the match stands. joint is the move that led there.
func (w *worker) report(turn int, moves []kif.Term, mended string) {
	b := w.position.board
	w.standIn.reached(standing{turn, b.Machine(), b.State()})
	e := positioned{turn: turn, note: mended, terminal: b.Terminal()}
	err := guard.Run(func() error {
		paths, all := b.List(w.role, mostCounted)
		if e.legal = len(paths); e.legal > 0 {
			path := paths[w.random.IntN(len(paths))]
			if !all {
				if drawn, ok := b.Draw(w.role, w.random); ok {
					path = drawn
				}
			}
			e.move = b.Machine().Move(w.role, path)
		}
		if moves != nil && !e.terminal {
			_, err := b.Joint(moves)
			e.again = err == nil
		}
		return nil
	})
	if err != nil {
		w.log.Error("legal moves", "match", w.start.Match, "turn", turn, "error", err)
	}
	w.single = e.legal == 1
	w.tell(e)
	w.shown = time.Time{} // what is thought of the new state is told at once
	w.showState(moves)
}

// search runs until it is halted or finished.
func (w *worker) search(turn int, stop *atomic.Bool) {
	done := searched{turn: turn, end: endHalted}
	begun := time.Now()
	err := guard.Run(func() error {
		if w.position == nil {
			return errNoPosition
		}
		if err := w.position.root(func(m reasoner.Machine) search.Algorithm { return w.newTree(m, w.playing, w.seed) }); err != nil {
			return err
		}
		for !stop.Load() {
			finished, err := w.think(stop, time.Since(begun), &done.thought)
			if err != nil && !stop.Load() {
				return err
			}
			if finished && !stop.Load() {
				done.end = endDone
				return nil
			}
			w.tell(progress{turn, done.thought})
		}
		return nil
	})
	if err != nil {
		done.end, done.fault = endFault, err
	}
	w.tell(done)
}

// think searches for one slice and notes what is known then. It is the longer the
// longer has been thought, for alpha-beta begins its depth again in each. With a bound on
// the iterations they are one slice, since every end of a search costs the
// playouts in flight, and the same bound is to give the same move.
func (w *worker) think(stop *atomic.Bool, thought time.Duration, t *thought) (finished bool, err error) {
	limit := w.playing.Algorithm.Parameters.Iterations
	budget := search.Budget{Time: min(max(w.slice, thought/2), longestSlice), Idle: w.single}
	if limit > 0 {
		budget = search.Budget{Iterations: int(limit)}
	}
	tree, m := w.position.tree, w.position.board.Machine()
	report, err := tree.Search(stop, budget)
	t.playouts += int64(report.Playouts)
	t.iterations += int64(report.Iterations)
	t.nodes = int64(report.Nodes)
	w.tellOfLayers(report)
	w.showMind(report)
	if path, ok := tree.Best(w.role); ok {
		t.move, t.found = m.Move(w.role, path), true
		t.line = spellLine(m, report.Line)
		if w.role < len(report.Value) {
			t.value = report.Value[w.role]
		}
	}
	if whole := report.Elapsed >= budget.Time/2 && !stop.Load(); whole && limit == 0 && report.Iterations < fewIterations {
		w.slice = min(2*w.slice, longestSlice)
	}
	return limit > 0 || report.Iterations == 0 && report.Elapsed < time.Millisecond, err
}

// tellOfLayers logs what the search by layers of a game for one has come to, if
// that is new, or why it broke down.
func (w *worker) tellOfLayers(r search.Report) {
	if r.LayersFault != nil {
		w.log.Error("the search by layers broke down", "match", w.start.Match, "error", r.LayersFault)
	}
	if r.LineLayered && len(r.Low) > 0 && r.Low[0] != w.layered {
		w.layered = r.Low[0]
		w.log.Info("a line was found by layers", "match", w.start.Match, "value", 100*r.Low[0], "states", r.Layered)
	}
}

// errBehind: the final moves belong to a state that the worker had not reached yet.
var errBehind = errors.New("the states before were not known in time")

// finish writes the result of a match into the log, if its last moves are
// known and the rules are quick enough.
func (w *worker) finish(f free) {
	w.cancel()
	p := w.position
	if p == nil {
		return
	}
	if p.tree = nil; f.moves == nil {
		return
	}
	turns := len(p.history) + 1
	w.quit.Store(false)
	limit := time.AfterFunc(time.Second, func() { w.quit.Store(true) })
	defer limit.Stop()
	err := guard.Run(func() error {
		if p.turn() != f.turn {
			return errBehind
		}
		if err := p.play(f.moves); err != nil {
			return err
		}
		w.showState(f.moves)
		w.log.Info("match over", "match", w.start.Match, "turns", turns, "terminal", p.board.Terminal(),
			"role", short(p.board.Machine().Roles()[w.role]), "goals", p.board.Goals())
		return nil
	})
	if err != nil {
		w.log.Info("match over", "match", w.start.Match, "turns", turns, "unclear", err)
	}
}
