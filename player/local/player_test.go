package local

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/player/internal/gametest"
	"semisplit/player/machines"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/search"
)

func lanesOf(t testing.TB, program *gdl.Program, plan string) reasoner.Machine {
	t.Helper()
	return lanesFor(t, program, plan, agent.Default())
}

func lanesFor(t testing.TB, program *gdl.Program, plan string, a agent.Agent) reasoner.Machine {
	t.Helper()
	m, err := machines.NewCache(program, reasoner.DefaultLimits).ForAgent(t.Context(), a, reasoner.Variant{Engine: agent.EngineLanes, Plan: plan, Lanes: 64})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newPlayer(t *testing.T, m reasoner.Machine, a agent.Agent, role int, seed uint64) *Player {
	t.Helper()
	b, err := NewPlayer(m, a, role, seed, new(atomic.Bool))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestPlayersPlay lets players on different machines play against each other:
// all of them follow, and the same seeds play the same match.
func TestPlayersPlay(t *testing.T) {
	program := gametest.Bundled(t, "knightthrough")
	dividing := agent.Default() // splits whole moves in its tree
	dividing.Algorithm.SimulationStrategy = agent.Orthodox
	on := []reasoner.Machine{lanesFor(t, program, "orthodox", dividing), lanesOf(t, program, "mod")}
	play := func(seed uint64) (match []string) {
		players := []*Player{newPlayer(t, on[0], dividing, 0, seed), newPlayer(t, on[1], agent.Default(), 1, seed+1)}
		for !players[0].board.Terminal() {
			joint := make([]kif.Term, 2)
			for role, b := range players {
				var err error
				var report search.Report
				if joint[role], report, err = b.Choose(search.Budget{Iterations: 40}); err != nil {
					t.Fatal(err)
				}
				if noop := joint[role].String() == "noop"; noop != (report.Iterations == 0) {
					t.Fatalf("%v after %d iterations", joint[role], report.Iterations)
				}
			}
			for _, b := range players {
				if err := b.Advance(joint); err != nil {
					t.Fatal(err)
				}
			}
			match = append(match, joint[0].String()+joint[1].String())
		}
		if !players[1].board.Terminal() || !slices.Equal(players[0].board.Goals(), players[1].board.Goals()) {
			t.Error("the players do not agree how it ended")
		}
		return match
	}
	first, again, other := play(1), play(1), play(2)
	if !slices.Equal(first, again) {
		t.Errorf("%v\n%v", first, again)
	}
	if slices.Equal(first, other) {
		t.Error("the seed changes nothing")
	}
}

// TestPlayersKeepToStates: a budget of states is passed by what is in flight
// at most, and a solved position does not go on for ever.
func TestPlayersKeepToStates(t *testing.T) {
	m := lanesOf(t, gametest.Bundled(t, "connectfour"), "orthodox")
	for _, states := range []int{1, 500, 20000} {
		_, report, err := newPlayer(t, m, agent.Default(), 0, 1).Choose(search.Budget{States: states})
		if err != nil || report.States < states || report.States >= states+m.Lanes() {
			t.Errorf("%d states for %d, %v", report.States, states, err)
		}
	}
	nim := lanesOf(t, gametest.Program(t, "(role me) (init (at 0)) (legal me left) (legal me right) (<= (next (at 1)) (does me left)) (<= (next (at 2)) (does me right))"+
		" (<= terminal (true (at 1))) (<= terminal (true (at 2))) (<= (goal me 100) (true (at 2))) (<= (goal me 0) (not (true (at 2))))"), "orthodox")
	move, report, err := newPlayer(t, nim, agent.Default(), 0, 1).Choose(search.Budget{States: 1000})
	if err != nil || move.String() != "right" || report.Iterations > 1000 {
		t.Errorf("%v after %d iterations, %v", move, report.Iterations, err)
	}
}

func TestPlayerErrors(t *testing.T) {
	m := lanesOf(t, gametest.Bundled(t, "tictactoe"), "orthodox")
	if _, err := NewPlayer(m, agent.Default(), 2, 1, new(atomic.Bool)); err == nil || !strings.Contains(err.Error(), "no role number 2") {
		t.Error(err)
	}
	b := newPlayer(t, m, agent.Default(), 0, 1)
	if err := b.Advance([]kif.Term{kif.Symbol("noop"), kif.Symbol("noop")}); !errors.Is(err, board.ErrIllegal) {
		t.Error(err)
	}
	stuck := lanesOf(t, gametest.Program(t, "(role me) (init (at 0)) (<= (legal me go) (true (at 1))) (<= (next (at 0)) (does me go))"+
		" (<= terminal (true (at 2))) (<= (goal me 50) (true (at 0))) (<= (next (at 1)) (true (at 5)))"), "orthodox")
	if _, _, err := newPlayer(t, stuck, agent.Default(), 0, 1).Choose(search.Budget{Iterations: 5}); !errors.Is(err, ErrNoMove) {
		t.Error(err)
	}
}

// halted is a player that is stopped while it thinks.
type halted struct {
	*Player
	halt func()
}

func (h halted) Choose(b search.Budget) (kif.Term, search.Report, error) {
	move, report, err := h.Player.Choose(b)
	h.halt()
	return move, report, err
}

// stoppedTree is a search that is stopped before its first iteration.
type stoppedTree struct {
	search.Algorithm
	stop *atomic.Bool
}

func (s stoppedTree) Search(stop *atomic.Bool, b search.Budget) (search.Report, error) {
	s.stop.Store(true)
	return s.Algorithm.Search(stop, b)
}

// TestPlayerStopped: who is stopped before the first iteration makes no move up.
func TestPlayerStopped(t *testing.T) {
	program := gametest.Bundled(t, "tictactoe")
	for _, m := range []reasoner.Machine{gametest.Prover(t, program), lanesOf(t, program, "orthodox")} {
		p := newPlayer(t, m, agent.Default(), 0, 1)
		p.tree = stoppedTree{p.tree, p.stop}
		if move, _, err := p.Choose(search.Budget{Iterations: 5}); !errors.Is(err, ErrNoMove) {
			t.Errorf("%s: %v, %v", m.Kind(), move, err)
		}
	}
}

// TestMatchStopped: a match that is cut short has not ended, whoever was to choose then.
func TestMatchStopped(t *testing.T) {
	m := lanesOf(t, gametest.Bundled(t, "tictactoe"), "orthodox")
	for thinks := range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		stop := new(atomic.Bool)
		judge, err := board.New(m, 1, stop)
		if err != nil {
			t.Fatal(err)
		}
		var seats []Seat
		for role := range 2 {
			p, err := NewPlayer(m, agent.Default(), role, 1, stop)
			if err != nil {
				t.Fatal(err)
			}
			seats = append(seats, Seat{role, "player", p})
			if role == thinks {
				seats[role].Thinker = halted{p, func() { cancel(); stop.Store(true) }}
			}
		}
		budget := search.Budget{Iterations: 5}
		if err := NewMatch(judge, seats, 1).Run(ctx, [2]search.Budget{budget, budget}, search.Budget{}, 9); err == nil {
			t.Errorf("stopped while role %d thought: the match counts as ended", thinks)
		}
	}
}

func term(t *testing.T, text string) kif.Term {
	t.Helper()
	parsed, err := kif.ParseTerm(text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}
