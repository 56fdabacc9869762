package kernel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// allSets are the kernels that this processor can run: of each width those
// in Go, and those in vector instructions, with AVX-512 and without.
func allSets() []*Set {
	var sets []*Set
	for _, words := range []int{1, 4, 8} {
		sets = append(sets, goSet(words))
		for _, avx512 := range []bool{true, false} {
			if s := vectorSet(words, avx512); s != nil && (hasAVX512() || !avx512) {
				if sets = append(sets, s); s.isa != isaGo {
					sets = append(sets, s.plain())
				}
			}
		}
	}
	return sets
}

// everySet runs a test on all kernels.
func everySet(t *testing.T, f func(t *testing.T, s *Set)) {
	for _, s := range allSets() {
		t.Run(s.Name(), func(t *testing.T) { f(t, s) })
	}
}

// allOps are the named ops and those of all truth tables.
func allOps() []Op {
	var ops []Op
	for o := range NumNamed {
		ops = append(ops, o)
	}
	for t := range 256 {
		ops = append(ops, Table(uint8(t)))
	}
	return ops
}

// fillRandom makes slots above the first two random.
func fillRandom(slots []uint64, words int, rng *rand.Rand) {
	for i := 2 * words; i < len(slots); i++ {
		slots[i] = rng.Uint64()
	}
}

// execBits is Exec, one lane after the other, by truth tables.
func execBits(instrs []Instr, slots []uint64, words int) {
	bit := func(slot int32, lane int) int {
		return int(slots[int(slot)*words+lane/64] >> (lane % 64) & 1)
	}
	for _, in := range instrs {
		out := make([]uint64, words)
		for lane := range 64 * words {
			index := 4 * bit(in.A, lane)
			if in.Op.Arity() > 1 {
				index += 2 * bit(in.B, lane)
			}
			if in.Op.Arity() > 2 {
				index += bit(in.C, lane)
			}
			out[lane/64] |= uint64(in.Op.Truth()>>index&1) << (lane % 64)
		}
		copy(slots[int(in.D)*words:], out)
	}
}

func randomInstr(op Op, slots int32, rng *rand.Rand) Instr {
	return Instr{
		Op: op, D: 2 + rng.Int32N(slots-2),
		A: rng.Int32N(slots), B: rng.Int32N(slots), C: rng.Int32N(slots),
	}
}

// sameSlots tells the first slot in which two slices differ.
func sameSlots(t *testing.T, what string, got, want []uint64, words int) {
	t.Helper()
	if !slices.Equal(got, want) {
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%s: slot %d, word %d is %016x, want %016x", what, i/words, i%words, got[i], want[i])
			}
		}
	}
}

// TestOps executes rows of one op, of many lengths.
func TestOps(t *testing.T) {
	everySet(t, func(t *testing.T, s *Set) {
		const n = 40
		rng := rand.New(rand.NewPCG(1, 2))
		slots := Alloc(n, s.Words())
		for i, op := range allOps() {
			for _, length := range []int{1, 2, 3 + i%30} {
				var instrs []Instr
				for range length {
					instrs = append(instrs, randomInstr(op, n, rng))
				}
				fillRandom(slots, s.Words(), rng)
				want := slices.Clone(slots)
				execBits(instrs, want, s.Words())
				s.Exec(s.Encode(instrs, n), slots)
				sameSlots(t, fmt.Sprint(instrs), slots, want, s.Words())
			}
		}
	})
}

// TestPrograms executes random programs of rows of all ops.
func TestPrograms(t *testing.T) {
	everySet(t, func(t *testing.T, s *Set) {
		rng := rand.New(rand.NewPCG(3, 4))
		ops := allOps()
		for range 60 {
			n := 3 + rng.Int32N([]int32{10, 300, 4000}[rng.IntN(3)])
			slots := Alloc(int(n), s.Words())
			var instrs []Instr
			for range rng.IntN(40) {
				op := ops[rng.IntN(len(ops))]
				for range rng.IntN(20) {
					instrs = append(instrs, randomInstr(op, n, rng))
				}
			}
			fillRandom(slots, s.Words(), rng)
			want := slices.Clone(slots)
			execBits(instrs, want, s.Words())
			code := s.Encode(instrs, int(n))
			if code.size != len(instrs) {
				t.Fatalf("size %d, want %d", code.size, len(instrs))
			}
			s.Exec(code, slots)
			sameSlots(t, "random program", slots, want, s.Words())
		}
	})
}

