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
// end when it is told to, the move at hand is this old. The end of a slice
// costs the playouts in flight, so slices grow where playouts are slow.
const (
	shortestSlice = 100 * time.Millisecond
	longestSlice  = 10 * time.Second
	fewIterations = 500 // in a slice
)

// source is where a worker gets its machines from.
type source struct {
	first  reasoner.Machine
	better <-chan reasoner.Machine // closed when no more will come; senders do not wait for somebody to listen
	err    func() error            // why there were no (more) better ones
	trials func() []reasoner.Trial // what was tried for them; may be nil

	adapt func(reasoner.Machine) reasoner.Machine // to what the agent needs; may be nil

	// choose is the automatic choice, with what is to be told while it measures
	// and plays trial matches; nil: the agent is what it is. Until the choice has
	// been made, machines are played on by interim.
	choose  func(ctx context.Context, o ChoiceOptions, busy func(bool)) (*Choice, error)
	interim func(m reasoner.Machine) agent.Agent
}

// upgrade is a machine, and the agent that is to play on it.
type upgrade struct {
	machine reasoner.Machine
	agent   agent.Agent
}

// worker carries out the orders of one match, one after the other, on a
// goroutine of its own. It owns the position and the tree.
type worker struct {
	life   int
	start  protocol.Start
	agent  agent.Agent
	seed   uint64
	log    *slog.Logger
	tell   func(event any)
	source func(ctx context.Context, rules []kif.Term) (source, error)
	plant  func(m reasoner.Machine, a agent.Agent, seed uint64) search.Algorithm

	places *semaphore.Weighted // for the matches that have machines, ended ones included
	placed bool
	crew   sync.WaitGroup // the goroutines beside run
	spawn  func(func())   // starts one of them
	limits reasoner.Limits
	ctx    context.Context
	cancel context.CancelFunc
	quit   atomic.Bool // ends every evaluation of rules
	orders *queue
	aside  *standIn
	better chan upgrade // the newest one that was not adopted
	random *rand.Rand

	playing      agent.Agent // what plays: the agent, or what was chosen for it
	prover       reasoner.Machine
	board        *board.Board
	role         int
	history      [][]kif.Term // joint moves as they were played
	historyBytes int64        // what they take, or would take
	slice        time.Duration
	tree         search.Algorithm
	planted      bool    // the tree's root is the board's state
	layered      float64 // value of the line by layers that was logged last
}

// task is an order in the queue, with the flag that halts it if it is a search.
type task struct {
	what any
	stop *atomic.Bool
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

// leave gives the place back when all that works for the match has ended: rules
// that are deaf to the end of their match hold their memory until then.
func (w *worker) leave() {
	w.cancel()
	w.aside.cancel()
	w.crew.Wait()
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
	case ponder:
		w.search(what.turn, t.stop)
	case adopt:
		w.adopt()
	case retreat:
		w.retreat()
	case free:
		w.finish(what.moves)
	}
}

var errNoRole = errors.New("the rules have no such role")

func (w *worker) prepare() {
	err := guard.Run(func() error {
		if err := w.places.Acquire(w.ctx, 1); err != nil {
			return err
		}
		w.placed = true
		src, err := w.source(w.ctx, w.start.Rules)
		w.start.Rules = nil
		if err != nil {
			return err
		}
		w.prover, w.playing = src.first, w.agent
		if src.interim != nil {
			w.playing = src.interim(src.first)
		}
		w.role = findRole(src.first.Roles(), w.start.Role)
		if w.role < 0 {
			w.cancel()
			return fmt.Errorf("%w: %v", errNoRole, w.start.Role)
		}
		w.board, err = board.New(src.first, w.seed, &w.quit)
		if err != nil {
			w.giveUp(err)
			return nil
		}
		w.spawn(func() { w.await(src) })
		return nil
	})
	if err != nil {
		w.tell(prepared{life: w.life, err: err})
		return
	}
	if w.board == nil {
		return
	}
	w.tell(prepared{life: w.life, role: w.role, kind: w.prover.Kind()})
	w.position(0, nil, "")
}

