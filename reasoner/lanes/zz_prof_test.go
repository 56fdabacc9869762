package lanes_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"semisplit/reasoner/lanes"
)

func TestZProf(t *testing.T) {
	name := os.Getenv("GGP_GAMES")
	rules, err := os.ReadFile("/work/shared/gdl/" + name + ".kif")
	if err != nil {
		t.Skip(err)
	}
	m0 := build(t, string(rules))
	for _, n := range []int{512} {
		m, err := m0.WithLanes(n)
		if err != nil {
			t.Fatal(err)
		}
		e := m.NewEngine(1)
		e.SetPasses(lanes.AutoPasses)
		playouts(t, e, m.Initial(), 300)
		fmt.Print(lanes.Prof(m, e))
		best := 0.0
		var per float64
		for range 30 {
			from := threadTime()
			s := playouts(t, e, m.Initial(), 200)
			d := threadTime() - from
			if r := float64(s) / d.Seconds() / 1e6; r > best {
				best = r
				per = float64(s) / 200
			}
		}
		fmt.Printf("lanes %d: best %.3f Mstates/cpu-s, %.1f states a step, %.1f us/step\n", n, best, per, per/best)
		_ = time.Now
	}
}
