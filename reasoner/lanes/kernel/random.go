package kernel

import (
	"math/bits"
	"unsafe"
)

// Random is a random number generator for each word of a slot: xoshiro256++
// (Blackman, Vigna 2019), which needs only what vector units have. It also
// holds what a choice puts aside. It belongs to one goroutine. Assembly knows
// its layout.
type Random struct {
	state [4][MaxWords]uint64
	total [maxPlanes][MaxWords]uint64 // of the offers of a choice, by bit plane
	left  [maxPlanes][MaxWords]uint64 // offers that a lane passes over
}

// NewRandom returns a generator for slots of some words.
func NewRandom(seed uint64, words int) *Random {
	// In memory that is aligned for the kernels.
	r := (*Random)(unsafe.Pointer(&Alloc(1, int(unsafe.Sizeof(Random{})/8))[0]))
	for w := range words {
		for i := range r.state {
			r.state[i][w] = splitmix(&seed)
		}
	}
	return r
}

// splitmix is SplitMix64 (Steele, Lea, Flood 2014), by which the authors of
// xoshiro advise to seed it.
func splitmix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// next is the next word of the generator of word w.
func (r *Random) next(w int) uint64 {
	s0, s1, s2, s3 := r.state[0][w], r.state[1][w], r.state[2][w], r.state[3][w]
	out := bits.RotateLeft64(s0+s3, 23) + s0
	t := s1 << 17
	s2 ^= s0
	s3 ^= s1
	r.state[1][w] = s1 ^ s2
	r.state[0][w] = s0 ^ s3
	r.state[2][w] = s2 ^ t
	r.state[3][w] = bits.RotateLeft64(s3, 45)
	return out
}
