package kernel

import "math/bits"

// bernoulliBits is the number of random bits in a decision.
const bernoulliBits = 16

// Bernoulli sets each bit of dst, a slot, with probability p, to the nearest
// 1/65536.
func (s *Set) Bernoulli(p float64, dst []uint64, r *Random) {
	dst = dst[:s.words]
	chance := uint(max(0, min(1, p))*(1<<bernoulliBits) + 0.5)
	if chance >= 1<<bernoulliBits {
		for w := range dst {
			dst[w] = ^uint64(0)
		}
		return
	}
	clear(dst)
	if chance == 0 {
		return
	}
	// From the lowest bit of the chance up: compare a random number with it.
	// The bits below the lowest one that is set do not matter.
	b := bits.TrailingZeros(chance)
	if s.isa != isaGo {
		s.bernoulliVector(dst, r, chance>>b, bernoulliBits-b)
		return
	}
	for ; b < bernoulliBits; b++ {
		set := chance>>b&1 != 0
		for w := range dst {
			u := r.next(w)
			if set {
				dst[w] |= u
			} else {
				dst[w] &= u
			}
		}
	}
}

// Popcount is the number of lanes in a slot.
func Popcount(words []uint64) int {
	n := 0
	for _, w := range words {
		n += bits.OnesCount64(w)
	}
	return n
}

// Empty tells whether a slot has no lane.
func Empty(words []uint64) bool {
	any := uint64(0)
	for _, w := range words {
		any |= w
	}
	return any == 0
}
