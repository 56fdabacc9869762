package kernel

import "math/bits"

// Columns are slots in a row in which states are kept. A state is a row of
// bits: bit i%64 of word i/64 is column i. Bits of its last word above the
// columns are ignored when a state is written, and zero when it is read.
type Columns struct {
	set   *Set
	cells []uint64
	n     int
}

// Columns are n slots from base on.
func (s *Set) Columns(slots []uint64, base, n int32) Columns {
	return Columns{s, slots[int(base)*s.words : int(base+n)*s.words], int(n)}
}

// Clear clears all columns.
func (c Columns) Clear() { clear(c.cells) }

// AddMasked adds as many other columns, cut to the lanes in mask.
func (c Columns) AddMasked(other Columns, mask []uint64) {
	s, out, in := c.set, c.cells, other.cells
	mask = mask[:s.words]
	if s.isa != isaGo && c.n > 0 {
		s.addMaskedVector(out, in, mask, c.n)
		return
	}
	for i := 0; i < len(in); i += s.words {
		for w, m := range mask {
			out[i+w] |= in[i+w] & m
		}
	}
}

// manyRounds is the number of lanes of one word of the slots from which a
// transposition is cheaper than rounds of one lane for each word.
const manyRounds = 6

// Scatter writes the states of the lanes in mask. States has words words for
// each lane number.
func (c Columns) Scatter(mask, states []uint64, words int) {
	s := c.set
	if most(mask) >= manyRounds {
		c.scatterMany(mask, states, words)
		return
	}
	var lane [MaxWords]int
	var one, part, rest [MaxWords]uint64
	copy(rest[:], mask)
	for takeRound(rest[:s.words], &lane, &one) {
		for b := 0; 64*b < c.n; b++ {
			for w := range s.words {
				if one[w] != 0 {
					part[w] = states[lane[w]*words+b]
				}
			}
			s.spread(c.cells[64*b*s.words:], min(64, c.n-64*b), &part, &one)
		}
	}
}

// most is the number of lanes in the word that has the most.
func most(mask []uint64) int {
	n := 0
	for _, m := range mask {
		n = max(n, bits.OnesCount64(m))
	}
	return n
}

// takeRound takes the lowest lane of each word out of mask. For the words
// that had one, lane is its number and one its bit; for others one is zero.
func takeRound(mask []uint64, lane *[MaxWords]int, one *[MaxWords]uint64) bool {
	any := uint64(0)
	for w, m := range mask {
		one[w] = m & -m
		lane[w] = 64*w + bits.TrailingZeros64(m)
		mask[w] = m & (m - 1)
		any |= m
	}
	return any != 0
}

// scatterMany is Scatter by transposition.
func (c Columns) scatterMany(mask, states []uint64, words int) {
	s := c.set
	var buffer [64 * MaxWords]uint64
	rows := buffer[:64*s.words]
	for b := 0; 64*b < c.n; b++ {
		for w, m := range mask {
			for ; m != 0; m &= m - 1 {
				k := bits.TrailingZeros64(m)
				rows[k*s.words+w] = states[(64*w+k)*words+b]
			}
		}
		s.transpose(&buffer)
		part := c.cells[64*b*s.words:]
		part = part[:min(len(part), len(rows))]
		for i, x := range rows[:len(part)] {
			m := mask[i&(s.words-1)]
			part[i] = part[i]&^m | x&m
		}
		clear(rows)
	}
}

// Broadcast writes one state into all lanes in mask.
func (c Columns) Broadcast(state, mask []uint64) {
	s := c.set
	var lanes, part [MaxWords]uint64
	copy(lanes[:], mask)
	for b := 0; 64*b < c.n; b++ {
		for w := range part {
			part[w] = state[b]
		}
		s.spread(c.cells[64*b*s.words:], min(64, c.n-64*b), &part, &lanes)
	}
}

// GatherOne reads the state of one lane.
func (c Columns) GatherOne(lane int, dst []uint64) {
	s := c.set
	var lanes [MaxWords]int
	var part [MaxWords]uint64
	lanes[lane/64] = lane
	for b := 0; 64*b < c.n; b++ {
		s.collect(c.cells[64*b*s.words:], min(64, c.n-64*b), &lanes, &part)
		dst[b] = part[lane/64]
	}
}

