package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// wandering is a program that works now here, now there among many slots.
func wandering(size int, slots int32, rng *rand.Rand) []Instr {
	ops := allOps()
	var instrs []Instr
	near := int32(0)
	for len(instrs) < size {
		if rng.IntN(50) == 0 {
			near = rng.Int32N(slots - 300)
		}
		in := randomInstr(ops[rng.IntN(len(ops))], slots, rng)
		for _, x := range []*int32{&in.D, &in.A, &in.B} {
			if rng.IntN(8) > 0 {
				*x = near + 2 + rng.Int32N(290)
			}
		}
		instrs = append(instrs, in)
	}
	return instrs
}

// TestFar executes programs that the base registers must follow, with and
// without code that fetches itself ahead.
func TestFar(t *testing.T) {
	everySet(t, func(t *testing.T, s *Set) {
		const n, size = 20_000, 3000
		rng := rand.New(rand.NewPCG(7, 8))
		instrs := wandering(size, n, rng)
		start := Alloc(n, s.Words())
		fillRandom(start, s.Words(), rng)
		want := slices.Clone(start)
		execBits(instrs, want, s.Words())
		slots := Alloc(n, s.Words())
		near, far := s.Encode(instrs, n), s.Far().Encode(instrs, n)
		for what, code := range map[string]*Code{"near": near, "far": far} {
			copy(slots, start)
			s.Exec(code, slots)
			sameSlots(t, what, slots, want, s.Words())
		}
		if s.jit && len(far.text) <= len(near.text) {
			t.Errorf("%d bytes that fetch themselves ahead, %d that do not", len(far.text), len(near.text))
		}
	})
}

// TestCodeSize checks that the code reaches most slots by short addresses:
// those of a program in one place, wherever, and of one that moves on.
func TestCodeSize(t *testing.T) {
	const n = 20_000
	rng := rand.New(rand.NewPCG(9, 10))
	size := func(from, spread int32) int {
		var instrs []Instr
		for i := range int32(2000) {
			at := from + i/500*spread
			instrs = append(instrs, Instr{Op: OpAnd2, D: at + rng.Int32N(1000), A: at + rng.Int32N(1000), B: at + rng.Int32N(1000)})
		}
		return len((&Set{words: 8, ternary: true}).compile(instrs, n, nil))
	}
	low, high, wide := size(256, 0), size(15_000, 0), size(2000, 4000)
	if high > low+low/20 || wide > low+low/20 {
		t.Errorf("%d bytes of code on low slots, %d on high ones, %d on changing ones", low, high, wide)
	}
}