// giveUp leaves the match to the stand-in, after an error of the rules in a state
// that has to be known.
func (w *worker) giveUp(err error) {
	w.cancel()
	w.board, w.tree, w.planted = nil, nil, false
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

// await passes on better machines as they come, until there are no more, and
// the automatic choice when it has been made.
func (w *worker) await(src source) {
	chosen := w.choose(src)
	base, better := w.agent, src.better
	for better != nil || chosen != nil {
		select {
		case m, ok := <-better:
			switch {
			case !ok:
				better = nil
			case src.interim != nil:
				w.offer(upgrade{m, src.interim(m)})
			case src.adapt != nil:
				w.offer(upgrade{src.adapt(m), base})
			default:
				w.offer(upgrade{m, base})
			}
		case choice, ok := <-chosen:
			chosen = nil
			if !ok {
				break // there is no choice: the best machine plays as before
			}
			w.log.Info("the way to play was chosen", "match", w.start.Match, "choice", choice.Chosen.Name, "why", choice.Why,
				"seconds", choice.Elapsed.Seconds(), "no_trials", choice.NoTrials)
			if w.offer(upgrade{choice.Machine, choice.Agent}); choice.Machine.Kind() != agent.EngineProver {
				better = nil // what comes now is not wanted any more
			}
		}
	}
	if src.trials != nil {
		w.explain(src.trials())
	}
	w.tell(compiled{w.life, src.err()})
	if src.better != nil {
		for range src.better { // until the compiler has ended, too
		}
	}
}

// offer puts an upgrade in place of one that has not been adopted yet.
func (w *worker) offer(u upgrade) {
	select {
	case <-w.better:
	default:
	}
	w.better <- u
	w.tell(improved{w.life})
}

// The automatic choice ends when this part of the start clock is over: the rest
// is for a search of the initial state with what was chosen. A clock that leaves
// no more than leastChoice is not worth a choice.
// In a game for one it ends sooner: ways to play differ less there than what a
// search finds in twice the time, and there are no trial matches.
const (
	choiceShare = 0.8
	aloneShare  = 0.4
	leastChoice = 300 * time.Millisecond
)

// choose begins the automatic choice. The channel is closed without one if
// there is nothing to choose; nil stands for that, too.
func (w *worker) choose(src source) <-chan *Choice {
	received := w.start.Received
	if received.IsZero() {
		received = time.Now()
	}
	share := choiceShare
	if len(src.first.Roles()) == 1 {
		share = aloneShare
	}
	left := time.Until(received.Add(time.Duration(share * float64(w.start.StartClock))))
	if src.choose == nil || left < leastChoice {
		return nil
	}
	chosen := make(chan *Choice, 1)
	w.spawn(func() {
		defer close(chosen)
		defer w.tell(choosing{w.life, false})
		err := guard.Run(func() error {
			c, err := src.choose(w.ctx, ChoiceOptions{Time: left, Play: w.start.PlayClock, Threads: w.agent.General.Threads, Seed: w.seed},
				func(busy bool) { w.tell(choosing{w.life, busy}) })
			if err == nil && w.ctx.Err() == nil {
				chosen <- c
			}
			return err
		})
		if err != nil {
			w.log.Error("no automatic choice", "match", w.start.Match, "error", err)
		}
	})
	return chosen
}

// explain logs what became of each way to split the moves.
func (w *worker) explain(trials []reasoner.Trial) {
	for _, t := range trials {
		attrs := []any{"match", w.start.Match, "plan", t.Plan}
		if t.Err != nil {
			attrs = append(attrs, "error", t.Err)
		} else {
			attrs = append(attrs, "lanes", t.Lanes, "states_per_second", int64(t.Speed))
		}
		w.log.Info("plan tried", attrs...)
	}
}

// mostCounted is how many legal moves are counted after each turn: whoever has as
// many does not wait for the exact number.
const mostCounted = 1 << 13

// position reports where the board stands. joint is the move that led there.
func (w *worker) position(turn int, moves []kif.Term, mended string) {
	w.aside.reached(standing{turn, w.board.Machine(), w.board.State()})
	e := positioned{life: w.life, turn: turn, note: mended, terminal: w.board.Terminal()}
	err := guard.Run(func() error {
		paths, all := w.board.List(w.role, mostCounted)
		if e.legal = len(paths); e.legal > 0 {
			path := paths[w.random.IntN(len(paths))]
			if !all {
				if drawn, ok := w.board.Draw(w.role, w.random); ok {
					path = drawn
				}
			}
			e.move = w.board.Machine().Move(w.role, path)
		}
		if moves != nil && !e.terminal {
			_, err := w.board.Joint(moves)
			e.again = err == nil
		}
		return nil
	})
	if err != nil {
		w.log.Error("legal moves", "match", w.start.Match, "turn", turn, "error", err)
	}
	w.tell(e)
}

// search runs until it is halted or finished.
func (w *worker) search(turn int, stop *atomic.Bool) {
	done := searched{life: w.life, turn: turn, end: endHalted}
	err := guard.Run(func() error {
		if err := w.root(); err != nil {
			return err
		}
		for !stop.Load() {
			finished, err := w.think(stop, &done.thought)
			if err != nil && !stop.Load() {
				return err
			}
			if finished && !stop.Load() {
				done.end = endDone
				return nil
			}
			w.tell(mused{w.life, turn, done.thought})
		}
		return nil
	})
	if err != nil {
		done.end, done.fault = endFault, err
	}
	w.tell(done)
}

// root makes sure that there is a tree, and that its root is the board's state.
func (w *worker) root() error {
	if w.board == nil {
		return errors.New("no position")
	}
	if w.tree == nil {
		w.tree, w.planted = w.plant(w.board.Machine(), w.playing, w.seed), false
	}
	if w.planted {
		return nil
	}
	if err := w.tree.SetRoot(w.board.State()); err != nil {
		return fmt.Errorf("root of the tree: %w", err)
	}
	w.planted = true
	return nil
}

// think searches for one slice and notes what is known then. With a bound on
// the iterations they are one slice, since every end of a search costs the
// playouts in flight, and the same bound is to give the same move.
func (w *worker) think(stop *atomic.Bool, t *thought) (finished bool, err error) {
	limit := w.playing.Algorithm.Parameters.Iterations
	budget := search.Budget{Time: w.slice}
	if limit > 0 {
		budget = search.Budget{Iterations: int(limit)}
	}
	report, err := w.tree.Search(stop, budget)
	t.playouts += int64(report.Playouts)
	t.iterations += int64(report.Iterations)
	t.nodes = int64(report.Nodes)
	w.tellOfLayers(report)
	if path, ok := w.tree.Best(w.role); ok {
		t.move, t.found = w.board.Machine().Move(w.role, path), true
		t.line = spellLine(w.board.Machine(), report.Line)
		if w.role < len(report.Value) {
			t.value = report.Value[w.role]
		}
	}
	if report.Iterations < fewIterations {
		w.slice = min(2*w.slice, longestSlice)
	}
	return limit > 0 || report.Iterations == 0 && report.Elapsed < time.Millisecond, err
}

// tellOfLayers logs what the search by layers of a game for one has come to, if
// that is new, and what broke down beside the tree.
func (w *worker) tellOfLayers(r search.Report) {
	if r.LayersFault != nil {
		w.log.Error("the search by layers broke down", "match", w.start.Match, "error", r.LayersFault)
	}
	if r.TacticsFault != nil {
		w.log.Error("the search for forced lines broke down", "match", w.start.Match, "error", r.TacticsFault)
	}
	if r.LineLayered && len(r.Low) > 0 && r.Low[0] != w.layered {
		w.layered = r.Low[0]
		w.log.Info("a line was found by layers", "match", w.start.Match, "value", 100*r.Low[0], "states", r.Layered)
	}
}

// finish writes the result of a match into the log, if its last moves are
// known and the rules are quick enough.
func (w *worker) finish(moves []kif.Term) {
	w.tree = nil
	w.cancel()
	if w.board == nil || moves == nil {
		return
	}
	w.quit.Store(false)
	limit := time.AfterFunc(time.Second, func() { w.quit.Store(true) })
	defer limit.Stop()
	err := guard.Run(func() error {
		joint, err := w.board.Joint(moves)
		if err != nil {
			return err
		}
		if err := w.board.Moved(joint); err != nil {
			return err
		}
		w.log.Info("match over", "match", w.start.Match, "turns", len(w.history)+1, "terminal", w.board.Terminal(),
			"role", short(w.board.Machine().Roles()[w.role]), "goals", w.board.Goals())
		return nil
	})
	if err != nil {
		w.log.Info("match over", "match", w.start.Match, "turns", len(w.history)+1, "unclear", err)
	}
}
