package kernel

import "math/bits"

// Without sets the slots dst+k to the offers from[k] without the slots
// tried+k, for the semimoves k of a level, and clears the rest of the
// Pad(l.Len()) slots from dst on: a block of offers for ChooseFrom.
func (s *Set) Without(dst int32, l *Level, tried int32, slots []uint64) {
	n := l.n * s.words
	out := slots[int(dst)*s.words:][:l.Pad()*s.words]
	clear(out[n:])
	not := slots[int(tried)*s.words:][:n]
	if s.isa != isaGo && n > 0 {
		s.withoutVector(out, slots, l, not)
		return
	}
	for k, o := range l.scaled[:l.n] {
		offer := slots[o/8:][:s.words]
		for w, x := range offer {
			out[k*s.words+w] = x &^ not[k*s.words+w]
		}
	}
}

// Clear clears the n slots from from on.
func (s *Set) Clear(slots []uint64, from, n int32) {
	clear(slots[int(from)*s.words : int(from+n)*s.words])
}

// AddMasked adds to dst the words of n slots from from on, cut to the lanes
// in mask: dst[k] |= slots[from+k] & mask.
func (s *Set) AddMasked(dst, from, n int32, slots, mask []uint64) {
	out := slots[int(dst)*s.words:][:int(n)*s.words]
	in := slots[int(from)*s.words:][:int(n)*s.words]
	mask = mask[:s.words]
	if s.isa != isaGo && n > 0 {
		s.addMaskedVector(out, in, mask, int(n))
		return
	}
	for at := 0; at < len(in); at += s.words {
		for w, m := range mask {
			out[at+w] |= in[at+w] & m
		}
	}
}

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

// AppendLanes appends the numbers of the lanes in a slot, rising.
func AppendLanes(dst []int32, words []uint64) []int32 {
	for w, x := range words {
		for ; x != 0; x &= x - 1 {
			dst = append(dst, int32(64*w+bits.TrailingZeros64(x)))
		}
	}
	return dst
}
