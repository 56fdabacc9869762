package kernel

import "unsafe"

// Choose gives each lane in want one of its offers, uniformly (the chance of
// an offer is within count/65536 of the others'), and sets the selections of
// the level; a lane not in want selects nothing. It puts the lanes in want
// without any offer into missing. want and missing are slots, and may be the
// same.
//
// The offers of all lanes are counted into bit planes; a bit-sliced random
// number below the count says which of its offers a lane takes; a walk over
// the blocks, and inside a block over its columns, finds it (counting down to
// zero). Walking by blocks first took half the instructions of walking column
// by column.
func (l *Level) Choose(slots, want, missing []uint64, r *Random) {
	l.choose(slots, slots, l.scaled, want, missing, r)
}

// ChooseFrom is Choose with the offers in the slots from base on, as Without
// leaves them.
func (l *Level) ChooseFrom(base int32, slots, want, missing []uint64, r *Random) {
	l.choose(slots, slots[int(base)*l.set.words:], l.row, want, missing, r)
}

// choose takes the offers as byte offsets from the start of source.
func (l *Level) choose(slots, source []uint64, offers []uint32, want, missing []uint64, r *Random) {
	s := l.set
	want, missing = want[:s.words], missing[:s.words]
	sel := slots[int(l.sel)*s.words : (int(l.sel)+len(offers))*s.words]
	any := uint64(0)
	for _, w := range want {
		any |= w
	}
	if any == 0 || len(offers) == 0 {
		clear(sel)
		copy(missing, want)
		return
	}
	if l.n == 1 {
		clear(sel[s.words:])
		offer := source[offers[0]/8:]
		for w, x := range want {
			sel[w] = x & offer[w]
			missing[w] = x &^ offer[w]
		}
		return
	}
	if s.isa != isaGo {
		l.chooseVector(source, sel, offers, want, missing, r)
		return
	}
	l.chooseGo(source, sel, offers, want, missing, r)
}

func (l *Level) chooseGo(source, sel []uint64, offers []uint32, want, missing []uint64, r *Random) {
	words := l.set.words
	clear(r.total[:l.planes])
	clear(r.left[:l.planes])
	for w := range want {
		countOffers(unsafe.Pointer(&source[w]), offers, sel[w:], words, r, w)
	}
	planes := r.used(l.planes, want)
	for w, lanes := range want {
		if planes == 1 { // nobody has a choice
			take(unsafe.Pointer(&source[w]), offers, sel[w:], words, lanes)
			continue
		}
		r.draw(planes, w)
		walk(unsafe.Pointer(&source[w]), offers, sel[w:], words, r, planes, w, lanes&^r.none(planes, w))
	}
	for w, lanes := range want {
		missing[w] = lanes & r.none(planes, w)
	}
}

// used is how many of the planes of the total the lanes in want need: one, or
// at least minPlanes.
func (r *Random) used(planes int, want []uint64) int {
	for planes > 1 && !r.meets(planes-1, want) {
		planes--
	}
	if planes > 1 {
		return max(planes, minPlanes)
	}
	return 1
}

// none are the lanes of word w without any offer, where the total has that
// many planes.
func (r *Random) none(planes, w int) uint64 {
	any := uint64(0)
	for b := range planes {
		any |= r.total[b][w]
	}
	return ^any
}

// take sets the selections of word w to all offers of the lanes in want.
func take(source unsafe.Pointer, offers []uint32, sel []uint64, stride int, want uint64) {
	for k, o := range offers {
		sel[k*stride] = *wordAt(source, o) & want
	}
}

// meets tells whether a lane in want has the bit of a plane of the total.
func (r *Random) meets(plane int, want []uint64) bool {
	for w, x := range want {
		if r.total[plane][w]&x != 0 {
			return true
		}
	}
	return false
}

