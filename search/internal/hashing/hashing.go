// Package hashing spreads the bits of words.
package hashing

import "math/bits"

// Of spreads the bits of x.
func Of(x uint64) uint64 {
	hi, lo := bits.Mul64(x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
	return hi ^ lo
}

// Words names a list of words.
func Words(words []uint64) uint64 {
	h := uint64(len(words))
	for _, x := range words {
		hi, lo := bits.Mul64(h^x^0x9e3779b97f4a7c15, 0xd6e8feb86659fd93)
		h = hi ^ lo
	}
	return Of(h)
}
