package machines

import (
	"strconv"
	"testing"
	"time"

	"semisplit/player/agent"
	"semisplit/player/internal/gametest"
	"semisplit/search"
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

// BenchmarkProofThreads has alpha-beta prove two states of Connect Four, by playouts, with one
// thread and with two.
func BenchmarkProofThreads(b *testing.B) {
	m := gametest.Lanes(b, gametest.Bundled(b, "connectfour"), "orthodox")
	states := gametest.RandomStates(b, m, 18)[16:]
	for threads := 1; threads <= 2; threads++ {
		b.Run(strconv.Itoa(threads), func(b *testing.B) {
			a := agent.Default()
			a.Algorithm.Name, a.General.Threads, a.Algorithm.Parameters.LearnOn = agent.NameAlphaBeta, threads, false
			for b.Loop() {
				tree := NewTree(m, a, 1)
				for _, state := range states {
					if err := tree.SetRoot(state); err != nil {
						b.Fatal(err)
					}
					if r, err := tree.Search(nil, search.Budget{Time: time.Minute}); err != nil || r.Low == nil || r.Low[0] < r.High[0] {
						b.Fatalf("no proof after %v: %v", r.Elapsed, err)
					}
				}
			}
		})
	}
}
