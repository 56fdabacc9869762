package lanes

import "math/bits"

// block is how many columns of offers are counted together: 7 is the most
// that three bit planes hold.
const block = 7

// minRandomBits is the least number of random bits in a choice; together with
// randomSlack more than the planes of the count it keeps the bias of a choice
// under count/65536.
const (
	minRandomBits = 16
	randomSlack   = 10
	minPlanes     = 3 // of a block
	maxPlanes     = 32
)

// choose gives every lane in want one of its offers, uniformly, and sets the
// selections of the level: for a lane not in want, to nothing. It returns the
// lanes in want without any offer.
//
// The offers of all lanes are counted into bit planes; a bit-sliced random
// number below the count says which of its offers a lane takes; a walk over
// the blocks, and inside a block over its columns, finds it (counting down to
// zero). Walking by blocks first took half the instructions of walking column
// by column.
func (e *Engine) choose(lv *levelPlan, want uint64) (missing uint64) {
	sel := e.slots[lv.sel : int(lv.sel)+len(lv.offers)]
	if want == 0 {
		clear(sel)
		return 0
	}
	var total, left [maxPlanes]uint64
	e.countOffers(lv, &total)
	planes := lv.planes
	for planes > minPlanes && total[planes-1]&want == 0 {
		planes--
	}
	missing = want
	for b := range planes {
		missing &^= total[b]
	}
	e.draw(total[:planes], left[:planes])
	e.walk(lv, sel, left[:planes], want&^missing)
	return missing
}

// countOffers counts each block into e.counts and all of them into total.
func (e *Engine) countOffers(lv *levelPlan, total *[maxPlanes]uint64) {
	slots, counts := e.slots, e.counts
	at := 0
	for offers := lv.offers; len(offers) >= block; offers = offers[block:] {
		o := (*[block]int32)(offers)
		x0, x1, x2, x3 := slots[o[0]], slots[o[1]], slots[o[2]], slots[o[3]]
		x4, x5, x6 := slots[o[4]], slots[o[5]], slots[o[6]]
		// Four full adders.
		u := x0 ^ x1
		s0, k0 := u^x2, x0&x1|u&x2
		u = x3 ^ x4
		s1, k1 := u^x5, x3&x4|u&x5
		u = s0 ^ s1
		c0, k2 := u^x6, s0&s1|u&x6
		u = k0 ^ k1
		c1, c2 := u^k2, k0&k1|u&k2
		counts[at], counts[at+1], counts[at+2] = c0, c1, c2
		at += 3

		t := total[0]
		total[0] = t ^ c0
		carry := t & c0
		t = total[1]
		u = t ^ c1
		total[1] = u ^ carry
		carry = t&c1 | u&carry
		t = total[2]
		u = t ^ c2
		total[2] = u ^ carry
		carry = t&c2 | u&carry
		for b := 3; carry != 0; b++ {
			t = total[b]
			total[b] = t ^ carry
			carry &= t
		}
	}
}

// draw writes floor(total x u / 2^n) into left, with u a random number of n
// bits for every lane: n times add the count where the bit of u is set, and
// halve. Halving in between is exact, as only whole numbers are added.
func (e *Engine) draw(total, left []uint64) {
	left = left[:len(total)]
	n := max(minRandomBits, len(total)+randomSlack)
	for range n {
		r := e.random.next()
		s := total[0] & r
		carry := left[0] & s // the sum's lowest bit is shifted out
		for b := 1; b < len(total); b++ {
			x, y := left[b], total[b]&r
			u := x ^ y
			left[b-1] = u ^ carry
			carry = x&y | u&carry
		}
		left[len(total)-1] = carry
	}
}

// walk sets the selections: every lane in want takes the offer that comes
// after as many others as left says.
func (e *Engine) walk(lv *levelPlan, sel, left []uint64, want uint64) {
	slots, counts, offers := e.slots, e.counts, lv.offers
	for at := 0; len(offers) >= block; at += 3 {
		o, out := (*[block]int32)(offers), (*[block]uint64)(sel)
		offers, sel = offers[block:], sel[block:]
		c0, c1, c2 := counts[at], counts[at+1], counts[at+2]
		if (c0|c1|c2)&want == 0 {
			*out = [block]uint64{}
			continue
		}
		// The lanes that have fewer left than the block has offers take one
		// of it; for the others the block's offers are counted off.
		r0 := left[0]
		t := r0 ^ c0
		left[0] = t
		borrow := ^r0 & c0
		r1 := left[1]
		t = r1 ^ c1
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
		in := borrow & want
		if in == 0 {
			*out = [block]uint64{}
			continue
		}
		want &^= in
		for k := range block {
			x := slots[o[k]] & in
			take := x &^ (r0 | r1 | r2)
			out[k] = take
			in &^= take
			borrow = ^r0 & x
			r0 ^= x
			x = ^r1 & borrow
			r1 ^= borrow
			r2 ^= x
		}
	}
}

// lowest returns the number of the lowest lane in a mask.
func lowest(mask uint64) int { return bits.TrailingZeros64(mask) }
