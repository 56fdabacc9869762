package machines

import (
	"fmt"
	"testing"

	"semisplit/player/agent"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
)

// BenchmarkEvaluation shows what implicit minimax backups cost: the search of
// bundled games without and with their evaluation, and with nodes that look a move ahead.
func BenchmarkEvaluation(b *testing.B) {
	for _, game := range []string{"breakthrough", "kalah"} {
		for _, c := range []struct {
			name  string
			alpha float64
			ahead bool
			eager bool
		}{
			{name: "alpha=0"}, {name: "alpha=0.4", alpha: 0.4},
			{name: "eager", alpha: 0.4, eager: true}, {name: "ahead", alpha: 0.4, ahead: true}, {name: "eager ahead", alpha: 0.4, eager: true, ahead: true},
		} {
			b.Run(game+"/"+c.name, func(b *testing.B) {
				a, err := agent.Find("orthodox")
				if err != nil {
					b.Fatal(err)
				}
				a.Algorithm.Parameters.ImplicitMinimax, a.Algorithm.Parameters.Evaluation = c.alpha, game
				a.Algorithm.Parameters.LookAhead, a.Algorithm.Parameters.EagerNodes = c.ahead, c.eager
				program := gametest.Bundled(b, game)
				m, err := Adapt(b.Context(), a, lanesFor(b, program, "orthodox", a), program, reasoner.DefaultLimits, nil)
				if err != nil {
					b.Fatal(err)
				}
				benchmarkTree(b, m, a)
			})
		}
	}
}

// BenchmarkProofs shows what proof numbers cost: iterations/s of UCT without and
// with them, in the games of table I of J. Kowalski et al., Proof Number Based
// Monte-Carlo Tree Search, and in Gomoku, where its implementation was 20 times slower.
func BenchmarkProofs(b *testing.B) {
	for _, game := range []string{"linesofaction7", "linesofaction", "minishogi", "knightthrough", "awari", "gomoku"} {
		for _, uses := range []string{"", "FSU"} {
			b.Run(fmt.Sprintf("%s/pn=%s", game, uses), func(b *testing.B) {
				a, err := agent.Find("orthodox")
				if err != nil {
					b.Fatal(err)
				}
				a.Algorithm.Parameters.PN = uses
				benchmarkTree(b, lanesFor(b, gametest.Bundled(b, game), "orthodox", a), a)
			})
		}
	}
}
