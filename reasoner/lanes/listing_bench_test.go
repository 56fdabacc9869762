package lanes_test

import (
	"testing"

	"semisplit/games"
	"semisplit/reasoner/lanes"
	"semisplit/reasoner/lanes/kernel"
)

// listed is an engine in the middle of a game, and 64 of its lanes.
func listed(b *testing.B, name, plan string) (*lanes.Machine, *lanes.Engine, []uint64) {
	game, err := games.Load(name)
	if err != nil {
		b.Fatal(err)
	}
	m := buildPlan(b, game.Rules, plan)
	e := m.NewEngine(1)
	playouts(b, e, m.Initial(), 20)
	mask := make([]uint64, e.Lanes()/64)
	mask[0] = ^uint64(0)
	return m, e, mask
}

// BenchmarkFirsts lists the moves of all roles in 64 lanes together.
func BenchmarkFirsts(b *testing.B) {
	for _, name := range []string{"englishdraughts", "breakthrough"} {
		b.Run(name, func(b *testing.B) {
			m, e, mask := listed(b, name, "orthodox")
			into := make([][]uint32, e.Lanes())
			b.ReportAllocs()
			for b.Loop() {
				for role := range m.Roles() {
					for lane := range into {
						into[lane] = into[lane][:0]
					}
					e.Firsts(mask, role, into)
				}
			}
		})
	}
}

// BenchmarkPaths lists the whole moves of split ones, in 64 lanes together.
func BenchmarkPaths(b *testing.B) {
	for _, name := range []string{"chess", "breakthrough"} {
		b.Run(name, func(b *testing.B) {
			m, e, mask := listed(b, name, "mod")
			moves := 0
			b.ReportAllocs()
			for b.Loop() {
				moves = 0
				for role := range m.Roles() {
					e.Paths(mask, role, 1<<12, func(int, []uint32) { moves++ })
				}
			}
			b.ReportMetric(float64(moves)/float64(kernel.Popcount(mask)), "moves/lane")
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(kernel.Popcount(mask)), "us/lane")
		})
	}
}
