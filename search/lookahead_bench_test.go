package search

import "testing"

// spinLookahead is one on a spin, loaded.
func spinLookahead(how Lookahead) Engine {
	e := NewLookahead(newSpin(64, 60, 0, 1), newSpin(512, 60, 0, 2), []int{1, 1}, how)
	for lane := range e.Lanes() {
		e.Load(lane, []uint64{0, uint64(lane)}, nil)
	}
	return e
}

var spinStart = []uint64{0, 1}

// spinOn goes ten Steps on.
func spinOn(t testing.TB, e Engine) (ends int) {
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

// BenchmarkLookahead is what looking ahead costs beside the engines: a game with
// 25 moves, whose states take no time. Package player measures it on games.
func BenchmarkLookahead(b *testing.B) {
	for _, c := range []struct {
		name string
		how  Lookahead
	}{{"nothing", Lookahead{}}, {"decisive", Lookahead{Decisive: true}}, {"greedy", Lookahead{Greedy: 1, Evaluate: fixed{0.5}}}} {
		b.Run(c.name, func(b *testing.B) {
			e := spinLookahead(c.how)
			ends := 0
			for b.Loop() {
				ends += spinOn(b, e)
			}
			b.ReportMetric(float64(ends)/b.Elapsed().Seconds(), "playouts/s")
		})
	}
}
