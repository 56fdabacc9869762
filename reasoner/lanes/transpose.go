package lanes

// transpose flips a matrix of 64 x 64 bits over its main diagonal: bit j of
// word i and bit i of word j change places.
func transpose(m *[64]uint64) {
	mask := uint64(0x00000000ffffffff)
	for width := 32; width != 0; width >>= 1 {
		for k := 0; k < 64; k = (k + width + 1) &^ width {
			t := (m[k]>>width ^ m[k+width]) & mask
			m[k+width] ^= t
			m[k] ^= t << width
		}
		mask ^= mask << (width / 2)
	}
}

// scatterMany and gatherMany are the numbers of lanes from which a
// transposition is cheaper than going bit by bit (about 64 x 6 word
// operations for 64 fluents, against 64 for each lane).
const (
	scatterMany = 6
	gatherMany  = 4
)

// scatter writes the states of the lanes in mask, of words words each at
// states[lane*words], into the columns of the fluents.
func scatter(columns, states []uint64, words int, mask uint64, lanes []int) {
	if len(lanes) < scatterMany {
		for _, lane := range lanes {
			scatterOne(columns, states[lane*words:(lane+1)*words], lane)
		}
		return
	}
	var block [64]uint64
	for w := range words {
		clear(block[:])
		for _, lane := range lanes {
			block[lane] = states[lane*words+w]
		}
		transpose(&block)
		part := columns[64*w : min(64*w+64, len(columns))]
		for i := range part {
			part[i] = part[i]&^mask | block[i]
		}
	}
}

func scatterOne(columns, state []uint64, lane int) {
	lane &= 63
	for w, bits := range state {
		part := columns[64*w : min(64*w+64, len(columns))]
		for i := range part {
			part[i] = part[i]&^(1<<lane) | (bits>>(i&63)&1)<<lane
		}
	}
}

// gather is the inverse of scatter for all lanes.
func gather(columns, states []uint64, words int) {
	var block [64]uint64
	for w := range words {
		n := copy(block[:], columns[64*w:])
		clear(block[n:])
		transpose(&block)
		for lane := range block {
			states[lane*words+w] = block[lane]
		}
	}
}

// gatherOne appends the state of one lane to dst.
func gatherOne(columns []uint64, words, lane int, dst []uint64) []uint64 {
	lane &= 63
	for w := range words {
		bits := uint64(0)
		for i, c := range columns[64*w : min(64*w+64, len(columns))] {
			bits |= c >> lane & 1 << (i & 63)
		}
		dst = append(dst, bits)
	}
	return dst
}
