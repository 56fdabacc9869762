package player

import (
	"errors"
	"log/slog"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/search"
)

// mute is a machine that understands no state of another one.
type mute struct{ reasoner.Machine }

var errMute = errors.New("nothing is understood")

func (mute) Encode([]kif.Term) ([]uint64, error) { return nil, errMute }

// A joint move that is illegal on a circuit is refused, and no reason to give the match up,
// where the moves before are too long to be replayed on the prover.
func TestIllegalMoveAfterLongMatch(t *testing.T) {
	rules := gametest.Bundled(t, "tictactoe")
	p, err := newPosition(gametest.Prover(t, rules), 1, new(atomic.Bool), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.transfer(gametest.Lanes(t, rules, "orthodox")); err != nil {
		t.Fatal(err)
	}
	p.historyBytes = historyLimit + 1
	var told []any
	w := &worker{position: p, standIn: newStandIn(), cancel: func() {}}
	w.log = slog.New(slog.DiscardHandler)
	w.tell = func(event any) { told = append(told, event) }
	w.advance(advance{turn: 1, moves: []kif.Term{kif.Symbol("zzz"), kif.Symbol("noop")}})
	if w.position != p || len(told) != 1 {
		t.Fatalf("given up: %v; told %+v", w.position == nil, told)
	}
	if r, ok := told[0].(rejected); !ok || !errors.Is(r.why, board.ErrIllegal) {
		t.Errorf("%+v", told[0])
	}
}

// A turn whose message was lost is made up, so that the match is where its manager is in
// the turns after it.
func TestLostMessage(t *testing.T) {
	p, err := newPosition(gametest.Prover(t, gametest.Bundled(t, "tictactoe")), 1, new(atomic.Bool), nil)
	if err != nil {
		t.Fatal(err)
	}
	var told []any
	w := &worker{position: p, standIn: newStandIn(), cancel: func() {}, random: rand.New(rand.NewPCG(1, 1))}
	w.log = slog.New(slog.DiscardHandler)
	w.tell = func(event any) { told = append(told, event) }
	noop := kif.Symbol("noop")
	w.advance(advance{turn: 1, moves: []kif.Term{noop, term(t, "(mark b 2)")}, force: true})
	moves := p.board.Moves(0)
	if len(moves) != 7 {
		t.Fatalf("%v are legal; told %+v", moves, told)
	}
	w.advance(advance{turn: 2, from: 1, moves: []kif.Term{moves[0], noop}})
	if e, ok := told[1].(positioned); !ok || e.note != "" || len(p.history) != 3 {
		t.Errorf("%d joint moves, told %+v", len(p.history), told[1])
	}
	w.advance(advance{turn: 3, from: 0, moves: []kif.Term{term(t, "(mark a 1)"), noop}})
	if e, ok := told[2].(positioned); !ok || e.note != "" || len(p.history) != 1 {
		t.Errorf("after all was taken back: %d joint moves, told %+v", len(p.history), told[2])
	}
}

// The result of a match is told only where its final moves were played: they can be legal
// in the states before as well.
func TestResultOfLastState(t *testing.T) {
	for turn, want := range []string{"goals=", "unclear="} {
		p, err := newPosition(gametest.Prover(t, gametest.Bundled(t, "tictactoe")), 1, new(atomic.Bool), nil)
		if err != nil {
			t.Fatal(err)
		}
		var log strings.Builder
		w := &worker{position: p, cancel: func() {}}
		w.log = slog.New(slog.NewTextHandler(&log, nil))
		shown := 0
		w.watch = func(any) { shown++ }
		w.finish(free{turn: turn, moves: []kif.Term{term(t, "(mark b 2)"), kif.Symbol("noop")}})
		if !strings.Contains(log.String(), want) || (shown > 0) != (turn == 0) {
			t.Errorf("after the moves of turn %d: shown %d times, %s", turn, shown, log.String())
		}
	}
}

// An agent that was chosen plays if the match can move to its machine, and not
// otherwise.
func TestAdoptedAgentNeedsItsMachine(t *testing.T) {
	_, m := ticTacToe(t)
	prover, err := reasoner.NewProver(gametest.Bundled(t, "tictactoe"))
	if err != nil {
		t.Fatal(err)
	}
	p, err := newPosition(prover, 1, new(atomic.Bool), nil)
	if err != nil {
		t.Fatal(err)
	}
	var told []adopted
	before := p.board
	w := &worker{position: p, better: make(chan upgrade, 1), playing: agent.Agent{Name: "old"}, slice: longestSlice}
	w.tell = func(event any) { told = append(told, event.(adopted)) }

	w.better <- upgrade{mute{m}, agent.Agent{Name: "new"}}
	if w.adopt(); w.playing.Name != "old" || p.board != before || w.slice != longestSlice || !errors.Is(told[0].err, errMute) {
		t.Errorf("after a transfer that failed %s plays on %s: %+v", w.playing.Name, p.board.Machine().Kind(), told)
	}
	w.better <- upgrade{m, agent.Agent{Name: "new"}}
	if w.adopt(); w.playing.Name != "new" || p.board.Machine() != m || told[1].err != nil || w.slice != shortestSlice {
		t.Errorf("after a transfer %s plays on %s: %+v", w.playing.Name, p.board.Machine().Kind(), told)
	}
	if w.adopt(); w.playing.Name != "new" || !errors.Is(told[2].err, errNothingNewer) {
		t.Errorf("without a better machine %s plays: %+v", w.playing.Name, told)
	}
}

// reporting is a search that reports so much.
type reporting struct {
	search.Algorithm
	report search.Report
}

func (r reporting) Search(*atomic.Bool, search.Budget) (search.Report, error) { return r.report, nil }
func (reporting) Best(int) ([]uint32, bool)                                   { return nil, false }

// Slices grow where few iterations are made in a whole one, and not because one was cut short.
func TestSlicesGrow(t *testing.T) {
	_, m := ticTacToe(t)
	p, err := newPosition(m, 1, new(atomic.Bool), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		iterations int
		elapsed    time.Duration
		stopped    bool
		want       time.Duration
	}{
		{10, shortestSlice, false, 2 * shortestSlice}, {0, shortestSlice, false, 2 * shortestSlice},
		{fewIterations, shortestSlice, false, shortestSlice}, {10, shortestSlice, true, shortestSlice}, {0, 0, false, shortestSlice},
	} {
		w := &worker{position: p, slice: shortestSlice}
		p.tree = reporting{report: search.Report{Iterations: c.iterations, Elapsed: c.elapsed}}
		var stop atomic.Bool
		stop.Store(c.stopped)
		if _, err := w.think(&stop, 0, new(thought)); err != nil || w.slice != c.want {
			t.Errorf("%+v: slices of %v, %v", c, w.slice, err)
		}
	}
}
