package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go run ./gen -out .

// hasAVX512 tells whether this processor has the parts of AVX-512 that are used (package
// cpu also asks whether the operating system keeps the vector registers).
func hasAVX512() bool {
	has := &cpu.X86
	return has.HasAVX512F && has.HasAVX512BW && has.HasAVX512DQ && has.HasAVX512VL
}

// vectorSet returns the kernels in vector instructions, nil if there are none for this
// width on this processor, or on one with AVX2 only.
func vectorSet(words int, avx512 bool) *Set {
	has := &cpu.X86
	switch {
	case words == 8 && avx512:
		return &Set{name: "avx512-512", words: words, isa: isaAVX512, jit: true, ternary: true}
	case words == 4 && avx512 && has.HasAVX2:
		return &Set{name: "avx512-256", words: words, isa: isaAVX2, jit: true, ternary: true}
	case words == 1 && avx512:
		return &Set{name: "avx512-64", words: words, jit: true, ternary: true}
	case words == 4 && has.HasAVX2:
		return &Set{name: "avx2-256", words: words, isa: isaAVX2, jit: true}
	case words == 1 && has.HasAVX2:
		return &Set{name: "avx2-64", words: words, jit: true}
	}
	return nil
}

// encodeVector writes the stream: for each chunk the address of its code, and
// the byte offsets of its instructions.
func (s *Set) encodeVector(c *Code, instrs []Instr) {
	code := func(i int) {
		address := uint64(row256(i))
		c.stream = append(c.stream, uint32(address), uint32(address>>32))
	}
	for i := 0; i < len(instrs); {
		cl := classOf(instrs[i].Op)
		n := 1
		for i+n < len(instrs) && classOf(instrs[i+n].Op).number == cl.number {
			n++
		}
		size := len(chunkSizes) - 1
		for chunkSizes[size] > n {
			size--
		}
		code(int(cl.number)*len(chunkSizes) + size)
		for _, in := range instrs[i : i+chunkSizes[size]] {
			x := s.scale(&in)
			c.stream = append(c.stream, []uint32{x.a, x.b, x.c}[:cl.arity]...)
			c.stream = append(c.stream, x.d)
		}
		i += chunkSizes[size]
	}
	code(numClasses * len(chunkSizes)) // the end
}

// execVector executes the stream on 256 lanes after the other. Where there are
// wider vectors it is for what does not become machine code only.
func (s *Set) execVector(c *Code, slots []uint64) {
	for word := 0; word < s.words; word += 4 {
		exec256(unsafe.SliceData(c.stream), &slots[word])
	}
}

func (l *Level) chooseVector(source, sel []uint64, offers []uint32, want, missing []uint64, r *Random) {
	if l.planes > maxVector {
		l.chooseGo(source, sel, offers, want, missing, r)
		return
	}
	count, choose, take := &count256, &choose256, take256
	if l.set.isa == isaAVX512 {
		count, choose, take = &count512, &choose512, take512
	}
	blocks := len(offers) / block
	count[l.planes](&source[0], &offers[0], &sel[0], &r.state[0][0], blocks)
	planes := r.used(l.planes, want)
	if planes == 1 {
		take(&source[0], &offers[0], &sel[0], &want[0], blocks)
		for w, lanes := range want {
			missing[w] = lanes & r.none(1, w)
		}
		return
	}
	choose[planes](&source[0], &offers[0], &sel[0], &r.state[0][0], &want[0], &missing[0], blocks, randomBits(planes))
}

func (l *Level) greedyVector(source, sel []uint64, offers []uint32, order []int32, want, missing []uint64) {
	if l.set.isa == isaAVX512 {
		greedy512(&source[0], &offers[0], &sel[0], &order[0], len(order), &want[0], &missing[0])
	} else {
		greedy256(&source[0], &offers[0], &sel[0], &order[0], len(order), &want[0], &missing[0])
	}
}

func (l *Level) withoutVector(out, slots, not []uint64) {
	if l.set.isa == isaAVX512 {
		without512(&out[0], &slots[0], &l.scaled[0], &not[0], l.n)
	} else {
		without256(&out[0], &slots[0], &l.scaled[0], &not[0], l.n)
	}
}

func (s *Set) addMaskedVector(out, in, mask []uint64, n int) {
	if s.isa == isaAVX512 {
		addMasked512(&out[0], &in[0], &mask[0], n)
	} else {
		addMasked256(&out[0], &in[0], &mask[0], n)
	}
}

func (s *Set) bernoulliVector(dst []uint64, r *Random, chance uint, n int) {
	if s.isa == isaAVX512 {
		bernoulli512(&dst[0], &r.state[0][0], uint64(chance), n)
	} else {
		bernoulli256(&dst[0], &r.state[0][0], uint64(chance), n)
	}
}

func (s *Set) spreadVector(columns []uint64, n int, state, mask *[MaxWords]uint64) {
	if s.isa == isaAVX512 {
		spread512(&columns[0], n, &state[0], &mask[0])
	} else {
		spread256(&columns[0], n, &state[0], &mask[0])
	}
}

func (s *Set) collectVector(columns []uint64, n int, lane *[MaxWords]int, state *[MaxWords]uint64) {
	var shift [MaxWords]uint64
	for w, k := range lane {
		shift[w] = 63 - uint64(k&63)
	}
	if s.isa == isaAVX512 {
		collect512(&columns[0], n, &shift[0], &state[0])
	} else {
		collect256(&columns[0], n, &shift[0], &state[0])
	}
}

func (s *Set) rowsVector(columns []uint64, groups int, dst []uint64) {
	if s.isa == isaAVX512 {
		rows512(&columns[0], groups, &dst[0], &transposeMasks[3])
	} else {
		rows256(&columns[0], groups, &dst[0], &transposeMasks[3])
	}
}

func (s *Set) transposeVector(rows *[64 * MaxWords]uint64) {
	if s.isa == isaAVX512 {
		transpose512(&rows[0], &transposeMasks[0])
	} else {
		transpose256(&rows[0], &transposeMasks[0])
	}
}
