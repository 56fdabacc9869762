package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestGreedy holds Greedy against a loop over lanes and semimoves.
func TestGreedy(t *testing.T) {
	everySet(t, func(t *testing.T, s *Set) {
		rng := rand.New(rand.NewPCG(5, 6))
		for _, n := range levelSizes {
			tb := newTable(s, n)
			for round := range 5 {
				tb.randomOffers(rng)
				order := make([]int32, 0, n)
				for _, k := range rng.Perm(n)[:n-n/3*(round%2)] {
					order = append(order, int32(k))
				}
				first := func(lane int) int32 {
					for _, k := range order {
						if tb.slot(2 + k)[lane/64]>>(lane%64)&1 != 0 {
							return k
						}
					}
					return -1
				}
				check := func() {
					t.Helper()
					for lane := range s.Lanes() {
						bit := func(words []uint64) bool { return words[lane/64]>>(lane%64)&1 != 0 }
						k := int32(-1)
						if bit(tb.want) {
							k = first(lane)
						}
						if bit(tb.missing) != (bit(tb.want) && k < 0) {
							t.Fatalf("%d semimoves: lane %d missing is wrong", n, lane)
						}
						for i := range int32(Pad(n)) {
							if bit(tb.slot(tb.sel+i)) != (i == k) {
								t.Fatalf("%d semimoves: lane %d, semimove %d: selection is wrong, first offer %d", n, lane, i, k)
							}
						}
					}
				}
				s.Columns(tb.slots, tb.sel, int32(Pad(n))).Clear()
				tb.level.Greedy(order, tb.slots, tb.want, tb.missing)
				check()
				for k := range int32(n) {
					copy(tb.slot(tb.masked+k), tb.slot(2+k))
				}
				s.Columns(tb.slots, tb.sel, int32(Pad(n))).Clear()
				tb.level.GreedyFrom(tb.masked, order, tb.slots, tb.want, tb.missing)
				check()
				none := make([]uint64, s.Words())
				tb.level.Greedy(order, tb.slots, none, none)
				check() // the selections of other lanes stay
			}
		}
	})
}

func TestBernoulli(t *testing.T) {
	everySet(t, func(t *testing.T, s *Set) {
		r := NewRandom(3, s.Words())
		dst := make([]uint64, s.Words())
		a, b := NewRandom(4, s.Words()), NewRandom(4, s.Words())
		same := make([]uint64, s.Words())
		for _, p := range []float64{-1, 0, 1.0 / 65536, 0.1, 0.25, 0.5, 0.7, 0.99, 1, 2} {
			n := 0
			rounds := draws / s.Lanes()
			for range rounds {
				s.Bernoulli(p, dst, r)
				n += Popcount(dst)
			}
			s.Bernoulli(p, dst, a)
			goSet(s.Words()).Bernoulli(p, same, b)
			if !slices.Equal(dst, same) || a.state != b.state {
				t.Errorf("p %v: not the same lanes as in Go", p)
			}
			want := max(0, min(1, p))
			got := float64(n) / float64(rounds*s.Lanes())
			if d := got - want; d*d > 25*want*(1-want)/draws+1e-10 {
				t.Errorf("p %v: %v of the lanes", p, got)
			}
		}
	})
}
