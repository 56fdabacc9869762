package stats

import (
	"math/rand/v2"
	"testing"
)

func TestPositions(t *testing.T) {
	p := newPositions(2)
	seen := map[uint32]bool{}
	for round := range 2 {
		for role := range uint32(2) {
			for a := range uint32(30) {
				at := p.add(role+1, a)
				for b := range uint32(30) {
					n := p.add(at, b*1000)
					if round == 0 && (seen[n] || n == 0) || p.find(p.find(role+1, a), b*1000) != n {
						t.Fatalf("position %d of %d %d %d", n, role, a, b)
					}
					seen[n] = true
				}
			}
		}
	}
	if p.find(1, 31) != 0 || p.find(0, 1) != 0 || p.add(0, 1) != 0 {
		t.Error("a position out of nowhere")
	}
	p.limit = p.known.Len()
	if p.add(1, 31) != 0 {
		t.Error("more positions than the limit")
	}
}

func TestGrams(t *testing.T) {
	var g grams
	rng := rand.New(rand.NewPCG(1, 2))
	want := map[uint64]float64{}
	for range 20_000 {
		key := uint64(rng.IntN(5000))*2 + 1
		g.add(key << 20).Add(1)
		want[key]++
	}
	for key, n := range want {
		if s := g.find(key << 20); s == nil || s.N != n {
			t.Fatalf("key %d: %+v, want %g", key, s, n)
		}
	}
	if g.find(7) != nil {
		t.Error("a sequence that was never met")
	}
}
