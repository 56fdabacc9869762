package prover_test

import (
	"testing"

	"semisplit/reasoner/prover"
)

// BenchmarkPlayouts plays random playouts from the initial state.
func BenchmarkPlayouts(b *testing.B) {
	dir := corpus(b)
	for _, game := range []string{"ticTacToe", "connectFour", "breakthrough", "knightThrough", "reversi", "checkers", "hex", "skirmish"} {
		b.Run(game, func(b *testing.B) {
			m, err := prover.New(readGame(b, dir, game), prover.Limits{})
			if err != nil {
				b.Fatal(err)
			}
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
		})
	}
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