// Gather reads the states of the lanes in mask, each to its lane's place in
// dst, and leaves the other places alone.
func (c Columns) Gather(mask, dst []uint64, words int) {
	s := c.set
	if most(mask) >= manyRounds {
		c.gatherMany(mask, dst, words)
		return
	}
	var lane [MaxWords]int
	var one, part, rest [MaxWords]uint64
	copy(rest[:], mask)
	for takeRound(rest[:s.words], &lane, &one) {
		for b := 0; 64*b < c.n; b++ {
			s.collect(c.cells[64*b*s.words:], min(64, c.n-64*b), &lane, &part)
			for w := range s.words {
				if one[w] != 0 {
					dst[lane[w]*words+b] = part[w]
				}
			}
		}
	}
}

// gatherMany is Gather by transposition.
func (c Columns) gatherMany(mask, dst []uint64, words int) {
	s := c.set
	var rows [64 * MaxWords]uint64
	for b := 0; 64*b < c.n; b++ {
		k := copy(rows[:64*s.words], c.cells[64*b*s.words:])
		clear(rows[k:])
		s.transpose(&rows)
		for w, m := range mask[:s.words] {
			if m == ^uint64(0) {
				cell := 64*w*words + b
				for k := w; k < 64*s.words; k += s.words {
					dst[cell] = rows[k]
					cell += words
				}
				continue
			}
			for ; m != 0; m &= m - 1 {
				k := bits.TrailingZeros64(m)
				dst[(64*w+k)*words+b] = rows[k*s.words+w]
			}
		}
	}
}

// groupColumns is how many columns GatherRows takes at once.
const groupColumns = 8

// PadRows is how many slots GatherRows reads for n columns.
func PadRows(n int) int { return (n + groupColumns - 1) / groupColumns * groupColumns }

// GatherRows reads the states of all lanes where they are one word each, of at
// most 64 columns: Gather for states that are needed often. The slots above
// the columns, up to PadRows(n), must be zero. With 512 lanes it takes 45 ns for
// 8 columns, 110 ns for 16 and so on, Gather of all lanes about 1,000 ns for any number.
func (c Columns) GatherRows(dst []uint64) {
	s := c.set
	dst = dst[:s.Lanes()]
	if c.n == 0 {
		clear(dst)
		return
	}
	columns := c.cells[:PadRows(c.n)*s.words]
	if s.isa != isaGo {
		s.rowsVector(columns, len(columns)/(groupColumns*s.words), dst)
		return
	}
	var m [64]uint64
	for w := range s.words {
		clear(m[:])
		for i := range c.n {
			m[i] = columns[i*s.words+w]
		}
		transpose(&m)
		copy(dst[64*w:], m[:])
	}
}

// spread writes n bits of a state for each word of the slots, from the lowest
// on, into n columns: in each word to the lanes in mask. n is 1 to 64.
func (s *Set) spread(columns []uint64, n int, state, mask *[MaxWords]uint64) {
	if s.isa != isaGo {
		s.spreadVector(columns, n, state, mask)
		return
	}
	columns = columns[:n*s.words]
	for w := range s.words {
		x, m := state[w], mask[w]
		if m == 0 {
			continue
		}
		for cell := w; cell < len(columns); cell += s.words {
			columns[cell] = columns[cell]&^m | -(x&1)&m
			x >>= 1
		}
	}
}

// collect is the inverse of spread: it takes n columns of the lane of each
// word, which counts modulo 64.
func (s *Set) collect(columns []uint64, n int, lane *[MaxWords]int, state *[MaxWords]uint64) {
	if s.isa != isaGo {
		s.collectVector(columns, n, lane, state)
		return
	}
	columns = columns[:n*s.words]
	for w := range s.words {
		x, shift := uint64(0), lane[w]&63
		for cell := w; cell < len(columns); cell += s.words {
			x = x>>1 | columns[cell]>>shift<<63
		}
		state[w] = x >> (64 - n)
	}
}

// transpose flips the matrix of 64 x 64 bits that each word of 64 rows is,
// rows of s.words words.
func (s *Set) transpose(rows *[64 * MaxWords]uint64) {
	if s.isa != isaGo {
		s.transposeVector(rows)
		return
	}
	var m [64]uint64
	for w := range s.words {
		for i := range m {
			m[i] = rows[i*s.words+w]
		}
		transpose(&m)
		for i := range m {
			rows[i*s.words+w] = m[i]
		}
	}
}
