package player

import "math"

// Bounds on what calibrate may change.
const (
	leastScale = 0.5
	mostScale  = 4
	scaleSteps = 40
	leastEnds  = 200 // positions of matches
)

// calibrate scales an evaluation so that it predicts how matches end. The means
// of playouts, which it is learned of, say who is ahead but not by how much:
// of random play a lead of a piece makes little. One number for each role is
// found even from few matches.
func (e *Evaluation) calibrate(ends []ending) {
	e.Scales = make([]float64, e.roles)
	for r := range e.Scales {
		e.Scales[r] = 1
	}
	if len(ends) < leastEnds {
		return
	}
	values := make([]float64, e.roles)
	for r := range e.roles {
		scores, goals := make([]float64, len(ends)), make([]float64, len(ends))
		for i, end := range ends {
			e.Values(end.state, values)
			v := min(max(values[r], 1e-9), 1-1e-9)
			scores[i], goals[i] = math.Log(v/(1-v)), float64(end.goals[r])
		}
		scale := bestScale(scores, goals)
		e.Scales[r] = scale
	}
	for r, scale := range e.Scales {
		e.bias[r] *= scale
		for at := r; at < len(e.weights); at += e.roles {
			e.weights[at] *= float32(scale)
		}
	}
}

// bestScale is the factor of the scores with the least cross entropy, found by
// golden section: the error is convex in it.
func bestScale(scores, goals []float64) float64 {
	loss := func(scale float64) (sum float64) {
		for i, s := range scores {
			x := s * scale
			// log(1+e^x) - goal*x, without overflow.
			sum += math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) - goals[i]*x
		}
		return sum
	}
	low, high := float64(leastScale), float64(mostScale)
	ratio := (math.Sqrt(5) - 1) / 2
	for range scaleSteps {
		a, b := high-ratio*(high-low), low+ratio*(high-low)
		if loss(a) < loss(b) {
			high = b
		} else {
			low = a
		}
	}
	return (low + high) / 2
}
