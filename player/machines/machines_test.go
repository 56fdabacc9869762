package machines

import (
	"context"
	"errors"
	"testing"

	"semisplit/player/agent"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

func TestMachinesAreShared(t *testing.T) {
	s := NewCache(gametest.Bundled(t, "knightthrough"), reasoner.DefaultLimits)
	get := func(v reasoner.Variant) reasoner.Machine {
		m, err := s.ForAgent(t.Context(), agent.Default(), v)
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
	s := NewCache(gametest.Bundled(t, "connectfour"), reasoner.DefaultLimits)
	for _, plan := range []string{"mod", "mod-noverify", "modplus", "modshift", "modplusshift"} {
		m, err := s.ForAgent(t.Context(), agent.Default(), reasoner.Variant{Plan: plan, Lanes: 64})
		if err != nil || m.Plan() != "orthodox" {
			t.Errorf("%s: %v, %v; a column is all that a move tells", plan, m, err)
		}
	}
	if _, err := s.ForAgent(t.Context(), agent.Default(), reasoner.Variant{Plan: "halves"}); !errors.Is(err, reasoner.ErrNoPlan) {
		t.Error(err)
	}
}

// What is taken is told to minimax alone, so a tree that asks first does not decide what it gets.
func TestMachinesOfMinimax(t *testing.T) {
	s := NewCache(gametest.Bundled(t, "breakthrough"), reasoner.DefaultLimits)
	minimax, err := agent.Find("alphabeta")
	if err != nil {
		t.Fatal(err)
	}
	tree := agent.Default()
	tree.Algorithm.Parameters.ImplicitMinimax, tree.Algorithm.Parameters.TerminalVision = 0.4, agent.VisionTake
	for _, a := range []agent.Agent{tree, minimax} {
		a.Algorithm.Parameters.Evaluation = "breakthrough"
		if _, err = s.ForAgent(t.Context(), a, reasoner.Variant{Engine: agent.EngineLanes, Plan: "orthodox", Lanes: 64}); err != nil {
			t.Fatal(err)
		}
	}
	if len(s.adapted) != 2 {
		t.Errorf("%d machines for the two", len(s.adapted))
	}
}

func TestMachinesBeyondLimits(t *testing.T) {
	limits := reasoner.DefaultLimits
	limits.Ground.Atoms = 10
	s := NewCache(gametest.Bundled(t, "nim"), limits)
	if _, err := s.ForAgent(t.Context(), agent.Default(), reasoner.Variant{Engine: agent.EngineLanes, Plan: "orthodox"}); !errors.Is(err, reasoner.ErrLimit) {
		t.Error(err)
	}
	for _, plan := range []string{"", "orthodox"} {
		if m, err := s.ForAgent(t.Context(), agent.Default(), reasoner.Variant{Plan: plan}); err != nil || m.Kind() != agent.EngineProver {
			t.Errorf("%v, %v; the prover plays what cannot be grounded", m, err)
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	s = NewCache(gametest.Bundled(t, "nim"), reasoner.DefaultLimits)
	if _, err := s.ForAgent(stopped, agent.Default(), reasoner.Variant{Engine: agent.EngineLanes, Plan: "orthodox"}); err == nil {
		t.Error("made after the end")
	}
	if _, err := s.ForAgent(t.Context(), agent.Default(), reasoner.Variant{Engine: agent.EngineLanes, Plan: "orthodox"}); err != nil {
		t.Errorf("what was stopped is not tried again: %v", err)
	}
}

func lanesOf(t testing.TB, program *gdl.Program, plan string) reasoner.Machine {
	t.Helper()
	return lanesFor(t, program, plan, agent.Default())
}

func lanesFor(t testing.TB, program *gdl.Program, plan string, a agent.Agent) reasoner.Machine {
	t.Helper()
	m, err := NewCache(program, reasoner.DefaultLimits).ForAgent(t.Context(), a, reasoner.Variant{Engine: agent.EngineLanes, Plan: plan, Lanes: 64})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
