package kernel

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestTranspose(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	var a, b [64]uint64
	for i := range a {
		a[i] = rng.Uint64()
	}
	b = a
	transpose(&b)
	for i := range 64 {
		for j := range 64 {
			if a[i]>>j&1 != b[j]>>i&1 {
				t.Fatalf("bit %d of word %d is wrong", i, j)
			}
		}
	}
}

// stateTest moves states of n columns in and out.
type stateTest struct {
	set    *Set
	slots  []uint64
	base   int32
	n      int32
	words  int
	states []uint64 // by lane: what the slots should hold
}

func newStateTest(s *Set, n int32, rng *rand.Rand) *stateTest {
	st := &stateTest{set: s, base: 3, n: n, words: int(n+63) / 64}
	st.slots = Alloc(int(st.base+n+2), s.Words())
	fillRandom(st.slots, s.Words(), rng)
	st.states = make([]uint64, s.Lanes()*st.words)
	for lane := range s.Lanes() {
		for i := range n {
			bit := st.slots[int(st.base+i)*s.Words()+lane/64] >> (lane % 64) & 1
			st.states[lane*st.words+int(i/64)] |= bit << (i % 64)
		}
	}
	return st
}

func (st *stateTest) columns() Columns { return st.set.Columns(st.slots, st.base, st.n) }

// state is the part of one lane.
func (st *stateTest) state(states []uint64, lane int) []uint64 {
	return states[lane*st.words : (lane+1)*st.words]
}

// cut clears the bits of a state above the columns.
func (st *stateTest) cut(state []uint64) {
	if st.n%64 != 0 {
		state[len(state)-1] &= 1<<(st.n%64) - 1
	}
}

// check compares the slots with the states, and everything around them.
func (st *stateTest) check(t *testing.T, what string, around []uint64) {
	t.Helper()
	s := st.set
	want := slices.Clone(around)
	for lane := range s.Lanes() {
		for i := range st.n {
			at := int(st.base+i)*s.Words() + lane/64
			bit := st.state(st.states, lane)[i/64] >> (i % 64) & 1
			want[at] = want[at]&^(1<<(lane%64)) | bit<<(lane%64)
		}
	}
	sameSlots(t, what, st.slots, want, s.Words())
}

func randomMask(s *Set, many int, rng *rand.Rand) (mask []uint64, lanes []int32) {
	mask = make([]uint64, s.Words())
	for range many {
		lane := rng.IntN(s.Lanes())
		mask[lane/64] |= 1 << (lane % 64)
	}
	return mask, lanesOf(mask)
}

func lanesOf(mask []uint64) (lanes []int32) {
	for w, x := range mask {
		for ; x != 0; x &= x - 1 {
			lanes = append(lanes, int32(64*w+bits.TrailingZeros64(x)))
		}
	}
	return lanes
}

func TestStates(t *testing.T) {
	everySet(t, func(t *testing.T, s *Set) {
		rng := rand.New(rand.NewPCG(11, 12))
		for _, n := range []int32{1, 5, 63, 64, 65, 128, 200} {
			st := newStateTest(s, n, rng)
			for _, many := range []int{0, 1, 3, 12, 60, 2000} {
				st.testScatter(t, many, rng)
				st.testBroadcast(t, many, rng)
				st.testGather(t, many, rng)
			}
		}
	})
}

func (st *stateTest) testScatter(t *testing.T, many int, rng *rand.Rand) {
	s := st.set
	around := slices.Clone(st.slots)
	mask, lanes := randomMask(s, many, rng)
	given := make([]uint64, len(st.states))
	for i := range given {
		given[i] = rng.Uint64()
	}
	for _, lane := range lanes {
		copy(st.state(st.states, int(lane)), st.state(given, int(lane)))
		st.cut(st.state(st.states, int(lane)))
	}
	st.columns().Scatter(mask, given, st.words)
	st.check(t, "scatter", around)
}

func (st *stateTest) testBroadcast(t *testing.T, many int, rng *rand.Rand) {
	s := st.set
	around := slices.Clone(st.slots)
	mask, lanes := randomMask(s, many, rng)
	one := make([]uint64, st.words)
	for i := range one {
		one[i] = rng.Uint64()
	}
	for _, lane := range lanes {
		copy(st.state(st.states, int(lane)), one)
		st.cut(st.state(st.states, int(lane)))
	}
	st.columns().Broadcast(one, mask)
	st.check(t, "broadcast", around)
}

func (st *stateTest) testGather(t *testing.T, many int, rng *rand.Rand) {
	s := st.set
	got := make([]uint64, len(st.states))
	all := make([]uint64, s.Words())
	for w := range all {
		all[w] = ^uint64(0)
	}
	st.columns().Gather(all, got, st.words)
	if !slices.Equal(got, st.states) {
		t.Fatal("gather all: states differ")
	}
	lane := rng.IntN(s.Lanes())
	one := make([]uint64, st.words)
	st.columns().GatherOne(lane, one)
	if !slices.Equal(one, st.state(st.states, lane)) {
		t.Fatalf("gather one: lane %d: %x, want %x", lane, one, st.state(st.states, lane))
	}
	mask, _ := randomMask(s, many, rng)
	for i := range got {
		got[i] = rng.Uint64()
	}
	want := slices.Clone(got)
	for _, lane := range lanesOf(mask) {
		copy(st.state(want, int(lane)), st.state(st.states, int(lane)))
	}
	st.columns().Gather(mask, got, st.words)
	if !slices.Equal(got, want) {
		t.Fatal("gather lanes: states differ")
	}
}

func TestMasks(t *testing.T) {
	everySet(t, func(t *testing.T, s *Set) {
		rng := rand.New(rand.NewPCG(13, 14))
		const n = 20
		slots := Alloc(n, s.Words())
		fillRandom(slots, s.Words(), rng)
		mask, _ := randomMask(s, 50, rng)
		want := slices.Clone(slots)
		for i := range 7 * s.Words() {
			want[3*s.Words()+i] |= want[11*s.Words()+i] & mask[i%s.Words()]
		}
		s.Columns(slots, 3, 7).AddMasked(s.Columns(slots, 11, 7), mask)
		sameSlots(t, "add masked", slots, want, s.Words())
		clear(want[5*s.Words() : 9*s.Words()])
		s.Columns(slots, 5, 4).Clear()
		sameSlots(t, "clear", slots, want, s.Words())
	})
}

// TestGatherRows holds GatherRows against the states that the slots were made
// of.
func TestGatherRows(t *testing.T) {
	everySet(t, func(t *testing.T, s *Set) {
		rng := rand.New(rand.NewPCG(13, 14))
		for n := range int32(65) {
			st := newStateTest(s, int32(PadRows(int(n))), rng)
			s.Columns(st.slots, st.base+n, st.n-n).Clear()
			dst := make([]uint64, s.Lanes()+1)
			dst[s.Lanes()] = 99
			s.Columns(st.slots, st.base, n).GatherRows(dst)
			for lane, got := range dst[:s.Lanes()] {
				want := uint64(0)
				if n > 0 {
					want = st.states[lane] & (1<<n - 1)
				}
				if got != want {
					t.Fatalf("%d columns: lane %d is %x, want %x", n, lane, got, want)
				}
			}
			if dst[s.Lanes()] != 99 {
				t.Fatalf("%d columns: wrote past the lanes", n)
			}
		}
	})
}
