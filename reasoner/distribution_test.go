package reasoner_test

import (
	"math"
	"testing"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/reasoner"
)

// series is mean and variance of what playouts gave, one value each.
type series struct{ n, sum, squares float64 }

func (s *series) add(x float64) { s.n++; s.sum += x; s.squares += x * x }

func (s *series) mean() float64 { return s.sum / s.n }

// error is the standard error of the mean.
func (s *series) error() float64 {
	m := s.mean()
	return math.Sqrt(max(0, s.squares/s.n-m*m) / s.n)
}

// playouts plays the same number of playouts in every lane, so that short
// ones are not counted more often than long ones. The samples are of the
// length and of the goals of each role, 0..100.
func playouts(t *testing.T, m reasoner.Machine, perLane int, seed uint64) []series {
	t.Helper()
	roles := len(m.Roles())
	samples := make([]series, 1+roles)
	goals := make([]float64, roles)
	e := m.NewEngine(seed)
	stalls, _ := e.(interface{ Stalled() []uint64 })
	left, plies, open := make([]int, e.Lanes()), make([]int, e.Lanes()), e.Lanes()
	for lane := range left {
		left[lane], plies[lane] = perLane, -1
		e.Load(lane, m.Initial(), nil)
	}
	for open > 0 {
		ended, err := e.Step(nil)
		if err != nil {
			t.Fatal(err)
		}
		for lane := range left {
			if left[lane] == 0 {
				continue
			}
			if stalls == nil || stalls.Stalled()[lane/64]>>(lane%64)&1 == 0 {
				plies[lane]++
			}
			if ended[lane/64]>>(lane%64)&1 == 0 {
				continue
			}
			e.Goals(lane, goals)
			samples[0].add(float64(plies[lane]))
			for r, g := range goals {
				samples[1+r].add(100 * g)
			}
			if left[lane]--; left[lane] == 0 {
				e.Unload(lane)
				open--
				continue
			}
			plies[lane] = -1
			e.Load(lane, m.Initial(), nil)
		}
	}
	return samples
}

// The random walk of the lanes is that of the prover: mean length and mean
// goals of whole moves agree within intervals that are wide enough for all
// comparisons together (Bonferroni, a false alarm in a thousand).
func TestDistribution(t *testing.T) {
	type game struct{ name, rules string }
	var list []game
	for _, g := range games.List() {
		if why := testenv.Large(g.Name); why != "" {
			t.Logf("skipped %s: %s", g.Name, why)
			continue
		}
		list = append(list, game{g.Name, g.Rules})
	}
	t.Run("published", func(t *testing.T) {
		for _, name := range []string{"pentago", "dotsAndBoxes", "checkers", "blocker"} {
			list = append(list, game{name, testenv.Rules(t, name)})
		}
	})
	comparisons := float64(3 * len(list) * len(reasoner.Widths()))
	limit := math.Sqrt2 * math.Erfcinv(0.001/comparisons)
	// The prover plays 400 playouts, fewer where they are long.
	const onProver, pliesOnProver = 400, 8_000
	for i, g := range list {
		if !testenv.Long() && (i%3 != 2 || testing.Short()) && g.name != "connectfour" {
			continue // their turn is in the long run
		}
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			program, diagnostics := reasoner.Read(g.rules)
			if err := diagnostics.Err(); err != nil {
				t.Fatal(err)
			}
			oracle, err := reasoner.NewProver(program)
			if err != nil {
				t.Fatal(err)
			}
			length := playouts(t, oracle, 10, 3)[0].mean()
			want := playouts(t, oracle, min(onProver, int(pliesOnProver/length)), 1)
			circuit, err := reasoner.NewAnalysis(program).Circuit(t.Context(), "orthodox", reasoner.DefaultLimits)
			if err != nil {
				t.Fatal(err)
			}
			for _, width := range reasoner.Widths() {
				m, err := circuit.Machine(width)
				if err != nil {
					t.Fatal(err)
				}
				for i, got := range playouts(t, m, 5120/width, 2) {
					spread := math.Hypot(got.error(), want[i].error())
					if off := math.Abs(got.mean() - want[i].mean()); off > limit*spread+1e-9 {
						t.Errorf("%d lanes, figure %d (0: length, then goals): %.3f, prover %.3f: off by %.1f standard errors",
							width, i, got.mean(), want[i].mean(), off/spread)
					}
				}
			}
		})
	}
}
