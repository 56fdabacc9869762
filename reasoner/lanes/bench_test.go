package lanes_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"semisplit/internal/testenv"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
	"semisplit/reasoner/lanes"
	"semisplit/reasoner/lanes/kernel"
	"semisplit/reasoner/split"
)

// build grounds and compiles a description with whole moves.
func build(tb testing.TB, rules string) *lanes.Machine { return buildPlan(tb, rules, "orthodox") }

// buildPlan is build for a description split by a plan. It skips the test if
// there is no plan of that name.
func buildPlan(tb testing.TB, rules, name string) *lanes.Machine {
	tb.Helper()
	p, diags := gdl.Read(rules)
	if err := diags.Err(); err != nil {
		tb.Fatal(err)
	}
	plans, _ := split.Plans(context.Background(), p)
	at := slices.IndexFunc(plans, func(plan *split.Plan) bool { return plan.Name == name })
	if at < 0 {
		tb.Skipf("no plan %s", name)
	}
	game, err := split.Rewrite(context.Background(), p, plans[at])
	if err != nil {
		tb.Fatal(err)
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

// What the benchmarks play, and how.
var (
	benchGames = flag.String("games", "", "published games, separated by commas, instead of those that a benchmark has; Steering takes GAME:PLAN")
	benchPlan  = flag.String("plan", "orthodox", "how Playouts splits the moves")
	passes     = flag.Int("passes", lanes.AutoPasses, "how often a Step tries a dead prefix again; 0: as ever it takes, and no lane stalls; -1: as in play")
	shares     = flag.Bool("shares", false, "report the shares of time; reading the clock takes time itself")
)

// benched are the games that a benchmark plays.
func benched(otherwise string) []string { return strings.Split(cmp.Or(*benchGames, otherwise), ",") }

// threadTime is the processor time of the calling thread, where it is known:
// a steadier measure than the clock on a machine that others use as well.
var threadTime = func() time.Duration { return 0 }

// BenchmarkPlayouts runs random playouts from the initial state of published
// games on one engine, in each width. The goals of reversi cost more than its steps.
func BenchmarkPlayouts(b *testing.B) {
	for _, name := range benched("breakthrough,connectFour,ticTacToe,reversi,checkers") {
		rules := testenv.Rules(b, name)
		var all []*lanes.Machine
		for i := range lanes.Widths() {
			b.Run(fmt.Sprintf("%s/%d", name, lanes.Widths()[i]), func(b *testing.B) {
				if all == nil {
					all = inWidths(b, buildPlan(b, rules, *benchPlan))
				}
				m := all[i]
				e := m.NewEngine(1)
				e.SetPasses(*passes)
				e.Time(*shares)
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
