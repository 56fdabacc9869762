// Package gametest gives tests games, and machines that play them.
package gametest

import (
	"testing"

	"semisplit/games"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// Program reads rules that must have no error.
func Program(t testing.TB, rules string) *gdl.Program {
	t.Helper()
	program, diagnostics := reasoner.Read(rules)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	return program
}

// Bundled reads a bundled game.
func Bundled(t testing.TB, name string) *gdl.Program {
	t.Helper()
	game, err := games.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return Program(t, game.Rules)
}

// Prover is the slow machine, which is always right.
func Prover(t testing.TB, program *gdl.Program) reasoner.Machine {
	t.Helper()
	m, err := reasoner.NewProver(program)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Lanes is the machine of a plan with 64 lanes.
func Lanes(t testing.TB, program *gdl.Program, plan string) reasoner.Machine {
	t.Helper()
	m, err := reasoner.Build(t.Context(), program, reasoner.Variant{Engine: "lanes", Plan: plan, Lanes: 64}, reasoner.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// RandomStates are the first states of a random match, the initial one included.
func RandomStates(t testing.TB, m reasoner.Machine, most int) (states [][]uint64) {
	t.Helper()
	e := m.NewEngine(5)
	for lane := range e.Lanes() {
		e.Unload(lane)
	}
	e.Load(0, m.Initial(), nil)
	for len(states) < most {
		ended, err := e.Step(nil)
		if err != nil {
			t.Fatal(err)
		}
		if ended[0]&1 != 0 {
			break
		}
		states = append(states, e.State(0, nil))
	}
	return states
}