// TestOutputs executes random programs of which only some slots matter.
func TestOutputs(t *testing.T) {
	everySet(t, func(t *testing.T, s *Set) {
		rng := rand.New(rand.NewPCG(5, 6))
		ops := allOps()
		for range 100 {
			n := 3 + rng.Int32N(100)
			slots := Alloc(int(n), s.Words())
			var instrs []Instr
			for range rng.IntN(400) {
				instrs = append(instrs, randomInstr(ops[rng.IntN(len(ops))], n, rng))
			}
			outputs := make([]bool, n)
			for i := range outputs {
				outputs[i] = rng.IntN(3) == 0
			}
			fillRandom(slots, s.Words(), rng)
			want := slices.Clone(slots)
			execBits(instrs, want, s.Words())
			s.Exec(s.EncodeFor(instrs, int(n), outputs), slots)
			for i, ok := range outputs {
				if !ok {
					clear(slots[i*s.Words() : (i+1)*s.Words()])
					clear(want[i*s.Words() : (i+1)*s.Words()])
				}
			}
			sameSlots(t, "outputs of a random program", slots, want, s.Words())
		}
	})
}

// TestNamedOps holds the truth tables of the named ops against their
// definition, written out once more.
func TestNamedOps(t *testing.T) {
	def := map[Op]func(a, b, c bool) bool{
		OpMov:      func(a, b, c bool) bool { return a },
		OpNot:      func(a, b, c bool) bool { return !a },
		OpAnd2:     func(a, b, c bool) bool { return a && b },
		OpAnd3:     func(a, b, c bool) bool { return a && b && c },
		OpAndNot:   func(a, b, c bool) bool { return a && !b },
		OpAnd2Not:  func(a, b, c bool) bool { return a && b && !c },
		OpAndNot2:  func(a, b, c bool) bool { return a && !b && !c },
		OpNor2:     func(a, b, c bool) bool { return !a && !b },
		OpNor3:     func(a, b, c bool) bool { return !a && !b && !c },
		OpOr2:      func(a, b, c bool) bool { return a || b },
		OpOr3:      func(a, b, c bool) bool { return a || b || c },
		OpOrNot:    func(a, b, c bool) bool { return a || !b },
		OpOr2Not:   func(a, b, c bool) bool { return a || b || !c },
		OpOrNot2:   func(a, b, c bool) bool { return a || !b || !c },
		OpNand2:    func(a, b, c bool) bool { return !a || !b },
		OpNand3:    func(a, b, c bool) bool { return !a || !b || !c },
		OpAndOr:    func(a, b, c bool) bool { return a || b && c },
		OpAndNotOr: func(a, b, c bool) bool { return a || b && !c },
		OpNorOr:    func(a, b, c bool) bool { return a || !b && !c },
		OpOrAnd:    func(a, b, c bool) bool { return a && (b || c) },
		OpOrNotAnd: func(a, b, c bool) bool { return a && (b || !c) },
		OpNandAnd:  func(a, b, c bool) bool { return a && (!b || !c) },
	}
	for op := range NumNamed {
		for i := range 8 {
			if got, want := op.Truth()>>i&1 == 1, def[op](i&4 != 0, i&2 != 0, i&1 != 0); got != want {
				t.Errorf("%v of bits %03b is %v", op, i, got)
			}
		}
	}
}

// TestEncodeChecks gives slots that are out of range.
func TestEncodeChecks(t *testing.T) {
	everySet(t, func(t *testing.T, s *Set) {
		for _, in := range []Instr{
			{Op: OpMov, D: 5}, {Op: OpMov, D: 2, A: 5}, {Op: OpAnd2, D: 2, B: -1},
			{Op: OpAnd3, D: 2, C: 5}, {Op: NumNamed, D: 2}, {Op: NumOps, D: 2},
		} {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%v of 5 slots was accepted", in)
					}
				}()
				s.Encode([]Instr{in}, 5)
			}()
		}
		s.Encode([]Instr{{Op: OpMov, D: 2, B: 9, C: -1}}, 5) // not read
	})
}
