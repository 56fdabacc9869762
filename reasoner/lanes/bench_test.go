package lanes_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
	"semisplit/reasoner/lanes"
	"semisplit/reasoner/lanes/kernel"
	"semisplit/reasoner/split"
)

// build grounds and compiles a description, split by the plan that GGP_PLAN
// names, if there is one of that name.
func build(tb testing.TB, rules string) *lanes.Machine {
	tb.Helper()
	p, diags := gdl.Read(rules)
	if err := diags.Err(); err != nil {
		tb.Fatal(err)
	}
	game, err := split.Orthodox(p)
	if err != nil {
		tb.Fatal(err)
	}
	if name := os.Getenv("GGP_PLAN"); name != "" {
		plans, _ := split.Plans(p)
		for _, plan := range plans {
			if plan.Name == name {
				if game, err = split.Rewrite(p, plan); err != nil {
					tb.Fatal(err)
				}
			}
		}
	}
	net, err := ground.Ground(context.Background(), game, nil, ground.DefaultLimits)
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
	fresh := make([]uint64, e.Lanes()/64)
	for w := range fresh {
		fresh[w] = ^uint64(0)
	}
	goals := make([]float64, 8)
	e.LoadMany(fresh, initial)
	for range steps {
		ended, err := e.Step(nil)
		if err != nil {
			tb.Fatal(err)
		}
		e.Choices() // no work without a trace
		states += e.Lanes() - kernel.Popcount(fresh) - kernel.Popcount(e.Stalled())
		copy(fresh, ended)
		e.SumGoals(fresh, goals)
		e.LoadMany(fresh, initial)
	}
	return states
}

// inWidths is a machine in each width.
func inWidths(tb testing.TB, m *lanes.Machine) []*lanes.Machine {
	tb.Helper()
	var out []*lanes.Machine
	for _, n := range lanes.Widths() {
		wide, err := m.WithLanes(n)
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, wide)
	}
	return out
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

// benchGames are what BenchmarkPlayouts plays, unless GGP_GAMES names others,
// separated by commas.
const benchGames = "breakthrough,connectFour,ticTacToe,reversi,checkers"

// threadTime is the processor time of the calling thread, where it is known:
// a steadier measure than the clock on a machine that others use as well.
var threadTime = func() time.Duration { return 0 }

// BenchmarkPlayouts runs random playouts from the initial state of published
// games on one engine, in each width.
func BenchmarkPlayouts(b *testing.B) {
	dir := corpus()
	if dir == "" {
		b.Skip("no corpus of published games: set GGP_CORPUS")
	}
	games := os.Getenv("GGP_GAMES")
	if games == "" {
		games = benchGames
	}
	for _, name := range strings.Split(games, ",") {
		rules, err := os.ReadFile(filepath.Join(dir, "gdl", name+".kif"))
		if err != nil {
			b.Fatal(err)
		}
		var all []*lanes.Machine
		for i := range lanes.Widths() {
			b.Run(fmt.Sprintf("%s/%d", name, lanes.Widths()[i]), func(b *testing.B) {
				if all == nil {
					all = inWidths(b, build(b, string(rules)))
				}
				m := all[i]
				e := m.NewEngine(1)
				if passes, err := strconv.Atoi(os.Getenv("GGP_PASSES")); err == nil {
					e.SetPasses(passes)
				}
				e.Time(os.Getenv("GGP_SHARES") != "") // reading the clock takes time itself
				b.ReportAllocs()
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				b.ResetTimer()
				from := threadTime()
				states := playouts(b, e, m.Initial(), b.N)
				spent := threadTime() - from
				b.ReportMetric(float64(states)/b.Elapsed().Seconds()/1e6, "Mstates/s")
				if spent > 0 {
					b.ReportMetric(float64(states)/spent.Seconds()/1e6, "Mstates/cpu-s")
				}
				b.ReportMetric(float64(m.Gates()), "gates")
				b.ReportMetric(float64(m.Instructions()), "instructions")
				c := e.Counters()
				if c.Tries > 0 {
					b.ReportMetric(100*float64(c.Dead)/float64(c.Tries), "%dead")
				}
				if c.Evaluate > 0 {
					b.ReportMetric(100*c.Evaluate.Seconds()/b.Elapsed().Seconds(), "%evaluate")
					b.ReportMetric(100*c.Choose.Seconds()/b.Elapsed().Seconds(), "%choose")
					b.ReportMetric(100*c.Next.Seconds()/b.Elapsed().Seconds(), "%next")
				}
			})
		}
	}
}
