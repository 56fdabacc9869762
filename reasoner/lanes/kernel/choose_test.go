package kernel

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// table is a level of n semimoves in slots of its own: offers from slot 2 on,
// then the selections, then a block for masked offers and one for tried ones.
type table struct {
	set                *Set
	slots              []uint64
	level              *Level
	n                  int
	sel, masked, tried int32
	want, missing      []uint64
}

func newTable(s *Set, n int) *table {
	pad := int32(Pad(n))
	tb := &table{set: s, n: n, sel: 2 + int32(n)}
	tb.masked = tb.sel + pad
	tb.tried = tb.masked + pad
	tb.slots = Alloc(int(tb.tried+pad), s.Words())
	offers := make([]int32, n)
	for i := range offers {
		offers[i] = 2 + int32(i)
	}
	tb.level = s.NewLevel(offers, tb.sel)
	tb.want = make([]uint64, s.Words())
	tb.missing = make([]uint64, s.Words())
	return tb
}

// slot is the words of a slot.
func (tb *table) slot(i int32) []uint64 {
	w := tb.set.Words()
	return tb.slots[int(i)*w : (int(i)+1)*w]
}

// wantAll makes all lanes want a choice.
func (tb *table) wantAll() {
	for w := range tb.want {
		tb.want[w] = ^uint64(0)
	}
}

// checkChoice checks that each lane in want took one of its offers, others
// nothing, and that missing is right. offer is the first slot of the offers.
func (tb *table) checkChoice(t *testing.T, offer int32) {
	t.Helper()
	for w, want := range tb.want {
		any, taken := uint64(0), uint64(0)
		for k := range int32(Pad(tb.n)) {
			x := tb.slot(tb.sel + k)[w]
			o := uint64(0)
			if int(k) < tb.n {
				o = tb.slot(offer + k)[w]
			}
			if x&^o != 0 || x&taken != 0 {
				t.Fatalf("%d semimoves: semimove %d taken by %x, offered to %x, taken before by %x", tb.n, k, x, o, taken)
			}
			any |= o
			taken |= x
		}
		if taken != want&any {
			t.Fatalf("%d semimoves: taken by %x, want %x", tb.n, taken, want&any)
		}
		if tb.missing[w] != want&^any {
			t.Fatalf("%d semimoves: missing %x, want %x", tb.n, tb.missing[w], want&^any)
		}
	}
}

var levelSizes = []int{1, 2, 6, 7, 8, 14, 40, 63, 64, 200, 300, 1000, 2100}

// randomOffers fills the offers, more or less thinly, and want.
func (tb *table) randomOffers(rng *rand.Rand) {
	thin := rng.IntN(6)
	for k := range int32(tb.n) {
		for w := range tb.slot(2 + k) {
			x := rng.Uint64()
			for range thin {
				x &= rng.Uint64()
			}
			tb.slot(2 + k)[w] = x
		}
	}
	for w := range tb.want {
		tb.want[w] = rng.Uint64() | rng.Uint64()
	}
	if rng.IntN(10) == 0 {
		clear(tb.want)
	}
	// What was there before must not matter.
	for k := range int32(Pad(tb.n)) {
		for w := range tb.slot(tb.sel + k) {
			tb.slot(tb.sel + k)[w] = rng.Uint64()
		}
	}
}

// TestDifferentOffers gives each lane offers of its own: only those are
// taken, lanes that want nothing take nothing, lanes without offers are told.
func TestDifferentOffers(t *testing.T) {
	everySet(t, func(t *testing.T, s *Set) {
		rng := rand.New(rand.NewPCG(3, 4))
		r := NewRandom(5, s.Words())
		for _, n := range levelSizes {
			tb := newTable(s, n)
			for range max(3, 2000/n) {
				tb.randomOffers(rng)
				tb.level.Choose(tb.slots, tb.want, tb.missing, r)
				tb.checkChoice(t, 2)

				for k := range int32(n) {
					for w := range tb.slot(tb.tried + k) {
						tb.slot(tb.tried + k)[w] = rng.Uint64()
					}
				}
				tb.level.Without(tb.masked, tb.tried, tb.slots)
				for k := range int32(n) {
					for w, x := range tb.slot(tb.masked + k) {
						if x != tb.slot(2 + k)[w]&^tb.slot(tb.tried + k)[w] {
							t.Fatalf("%d semimoves: offer %d without the tried is %x", n, k, x)
						}
					}
				}
				tb.level.ChooseFrom(tb.masked, tb.slots, tb.want, tb.missing, r)
				tb.checkChoice(t, tb.masked)
			}
			if !Empty(tb.slot(0)) || Popcount(tb.slot(1)) != s.Lanes() {
				t.Fatal("the constant slots changed")
			}
		}
	})
}

