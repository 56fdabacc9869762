package kernel

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"runtime/pprof"
	"slices"
	"sync"
	"testing"
)

// TestConcurrent executes code in several goroutines while the profiler
// interrupts them, garbage is collected, and codes come and go.
func TestConcurrent(t *testing.T) {
	everySet(t, func(t *testing.T, s *Set) {
		if !testing.Short() {
			var profile bytes.Buffer
			if err := pprof.StartCPUProfile(&profile); err == nil {
				defer pprof.StopCPUProfile()
			}
		}
		const n, size = 100, 2000
		rng := rand.New(rand.NewPCG(1, 2))
		var instrs []Instr
		for range size {
			instrs = append(instrs, randomInstr(OpAndOr+Op(rng.IntN(6)), n, rng))
		}
		start := Alloc(n, s.Words())
		fillRandom(start, s.Words(), rng)
		want := slices.Clone(start)
		execBits(instrs, want, s.Words())
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				slots := Alloc(n, s.Words())
				for round := range 5 {
					code := s.Encode(instrs, n)
					for range 20 {
						copy(slots, start)
						s.Exec(code, slots)
					}
					if !slices.Equal(slots, want) {
						t.Errorf("round %d: wrong slots", round)
						return
					}
					runtime.GC()
				}
			})
		}
		wg.Wait()
	})
}

// TestPlain checks that where no machine code is made, because there are too
// many instructions, the result is the same.
func TestPlain(t *testing.T) {
	everySet(t, func(t *testing.T, s *Set) {
		const n = 500
		instrs := deep(MaxCompiled+1, n)
		slots := Alloc(n, s.Words())
		fillRandom(slots, s.Words(), rand.New(rand.NewPCG(1, 2)))
		want := slices.Clone(slots)
		code := s.Encode(instrs, n)
		if code.text != nil {
			t.Error("machine code for too many instructions")
		}
		s.Exec(code, slots)
		goSet(s.Words()).Exec(goSet(s.Words()).Encode(instrs, n), want)
		sameSlots(t, "large program", slots, want, s.Words())
		code = s.Encode(instrs[:MaxCompiled], n)
		if s.jit != (code.text != nil) {
			t.Errorf("machine code made: %v", code.text != nil)
		}
		goSet(s.Words()).Exec(goSet(s.Words()).Encode(instrs[:MaxCompiled], n), want)
		s.Exec(code, slots)
		sameSlots(t, "compiled program", slots, want, s.Words())
	})
}

// TestNoMachineCode: where the system does not allow it, nothing is made to be thrown away,
// and circuits are ordered for an interpreter.
func TestNoMachineCode(t *testing.T) {
	was := mayRun
	t.Cleanup(func() { mayRun = was })
	mayRun = func() bool { return false }
	for _, s := range Sets() {
		if s.Compiles() {
			t.Error(s.Name())
		}
	}
}

func TestSets(t *testing.T) {
	for _, c := range []struct {
		lanes, kernel string
		words         []int
	}{{"", "", []int{1, 4, 8}}, {"256", "", []int{4}}, {"", "go", []int{1, 4, 8}}, {"512", "plain", []int{8}}, {"256", "avx2", []int{4}}, {"77", "", []int{1}}} {
		t.Setenv("GGP_LANES", c.lanes)
		t.Setenv("GGP_KERNEL", c.kernel)
		sets := Sets()
		var words []int
		for _, s := range sets {
			words = append(words, s.Words())
			if c.kernel != "" && c.kernel != "avx2" && s.Compiles() || c.kernel == "go" && s.isa != isaGo || c.kernel == "avx2" && s.ternary {
				t.Errorf("%+v: %s", c, s.Name())
			}
		}
		if !slices.Equal(words, c.words) {
			t.Errorf("%+v: words %v", c, words)
		}
	}
}
