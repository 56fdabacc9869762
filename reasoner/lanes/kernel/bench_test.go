package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

// circuit is a program of rows of one op each, on few enough slots for the
// nearest cache, with mostly three-operand ops as circuits have.
func circuit(size, row int, slots int32) []Instr {
	rng := rand.New(rand.NewPCG(1, 2))
	ops := []Op{OpAnd2, OpAnd3, OpAnd2Not, OpAndNot, OpOr2, OpOr3, OpAndOr, OpAndNotOr, OpOrAnd, OpNor2}
	var instrs []Instr
	for len(instrs) < size {
		op := ops[rng.IntN(len(ops))]
		for range 1 + rng.IntN(2*row-1) {
			instrs = append(instrs, randomInstr(op, slots, rng))
		}
	}
	return instrs[:size]
}

// BenchmarkExec executes programs of 1,500 instructions; ns/instr is of a
// whole slot.
func BenchmarkExec(b *testing.B) {
	const size, slots = 1500, 400
	for _, s := range allSets() {
		for _, row := range []int{1, 4, 16, 64} {
			b.Run(fmt.Sprintf("%s/run%d", s.Name(), row), func(b *testing.B) {
				code := s.Encode(circuit(size, row, slots), slots)
				mem := Alloc(slots, s.Words())
				for b.Loop() {
					s.Exec(code, mem)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/size, "ns/instr")
			})
		}
	}
}

// deep is a program in depth-first order: half of the operands are results
// that were computed shortly before.
func deep(size int, slots int32) []Instr {
	const temporaries = 50
	rng := rand.New(rand.NewPCG(1, 2))
	ops := []Op{OpAnd2, OpAnd3, OpAnd2Not, OpAndNot, OpOr2, OpOr3, OpAndOr, OpAndNotOr, OpOrAnd, OpNor2}
	var instrs []Instr
	var stack []int32
	for len(instrs) < size {
		in := randomInstr(ops[rng.IntN(len(ops))], slots-temporaries, rng)
		for _, x := range []*int32{&in.A, &in.B, &in.C}[:in.Op.Arity()] {
			if n := len(stack); n > 0 && rng.IntN(2) == 0 {
				*x, stack = stack[n-1], stack[:n-1]
			}
		}
		if rng.IntN(4) != 0 && len(stack) < temporaries {
			in.D = slots - 1 - int32(len(stack))
			stack = append(stack, in.D)
		}
		instrs = append(instrs, in)
	}
	return instrs
}

// BenchmarkExecLarge executes programs that do not fit the nearest cache: in
// rows of one op, and depth first.
func BenchmarkExecLarge(b *testing.B) {
	const slots = 4000
	for _, s := range allSets() {
		for _, size := range []int{10_000, 40_000, MaxCompiled} {
			s := s
			if size >= s.FarInstructions() {
				s = s.Far()
			}
			for name, instrs := range map[string][]Instr{"rows": circuit(size, 16, slots), "deep": deep(size, slots)} {
				b.Run(fmt.Sprintf("%s/%d/%s", s.Name(), size, name), func(b *testing.B) {
					code := s.Encode(instrs, slots)
					mem := Alloc(slots, s.Words())
					for b.Loop() {
						s.Exec(code, mem)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(size), "ns/instr")
				})
			}
		}
	}
}

// BenchmarkChoose chooses in all lanes among levels of which a lane is
// offered every fourth semimove.
func BenchmarkChoose(b *testing.B) {
	for _, s := range allSets() {
		for _, n := range []int{1, 9, 64, 155, 200, 1000} {
			b.Run(fmt.Sprintf("%s/%d", s.Name(), n), func(b *testing.B) {
				tb := newTable(s, n)
				rng := rand.New(rand.NewPCG(1, 2))
				for i := 2 * s.Words(); i < (2+n)*s.Words(); i++ {
					tb.slots[i] = rng.Uint64() & rng.Uint64()
				}
				tb.wantAll()
				r := NewRandom(1, s.Words())
				for b.Loop() {
					tb.level.Choose(tb.slots, tb.want, tb.missing, r)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(s.Lanes()), "ns/lane")
			})
		}
	}
}

