package evaluation

import (
	"slices"
	"testing"

	"semisplit/player/evaluation/shapes"
	"semisplit/player/internal/gametest"
)

// BenchmarkValues shows what a state costs: by fluents alone, with rows of four and squares, and
// the same near a state from which one move leads to it.
func BenchmarkValues(b *testing.B) {
	for _, game := range []string{"connectfour", "othello", "hex"} {
		program := gametest.Bundled(b, game)
		m := gametest.Lanes(b, program, "orthodox")
		f := NewFeatures(m, program)
		l, err := shapes.NewLayout(f.Shapes.Only(func(k *shapes.Kind) bool {
			return slices.Contains([]string{"rows of 4", "squares"}, k.Family)
		}), f.Bits)
		if err != nil {
			b.Fatal(err)
		}
		plain := New(make([]float64, 2), make([]float32, 2*f.Bits), f.Names[:f.Bits])
		shaped := New(make([]float64, 2), make([]float32, 2*f.Bits), f.Names[:f.Bits])
		shaped.SetShapes(l, make([]float32, 2*l.Entries))
		states, values := gametest.RandomStates(b, m, 20), make([]float64, 2)
		b.Run(game+"/fluents", func(b *testing.B) {
			for i := range b.N {
				plain.Values(states[i%len(states)], values)
			}
		})
		b.Run(game+"/shapes", func(b *testing.B) {
			for i := range b.N {
				shaped.Values(states[i%len(states)], values)
			}
		})
		b.Run(game+"/near", func(b *testing.B) {
			near := shaped.Near()
			near.From(states[len(states)-2])
			for range b.N {
				near.Values(states[len(states)-1], values)
			}
		})
	}
}
