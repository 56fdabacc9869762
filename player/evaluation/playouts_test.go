package evaluation

import (
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/player/internal/gametest"
)

// Random play of tic-tac-toe is won by x in 58.49% and drawn in 12.70% of all matches,
// which is known from counting them.
func TestPlayoutMeans(t *testing.T) {
	m := gametest.Lanes(t, gametest.Bundled(t, "tictactoe"), "orthodox")
	positions := make([]*sample, 3000)
	for i := range positions {
		positions[i] = &sample{state: m.Initial()}
	}
	means := make([][]float64, len(positions))
	if err := playoutMeans(m.NewEngine(1), positions, 2, means, new(atomic.Bool)); err != nil {
		t.Fatal(err)
	}
	for role, want := range []float64{0.5849 + 0.1270/2, 0.2881 + 0.1270/2} {
		sum := 0.0
		for i := range means {
			if math.Abs(means[i][0]+means[i][1]-1) > 1e-9 {
				t.Fatalf("position %d: %v", i, means[i])
			}
			sum += means[i][role] / float64(len(means))
		}
		if math.Abs(sum-want) > 0.01 {
			t.Errorf("role %d: %.4f, want %.4f", role, sum, want)
		}
	}
}

// Where playouts from a position decide what is taught, they foretell it better than an
// evaluation that knows nothing; where what is taught has nothing to do with
// playouts, one that knows it does better than they.
func TestComparison(t *testing.T) {
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	g := newGreedy(m, newFeatures(m, program), 1)
	g.most = 1500
	if err := g.play(t.Context(), time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	ignorant := newRegression(g.learn.f, 2, onlineRate).evaluation()
	random := rand.New(rand.NewPCG(1, 1))
	middle := newRegression(g.learn.f, 2, onlineRate).evaluation()
	bit := -1
	for i, name := range middle.fluents {
		if name == "(control x)" {
			bit = i
		}
	}
	if bit < 0 {
		t.Fatalf("no such fluent: %q", middle.fluents)
	}
	middle.weights[bit*2], middle.weights[bit*2+1] = 1, -1
	var played, drawn []*sample
	for i := range g.test {
		s := g.test[i]
		played = append(played, &s)
		x := float32(0)
		if p := 0.2 + 0.6*float64(s.state[bit/64]>>(bit%64)&1); random.Float64() < p {
			x = 1
		}
		drawn = append(drawn, &sample{state: s.state, values: []float32{x, 1 - x}, match: uint32(i)})
	}
	for _, c := range []struct {
		name      string
		e         *Evaluation
		positions []*sample
		trusted   bool
	}{{"playouts know", ignorant, played, false}, {"the evaluation knows", middle, drawn, true}} {
		beside, err := c.e.compare(t.Context(), m, c.positions, 1, time.Now().Add(time.Hour), 2)
		if err != nil || beside == nil || beside.Positions < fewestCompared {
			t.Fatalf("%s: %+v, %v", c.name, beside, err)
		}
		c.e.From, c.e.Beside = FromMatches, beside
		if trust := c.e.Trust(); c.trusted && trust < 1 || !c.trusted && trust > 0 {
			t.Errorf("%s: trust %.2f, ratio %.2f, %+v", c.name, trust, beside.Ratio(), beside)
		}
	}
	// There is no time for any of it.
	if beside, err := middle.compare(t.Context(), m, drawn, 1, time.Now(), 1); beside != nil || err != nil {
		t.Errorf("%+v, %v", beside, err)
	}
}

func TestTrustBeside(t *testing.T) {
	for ratio, want := range map[float64]float64{0: 0, 0.5: 0, math.Sqrt(0.5 * 1.2): 0.5, 1.2: 1, 30: 1} {
		if got := trustBeside(ratio); math.Abs(got-want) > 1e-9 {
			t.Errorf("ratio %v: %v, want %v", ratio, got, want)
		}
	}
}
