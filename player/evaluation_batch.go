package player

import (
	"math"
	"math/rand/v2"
	"time"

	"semisplit/kif"
)

// Learning from a number of samples passes over them again and again.
const (
	mostEpochs    = 40
	patientEpochs = 3 // without less error on what is held out, after which the best weights are final
)

// heldOut tells whether a match is for measuring the evaluation only.
func (s *sample) heldOut() bool { return s.match%5 == 0 }

// divided are the samples to learn from and those held out.
func divided(samples []sample) (train, test []*sample) {
	for i := range samples {
		if samples[i].heldOut() {
			test = append(test, &samples[i])
		} else {
			train = append(train, &samples[i])
		}
	}
	return train, test
}

// learn fits an evaluation to samples, until a moment. nil: there are none.
func learn(f *features, roles []kif.Term, samples []sample, seed uint64, until time.Time) *Evaluation {
	train, test := divided(samples)
	if len(train) == 0 || len(test) == 0 {
		return nil
	}
	r := newRegression(f, len(roles), batchRate)
	means := meansOf(train, len(roles))
	for role, mean := range means {
		mean = min(max(mean, 0.01), 0.99)
		r.bias[role] = math.Log(mean / (1 - mean))
	}
	random := rand.New(rand.NewPCG(seed, 17))
	best, bestError, bad := r.evaluation(), r.errorOn(test), 0
	for epoch := 0; epoch < mostEpochs && bad < patientEpochs && time.Now().Before(until); epoch++ {
		random.Shuffle(len(train), func(i, j int) { train[i], train[j] = train[j], train[i] })
		for i, s := range train {
			if r.step(s); i%1024 == 0 && !time.Now().Before(until) {
				break
			}
		}
		if e := r.errorOn(test); e < bestError {
			best, bestError, bad = r.evaluation(), e, 0
		} else {
			bad++
		}
	}
	best.Samples = len(train)
	best.Quality = qualityOf(best, test)
	best.Features = strongest(r, roles)
	return best
}

// meansOf are the mean values by role.
func meansOf(samples []*sample, roles int) []float64 {
	means := make([]float64, roles)
	for _, s := range samples {
		for r, v := range s.values {
			means[r] += float64(v) / float64(len(samples))
		}
	}
	return means
}

// errorOn is the mean squared error, over all roles.
func (r *regression) errorOn(samples []*sample) (sum float64) {
	for _, s := range samples {
		r.look(s.state)
		for role, v := range r.values {
			d := v - float64(s.values[role])
			sum += d * d
		}
	}
	return sum / float64(len(samples))
}
