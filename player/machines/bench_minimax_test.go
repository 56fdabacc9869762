package machines

import (
	"testing"

	"semisplit/player/agent"
	"semisplit/player/internal/gametest"
)

// BenchmarkMinimax shows how many states the searches by minimax play and evaluate, from
// the initial state on.
func BenchmarkMinimax(b *testing.B) {
	for _, game := range []string{"breakthrough", "connectfour", "othello"} {
		for _, name := range []string{"alphabeta", "bestfirst"} {
			b.Run(game+"/"+name, func(b *testing.B) {
				a, err := agent.Find(name)
				if err != nil {
					b.Fatal(err)
				}
				benchmarkTree(b, lanesFor(b, gametest.Bundled(b, game), "orthodox", a), a)
			})
		}
	}
}
