package lanes_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"semisplit/internal/testenv"
	"semisplit/reasoner/lanes"
)

// steerGames are what BenchmarkSteering plays, unless -games names others:
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
	for _, name := range benched(steerGames) {
		game, plan, _ := strings.Cut(name, ":")
		var m *lanes.Machine
		for _, way := range ways {
			b.Run(fmt.Sprintf("%s/%s/%s", game, plan, way.name), func(b *testing.B) {
				if m == nil {
					wide := inWidths(b, buildPlan(b, testenv.Rules(b, game), plan))
					m = wide[len(wide)-1]
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
