package arena

import (
	"fmt"
	"math"
	"slices"
)

// SPRT is a sequential test of the win rate: it ends a series of plays as soon
// as one of two hypotheses can be accepted, that the agent's win rate is Rate0
// or that it is Rate1. In a spec the rates may be given as differences in Elo.
type SPRT struct {
	Elo0  *float64 `json:"elo0,omitempty"`
	Elo1  *float64 `json:"elo1,omitempty"`
	Rate0 float64  `json:"rate0,omitempty"` // in [0, 1]
	Rate1 float64  `json:"rate1,omitempty"`
	Alpha float64  `json:"alpha"` // probability of accepting Rate1 though Rate0 is true
	Beta  float64  `json:"beta"`  // and the other way round
}

// settle turns Elo into rates, fills in what is missing, and checks.
func (t *SPRT) settle() error {
	if t.Elo0 != nil || t.Elo1 != nil {
		if t.Elo0 == nil || t.Elo1 == nil || t.Rate0 != 0 || t.Rate1 != 0 {
			return fmt.Errorf("sprt: give both elo0 and elo1, or both rate0 and rate1")
		}
		t.Rate0, t.Rate1 = rateOfElo(*t.Elo0), rateOfElo(*t.Elo1)
		t.Elo0, t.Elo1 = nil, nil
	}
	if t.Alpha == 0 {
		t.Alpha = 0.05
	}
	if t.Beta == 0 {
		t.Beta = 0.05
	}
	if !(t.Rate0 > 0 && t.Rate0 < t.Rate1 && t.Rate1 < 1) {
		return fmt.Errorf("sprt: rate0 %v and rate1 %v must rise, between 0 and 1", t.Rate0, t.Rate1)
	}
	for _, p := range []float64{t.Alpha, t.Beta} {
		if !(p > 0 && p < 0.5) {
			return fmt.Errorf("sprt: alpha and beta are probabilities of an error, above 0 and below 0.5; not %v", p)
		}
	}
	return nil
}

// rateOfElo is the expected score at a difference in Elo.
func rateOfElo(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// Bounds of the log-likelihood ratio: at or below low Rate0 is accepted, at or
// above high Rate1.
func (t SPRT) Bounds() (low, high float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// Decide gives the verdict on a ratio.
func (t SPRT) Decide(ratio float64) Verdict {
	switch low, high := t.Bounds(); {
	case ratio <= low:
		return AcceptRate0
	case ratio >= high:
		return AcceptRate1
	}
	return Undecided
}

// Verdict is the outcome of a sequential test.
type Verdict int

// The verdicts.
const (
	Undecided Verdict = iota
	AcceptRate0
	AcceptRate1
)

// String tells how the test stands.
func (v Verdict) String() string {
	return map[Verdict]string{Undecided: "undecided", AcceptRate0: "rate0", AcceptRate1: "rate1"}[v]
}

// scarce stands for the count of a result that has not occurred. Without it,
// a series of wins alone would have no likelihood under the other hypothesis.
const scarce = 1e-3

// Ratio is the generalised log-likelihood ratio of Rate1 over Rate0 for the
// mean scores of sets, each in [0, 1]. A set is the unit because its plays are
// not independent (two plays of a set give five results, the "pentanomial"
// model of the frameworks that test chess programs). See Van den Bergh, "A
// practical introduction to the GSPRT".
func (t SPRT) Ratio(sets []float64) float64 {
	counts := map[float64]float64{}
	for _, s := range sets {
		counts[s]++
	}
	return t.ratio(counts)
}

func (t SPRT) ratio(counts map[float64]float64) float64 {
	var d distribution
	for _, value := range []float64{0, 0.25, 0.5, 0.75, 1} {
		if counts[value] == 0 {
			d = append(d, point{value, scarce})
		}
	}
	for value, count := range counts {
		if count > 0 {
			d = append(d, point{value, count})
		}
	}
	slices.SortFunc(d, func(a, b point) int { // sums must not depend on the order of a map
		if a.value < b.value {
			return -1
		}
		return 1
	})
	tilt0, tilt1 := d.tilt(t.Rate0), d.tilt(t.Rate1)
	ratio := 0.0
	for _, p := range d {
		ratio += p.count * (math.Log1p(tilt0*(p.value-t.Rate0)) - math.Log1p(tilt1*(p.value-t.Rate1)))
	}
	return ratio
}

// sequential is a test on its way, set by set.
type sequential struct {
	counts  map[float64]float64
	ratio   float64
	verdict Verdict
}

// add takes the mean score of one more set.
func (s *sequential) add(t *SPRT, mean float64) {
	if s.counts == nil {
		s.counts = map[float64]float64{}
	}
	s.counts[mean]++
	s.ratio = t.ratio(s.counts)
	s.verdict = t.Decide(s.ratio)
}

// distribution says how often each value occurred, in rising order.
type distribution []point

type point struct{ value, count float64 }

// tilt finds x such that the probabilities p(v)/(1+x(v-mean)) have the given
// mean, where p(v) are the observed frequencies: these are the most likely
// ones with that mean. The mean must be inside the range of the values.
func (d distribution) tilt(mean float64) float64 {
	least, most := d[0].value, d[len(d)-1].value
	low, high := -1/(most-mean), 1/(mean-least) // all probabilities are positive between these
	for range 200 {
		x := (low + high) / 2
		excess := 0.0
		for _, p := range d {
			excess += p.count * (p.value - mean) / (1 + x*(p.value-mean))
		}
		if excess > 0 { // it falls with x
			low = x
		} else {
			high = x
		}
	}
	return (low + high) / 2
}
