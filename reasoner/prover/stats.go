package prover

import (
	"math"

	"semisplit/reasoner/gdl"
)

// stats are what a few random playouts showed of the sizes of things. A nil
// *stats guesses.
type stats struct {
	states  int
	fluents map[fluentName]*fluentStats
	calls   map[patternKey]float64 // tables
	answers map[patternKey]float64 // rows of these tables
	total   float64                // fluents
}

type fluentStats struct {
	rows     float64   // summed over the states
	distinct []float64 // values by column, summed over the states
}

// stored estimates the rows of a stored relation that match a literal.
func (s *stats) stored(c *compiler, l *gdl.Literal, have []bool) float64 {
	switch {
	case l.Rel == gdl.RelTrue:
		return s.fluent(l.Args[0], have)
	case l.Rel == gdl.RelDoes:
		n := float64(len(c.p.Roles))
		if covered(l.Args[0], have) {
			n = 1
		}
		if t := l.Args[1]; t.Var < 0 || have[t.Var] {
			n *= 0.6
			if covered(t, have) {
				n *= 0.2
			}
		}
		return n
	}
	r := c.statics[l.Rel]
	n := float64(r.n)
	for i, a := range l.Args {
		if covered(a, have) {
			n /= math.Max(1, float64(r.distinct(i)))
		}
	}
	return n
}

// selected estimates the rows of a selection that match a literal: there is
// one at most.
func selected(l *gdl.Literal, have []bool) float64 {
	n := 0.8
	for _, a := range l.Args {
		if covered(a, have) {
			n *= 0.3
		}
	}
	return n
}

func (s *stats) fluent(t gdl.Term, have []bool) float64 {
	if t.Var >= 0 || len(t.Args) == 0 {
		if t.Var < 0 || have[t.Var] {
			return 0.3
		}
		if s == nil {
			return 50
		}
		return s.total / float64(s.states)
	}
	name := fluentName{t.Name, len(t.Args)}
	if s == nil || s.fluents[name] == nil {
		n := 20.0
		for _, a := range t.Args {
			if covered(a, have) {
				n /= 6
			}
		}
		return n
	}
	f := s.fluents[name]
	n := f.rows / float64(s.states)
	for i, a := range t.Args {
		if covered(a, have) {
			n /= math.Max(1, f.distinct[i]/float64(s.states))
		}
	}
	return n
}

// derived estimates the answers to a call.
func (s *stats) derived(c *compiler, l *gdl.Literal, have []bool) float64 {
	adorn := make([]byte, len(l.Args))
	guess := 0.5
	for i, a := range l.Args {
		adorn[i] = bound
		if !covered(a, have) {
			adorn[i] = free
			guess *= 6
		}
	}
	if s != nil {
		k := patternKey{l.Rel, string(adorn)}
		if n := s.calls[k]; n >= 5 {
			return s.answers[k] / n
		}
	}
	return min(guess, 1000)
}
