package learning

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Positions are drawn whose matches end as a mixture of two numbers says: one known exactly,
// the other as the mean of 16 playouts. The mixture is found again, up to the chance that
// stays in the mean (a quarter of that of 16 playouts).
func TestShare(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	for _, c := range []struct {
		name      string
		own       float64 // part of the evaluation
		spread    float64 // of what playouts are worth, from 0.5 on
		low, high float64
	}{
		{"playouts decide", 0, 0.3, 0, 0.08},
		{"the evaluation decides", 1, 0.3, 0.92, 1},
		{"half and half", 0.5, 0.3, 0.45, 0.6},
		{"a third, playouts hardly differ", 1. / 3, 0.1, 0.28, 0.55},
		{"all playouts come to the same", 1, 0, 0.99, 1},
	} {
		var m mixed
		for range 20000 {
			p, e := 0.5+c.spread*(2*random.Float64()-1), 0.2+0.6*random.Float64()
			mean, playouts := 0.0, comparedPlayouts
			for range playouts {
				if random.Float64() < p {
					mean += 1 / float64(playouts)
				}
			}
			won := 0.0
			if random.Float64() < c.own*e+(1-c.own)*p {
				won = 1
			}
			if c.spread == 0 {
				mean = 0.5
			}
			m.add(mean, mean, e, won) // goals of 0 and 1 are their own squares
		}
		if got := m.share(); math.IsNaN(got) || got < c.low || got > c.high {
			t.Errorf("%s: %.3f, want %.2f to %.2f", c.name, got, c.low, c.high)
		}
	}
	for _, m := range []mixed{{}, {n: 1, p: 1, e: 1, v: 1, pp: 1, ee: 1, pe: 1, pv: 1, ev: 1}} {
		if got := m.share(); got != 0 {
			t.Errorf("%+v: %v", m, got)
		}
	}
}

// What follows the evaluation downwards teaches it nothing.
func TestShareFalls(t *testing.T) {
	var m mixed
	for i := range 1000 {
		e, p := float64(i%10)/10, float64(i/10%10)/10
		m.add(p, p*p, e, (1-e+p)/2)
	}
	if got := m.share(); got != 0 {
		t.Errorf("%.3f", got)
	}
}
