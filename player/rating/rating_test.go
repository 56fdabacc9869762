package rating

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
)

// wins are n contests of two that the first one wins.
func wins(list []Contest, winner, loser, n int) []Contest {
	for range n {
		list = append(list, Contest{{winner}, {loser}})
	}
	return list
}

// fit fails the test where Fit does.
func fit(t *testing.T, n int, contests []Contest) *Ratings {
	t.Helper()
	r, err := Fit(n, contests)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %v, not %v", what, got, want)
	}
}

// TestPublished fits the citations between journals of statistics of Stigler
// (1994), the worked example of the package BradleyTerry2 of R (Turner and Firth,
// Journal of Statistical Software 48, 2012), and wants its figures: logarithms of
// strengths beside Biometrika, with standard errors.
func TestPublished(t *testing.T) {
	const biometrika, communications, jasa, jrssb = 0, 1, 2, 3
	var c []Contest
	for _, pair := range []struct{ a, b, forA, forB int }{
		{biometrika, communications, 730, 33}, {biometrika, jasa, 498, 320}, {biometrika, jrssb, 221, 284},
		{communications, jasa, 68, 813}, {communications, jrssb, 17, 276}, {jasa, jrssb, 142, 325},
	} {
		c = wins(wins(c, pair.a, pair.b, pair.forA), pair.b, pair.a, pair.forB)
	}
	r := fit(t, 4, c)
	if r.Held {
		t.Error("it is held, though the likelihood has a maximum")
	}
	for _, want := range []struct {
		who              int
		estimate, stderr float64
	}{{communications, -2.94907, 0.10255}, {jasa, -0.47957, 0.06059}, {jrssb, 0.26895, 0.07083}} {
		near(t, "estimate", (r.List[want.who].Elo-r.List[biometrika].Elo)/perNatural, want.estimate, 5e-6)
		near(t, "standard error", r.Error(want.who, biometrika)/perNatural, want.stderr, 5e-6)
	}
}

// TestDraws holds the fit of two competitors against Davidson's solution: the odds
// are those of the wins, and the prevalence of draws is draws/√(wins·losses).
func TestDraws(t *testing.T) {
	var c []Contest
	c = wins(wins(c, 0, 1, 40), 1, 0, 10)
	for range 30 {
		c = append(c, Contest{{0, 1}})
	}
	r := fit(t, 2, c)
	near(t, "difference", r.List[0].Elo-r.List[1].Elo, 400*math.Log10(4), 1e-6)
	near(t, "mean", (r.List[0].Elo+r.List[1].Elo)/2, Mean, 1e-9)
	near(t, "prevalence of draws", math.Exp(r.model.at[2]), 30/math.Sqrt(40*10), 1e-8)
	near(t, "expected score", r.Expected(0, 1), (40+15)/80.0, 1e-9)
	near(t, "the other's", r.Expected(1, 0), (10+15)/80.0, 1e-9)
}

// TestMultinomial holds tables of three, in which only who comes first is seen,
// against the solution: strengths are as the parts of the wins.
func TestMultinomial(t *testing.T) {
	var c []Contest
	for who, n := range []int{50, 30, 20} {
		for range n {
			c = append(c, Contest{{who}, {(who + 1) % 3, (who + 2) % 3}})
		}
	}
	// Those behind are level each time, which makes the ties of two certain among
	// the last two, and otherwise unseen: the order of the three stays.
	r := fit(t, 3, c)
	if !(r.List[0].Elo > r.List[1].Elo && r.List[1].Elo > r.List[2].Elo) {
		t.Errorf("the order is lost: %+v", r.List)
	}
	c = nil
	for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		p := plackettLuce([]float64{5, 3, 2}, order)
		for range int(math.Round(10080 * p)) {
			c = append(c, Contest{{order[0]}, {order[1]}, {order[2]}})
		}
	}
	r = fit(t, 3, c)
	near(t, "0 to 1", r.List[0].Elo-r.List[1].Elo, 400*math.Log10(5.0/3), 1e-6)
	near(t, "1 to 2", r.List[1].Elo-r.List[2].Elo, 400*math.Log10(3.0/2), 1e-6)
}

// plackettLuce is the probability of an order of three.
func plackettLuce(strength []float64, order [3]int) float64 {
	a, b, c := strength[order[0]], strength[order[1]], strength[order[2]]
	return a / (a + b + c) * b / (b + c)
}

