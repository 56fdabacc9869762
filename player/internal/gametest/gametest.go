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
