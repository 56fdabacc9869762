package player

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/search"
)

func TestMachinesAreShared(t *testing.T) {
	s := NewMachines(gametest.Bundled(t, "knightthrough"), reasoner.DefaultLimits)
	get := func(v reasoner.Variant) reasoner.Machine {
		m, err := s.Get(t.Context(), v)
		if err != nil {
			t.Fatal(v, err)
		}
		return m
	}
	width := reasoner.Widths()[0]
	mod := get(reasoner.Variant{Engine: agent.EngineLanes, Plan: "mod", Lanes: width})
	if v := VariantOf(mod); v != (reasoner.Variant{Engine: agent.EngineLanes, Plan: "mod", Lanes: width}) {
		t.Errorf("%+v", v)
	}
	if get(reasoner.Variant{Plan: "mod", Lanes: width}) != mod {
		t.Error("one plan and width, and two machines")
	}
	quickest := get(reasoner.Variant{Plan: "mod"})
	if get(VariantOf(quickest)) != quickest {
		t.Error("the quickest machine is made twice")
	}
	if m := get(reasoner.Variant{Engine: agent.EngineProver, Plan: "mod", Lanes: 512}); m.Kind() != agent.EngineProver || m.Plan() != "mod" {
		t.Errorf("%s, %s", m.Kind(), m.Plan())
	}
	if m := get(reasoner.Variant{Engine: agent.EngineProver}); VariantOf(m) != (reasoner.Variant{Engine: agent.EngineProver, Plan: "orthodox"}) || get(VariantOf(m)) != m {
		t.Errorf("%+v", VariantOf(m))
	}
}

func TestMachinesOfGamesWithoutSplit(t *testing.T) {
	s := NewMachines(gametest.Bundled(t, "connectfour"), reasoner.DefaultLimits)
	for _, plan := range []string{"mod", "mod-noverify", "modplus", "modshift", "modplusshift"} {
		m, err := s.Get(t.Context(), reasoner.Variant{Plan: plan, Lanes: 64})
		if err != nil || m.Plan() != "orthodox" {
			t.Errorf("%s: %v, %v; a column is all that a move tells", plan, m, err)
		}
	}
	if _, err := s.Get(t.Context(), reasoner.Variant{Plan: "halves"}); !errors.Is(err, reasoner.ErrNoPlan) {
		t.Error(err)
	}
}

