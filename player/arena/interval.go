package arena

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Level is the confidence of all intervals.
const Level = 0.95

// Estimate is a mean win rate with its interval, in [0, 1].
type Estimate struct {
	N         int // scores
	Mean      float64
	Low, High float64
	SE        float64 // standard error of the mean
	freedom   float64 // degrees of freedom of SE
}

// MeanOf estimates the mean of scores in [0, 1] by Student's t: mean ± t·s/√n
// with the sample's own deviation s, as in the tables of the papers (which
// follow Haworth, "Self-play: statistical significance", ICGA Journal 2003).
// Draws make s smaller, as they should. Scores that are all equal have no
// deviation, and the papers give no interval then: it is Wilson's here. Less
// than two scores say nothing: their interval is all of [0, 1].
func MeanOf(scores []float64) Estimate {
	n := len(scores)
	if n < 2 {
		e := Estimate{N: n, Mean: 0.5, High: 1, SE: math.Inf(1), freedom: 1}
		if n == 1 {
			e.Mean = scores[0]
		}
		return e
	}
	mean, deviation := stat.MeanStdDev(scores, nil)
	e := Estimate{N: n, Mean: mean, freedom: float64(n - 1)}
	if deviation == 0 {
		e.Low, e.High = wilson(mean, float64(n))
		e.SE = (e.High - e.Low) / 2 / normalQuantile()
		return e
	}
	e.SE = deviation / math.Sqrt(float64(n))
	e.around(e.SE * studentQuantile(e.freedom))
	return e
}

// MeanOverGames is the mean of the games' means, each game counting the same
// however many plays it has. The interval is for these very games, from the
// errors of their means, with the degrees of freedom of Welch and
// Satterthwaite.
func MeanOverGames(games []Estimate) Estimate {
	var mean, variance, fourth float64
	plays := 0
	for _, g := range games {
		mean += g.Mean
		plays += g.N
		square := g.SE * g.SE
		variance += square
		fourth += square * square / g.freedom
	}
	count := float64(len(games))
	e := Estimate{N: plays, Mean: mean / count, SE: math.Sqrt(variance) / count, freedom: variance * variance / fourth}
	if len(games) == 0 || math.IsInf(variance, 0) || variance == 0 {
		e.Mean, e.Low, e.High, e.SE, e.freedom = ifNumber(e.Mean, 0.5), 0, 1, math.Inf(1), 1
		return e
	}
	e.around(e.SE * studentQuantile(e.freedom))
	return e
}

// Percent writes an estimate in percent with its interval: 62.5 (56.3 to 68.7).
func (e Estimate) Percent() string {
	return fmt.Sprintf("%.1f (%.1f to %.1f)", 100*e.Mean, 100*e.Low, 100*e.High)
}

// TooFew tells whether there are too few scores to say much: the interval is
// wider than half of what is possible.
func (e Estimate) TooFew() bool { return e.N < 2 || e.High-e.Low > 0.5 }

func ifNumber(v, otherwise float64) float64 {
	if math.IsNaN(v) {
		return otherwise
	}
	return v
}

// around sets the interval, which does not leave [0, 1].
func (e *Estimate) around(half float64) {
	e.Low, e.High = max(0, e.Mean-half), min(1, e.Mean+half)
}

// Standing tells on which side of one half a whole interval lies.
type Standing int

// The standings: the papers count games as better:similar:worse.
const (
	Similar Standing = iota
	Better
	Worse
)

// Standing of the estimate.
func (e Estimate) Standing() Standing {
	switch {
	case e.Low > 0.5:
		return Better
	case e.High < 0.5:
		return Worse
	}
	return Similar
}

func normalQuantile() float64 { return distuv.UnitNormal.Quantile(0.5 + Level/2) }

func studentQuantile(freedom float64) float64 {
	return distuv.StudentsT{Sigma: 1, Nu: freedom}.Quantile(0.5 + Level/2)
}

// wilson is Wilson's score interval of a proportion.
func wilson(p, n float64) (low, high float64) {
	z := normalQuantile()
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return max(0, middle-half), min(1, middle+half)
}