// TestDerivatives holds gradient and information against differences.
func TestDerivatives(t *testing.T) {
	c := []Contest{{{0, 2}, {1}, {3}}, {{1}, {0, 2, 3}}, {{3}, {2}}, {{1, 2}}, {{0}, {3}, {1}}}
	for _, held := range []bool{false, true} {
		m := newModel(4, c)
		if m.held = held; len(m.at) != 6 {
			t.Fatalf("%d parameters", len(m.at))
		}
		for i := range m.at {
			m.at[i] = 0.3 * float64(i-2)
		}
		_, gradient, information := m.derive()
		const step = 1e-6
		for i := range m.at {
			at := m.at[i]
			m.at[i] = at + step
			above, gradientAbove, _ := m.derive()
			m.at[i] = at - step
			below, gradientBelow, _ := m.derive()
			m.at[i] = at
			near(t, "gradient", gradient[i], (above-below)/(2*step), 1e-6)
			for j := range m.at {
				want := -(gradientAbove[j] - gradientBelow[j]) / (2 * step)
				if i < 4 && j < 4 && !held {
					want++ // what keeps it regular
				}
				near(t, "information", information.At(i, j), want, 1e-6)
			}
		}
	}
}

// TestHeld: who won all, or never met the others, has a rating within reach.
func TestHeld(t *testing.T) {
	for name, c := range map[string][]Contest{
		"all won":            wins(wins(nil, 0, 1, 10), 1, 2, 5),
		"two halves":         wins(wins(wins(wins(nil, 0, 1, 3), 1, 0, 2), 2, 3, 2), 3, 2, 4),
		"nothing but draws":  {{{0, 1}}, {{1, 2}}, {{2, 3}}, {{0, 3}}},
		"never lost, a draw": {{{0}, {1}}, {{0, 1}}, {{0}, {1}}, {{2}, {3}}, {{3}, {2}}},
		"no contest at all":  nil,
	} {
		r := fit(t, 4, c)
		if !r.Held {
			t.Errorf("%s: not held", name)
		}
		for i, rating := range r.List {
			if !(math.Abs(rating.Elo-Mean) < 2000) {
				t.Errorf("%s: %d has %v", name, i, rating.Elo)
			}
		}
	}
	r := fit(t, 3, wins(wins(nil, 0, 1, 10), 1, 2, 5))
	if !(r.List[0].Elo > r.List[1].Elo && r.List[1].Elo > r.List[2].Elo) || !r.List[0].Open || r.List[1].Open || !r.List[2].Open {
		t.Errorf("%+v", r.List)
	}
}

// TestHeldByDraws: who never lost, and drew, has a rating within reach among all whom
// that is true of or who never won: how frequent draws are is not known then.
func TestHeldByDraws(t *testing.T) {
	between := func(list []Contest, a, b int) []Contest { return append(wins(list, a, b, 3), Contest{{a, b}}) }
	for name, c := range map[string]struct {
		competitors int
		contests    []Contest
	}{
		"two":  {2, between(nil, 0, 1)},
		"once": {2, []Contest{{{0}, {1}}, {{0, 1}}}},
		"four": {4, append(between(between(nil, 0, 2), 1, 3), Contest{{0, 1}}, Contest{{2, 3}})},
	} {
		r := fit(t, c.competitors, c.contests)
		if !r.Held {
			t.Errorf("%s: not held", name)
		}
		for i, rating := range r.List {
			if !(math.Abs(rating.Elo-Mean) < 1000 && rating.SE < 1000) {
				t.Errorf("%s: %d has %+v", name, i, rating)
			}
		}
	}
	if r := fit(t, 2, wins(between(nil, 0, 1), 1, 0, 1)); r.Held {
		t.Error("held, though everybody won and lost")
	}
}

