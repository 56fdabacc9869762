package lanes_test

import (
	"context"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
	"semisplit/reasoner/lanes"
	"semisplit/reasoner/split"
)

// steerGames are what BenchmarkSteering plays, unless GGP_GAMES names others:
// games with the plan after a colon.
const steerGames = "breakthrough:orthodox,breakthrough:modplus,knightThrough:orthodox,knightThrough:mod,chess:mod,hex:orthodox"

// ways are the ways of choosing that BenchmarkSteering compares.
var ways = []struct {
	name string
	set  func(m *lanes.Machine, e *lanes.Engine)
}{
	{"uniform", func(*lanes.Machine, *lanes.Engine) {}},
	{"trace", func(_ *lanes.Machine, e *lanes.Engine) { e.Trace(true) }},
	{"greedy", func(m *lanes.Machine, e *lanes.Engine) { randomOrders(m, e, 0.4) }},
	{"chooser", func(m *lanes.Machine, e *lanes.Engine) {
		for r := range m.Roles() {
			for i := range m.Levels(r) {
				e.SetChooser(r, i, lowest)
			}
		}
	}},
}

// randomOrders gives every level an order.
func randomOrders(m *lanes.Machine, e *lanes.Engine, epsilon float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	for r := range m.Roles() {
		for i, lv := range m.Net().Roles[r].Levels {
			order := make([]int32, len(lv.Offer))
			for at, k := range rng.Perm(len(order)) {
				order[at] = int32(k)
			}
			e.SetPolicy(r, i, order, epsilon)
		}
	}
}

// lowest is a chooser that does as little as possible: it takes an offer in a
// place that the number of the lane tells.
func lowest(asked, offers []uint64, words int, _ []uint64, into []int32) {
	for i, x := range asked {
		for ; x != 0; x &= x - 1 {
			lane := 64*i + bits.TrailingZeros64(x)
			row := offers[lane*words : (lane+1)*words]
			at := lane % words
			for row[at] == 0 {
				at = (at + 1) % words
			}
			into[lane] = int32(64*at + bits.TrailingZeros64(row[at]))
		}
	}
}

// BenchmarkSteering runs playouts with a trace, by an order with epsilon 0.4,
// and with a chooser on every level, beside uniform ones without a trace.
func BenchmarkSteering(b *testing.B) {
	dir := corpus()
	if dir == "" {
		b.Skip("no corpus of published games: set GGP_CORPUS")
	}
	names := os.Getenv("GGP_GAMES")
	if names == "" {
		names = steerGames
	}
	for _, name := range strings.Split(names, ",") {
		game, plan, _ := strings.Cut(name, ":")
		var m *lanes.Machine
		for _, way := range ways {
			b.Run(fmt.Sprintf("%s/%s/%s", game, plan, way.name), func(b *testing.B) {
				if m == nil {
					m = steerable(b, filepath.Join(dir, "gdl", game+".kif"), plan)
				}
				e := m.NewEngine(1)
				e.SetPasses(lanes.AutoPasses)
				way.set(m, e)
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				playouts(b, e, m.Initial(), 100)
				b.ResetTimer()
				from, states := threadTime(), 0
				for range b.N {
					states += playouts(b, e, m.Initial(), 100)
				}
				b.ReportMetric(float64((threadTime()-from).Nanoseconds())/float64(states), "cpu-ns/state")
			})
		}
	}
}

// steerable is the widest machine for a game and a plan.
func steerable(b *testing.B, file, plan string) *lanes.Machine {
	b.Helper()
	rules, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	p, diags := gdl.Read(string(rules))
	if err := diags.Err(); err != nil {
		b.Fatal(err)
	}
	plans, _ := split.Plans(p)
	for _, one := range plans {
		if one.Name != plan {
			continue
		}
		game, err := split.Rewrite(p, one)
		if err != nil {
			b.Fatal(err)
		}
		net, err := ground.Ground(context.Background(), game, nil, ground.DefaultLimits)
		if err != nil {
			b.Fatal(err)
		}
		m, err := lanes.New(net)
		if err != nil {
			b.Fatal(err)
		}
		wide := inWidths(b, m)
		return wide[len(wide)-1]
	}
	b.Skipf("%s has no plan %s", file, plan)
	return nil
}
