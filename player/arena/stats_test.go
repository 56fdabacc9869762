package arena

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"semisplit/player/local"
)

// results are so many wins, draws and losses.
func results(wins, draws, losses int) []float64 {
	return slices.Concat(slices.Repeat([]float64{1}, wins), slices.Repeat([]float64{0.5}, draws), slices.Repeat([]float64{0}, losses))
}

// TestPublishedIntervals recomputes intervals that were published for series
// of 240 plays without draws (table 5.3 of the thesis on semisplit search).
func TestPublishedIntervals(t *testing.T) {
	for _, want := range []string{
		"98.3 ±1.6", "78.8 ±5.2", "55.0 ±6.3", "55.4 ±6.3", "62.5 ±6.2", "50.8 ±6.4", "50.0 ±6.4",
		"97.1 ±2.1", "91.2 ±3.6", "80.0 ±5.1", "72.5 ±5.7", "51.7 ±6.4",
	} {
		var rate float64
		if _, err := fmt.Sscanf(want, "%f", &rate); err != nil {
			t.Fatal(err)
		}
		wins := int(math.Round(rate / 100 * 240))
		e := MeanOf(results(wins, 0, 240-wins))
		// The published rates are cut or rounded to one digit.
		got := fmt.Sprintf("±%.1f", 100*(e.Mean-e.Low))
		if math.Abs(100*e.Mean-rate) > 0.1 || got != want[len(want)-len(got):] {
			t.Errorf("%d of 240: %.2f %s, published %s", wins, 100*e.Mean, got, want)
		}
	}
}

// TestWilson compares with the table of Newcombe (1998), "Two-sided confidence
// intervals for the single proportion", method 3.
func TestWilson(t *testing.T) {
	for _, c := range []struct{ wins, n, low, high float64 }{
		{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718},
	} {
		low, high := wilson(c.wins/c.n, c.n)
		if math.Abs(low-c.low) > 5e-5 || math.Abs(high-c.high) > 5e-5 {
			t.Errorf("%v of %v: %.4f to %.4f, published %.4f to %.4f", c.wins, c.n, low, high, c.low, c.high)
		}
	}
}

func TestMeanOfFewAndEqualScores(t *testing.T) {
	for _, c := range []struct {
		scores    []float64
		mean      float64
		low, high float64
		standing  Standing
	}{
		{nil, 0.5, 0, 1, Similar},
		{[]float64{1}, 1, 0, 1, Similar},
		{results(0, 10, 0), 0.5, 0.2366, 0.7634, Similar}, // Wilson for 5 of 10
		{results(20, 0, 0), 1, 0.8389, 1, Better},
		{results(0, 0, 20), 0, 0, 0.1611, Worse},
	} {
		e := MeanOf(c.scores)
		if e.Mean != c.mean || math.Abs(e.Low-c.low) > 5e-5 || math.Abs(e.High-c.high) > 5e-5 || e.Standing() != c.standing {
			t.Errorf("%v: %+v", c.scores, e)
		}
	}
}

// TestCoverage draws series and counts how often the intervals hold the rate
// that they were drawn with.
func TestCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	random := rand.New(rand.NewPCG(1, 2))
	const series, games, plays = 3000, 4, 40
	rates := [games]float64{0.3, 0.5, 0.65, 0.8}
	inside, insideMean := 0, 0
	for range series {
		var all []Estimate
		for g, rate := range rates {
			scores := make([]float64, plays)
			for i := range scores {
				if random.Float64() < rate {
					scores[i] = 1
				}
			}
			e := MeanOf(scores)
			if all = append(all, e); g == 1 && e.Low <= rate && rate <= e.High {
				inside++
			}
		}
		if m := MeanOverGames(all); m.Low <= 0.5625 && 0.5625 <= m.High {
			insideMean++
		}
	}
	for what, n := range map[string]int{"one game": inside, "mean over games": insideMean} {
		if got := float64(n) / series; got < 0.93 || got > 0.97 {
			t.Errorf("%s: %.3f of the intervals hold the rate, want %v", what, got, Level)
		}
	}
}

