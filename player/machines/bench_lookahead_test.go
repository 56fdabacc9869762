package machines

import (
	"testing"

	"semisplit/player/agent"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
)

// BenchmarkLookahead shows what playouts cost that look at the states after their
// moves, with whole moves and with semimoves.
func BenchmarkLookahead(b *testing.B) {
	const game = "breakthrough"
	for _, preset := range []string{"orthodox", "snodal-s-mod"} {
		for _, c := range []struct {
			name     string
			decisive bool
			greedy   float64
		}{{"plain", false, 0}, {"decisive", true, 0}, {"greedy", false, 0.9}, {"both", true, 0.9}} {
			b.Run(preset+"/"+c.name, func(b *testing.B) {
				a, err := agent.Find(preset)
				if err != nil {
					b.Fatal(err)
				}
				p := &a.Algorithm.Parameters
				p.Evaluation, p.DecisiveMoves, p.EvaluationGreedy = game, c.decisive, c.greedy
				s := NewCache(gametest.Bundled(b, game), reasoner.DefaultLimits)
				m, err := s.ForAgent(b.Context(), a, reasoner.Variant{Engine: agent.EngineLanes, Plan: a.Variant().Plan})
				if err != nil {
					b.Fatal(err)
				}
				benchmarkTree(b, m, a)
			})
		}
	}
}
