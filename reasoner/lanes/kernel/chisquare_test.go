package kernel

import "math"

// tooFar tells whether a chi-square sum over n counts is above what is
// expected in all but about one of 100,000 tests (Wilson and Hilferty's
// approximation; 4.26 standard deviations).
func tooFar(sum float64, n int) bool {
	k := float64(n - 1)
	z := (math.Cbrt(sum/k) - (1 - 2/(9*k))) / math.Sqrt(2/(9*k))
	return z > 4.26
}