// TestPublishedRatios are values of the framework fastchess, with two decimals.
func TestPublishedRatios(t *testing.T) {
	five := func(counts ...float64) map[float64]float64 {
		m := map[float64]float64{}
		for i, n := range counts {
			m[float64(i)/4] = n
		}
		return m
	}
	three := func(wins, losses, draws float64) map[float64]float64 {
		return map[float64]float64{0: losses, 0.5: draws, 1: wins}
	}
	for _, c := range []struct {
		counts     map[float64]float64
		elo0, elo1 float64
		want       float64
	}{
		{three(21404, 21184, 40708), 0.5, 2.5, -1.57},
		{three(57433, 57030, 106593), 0, 2, -2.59},
		{five(223, 9863, 20279+1000, 10037, 246), 0.5, 2.5, -3.07},
		{five(871, 26175, 55003+980, 26678, 821), 0, 2, -4.98},
	} {
		test := SPRT{Rate0: rateOfElo(c.elo0), Rate1: rateOfElo(c.elo1)}
		if got := test.ratio(c.counts); math.Abs(got-c.want) > 0.01 {
			t.Errorf("%v: %.3f, published %.2f", c.counts, got, c.want)
		}
	}
}

// TestRatioByBruteForce finds the most likely probabilities by walking through
// all of them.
func TestRatioByBruteForce(t *testing.T) {
	counts := map[float64]float64{0: 7, 0.5: 5, 1: 12}
	likelihood := func(mean float64) float64 {
		best := math.Inf(-1)
		for i := 1; i < 200000; i++ {
			draw := float64(i) / 200000
			win := mean - draw/2
			if lose := 1 - win - draw; win > 0 && lose > 0 {
				best = max(best, 12*math.Log(win)+5*math.Log(draw)+7*math.Log(lose))
			}
		}
		return best
	}
	test := SPRT{Rate0: 0.45, Rate1: 0.6}
	want := likelihood(test.Rate1) - likelihood(test.Rate0)
	if got := test.ratio(counts); math.Abs(got-want) > 0.02 { // quarters are scarce, not impossible
		t.Errorf("%.4f, by brute force %.4f", got, want)
	}
}

// TestErrorsOfSPRT plays out tests under either hypothesis.
func TestErrorsOfSPRT(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	random := rand.New(rand.NewPCG(3, 4))
	test := SPRT{Rate0: 0.5, Rate1: 0.6, Alpha: 0.05, Beta: 0.05}
	const series = 400
	wrong := func(rate float64, mistake Verdict) float64 {
		n := 0
		for range series {
			counts := map[float64]float64{}
			verdict := Undecided
			for verdict == Undecided {
				counts[float64(rand01(random, rate)+rand01(random, rate))/2]++
				verdict = test.Decide(test.ratio(counts))
			}
			if verdict == mistake {
				n++
			}
		}
		return float64(n) / series
	}
	for _, c := range []struct {
		rate    float64
		mistake Verdict
	}{{test.Rate0, AcceptRate1}, {test.Rate1, AcceptRate0}} {
		if got := wrong(c.rate, c.mistake); got > 0.08 || got < 0.01 {
			t.Errorf("at %v the wrong hypothesis is accepted with probability %.3f, want 0.05", c.rate, got)
		}
	}
}

func rand01(random *rand.Rand, rate float64) int {
	if random.Float64() < rate {
		return 1
	}
	return 0
}

func TestSettleSPRT(t *testing.T) {
	zero, thirty := 0.0, 30.0
	test := SPRT{Elo0: &zero, Elo1: &thirty}
	if err := test.settle(); err != nil || test.Rate0 != 0.5 || math.Abs(test.Rate1-0.5431) > 5e-5 || test.Alpha != 0.05 {
		t.Errorf("%+v, %v", test, err)
	}
	for _, bad := range []SPRT{{}, {Rate0: 0.6, Rate1: 0.5}, {Elo0: &zero}, {Elo0: &zero, Elo1: &thirty, Rate0: 0.5}, {Rate0: 0.5, Rate1: 0.6, Alpha: 0.7}} {
		if bad.settle() == nil {
			t.Errorf("accepted: %+v", bad)
		}
	}
}

// TestHolm is the usual example of the procedure with four hypotheses.
func TestHolm(t *testing.T) {
	if got := Holm([]float64{0.01, 0.04, 0.03, 0.005}, 0.05); !slices.Equal(got, []bool{true, false, false, true}) {
		t.Error(got)
	}
}

