package machines

import (
	"fmt"
	"testing"

	"semisplit/player/agent"
	"semisplit/player/evaluation"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
)

// BenchmarkEvaluation shows what implicit minimax backups cost: the search of
// bundled games without and with their evaluation, with one that goes by the
// number of legal moves too, and with nodes that look a move ahead.
func BenchmarkEvaluation(b *testing.B) {
	for _, game := range []string{"breakthrough", "kalah"} {
		for _, c := range []struct {
			name  string
			alpha float64
			moves bool
			ahead bool
			eager bool
		}{
			{name: "alpha=0"}, {name: "alpha=0.4", alpha: 0.4}, {name: "moves", alpha: 0.4, moves: true},
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
				if c.moves {
					m.(equipped).evaluation.Mobility = &evaluation.Mobility{
						Plan: m.Plan(), Usual: []evaluation.Usual{{Mean: 20, Deviation: 5}, {Mean: 20, Deviation: 5}}, Slopes: []float64{0.1, -0.1, -0.1, 0.1},
					}
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