// TestOrdered: where the stronger one always wins, the ratings go as far as there are
// wins, and are found.
func TestOrdered(t *testing.T) {
	for _, size := range []struct{ competitors, contests int }{{6, 100}, {12, 20}, {16, 10}, {16, 1000}} {
		var c []Contest
		for loser := range size.competitors {
			for winner := range loser {
				c = wins(c, winner, loser, size.contests)
			}
		}
		r := fit(t, size.competitors, c)
		for i, rating := range r.List[1:] {
			if above := r.List[i]; !(above.Elo > rating.Elo) {
				t.Errorf("%+v: %v, and %v behind it", size, above.Elo, rating.Elo)
			}
		}
		// At the maximum as many wins are expected as there are.
		expected := 1 / (1 + math.Exp(-r.model.at[0])) // half a win and half a loss
		for other := 1; other < size.competitors; other++ {
			expected += float64(size.contests) * r.Expected(0, other)
		}
		near(t, "wins of the first", expected, float64(size.contests*(size.competitors-1))+0.5, 1e-4)
	}
}

// TestOrder: the same contests in another order have the same ratings, to the bit.
func TestOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	strength := []float64{0.8, 0.1, 0, -0.4, -0.5}
	var c []Contest
	for range 300 {
		c = append(c, draw(random, strength, random.Perm(5)[:2+random.IntN(2)], 0.4))
	}
	a := fit(t, 5, c)
	random.Shuffle(len(c), func(i, j int) { c[i], c[j] = c[j], c[i] })
	b := fit(t, 5, c)
	for i := range a.List {
		if a.List[i] != b.List[i] {
			t.Errorf("%d: %+v and %+v", i, a.List[i], b.List[i])
		}
	}
}

// draw plays a contest by the model, with this prevalence of ties of two.
func draw(random *rand.Rand, strength []float64, table []int, ties float64) (c Contest) {
	rest := append([]int{}, table...)
	for len(rest) > 0 {
		var sets [][]int
		var weights []float64
		total := 0.0
		add := func(weight float64, set ...int) {
			sets, weights, total = append(sets, set), append(weights, weight), total+weight
		}
		for i, a := range rest {
			add(math.Exp(strength[a]), a)
			for _, b := range rest[:i] {
				add(ties*math.Exp((strength[a]+strength[b])/2), a, b)
			}
		}
		at := random.Float64() * total
		k := 0
		for ; k < len(sets)-1 && at >= weights[k]; k++ {
			at -= weights[k]
		}
		c = append(c, sets[k])
		var left []int
		for _, who := range rest {
			taken := false
			for _, chosen := range sets[k] {
				taken = taken || chosen == who
			}
			if !taken {
				left = append(left, who)
			}
		}
		rest = left
	}
	return c
}

// TestCoverage simulates tournaments of known strengths, of pairs and of tables of
// three, with draws, and counts how many intervals hold the truth.
func TestCoverage(t *testing.T) {
	strength := []float64{1, 0.6, 0.1, -0.2, -0.5, -1} // of sum 0
	random := rand.New(rand.NewPCG(5, 95))
	held, all := 0, 0
	for range 250 {
		var c []Contest
		for range 150 {
			c = append(c, draw(random, strength, random.Perm(6)[:2], 0.5))
		}
		for range 40 {
			c = append(c, draw(random, strength, random.Perm(6)[:3], 0.5))
		}
		r := fit(t, 6, c)
		for i, rating := range r.List {
			all++
			if truth := Mean + strength[i]*perNatural; rating.Low <= truth && truth <= rating.High {
				held++
			}
		}
	}
	part := float64(held) / float64(all)
	t.Logf("%d of %d intervals hold the truth: %.1f%%", held, all, 100*part)
	if part < 0.935 || part > 0.965 {
		t.Errorf("%.1f%% of the intervals hold the truth, not about 95%%", 100*part)
	}
}

func TestRanking(t *testing.T) {
	c := Ranking([]int{4, 2, 7}, []float64{50, 100, 50})
	if len(c) != 2 || len(c[0]) != 1 || c[0][0] != 2 || len(c[1]) != 2 || c[1][0] != 4 || c[1][1] != 7 {
		t.Errorf("%v", c)
	}
}

func TestRefused(t *testing.T) {
	for _, c := range []Contest{{}, {{0}}, {{0}, {0}}, {{0}, {9}}, {{-1}, {1}}, {{0}, {}}, {{0, 1, 1}}} {
		if _, err := Fit(3, []Contest{c}); !errors.Is(err, ErrContest) {
			t.Errorf("%v: %v", c, err)
		}
	}
	if _, err := Fit(0, nil); err == nil {
		t.Error("nobody was rated")
	}
}
