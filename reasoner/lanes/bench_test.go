package lanes_test

import (
	"context"
	"math/bits"
	"os"
	"path/filepath"
	"testing"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
	"semisplit/reasoner/lanes"
)

// build grounds and compiles a description.
func build(tb testing.TB, rules string) *lanes.Machine {
	tb.Helper()
	p, diags := gdl.Read(rules)
	if err := diags.Err(); err != nil {
		tb.Fatal(err)
	}
	net, err := ground.Ground(context.Background(), p, ground.DefaultLimits)
	if err != nil {
		tb.Fatal(err)
	}
	m, err := lanes.New(net)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// playouts takes steps of random playouts in all lanes, which start again
// when they end, and returns the number of states that joint moves reached.
func playouts(tb testing.TB, e *lanes.Engine, initial []uint64, steps int) (states int) {
	fresh := ^uint64(0)
	for lane := range e.Lanes() {
		e.Load(lane, initial, nil)
	}
	for range steps {
		ended, err := e.Step(nil)
		if err != nil {
			tb.Fatal(err)
		}
		states += e.Lanes() - bits.OnesCount64(fresh)
		fresh = ended[0]
		for m := fresh; m != 0; m &= m - 1 {
			e.Load(bits.TrailingZeros64(m), initial, nil)
		}
	}
	return states
}

// corpus is the folder of published games, "" if there is none.
func corpus() string {
	dir := os.Getenv("GGP_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "gdl")); err != nil {
		return ""
	}
	return dir
}

// BenchmarkPlayouts runs random playouts from the initial state of published
// games on one engine.
func BenchmarkPlayouts(b *testing.B) {
	dir := corpus()
	if dir == "" {
		b.Skip("no corpus of published games: set GGP_CORPUS")
	}
	for _, name := range []string{"breakthrough", "connectFour", "ticTacToe", "reversi", "checkers"} {
		b.Run(name, func(b *testing.B) {
			rules, err := os.ReadFile(filepath.Join(dir, "gdl", name+".kif"))
			if err != nil {
				b.Fatal(err)
			}
			m := build(b, string(rules))
			e := m.NewEngine(1)
			b.ReportAllocs()
			b.ResetTimer()
			states := playouts(b, e, m.Initial(), b.N)
			b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
			b.ReportMetric(float64(m.Gates()), "gates")
			b.ReportMetric(float64(m.Instructions()), "instructions")
		})
	}
}
