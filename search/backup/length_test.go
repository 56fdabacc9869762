package backup

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestLengths holds the running figures against those of the samples.
func TestLengths(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	var s lengths
	for range 50_000 {
		if early := s.add(30 + 5*rng.NormFloat64()); math.Abs(early) > 1 {
			t.Fatalf("early %v", early)
		}
	}
	if math.Abs(s.mean-30) > 0.5 || math.Abs(s.variance-25) > 3 {
		t.Errorf("mean %.2f, variance %.2f of samples with 30 and 25", s.mean, s.variance)
	}
	if early := s.add(20); early < 0.9 {
		t.Errorf("two deviations early counts %v", early)
	}
	if early := s.add(40); early > -0.9 {
		t.Errorf("two deviations late counts %v", early)
	}
}
