package kernel

// transposeMasks are the masks of the steps of a transposition, which
// exchange bits 32, 16, ... 1 apart.
var transposeMasks = [6]uint64{
	0x00000000ffffffff, 0x0000ffff0000ffff, 0x00ff00ff00ff00ff,
	0x0f0f0f0f0f0f0f0f, 0x3333333333333333, 0x5555555555555555,
}

// transpose flips a matrix of 64 x 64 bits over its main diagonal: bit j of
// word i and bit i of word j change places.
func transpose(m *[64]uint64) {
	width := 32
	for _, mask := range transposeMasks {
		for k := 0; k < 64; k = (k + width + 1) &^ width {
			t := (m[k]>>width ^ m[k+width]) & mask
			m[k+width] ^= t
			m[k] ^= t << width
		}
		width >>= 1
	}
}
