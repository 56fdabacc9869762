package choice

import "math"

// pairing is the trial matches of two candidates, by their indices.
type pairing struct {
	a, b   int
	plays  int
	points float64 // of a
}

// ratings estimates how strong candidates are, on the scale where a difference
// d stands for an expected score of 1/(1+exp(-d)) (Bradley, Terry 1952). Each
// has a prior: what its expected score against the reference agent was before,
// worth so many plays. It is the mode of the posterior, found by Newton's
// method one after the other, which ends in the same place from anywhere as long as
// its steps are short: where a result is a surprise they would lead too far, to and fro.
func ratings(priors, worth []float64, all []pairing) []float64 {
	const sweeps, longest = 100, 1.0
	means, strengths := make([]float64, len(priors)), make([]float64, len(priors))
	for i, p := range priors {
		means[i] = oddsOf(p)
	}
	copy(strengths, means)
	for range sweeps {
		for i := range strengths {
			precision := worth[i] / 4 // each play of equals tells 1/4
			slope, bend := precision*(means[i]-strengths[i]), precision
			for _, r := range all {
				own, other := r.points, r.b
				if r.b == i {
					own, other = float64(r.plays)-r.points, r.a
				} else if r.a != i {
					continue
				}
				p := expected(strengths[i] - strengths[other])
				slope += own - float64(r.plays)*p
				bend += float64(r.plays) * p * (1 - p)
			}
			strengths[i] += min(max(slope/bend, -longest), longest)
		}
	}
	return strengths
}

// expected is the expected score of who is stronger by d.
func expected(d float64) float64 { return 1 / (1 + math.Exp(-d)) }