func TestMachinesBeyondLimits(t *testing.T) {
	limits := reasoner.DefaultLimits
	limits.Ground.Atoms = 10
	s := NewMachines(gametest.Bundled(t, "nim"), limits)
	if _, err := s.Get(t.Context(), reasoner.Variant{Engine: agent.EngineLanes, Plan: "orthodox"}); !errors.Is(err, reasoner.ErrLimit) {
		t.Error(err)
	}
	for _, plan := range []string{"", "orthodox"} {
		if m, err := s.Get(t.Context(), reasoner.Variant{Plan: plan}); err != nil || m.Kind() != agent.EngineProver {
			t.Errorf("%v, %v; the prover plays what cannot be grounded", m, err)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	s = NewMachines(gametest.Bundled(t, "nim"), reasoner.DefaultLimits)
	if _, err := s.Get(stopped, reasoner.Variant{Engine: agent.EngineLanes, Plan: "orthodox"}); err == nil {
		t.Error("made after the end")
	}
	if _, err := s.Get(t.Context(), reasoner.Variant{Engine: agent.EngineLanes, Plan: "orthodox"}); err != nil {
		t.Errorf("what was stopped is not tried again: %v", err)
	}
}

func lanesOf(t testing.TB, program *gdl.Program, plan string) reasoner.Machine {
	t.Helper()
	return lanesFor(t, program, plan, agent.Default())
}

func lanesFor(t testing.TB, program *gdl.Program, plan string, a agent.Agent) reasoner.Machine {
	t.Helper()
	m, err := NewMachines(program, reasoner.DefaultLimits).ForAgent(t.Context(), a, reasoner.Variant{Engine: agent.EngineLanes, Plan: plan, Lanes: 64})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func newBrain(t *testing.T, m reasoner.Machine, a agent.Agent, role int, seed uint64) *Brain {
	t.Helper()
	b, err := NewBrain(m, a, role, seed, new(atomic.Bool))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestBrainsPlay lets brains on different machines play against each other:
// all of them follow, and the same seeds play the same match.
func TestBrainsPlay(t *testing.T) {
	program := gametest.Bundled(t, "knightthrough")
	dividing := agent.Default() // splits whole moves in its tree
	dividing.Algorithm.SimulationStrategy = agent.Orthodox
	machines := []reasoner.Machine{lanesFor(t, program, "orthodox", dividing), lanesOf(t, program, "mod")}
	play := func(seed uint64) (match []string) {
		brains := []*Brain{newBrain(t, machines[0], dividing, 0, seed), newBrain(t, machines[1], agent.Default(), 1, seed+1)}
		for !brains[0].board.Terminal() {
			joint := make([]kif.Term, 2)
			for role, b := range brains {
				var err error
				var report search.Report
				if joint[role], report, err = b.Choose(search.Budget{Iterations: 40}); err != nil {
					t.Fatal(err)
				}
				if noop := joint[role].String() == "noop"; noop != (report.Iterations == 0) {
					t.Fatalf("%v after %d iterations", joint[role], report.Iterations)
				}
			}
			for _, b := range brains {
				if err := b.Advance(joint); err != nil {
					t.Fatal(err)
				}
			}
			match = append(match, joint[0].String()+joint[1].String())
		}
		if !brains[1].board.Terminal() || !slices.Equal(brains[0].board.Goals(), brains[1].board.Goals()) {
			t.Error("the brains do not agree how it ended")
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

// TestBrainsKeepToStates: a budget of states is passed by what is in flight
// at most, and a solved position does not go on for ever.
func TestBrainsKeepToStates(t *testing.T) {
	m := lanesOf(t, gametest.Bundled(t, "connectfour"), "orthodox")
	for _, states := range []int{1, 500, 20000} {
		_, report, err := newBrain(t, m, agent.Default(), 0, 1).Choose(search.Budget{States: states})
		if err != nil || report.States < states || report.States >= states+m.Lanes() {
			t.Errorf("%d states for %d, %v", report.States, states, err)
		}
	}
	nim := lanesOf(t, gametest.Program(t, "(role me) (init (at 0)) (legal me left) (legal me right) (<= (next (at 1)) (does me left)) (<= (next (at 2)) (does me right))"+
		" (<= terminal (true (at 1))) (<= terminal (true (at 2))) (<= (goal me 100) (true (at 2))) (<= (goal me 0) (not (true (at 2))))"), "orthodox")
	move, report, err := newBrain(t, nim, agent.Default(), 0, 1).Choose(search.Budget{States: 1000})
	if err != nil || move.String() != "right" || report.Iterations > 1000 {
		t.Errorf("%v after %d iterations, %v", move, report.Iterations, err)
	}
}

func TestBrainErrors(t *testing.T) {
	m := lanesOf(t, gametest.Bundled(t, "tictactoe"), "orthodox")
	if _, err := NewBrain(m, agent.Default(), 2, 1, new(atomic.Bool)); !errors.Is(err, errNoRole) {
		t.Error(err)
	}
	b := newBrain(t, m, agent.Default(), 0, 1)
	if err := b.Advance([]kif.Term{kif.Symbol("noop"), kif.Symbol("noop")}); !errors.Is(err, board.ErrIllegal) {
		t.Error(err)
	}
	stuck := lanesOf(t, gametest.Program(t, "(role me) (init (at 0)) (<= (legal me go) (true (at 1))) (<= (next (at 0)) (does me go))"+
		" (<= terminal (true (at 2))) (<= (goal me 50) (true (at 0))) (<= (next (at 1)) (true (at 5)))"), "orthodox")
	if _, _, err := newBrain(t, stuck, agent.Default(), 0, 1).Choose(search.Budget{Iterations: 5}); !errors.Is(err, ErrNoMove) {
		t.Error(err)
	}
}
