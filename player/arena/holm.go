package arena

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// PValue is the probability, were both agents equally strong, of a mean score
// that is at least as far from one half: by Student's t, and where all scores
// are equal by the sign test. It is 1 for less than two scores.
func PValue(scores []float64) float64 {
	n := len(scores)
	if n < 2 {
		return 1
	}
	mean, deviation := stat.MeanStdDev(scores, nil)
	switch {
	case deviation > 0:
		t := math.Abs(mean-0.5) / deviation * math.Sqrt(float64(n))
		return 2 * distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}.CDF(-t)
	case mean == 0.5:
		return 1
	}
	return math.Ldexp(1, 1-n)
}

// Holm tells which of several hypotheses are rejected at a level that holds
// for all of them together, by Holm's step-down procedure.
func Holm(p []float64, level float64) []bool {
	order := make([]int, len(p))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case p[a] < p[b]:
			return -1
		case p[a] > p[b]:
			return 1
		}
		return 0
	})
	rejected := make([]bool, len(p))
	for i, which := range order {
		if p[which] > level/float64(len(p)-i) {
			break
		}
		rejected[which] = true
	}
	return rejected
}