// BenchmarkMasks works on levels of 155 semimoves.
func BenchmarkMasks(b *testing.B) {
	for _, s := range allSets() {
		tb := newTable(s, 155)
		rng := rand.New(rand.NewPCG(1, 2))
		var order []int32
		for i := range 155 {
			order = append(order, int32(i))
			for w := range s.Words() {
				tb.slots[(2+i)*s.Words()+w] = rng.Uint64() & rng.Uint64() & rng.Uint64() & rng.Uint64()
			}
		}
		tb.wantAll()
		r := NewRandom(1, s.Words())
		run := func(name string, f func()) {
			b.Run(s.Name()+"/"+name, func(b *testing.B) {
				for b.Loop() {
					f()
				}
			})
		}
		run("greedy", func() { tb.level.Greedy(order, tb.slots, tb.want, tb.missing) })
		run("without", func() { tb.level.Without(tb.masked, tb.tried, tb.slots) })
		run("add-masked", func() { s.Columns(tb.slots, tb.tried, 155).AddMasked(s.Columns(tb.slots, tb.sel, 155), tb.want) })
		run("bernoulli", func() { s.Bernoulli(0.3, tb.missing, r) })
	}
}

// BenchmarkStates moves states of 200 columns.
func BenchmarkStates(b *testing.B) {
	const n = 200
	for _, s := range allSets() {
		st := newStateTest(s, n, rand.New(rand.NewPCG(1, 2)))
		mask := make([]uint64, s.Words())
		for lane := 7; lane < s.Lanes(); lane += 64 {
			mask[lane/64] |= 1 << (lane % 64)
		}
		one := make([]uint64, st.words)
		run := func(name string, f func()) {
			b.Run(s.Name()+"/"+name, func(b *testing.B) {
				for b.Loop() {
					f()
				}
			})
		}
		all := make([]uint64, s.Words())
		for w := range all {
			all[w] = ^uint64(0)
		}
		columns := st.columns()
		run("scatter-1/64", func() { columns.Scatter(mask, st.states, st.words) })
		run("broadcast", func() { columns.Broadcast(one, mask) })
		run("gather-one", func() { columns.GatherOne(9, one) })
		run("gather-1/64", func() { columns.Gather(mask, st.states, st.words) })
		run("gather-all", func() { columns.Gather(all, st.states, st.words) })
		for _, n := range []int32{8, 16, 64} {
			run(fmt.Sprintf("gather-rows-%d", n), func() { s.Columns(st.slots, st.base, n).GatherRows(st.states) })
		}
		run("clear", func() { columns.Clear() })
	}
}

// BenchmarkAnd is the reference: words of 64 lanes per second.
func BenchmarkAnd(b *testing.B) {
	for _, s := range allSets() {
		b.Run(s.Name(), func(b *testing.B) {
			const n = 1_000_000
			seconds := 0.0
			for b.Loop() {
				seconds += andLoop(s, n).Seconds()
			}
			b.ReportMetric(float64(b.N)*n*float64(s.Words())/seconds/1e9, "Gwords/s")
		})
	}
}

// andSlots is the number of slots of andLoop: 12 KB at most, so that they
// stay in the nearest cache.
const andSlots = 3 * 64

// andLoop takes the time of n ANDs of two slots (of Words words each) into a
// third, in a straight row over slots in the nearest cache, none of which
// waits for another one: a measure for the speed of a machine to hold other
// figures against.
func andLoop(s *Set, n int) time.Duration {
	slots := Alloc(andSlots, s.words)
	row := make([]Instr, 1024)
	for i := range row {
		// The destinations are no multiple of 4096 bytes from an operand: a
		// load waits for a store that looks as if it were to the same place.
		k := int32(i)
		row[i] = Instr{Op: OpAnd2, D: 48 + k%16, A: 64 + k%48, B: 128 + k%47}
	}
	s = s.plain() // machine code would leave most of it out
	whole, rest := s.Encode(row, andSlots), s.Encode(row[:n%len(row)], andSlots)
	start := time.Now()
	for range n / len(row) {
		s.Exec(whole, slots)
	}
	s.Exec(rest, slots)
	return time.Since(start)
}