// countOffers counts all offers of word w into the total, and each block's
// into the first three of its selections, where walk finds them.
func countOffers(source unsafe.Pointer, offers []uint32, sel []uint64, stride int, r *Random, w int) {
	total := &r.total
	for col := 0; len(offers) >= block; col += block * stride {
		c0, c1, c2 := countBlock(source, (*[block]uint32)(offers))
		offers = offers[block:]
		sel[col], sel[col+stride], sel[col+2*stride] = c0, c1, c2

		t := total[0][w]
		total[0][w] = t ^ c0
		carry := t & c0
		t = total[1][w]
		u := t ^ c1
		total[1][w] = u ^ carry
		carry = t&c1 | u&carry
		t = total[2][w]
		u = t ^ c2
		total[2][w] = u ^ carry
		carry = t&c2 | u&carry
		for b := 3; carry != 0; b++ {
			t = total[b][w]
			total[b][w] = t ^ carry
			carry &= t
		}
	}
}

// countBlock counts the offers of a block: four full adders.
func countBlock(source unsafe.Pointer, o *[block]uint32) (c0, c1, c2 uint64) {
	x0, x1, x2, x3 := *wordAt(source, o[0]), *wordAt(source, o[1]), *wordAt(source, o[2]), *wordAt(source, o[3])
	x4, x5, x6 := *wordAt(source, o[4]), *wordAt(source, o[5]), *wordAt(source, o[6])
	u := x0 ^ x1
	s0, k0 := u^x2, x0&x1|u&x2
	u = x3 ^ x4
	s1, k1 := u^x5, x3&x4|u&x5
	u = s0 ^ s1
	c0, k2 := u^x6, s0&s1|u&x6
	u = k0 ^ k1
	return c0, u ^ k2, k0&k1 | u&k2
}

// randomBits is how many random bits a choice takes.
func randomBits(planes int) int { return max(minRandomBits, planes+randomSlack) }

// draw writes floor(total x u / 2^n) into left, with u a random number of n
// bits for every lane: n times add the total where the bit of u is set, and
// halve. Halving in between is exact, as only whole numbers are added.
func (r *Random) draw(planes, w int) {
	var total, left [maxPlanes]uint64
	for b := range planes {
		total[b] = r.total[b][w]
	}
	for range randomBits(planes) {
		u := r.next(w)
		s := total[0] & u
		carry := left[0] & s // the sum's lowest bit is shifted out
		for b := 1; b < planes; b++ {
			x, y := left[b], total[b]&u
			z := x ^ y
			left[b-1] = z ^ carry
			carry = x&y | z&carry
		}
		left[planes-1] = carry
	}
	for b := range planes {
		r.left[b][w] = left[b]
	}
}

// walk sets the selections of word w: every lane in want takes the offer that
// comes after as many others as left says.
func walk(source unsafe.Pointer, offers []uint32, sel []uint64, stride int, r *Random, planes, w int, want uint64) {
	var left [maxPlanes]uint64
	for b := range planes {
		left[b] = r.left[b][w]
	}
	for col := 0; len(offers) >= block; col += block * stride {
		o := (*[block]uint32)(offers)
		offers = offers[block:]
		c0, c1, c2 := sel[col], sel[col+stride], sel[col+2*stride]
		in := uint64(0)
		r0, r1, r2 := left[0], left[1], left[2]
		if (c0|c1|c2)&want != 0 {
			in = countOff(left[:planes], c0, c1, c2) & want
			want &^= in
		}
		for k := range block {
			x := *wordAt(source, o[k]) & in
			take := x &^ (r0 | r1 | r2)
			sel[col+k*stride] = take
			in &^= take
			borrow := ^r0 & x
			r0 ^= x
			x = ^r1 & borrow
			r1 ^= borrow
			r2 ^= x
		}
	}
}

// countOff subtracts the count of a block from left. The lanes that have
// fewer left than the block has offers are returned: they take one of it.
func countOff(left []uint64, c0, c1, c2 uint64) (borrow uint64) {
	r0 := left[0]
	left[0] = r0 ^ c0
	borrow = ^r0 & c0
	r1 := left[1]
	t := r1 ^ c1
	left[1] = t ^ borrow
	borrow = ^r1&c1 | ^t&borrow
	r2 := left[2]
	t = r2 ^ c2
	left[2] = t ^ borrow
	borrow = ^r2&c2 | ^t&borrow
	for b := 3; b < len(left); b++ {
		t = left[b]
		left[b] = t ^ borrow
		borrow &^= t
	}
	return borrow
}
