// Package random draws numbers for a search.
package random

import (
	"math/bits"
	"math/rand/v2"
)

// Source draws numbers, the same for the same seeds.
type Source struct{ rand.PCG }

// New makes a source for a seed, and a number that tells it from others of that seed.
func New(seed, number uint64) *Source {
	s := new(Source)
	s.Seed(seed, number)
	return s
}

// Below is a draw below n, uniform.
func (s *Source) Below(n uint32) uint32 {
	hi, _ := bits.Mul64(s.Uint64(), uint64(n))
	return uint32(hi)
}

// Passes is true with a probability.
func (s *Source) Passes(probability float64) bool {
	return float64(s.Uint64()>>11)*0x1p-53 < probability
}
