package ahead

import (
	"testing"

	"semisplit/search/engine"
	"semisplit/search/internal/toys"
)

// spinPlayouts are playouts on a spin, loaded.
func spinPlayouts(how Options) engine.Engine {
	e := New(toys.NewSpin(64, 60, 0, 1), toys.NewSpin(512, 60, 0, 2), []int{1, 1}, how)
	for lane := range e.Lanes() {
		e.Load(lane, []uint64{0, uint64(lane)}, nil)
	}
	return e
}

var spinStart = []uint64{0, 1}

// spinOn goes ten Steps on.
func spinOn(t testing.TB, e engine.Engine) (ends int) {
	for range 10 {
		ended, err := e.Step(nil)
		if err != nil {
			t.Fatal(err)
		}
		for lane := range e.Lanes() {
			if ended[lane/64]>>(lane%64)&1 != 0 {
				ends++
				e.Load(lane, spinStart, nil)
			}
		}
	}
	return ends
}

// BenchmarkPlayouts is what looking ahead costs beside the engines: a game with
// 25 moves, whose states take no time. Package player measures it on games.
func BenchmarkPlayouts(b *testing.B) {
	for _, c := range []struct {
		name string
		how  Options
	}{{"nothing", Options{}}, {"decisive", Options{Decisive: true}}, {"greedy", Options{Greedy: 1, Evaluate: even{}}}} {
		b.Run(c.name, func(b *testing.B) {
			e := spinPlayouts(c.how)
			ends := 0
			for b.Loop() {
				ends += spinOn(b, e)
			}
			b.ReportMetric(float64(ends)/b.Elapsed().Seconds(), "playouts/s")
		})
	}
}
