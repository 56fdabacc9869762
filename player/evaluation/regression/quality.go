package regression

import "semisplit/player/evaluation"

// Quality measures an evaluation on positions that it was not learned from, of
// which so many are independent of each other.
func Quality(e *evaluation.Evaluation, test []*Sample, independent int) []evaluation.Quality {
	quality, values := make([]evaluation.Quality, e.Roles()), make([]float64, e.Roles())
	sums := make([]Moments, e.Roles())
	for _, s := range test {
		e.Values(s.State, values)
		for role, v := range values {
			sums[role].Add(v, float64(s.Values[role]))
		}
	}
	for role := range quality {
		quality[role] = sums[role].Quality(independent)
	}
	return quality
}

// Moments are sums over pairs of what was predicted and what it came to.
type Moments struct{ n, x, y, xx, xy, yy, errors float64 }

// Add adds a pair.
func (m *Moments) Add(x, y float64) {
	m.n, m.x, m.y, m.xx, m.xy, m.yy = m.n+1, m.x+x, m.y+y, m.xx+x*x, m.xy+x*y, m.yy+y*y
	m.errors += (x - y) * (x - y)
}

// Quality is how well was predicted; so many of the pairs are independent.
func (m *Moments) Quality(independent int) evaluation.Quality {
	constant := m.constant()
	return evaluation.Quality{Error: m.errors / max(m.n, 1), Constant: constant, Fitted: m.fitted() + constant/float64(max(independent, 1))}
}

// constant is the mean squared error of the best constant for y.
func (m *Moments) constant() float64 {
	if m.n == 0 {
		return 0
	}
	return max(0, m.yy/m.n-m.y/m.n*m.y/m.n)
}

// fitted is that of the best line in x that does not fall.
func (m *Moments) fitted() float64 {
	spread, common := m.xx-m.x*m.x/max(m.n, 1), m.xy-m.x*m.y/max(m.n, 1)
	if spread <= 0 || common <= 0 {
		return m.constant()
	}
	return max(0, m.constant()-common*common/spread/m.n)
}

// Matches counts the matches of samples, whose positions come to the same end.
func Matches(samples []*Sample) int {
	matches := map[uint32]bool{}
	for _, s := range samples {
		matches[s.Match] = true
	}
	return len(matches)
}

// ErrorOn is the mean squared error over all roles, of samples that are held out.
func ErrorOn(e *evaluation.Evaluation, samples []Sample) (sum float64) {
	values, n := make([]float64, e.Roles()), 0
	for i := range samples {
		s := &samples[i]
		if !s.HeldOut() {
			continue
		}
		n++
		e.Values(s.State, values)
		for role, v := range values {
			d := v - float64(s.Values[role])
			sum += d * d
		}
	}
	return sum / float64(max(n, 1))
}
