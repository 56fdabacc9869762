package player

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/reasoner"
	"semisplit/search"
)

// BenchmarkThreads compares the ways in which two threads search, in a second
// of thinking from an empty tree, with one thread (the ratio is x-one). The
// machine is likely to do other things as well, and so the ways take turns,
// rounds times, and the best of each counts.
func BenchmarkThreads(b *testing.B) {
	const rounds = 4
	for _, name := range []string{"breakthrough", "connectfour", "skirmish", "amazons", "chess"} {
		g, err := games.Load(name)
		if err != nil {
			b.Fatal(err)
		}
		program, diagnostics := reasoner.Read(g.Rules)
		if err := diagnostics.Err(); err != nil {
			b.Fatal(err)
		}
		m, err := reasoner.NewLanes(context.Background(), program, reasoner.DefaultLimits)
		if err != nil {
			b.Fatal(err)
		}
		ways := []struct {
			label   string
			threads int
			mode    ThreadsMode
		}{{"one", 1, ThreadsAuto}, {"shared", 2, ThreadsShared}, {"joined", 2, ThreadsJoined}, {"auto", 2, ThreadsAuto}}
		b.Run(name, func(b *testing.B) {
			best := make([]float64, len(ways))
			for b.Loop() {
				for range rounds {
					for i, w := range ways {
						a := DefaultAgent()
						a.General.Threads, a.General.ThreadsMode = w.threads, w.mode
						best[i] = max(best[i], iterationsPerSecond(b, m, a))
					}
				}
			}
			for i, w := range ways {
				b.ReportMetric(best[i], w.label+"-iterations/s")
				b.ReportMetric(best[i]/best[0], w.label+"-x-one")
			}
		})
	}
}

// iterationsPerSecond thinks for a second, in slices as a match does.
func iterationsPerSecond(b *testing.B, m reasoner.Machine, a Agent) float64 {
	t := newTree(m, a, 1)
	if err := t.SetRoot(m.Initial()); err != nil {
		b.Fatal(err)
	}
	iterations, elapsed := 0, time.Duration(0)
	for elapsed < time.Second {
		report, err := t.Search(new(atomic.Bool), search.Budget{Time: shortestSlice})
		if err != nil {
			b.Fatal(err)
		}
		iterations += report.Iterations
		elapsed += report.Elapsed
	}
	return float64(iterations) / elapsed.Seconds()
}
