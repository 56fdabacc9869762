package prover_test

import (
	"context"
	"path/filepath"
	"testing"

	"semisplit/internal/testenv"
	"semisplit/reasoner/prover"
	"semisplit/reasoner/split"
)

// BenchmarkPlayouts plays random playouts from the initial state.
func BenchmarkPlayouts(b *testing.B) {
	dir := filepath.Dir(testenv.Corpus(b, "gdl"))
	for _, game := range []string{
		"ticTacToe", "connectFour", "breakthrough", "knightThrough", "reversi", "checkers", "hex", "skirmish", "speedChess", "amazons_8x8", "chess",
	} {
		b.Run(game, func(b *testing.B) {
			m, err := prover.New(readGame(b, dir, game), prover.Limits{})
			if err != nil {
				b.Fatal(err)
			}
			playouts(b, m)
		})
	}
}

// BenchmarkPlans plays the same on the split rules of every plan.
func BenchmarkPlans(b *testing.B) {
	dir := filepath.Dir(testenv.Corpus(b, "gdl"))
	for _, game := range []string{"breakthrough", "checkers", "skirmish", "speedChess", "amazons_8x8", "chess"} {
		p := readGame(b, dir, game)
		plans, _ := split.Plans(context.Background(), p)
		for _, plan := range plans {
			b.Run(game+"/"+plan.Name, func(b *testing.B) {
				g, err := split.Rewrite(context.Background(), p, plan)
				if err != nil {
					b.Fatal(err)
				}
				m, err := prover.NewSplit(g, prover.Limits{})
				if err != nil {
					b.Fatal(err)
				}
				playouts(b, m)
			})
		}
	}
}

func playouts(b *testing.B, m *prover.Machine) {
	e := m.NewEngine(1)
	goals := make([]float64, len(m.Roles()))
	initial := m.Initial()
	b.ReportAllocs()
	for b.Loop() {
		e.Load(0, initial, nil)
		if _, err := e.Step(nil); err != nil {
			b.Fatal(err)
		}
		playout(b, e, goals)
	}
	b.ReportMetric(float64(steps)/b.Elapsed().Seconds(), "states/s")
	steps = 0
}

// steps counts the states that playouts reached.
var steps int

func playout(b *testing.B, e *prover.Engine, goals []float64) {
	for range 2000 {
		ended, err := e.Step(nil)
		if err != nil {
			b.Fatal(err)
		}
		steps++
		if ended[0] != 0 {
			break
		}
	}
	e.Goals(0, goals)
}