func TestPValue(t *testing.T) {
	for _, c := range []struct {
		scores []float64
		want   float64
	}{
		{nil, 1},
		{results(0, 7, 0), 1},
		{results(6, 0, 0), 0.03125}, // both tails of the sign test
		{results(0, 0, 6), 0.03125},
	} {
		if got := PValue(c.scores); got != c.want {
			t.Errorf("%v: %v, want %v", c.scores, got, c.want)
		}
	}
	for wins := range 13 { // the interval leaves one half out where p is small
		scores := results(wins, 4, 12-wins)
		if p, e := PValue(scores), MeanOf(scores); (e.Standing() != Similar) != (p < 1-Level) {
			t.Errorf("%d wins: p %v, interval %v to %v", wins, p, e.Low, e.High)
		}
	}
	// By permutations of signs: the exact test that Student's t approaches.
	scores := []float64{1, 1, 0.6, 0.9, 0, 0.7, 1, 0.55, 0.8, 0.65, 0.2, 0.9}
	extreme, all := 0, 1<<len(scores)
	observed := 0.0
	for _, s := range scores {
		observed += s - 0.5
	}
	for signs := range all {
		sum := 0.0
		for i, s := range scores {
			if signs>>i&1 != 0 {
				sum += s - 0.5
			} else {
				sum -= s - 0.5
			}
		}
		if math.Abs(sum) >= math.Abs(observed) {
			extreme++
		}
	}
	exact := float64(extreme) / float64(all)
	if got := PValue(scores); math.Abs(got-exact) > 0.01 {
		t.Errorf("p %.3f, by permutations %.3f", got, exact)
	}
}

// TestPool: whole sets count, of all games; what failed does not.
func TestPool(t *testing.T) {
	p := &Plan{Games: []Game{{Label: "a", plays: make([][]local.Seating, 2)}, {Label: "b", plays: make([][]local.Seating, 1)}}}
	test, err := NewSPRT(-50, 50)
	if err != nil {
		t.Fatal(err)
	}
	plays := []Play{
		{Game: "a", Number: 1, Score: 1}, {Game: "b", Number: 0, Score: 0.5}, {Game: "a", Number: 0, Score: 0.5}, {Game: "a", Number: 2, Score: 1},
		{Game: "a", Number: 3, Error: "x", LeftOut: true}, {Game: "b", Number: 1, Error: "y"},
	}
	got := Pool(p.Games, 1000, plays, test)
	if got.N != 2 || got.Plays != 4 || got.Points != 3 || got.Mean != 0.625 || got.LeftOut != 1 || got.Failed != 1 || got.Verdict != Undecided || got.Ratio != test.Ratio([]float64{0.75, 0.5}) {
		t.Errorf("%+v", got)
	}
	for number := range 20 { // the plays of b take longer
		plays = append(plays, Play{Game: "a", Number: 4 + 2*number, Score: 1}, Play{Game: "a", Number: 5 + 2*number, Score: 1})
	}
	if got := Pool(p.Games, 1000, plays, test); got.Verdict != Undecided || got.N != 22 || got.Ratio != test.Ratio([]float64{0.75, 0.5, 1}) {
		t.Errorf("sets of one game alone: %+v", got)
	}
	for number := range 20 {
		plays = append(plays, Play{Game: "b", Number: 2 + number, Score: 1})
	}
	decided := Pool(p.Games, 1000, plays, test)
	if decided.Verdict != AcceptRate1 {
		t.Errorf("%+v", decided)
	}
	// Games have as many plays, so one whose sets have more of them has fewer sets.
	six := slices.DeleteFunc(slices.Clone(plays), func(p Play) bool { return p.Number >= 6 })
	if got := Pool(p.Games, 6, six, test); got.N != 2+5 || got.Ratio != test.Ratio([]float64{0.75, 0.5, 1, 1, 1, 1, 1}) {
		t.Errorf("with sets of two sizes: %+v", got)
	}
	for number := range 200 { // what was begun before the test decided changes nothing
		plays = append(plays, Play{Game: "a", Number: 44 + number}, Play{Game: "b", Number: 22 + number})
	}
	if got := Pool(p.Games, 1000, plays, test); got.Verdict != decided.Verdict || got.Ratio != decided.Ratio {
		t.Errorf("%+v after %+v", got, decided)
	}
	for _, elo := range []float64{-300, 0, 17} {
		if got := Elo(rateOfElo(elo)); math.Abs(got-elo) > 1e-9 {
			t.Errorf("Elo %v became %v", elo, got)
		}
	}
}
