package machines

import (
	"context"
	"flag"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/player/agent"
	"semisplit/reasoner"
	"semisplit/search"
)

// BenchmarkSearch is a search as in a match, tree and statistics included, on
// one thread: iterations/s of a second of thinking, with the tree kept from
// run to run. The playouts alone are measured by "ggp bench".
func BenchmarkSearch(b *testing.B) {
	for _, name := range []string{"tictactoe", "connectfour", "breakthrough", "knightthrough", "othello"} {
		b.Run(name, func(b *testing.B) {
			g, err := games.Load(name)
			if err != nil {
				b.Fatal(err)
			}
			benchmarkSearch(b, g.Rules)
		})
	}
	for _, name := range []string{"breakthrough", "chess", "amazons"} {
		b.Run("published/"+name, func(b *testing.B) {
			benchmarkSearch(b, testenv.Rules(b, name))
		})
	}
}

// threadTime is the processor time of this thread, where the system tells: on a
// machine that is shared, it repeats better than the clock.
var threadTime = func() time.Duration { return 0 }

var benchAgents = flag.String("agents", "", "agents of BenchmarkAgents, or their files, separated by commas, instead of all presets")

// BenchmarkAgents is BenchmarkSearch for presets on published games, each on the
// machine that it asks for, or for the agents of -agents.
func BenchmarkAgents(b *testing.B) {
	for _, game := range []string{"breakthrough", "chess", "amazons", "amazons_10x10", "knightThrough", "gomoku_11x11"} {
		text := testenv.Rules(b, game)
		for _, a := range benchmarkedAgents(b) {
			b.Run(game+"/"+a.Name, func(b *testing.B) {
				program, diagnostics := reasoner.Read(text)
				if err := diagnostics.Err(); err != nil {
					b.Fatal(err)
				}
				c, err := reasoner.CompileVariant(b.Context(), program, a.Variant(), reasoner.DefaultLimits)
				if err != nil {
					b.Fatal(err)
				}
				<-c.Done()
				if c.Best().Kind() == "prover" {
					b.Skip(c.Err())
				}
				m, err := Adapt(context.Background(), a, c.Best(), program, reasoner.DefaultLimits, nil)
				if err != nil {
					b.Fatal(err)
				}
				benchmarkTree(b, m, a)
			})
		}
	}
}

func benchmarkedAgents(b *testing.B) []agent.Agent {
	if *benchAgents == "" {
		return slices.DeleteFunc(agent.Presets(), func(a agent.Agent) bool { return a.Algorithm.Name == agent.NameRandom }) // which does not search
	}
	var agents []agent.Agent
	for _, name := range strings.Split(*benchAgents, ",") {
		a, err := agent.Find(name)
		if err != nil {
			b.Fatal(err)
		}
		agents = append(agents, a)
	}
	return agents
}

func benchmarkSearch(b *testing.B, text string) {
	program, diagnostics := reasoner.Read(text)
	if err := diagnostics.Err(); err != nil {
		b.Fatal(err)
	}
	m, err := reasoner.NewLanes(b.Context(), program, reasoner.DefaultLimits)
	if err != nil {
		b.Skip(err)
	}
	benchmarkTree(b, m, agent.Default())
}

func benchmarkTree(b *testing.B, m reasoner.Machine, a agent.Agent) {
	a.General.Threads = max(1, a.General.Threads)
	t := NewTree(m, a, 1)
	if err := t.SetRoot(m.Initial()); err != nil {
		b.Fatal(err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	iterations, playouts, states, elapsed := 0, 0, 0, time.Duration(0)
	from := threadTime()
	for b.Loop() {
		report, err := t.Search(new(atomic.Bool), search.Budget{Time: time.Second})
		if err != nil {
			b.Fatal(err)
		}
		iterations += report.Iterations
		playouts += report.Playouts
		states += report.States
		elapsed += report.Elapsed
	}
	if spent := threadTime() - from; spent > 0 {
		b.ReportMetric(float64(iterations)/spent.Seconds(), "iterations/cpu-s")
	}
	b.ReportMetric(float64(iterations)/elapsed.Seconds(), "iterations/s")
	b.ReportMetric(float64(playouts)/elapsed.Seconds(), "playouts/s")
	b.ReportMetric(float64(states)/elapsed.Seconds(), "states/s")
}
