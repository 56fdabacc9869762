package cmab

import (
	"math"
	"testing"
)

// Values by hand: ((2*3 + 1) * (5*2)) + 4*1, and their best.
func TestValue(t *testing.T) {
	m := newModel([][]float64{{3, 1}, {2, 1}, {1, 0.5}}, []bool{false, true, false}, []float64{2, 5, 4}, 0)
	best := (2.0*3+1)*(5*2) + 4*1
	for _, c := range []struct {
		move []uint32
		want float64
	}{
		{[]uint32{0, 0, 0}, best},
		{[]uint32{1, 0, 0}, (2*1+1)*(5*2) + 4*1},
		{[]uint32{0, 1, 0}, (2*3+1)*(5*1) + 4*1},
		{[]uint32{1, 1, 1}, (2*1+1)*(5*1) + 4*0.5},
	} {
		if got := m.Value(c.move) * best; math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v: %v, by hand %v", c.move, got, c.want)
		}
	}
}

// The best arms are worth 1 whatever is drawn, also where the value is beyond floats, and
// nothing is worth more.
func TestBest(t *testing.T) {
	for seed := range uint64(20) {
		o := Published(64, 8)
		o.NonLinear = float64(seed%5) / 4
		m := New(o, seed)
		best := make([]uint32, o.Bandits)
		for i, arms := range m.means {
			for j := range arms {
				if arms[j] > arms[best[i]] {
					best[i] = uint32(j)
				}
			}
		}
		if v := m.Value(best); math.Abs(v-1) > 1e-9 {
			t.Errorf("the best arms are worth %v", v)
		}
		for i := range best {
			other := append([]uint32(nil), best...)
			other[i] = (other[i] + 1) % uint32(o.Arms)
			if v := m.Value(other); v > 1+1e-9 || v < 0 {
				t.Errorf("a move is worth %v", v)
			}
		}
	}
}

// A pull has the noise that was asked for.
func TestNoise(t *testing.T) {
	m := newModel([][]float64{{10, 20}}, []bool{false}, []float64{1}, 2)
	e := NewEngine(m, 1)
	var sum, squares float64
	const n = 20000
	goals := make([]float64, 1)
	for range n {
		e.Load(0, Initial(), []uint32{0})
		if ended, _ := e.Step(nil); ended[0] != 1 {
			t.Fatal("the game goes on")
		}
		e.Goals(0, goals)
		x := goals[0]*21 - 1 // v = pull + 1, the best is 21
		sum += x
		squares += x * x
	}
	mean := sum / n
	if deviation := math.Sqrt(squares/n - mean*mean); math.Abs(mean-10) > 0.1 || math.Abs(deviation-2) > 0.1 {
		t.Errorf("mean %v, deviation %v", mean, deviation)
	}
}
