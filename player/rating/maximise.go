package rating

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	mostSteps = 100
	// precise is the largest derivative that counts as none, for each contest.
	precise = 1e-10
	// reach is the largest parameter that counts as found, in natural units: 2,000
	// points from the mean. Where there is no maximum, the steps go on for ever. What
	// is held has one, wherever it is.
	reach = 12
)

// maximise finds the most likely parameters, by Newton's method with shorter steps
// where a whole one would lead downwards. False: there are none within reach, or none
// were found.
func (m *model) maximise() bool {
	value, gradient, information := m.derive()
	for range mostSteps {
		var cholesky mat.Cholesky
		if !cholesky.Factorize(information) {
			return false
		}
		if m.still(gradient) {
			return m.keep(&cholesky) && m.bounded()
		}
		var step mat.VecDense
		if err := cholesky.SolveVecTo(&step, mat.NewVecDense(len(gradient), gradient)); err != nil {
			return false
		}
		before, part := append([]float64{}, m.at...), 1.0
		for {
			for i := range m.at {
				m.at[i] = before[i] + part*step.AtVec(i)
			}
			next, g, h := m.derive()
			if next >= value-1e-12*math.Abs(value) {
				value, gradient, information = next, g, h
				break
			}
			if part /= 2; part < 1e-10 {
				return false
			}
		}
		for _, x := range m.at {
			if !(m.held || math.Abs(x) < reach) {
				return false
			}
		}
	}
	return false
}

func (m *model) still(gradient []float64) bool {
	contests := 1.0
	for _, c := range m.choices {
		contests += c.count
	}
	for _, g := range gradient {
		if math.Abs(g) > precise*contests {
			return false
		}
	}
	return true
}

// bounded tells whether the errors are within reach, too. Where somebody draws and never
// loses, the likelihood can grow for ever as that becomes certain, and is as good as flat
// before a parameter is out of reach.
func (m *model) bounded() bool {
	for i := range m.at {
		if !(m.held || m.covariance.At(i, i) < reach*reach) {
			return false
		}
	}
	return true
}

// keep takes the covariance from the information. Without what was added to it, the
// inverse lacks what moves all strengths alike; where it is held, that is taken out
// of it.
func (m *model) keep(cholesky *mat.Cholesky) bool {
	m.covariance = new(mat.SymDense)
	if err := cholesky.InverseTo(m.covariance); err != nil {
		return false
	}
	size := len(m.at)
	n := float64(m.n)
	rows, all := make([]float64, size), 0.0
	for i := range size {
		for j := range m.n {
			rows[i] += m.covariance.At(i, j) / n
		}
	}
	for i := range m.n {
		all += rows[i] / n
	}
	centred := mat.NewSymDense(size, nil)
	for i := range size {
		for j := i; j < size; j++ {
			x := m.covariance.At(i, j)
			if j < m.n {
				x += all - rows[i] - rows[j]
			} else if i < m.n {
				x -= rows[j]
			}
			centred.SetSym(i, j, x)
		}
	}
	m.covariance = centred
	mean := 0.0
	for i := range m.n {
		mean += m.at[i] / n
	}
	for i := range m.n {
		m.at[i] -= mean
	}
	return true
}

// variance is that of the difference of two strengths.
func (m *model) variance(a, b int) float64 {
	return m.covariance.At(a, a) + m.covariance.At(b, b) - 2*m.covariance.At(a, b)
}

// ratings puts the strengths on the scale of Elo.
func (m *model) ratings(contests []int) []Rating {
	list := make([]Rating, m.n)
	for i := range list {
		se := math.Sqrt(max(0, m.covariance.At(i, i))) * perNatural
		elo := Mean + m.at[i]*perNatural
		half := normalQuantile() * se
		list[i] = Rating{Elo: elo, Low: elo - half, High: elo + half, SE: se, Contests: contests[i]}
		if contests[i] == 0 {
			list[i].Low, list[i].High, list[i].SE, list[i].Open = math.Inf(-1), math.Inf(1), math.Inf(1), true
		}
	}
	if m.held {
		m.open(list)
	}
	return list
}
