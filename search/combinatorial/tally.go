package combinatorial

import "math"

// tally is the visits of something, those in flight among them, and the sum of the goals
// that came of them.
type tally struct {
	sum    float64
	visits uint32
}

// mean is that of the goals; 0 without visits. What is in flight counts as lost.
func (t tally) mean() float64 {
	if t.visits == 0 {
		return 0
	}
	return t.sum / float64(t.visits)
}

// upper is the upper confidence bound of a mean, where log is the logarithm of the visits of
// all that it is compared with (section 3.1.1). What has no visits, for they were taken back
// at the end of a search, comes first.
func (t tally) upper(exploration, log float64) float64 {
	if t.visits == 0 {
		return math.Inf(1)
	}
	n := float64(t.visits)
	return t.sum/n + exploration*math.Sqrt(log/n)
}

// influence is how much the results differ between the values of a dimension: the variance
// between their means, for as many samples as there are, by degree of freedom. All
// dimensions have the same samples, so it tells them apart as an F test does.
func influence(values []tally) float64 {
	var all tally
	for _, t := range values {
		all.sum += t.sum
		all.visits += t.visits
	}
	if all.visits == 0 || len(values) < 2 {
		return 0
	}
	between := 0.0
	for _, t := range values {
		difference := t.mean() - all.mean()
		between += float64(t.visits) * difference * difference
	}
	return between / float64(len(values)-1)
}
