package rating

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// model is the likelihood of contests. A contest is a row of choices: the first
// group out of all, the second out of the rest, and so on. A set C out of A is
// chosen with a probability that is proportional to
//
//	d(|C|) * exp(mean of the strengths in C)
//
// over the sets of A of the sizes that occur, with d(1) = 1 (Davidson and Luce;
// Firth, Kosmidis and Turner, arXiv:1907.08318). For two it is the model of
// Davidson (1970), without ties that of Bradley and Terry, or of Plackett and Luce.
// It is an exponential family, so its likelihood has one maximum at most.
type model struct {
	n       int // competitors
	choices []choice
	sizes   []int // of ties that occur, rising: each has a parameter, after the strengths

	at   []float64 // strengths, of sum 0, and the logarithms of d
	held bool
	// covariance of at, with strengths taken from their mean.
	covariance *mat.SymDense
}

// choice is a kind of choice, and how often it was made.
type choice struct {
	from  []int // competitors, rising
	taken uint  // a bit for each of from
	count float64
}

func newModel(n int, contests []Contest) *model {
	m := &model{n: n}
	known := map[string]int{} // place in choices
	for _, c := range contests {
		rest := slices.Concat(c...)
		slices.Sort(rest)
		for _, group := range c {
			if len(rest) < 2 {
				break
			}
			taken := uint(0)
			for _, who := range group {
				i, _ := slices.BinarySearch(rest, who)
				taken |= 1 << i
			}
			key := binary.LittleEndian.AppendUint64(nil, uint64(taken))
			for _, who := range rest {
				key = binary.LittleEndian.AppendUint32(key, uint32(who))
			}
			if i, ok := known[string(key)]; ok {
				m.choices[i].count++
			} else {
				known[string(key)] = len(m.choices)
				m.choices = append(m.choices, choice{slices.Clone(rest), taken, 1})
			}
			if size := len(group); size > 1 && !slices.Contains(m.sizes, size) {
				m.sizes = append(m.sizes, size)
			}
			rest = slices.DeleteFunc(rest, func(who int) bool { return slices.Contains(group, who) })
		}
	}
	slices.Sort(m.sizes)
	// The sums must not depend on the order of the contests.
	slices.SortFunc(m.choices, func(a, b choice) int {
		if c := slices.Compare(a.from, b.from); c != 0 {
			return c
		}
		return int(a.taken) - int(b.taken)
	})
	m.reset()
	return m
}

func (m *model) reset() { m.at = make([]float64, m.n+len(m.sizes)) }

// hold adds to the likelihood what gives it a maximum.
func (m *model) hold() {
	m.held = true
	m.reset()
}

// parameter is the place of d for sets of a size; -1 for one, -2 if no set of the
// size is ever taken.
func (m *model) parameter(size int) int {
	if size == 1 {
		return -1
	}
	if i, ok := slices.BinarySearch(m.sizes, size); ok {
		return m.n + i
	}
	return -2
}

// tieDeviation is the standard deviation of the logarithm of d, where it is held.
const tieDeviation = 2

// derive is the logarithm of the likelihood, its gradient, and the information,
// which is the matrix of its second derivatives with the sign changed. The
// information gets 1 for each pair of strengths: what moves them all alike does
// not change the likelihood, and would leave it singular.
func (m *model) derive() (likelihood float64, gradient []float64, information *mat.SymDense) {
	size := len(m.at)
	gradient = make([]float64, size)
	information = mat.NewSymDense(size, nil)
	for _, c := range m.choices {
		likelihood += m.add(c, gradient, information)
	}
	if m.held {
		for i := range m.n { // half a win and half a loss against a strength of 0
			x := math.Abs(m.at[i])
			e := math.Exp(-x) // the odds of the less likely one: 1 less its probability may have no digits left
			likelihood -= x/2 + math.Log1p(e)
			gradient[i] += math.Copysign((1-e)/(1+e)/2, -m.at[i])
			information.SetSym(i, i, information.At(i, i)+e/((1+e)*(1+e)))
		}
		for i := m.n; i < size; i++ {
			likelihood -= m.at[i] * m.at[i] / (2 * tieDeviation * tieDeviation)
			gradient[i] -= m.at[i] / (tieDeviation * tieDeviation)
			information.SetSym(i, i, information.At(i, i)+1.0/(tieDeviation*tieDeviation))
		}
		return likelihood, gradient, information
	}
	for i := range m.n {
		for j := i; j < m.n; j++ {
			information.SetSym(i, j, information.At(i, j)+1)
		}
	}
	return likelihood, gradient, information
}

// add adds a kind of choice.
func (m *model) add(c choice, gradient []float64, information *mat.SymDense) float64 {
	k := len(c.from)
	involved := slices.Concat(c.from, nil)
	for i := range m.sizes {
		involved = append(involved, m.n+i)
	}
	weights := make([]float64, 1<<k) // of sets, by their bits
	total := 0.0
	for set := uint(1); set < 1<<k; set++ {
		if exponent, ok := m.exponent(c.from, set); ok {
			weights[set] = math.Exp(exponent)
			total += weights[set]
		}
	}
	mean := make([]float64, len(involved))
	second := make([]float64, len(involved)*len(involved))
	row := make([]float64, len(involved))
	for set := uint(1); set < 1<<k; set++ {
		if weights[set] == 0 {
			continue
		}
		p := weights[set] / total
		m.features(k, set, row)
		for i, x := range row {
			if x == 0 {
				continue
			}
			mean[i] += p * x
			for j, y := range row {
				second[i*len(row)+j] += p * x * y
			}
		}
	}
	m.features(k, c.taken, row)
	for i, a := range involved {
		gradient[a] += c.count * (row[i] - mean[i])
		for j, b := range involved {
			if a <= b {
				information.SetSym(a, b, information.At(a, b)+c.count*(second[i*len(row)+j]-mean[i]*mean[j]))
			}
		}
	}
	return c.count * math.Log(weights[c.taken]/total)
}

// exponent is the logarithm of the weight of a set; false: none of its size is ever taken.
func (m *model) exponent(from []int, set uint) (float64, bool) {
	size := bits.OnesCount(set)
	d := m.parameter(size)
	if d == -2 {
		return 0, false
	}
	sum := 0.0
	for rest := set; rest != 0; rest &= rest - 1 {
		sum += m.at[from[bits.TrailingZeros(rest)]]
	}
	sum /= float64(size)
	if d >= 0 {
		sum += m.at[d]
	}
	return sum, true
}

// features are what the exponent of a set of k competitors is made of: a part for
// each of these, then one for each size of ties.
func (m *model) features(k int, set uint, row []float64) {
	clear(row)
	size := bits.OnesCount(set)
	for i := range k {
		if set&(1<<i) != 0 {
			row[i] = 1 / float64(size)
		}
	}
	if d := m.parameter(size); d >= 0 {
		row[k+d-m.n] = 1
	}
}

// pair is the probability that a wins against b, and that of a draw.
func (m *model) pair(a, b int) (win, draw float64) {
	from := []int{a, b}
	var weights [4]float64
	for set := uint(1); set < 4; set++ {
		if exponent, ok := m.exponent(from, set); ok {
			weights[set] = math.Exp(exponent)
		}
	}
	total := weights[1] + weights[2] + weights[3]
	return weights[1] / total, weights[3] / total
}
