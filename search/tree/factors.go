package tree

import (
	"math"
	"math/bits"
)

// Factors are what UCB1 needs of a number of visits. Two divisions and a root
// for each edge were half the time of a search with short playouts.
type Factors struct {
	Inverse, InvSqrt float64 // 1/n and 1/sqrt(n)
}

const tabledVisits = 4096

var factorTable = func() (t [tabledVisits]Factors) {
	for n := range t {
		t[n] = newFactors(uint32(n))
	}
	return t
}()

// FactorsOf are those of a number of visits.
func FactorsOf(n uint32) Factors {
	if n < tabledVisits {
		return factorTable[n]
	}
	return newFactors(n)
}

func newFactors(n uint32) Factors {
	inverse := 1 / float64(n)
	return Factors{inverse, math.Sqrt(inverse)}
}

// logTable holds ln N.
var logTable = func() (t [tabledVisits]float64) {
	for n := range t {
		t[n] = math.Log(float64(max(n, 1)))
	}
	return t
}()

// SqrtLog is sqrt(ln N), for the number of visits of a node. Of a number
// beyond the table the highest twelve bits count: the logarithm is off by less
// than 0.0005 then, the root by a thirty-thousandth.
func SqrtLog(n uint32) float64 {
	if n < tabledVisits {
		return math.Sqrt(logTable[n])
	}
	shift := bits.Len32(n / tabledVisits)
	return math.Sqrt(logTable[n>>shift] + float64(shift)*math.Ln2)
}
