package regression

import (
	"math"
	"math/rand/v2"
	"time"

	"semisplit/kif"
	"semisplit/player/evaluation"
)

// Learning from a number of samples passes over them again and again.
const (
	heldOutEvery  = 5 // matches
	mostEpochs    = 40
	patientEpochs = 3 // without less error on what is held out, after which the best weights are final
)

// HeldOut tells whether a match is for measuring the evaluation only.
func (s *Sample) HeldOut() bool { return s.Match%heldOutEvery == 0 }

// Divide returns the samples to learn from and those held out.
func Divide(samples []Sample) (train, test []*Sample) {
	for i := range samples {
		if samples[i].HeldOut() {
			test = append(test, &samples[i])
		} else {
			train = append(train, &samples[i])
		}
	}
	return train, test
}

// breadths are bounds on the closed arguments of features: those that leave all
// arguments open but one or two need few samples, all features need many.
var breadths = []uint8{1, 2, evaluation.MostClosed}

// Fit fits an evaluation to samples, until a moment, with all features or
// with broad ones alone, whichever predict better what was held out. nil: there are
// no samples.
func Fit(f *evaluation.Features, roles []kif.Term, samples []Sample, seed uint64, until time.Time) (best *evaluation.Evaluation) {
	least := math.Inf(1)
	for i, closed := range breadths {
		part := time.Until(until) / time.Duration(len(breadths)-i)
		if e, err := fitClosed(f, closed, roles, samples, seed, time.Now().Add(part)); e != nil && err < least {
			best, least = e, err
		}
	}
	return best
}

// fitClosed fits features that close so many arguments at most, and tells the
// squared error on what was held out as well.
func fitClosed(f *evaluation.Features, closed uint8, roles []kif.Term, samples []Sample, seed uint64, until time.Time) (*evaluation.Evaluation, float64) {
	train, test := Divide(samples)
	if len(train) == 0 || len(test) == 0 {
		return nil, 0
	}
	r := newRegression(f, len(roles), batchRate)
	r.closed = closed
	means := meansOf(train, len(roles))
	for role, mean := range means {
		mean = min(max(mean, 0.01), 0.99)
		r.bias[role] = math.Log(mean / (1 - mean))
	}
	random := rand.New(rand.NewPCG(seed, 17))
	best, bestError, bad := r.Evaluation(), r.errorOn(test), 0
	for epoch := 0; epoch < mostEpochs && bad < patientEpochs && time.Now().Before(until); epoch++ {
		random.Shuffle(len(train), func(i, j int) { train[i], train[j] = train[j], train[i] })
		for i, s := range train {
			if r.Step(s); i%1024 == 0 && !time.Now().Before(until) {
				break
			}
		}
		if e := r.errorOn(test); e < bestError {
			best, bestError, bad = r.Evaluation(), e, 0
		} else {
			bad++
		}
	}
	best.Samples = len(train)
	best.Features = r.Strongest(roles)
	return best, bestError
}

// meansOf are the mean values by role.
func meansOf(samples []*Sample, roles int) []float64 {
	means := make([]float64, roles)
	for _, s := range samples {
		for r, v := range s.Values {
			means[r] += float64(v) / float64(len(samples))
		}
	}
	return means
}

// errorOn is the mean squared error, over all roles.
func (r *Regression) errorOn(samples []*Sample) (sum float64) {
	for _, s := range samples {
		r.look(s.State)
		for role, v := range r.values {
			d := v - float64(s.Values[role])
			sum += d * d
		}
	}
	return sum / float64(len(samples))
}