// TestSameChoice holds the vector kernels against those in Go: with the same
// seed they choose the same.
func TestSameChoice(t *testing.T) {
	everySet(t, func(t *testing.T, s *Set) {
		plain := goSet(s.Words())
		for _, n := range levelSizes {
			a, b := newTable(s, n), newTable(plain, n)
			ra, rb := NewRandom(9, s.Words()), NewRandom(9, s.Words())
			rng := rand.New(rand.NewPCG(7, uint64(n)))
			for range 20 {
				a.randomOffers(rng)
				copy(b.slots, a.slots)
				copy(b.want, a.want)
				a.level.Choose(a.slots, a.want, a.missing, ra)
				b.level.Choose(b.slots, b.want, b.missing, rb)
				sameSlots(t, "choice", a.slots, b.slots, s.Words())
				if !slices.Equal(a.missing, b.missing) {
					t.Fatalf("missing %x, want %x", a.missing, b.missing)
				}
			}
			if ra.state != rb.state {
				t.Fatalf("%d semimoves: the generators are in different states", n)
			}
		}
	})
}

// draws is how many choices are made for one chi-square test.
const draws = 1_000_000

// TestUniform counts the choices among offers that are spread over the
// semimoves in several ways. A bias of 1% in half of them is seen, as the
// second half of the test shows.
func TestUniform(t *testing.T) {
	type code struct {
		isa   isa
		words int
	}
	done := map[code]bool{}
	everySet(t, func(t *testing.T, s *Set) {
		if done[code{s.isa, s.words}] {
			t.Skip("makes its choices with the code of another set")
		}
		done[code{s.isa, s.words}] = true
		for _, c := range []struct{ moves, every, open int }{
			{2, 1, 2}, {7, 1, 7}, {10, 3, 4}, {20, 1, 20}, {160, 9, 17}, {300, 2, 150},
		} {
			tb := newTable(s, c.moves)
			var open []int32
			for i := 0; i < c.moves && len(open) < c.open; i += c.every {
				open = append(open, int32(i))
				for w := range s.Words() {
					tb.slot(2 + int32(i))[w] = ^uint64(0)
				}
			}
			byMove, byLane := countChoices(t, tb, open)
			if sum := chiSquare(byMove); tooFar(sum, len(open)) {
				t.Errorf("%+v: chi-square %.1f over moves", c, sum)
			}
			if sum := chiSquare(byLane); tooFar(sum, s.Lanes()) {
				t.Errorf("%+v: chi-square %.1f over lanes", c, sum)
			}
			if !tooFar(chiSquare(biased(len(open))), len(open)) && c.open <= 20 {
				t.Errorf("%+v: a bias of 1%% would not be seen", c)
			}
		}
	})
}

// countChoices makes choices with all lanes wanting, and counts them by open
// offer, and those of the first offer by lane.
func countChoices(t *testing.T, tb *table, open []int32) (byMove, byLane []int) {
	s := tb.set
	r := NewRandom(uint64(tb.n), s.Words())
	byMove, byLane = make([]int, len(open)), make([]int, s.Lanes())
	tb.wantAll()
	for range draws / s.Lanes() {
		tb.level.Choose(tb.slots, tb.want, tb.missing, r)
		for k, i := range open {
			for w, x := range tb.slot(tb.sel + i) {
				byMove[k] += bits.OnesCount64(x)
				for ; k == 0 && x != 0; x &= x - 1 {
					byLane[64*w+bits.TrailingZeros64(x)]++
				}
			}
		}
	}
	tb.checkChoice(t, 2)
	return byMove, byLane
}

// biased draws from n offers, of which every other one is 1% too seldom.
func biased(n int) []int {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	counts := make([]int, n)
	for range draws {
		k := rng.IntN(n)
		if k%2 == 0 && rng.Float64() < 0.01 {
			k = (k + 1) % n
		}
		counts[k]++
	}
	return counts
}

func chiSquare(counts []int) float64 {
	total := 0
	for _, c := range counts {
		total += c
	}
	mean := float64(total) / float64(len(counts))
	sum := 0.0
	for _, c := range counts {
		d := float64(c) - mean
		sum += d * d / mean
	}
	return sum
}
