package machines

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/player/agent"
	"semisplit/reasoner"
	"semisplit/search"
)

// processTime is the processor time of all threads of the process, where it is
// known.
var processTime = func() time.Duration { return 0 }

// BenchmarkThreads compares the ways in which two threads search with one
// thread: x-one is the ratio of iterations/s, by the wall clock, and x-one-cpu
// that of iterations for each second of processor time, doubled. The second
// holds on a machine that does other things as well. "apart" are two searches that know nothing of each other: what the
// memory and its caches leave of two. Each way does the same number of
// iterations a thread; they take turns, and the best time of each counts.
func BenchmarkThreads(b *testing.B) {
	const rounds = 3
	for _, game := range []struct {
		name       string
		iterations int // of a thread: about half a second
	}{{"breakthrough", 200_000}, {"connectfour", 250_000}, {"skirmish", 40_000}, {"amazons", 60_000}, {"chess", 12_000}} {
		g, err := games.Load(game.name)
		if err != nil {
			b.Fatal(err)
		}
		program, diagnostics := reasoner.Read(g.Rules)
		if err := diagnostics.Err(); err != nil {
			b.Fatal(err)
		}
		b.Run(game.name, func(b *testing.B) {
			m, err := reasoner.NewLanes(context.Background(), program, reasoner.DefaultLimits)
			if err != nil {
				b.Fatal(err)
			}
			ways := []way{{"one", 1, 1}, {"apart", 2, 1}, {"joined", 1, 2}}
			best := make([]spent, len(ways))
			for b.Loop() {
				for range rounds {
					for i, w := range ways {
						s := w.search(b, m, game.iterations)
						if best[i].wall == 0 {
							best[i] = s
						}
						best[i] = spent{min(best[i].wall, s.wall), min(best[i].cpu, s.cpu)}
					}
				}
			}
			for i, w := range ways[1:] {
				b.ReportMetric(2*float64(best[0].wall)/float64(best[i+1].wall), w.label+"-x-one")
				b.ReportMetric(4*float64(best[0].cpu)/float64(max(best[i+1].cpu, 1)), w.label+"-x-one-cpu")
			}
			b.ReportMetric(float64(game.iterations)/best[0].wall.Seconds(), "one-iterations/s")
		})
	}
}

type way struct {
	label          string
	trees, threads int
}

// spent is the time of a number of iterations for each thread.
type spent struct{ wall, cpu time.Duration }

// search begins with a tenth of the iterations, as a match with its first slice.
// All lanes are in flight from the start: how soon they are is not the matter.
func (w way) search(b *testing.B, m reasoner.Machine, iterations int) spent {
	a := agent.Default()
	a.General.Threads = w.threads
	a.Algorithm.Parameters.LanesInFlight = 512
	trees := make([]search.Algorithm, w.trees)
	for i := range trees {
		trees[i] = NewTree(m, a, uint64(i+1))
		if err := trees[i].SetRoot(m.Initial()); err != nil {
			b.Fatal(err)
		}
	}
	began, cpu := time.Now(), processTime()
	var wait sync.WaitGroup
	for _, t := range trees {
		wait.Go(func() {
			for _, n := range []int{iterations / 10, iterations - iterations/10} {
				if _, err := t.Search(new(atomic.Bool), search.Budget{Iterations: n * w.threads}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wait.Wait()
	return spent{time.Since(began), processTime() - cpu}
}
