// Package kernel holds the inner loops of a bit-parallel engine: the
// instructions of a circuit, the random choice of moves, and the ways of
// states into and out of the lanes, in several widths.
//
// A slot is W words for 64 x W lanes, W = 1, 4 or 8; lane k is bit k%64 of
// word k/64. Slot i is slots[i*W : (i+1)*W]. Slot 0 is all zero and slot 1
// all one; their owner keeps them so. A slice of slots comes from Alloc.
//
// All kernels do the same with the same seed; they differ in speed. There are
// three kinds. Those in Go work on one word of each slot after the other, and
// are what the others are tested against. Those in vector instructions are
// written by the program in the folder gen. And instructions of a circuit
// become machine code at run time, which keeps the values of slots in
// registers: less than half the time of the vector kernels, as those spend
// most of theirs on reading where the operands are.
package kernel

import (
	"fmt"
	"os"
	"sync"
	"unsafe"
)

// isa is the instruction set that the kernels of a Set use.
type isa uint8

const (
	isaGo isa = iota
	isaAVX2
	isaAVX512
)

// Set holds the kernels of one width. It does not change and may be used by
// many goroutines at once.
type Set struct {
	name  string
	words int // per slot
	isa   isa
	jit   bool // instructions become machine code
	far   bool // and this fetches itself ahead

	ternary bool // this has functions of three operands (AVX-512)
}

// MaxWords is the most words that a slot has.
const MaxWords = 8

// Sets returns the kernels of each width, narrowest first: in vector
// instructions where the processor has them, else in Go. The environment
// variable GGP_LANES (64, 256 or 512) restricts them to one width. With
// GGP_KERNEL=go all are in Go, with GGP_KERNEL=plain no machine code is made
// at run time, with GGP_KERNEL=avx2 there is no AVX-512.
func Sets() []*Set {
	kind := os.Getenv("GGP_KERNEL")
	only := os.Getenv("GGP_LANES")
	var sets []*Set
	for _, words := range []int{1, 4, 8} {
		if only != "" && only != fmt.Sprint(64*words) {
			continue
		}
		s := vectorSet(words, hasAVX512() && kind != "avx2")
		if s == nil || kind == "go" {
			s = goSet(words)
		} else if kind == "plain" || !mayRun() {
			s = s.plain()
		}
		sets = append(sets, s)
	}
	if sets == nil { // no such width: as if it had not been said
		sets = append(sets, goSet(1))
	}
	return sets
}

// mayRun tells whether the system allows machine code that is made at run time.
var mayRun = sync.OnceValue(func() bool {
	_, err := loadText(new(Code), []byte{0xc3}) // RET
	return err == nil
})

// goSet returns the kernels in Go.
func goSet(words int) *Set {
	return &Set{name: fmt.Sprintf("go%d", 64*words), words: words}
}

// plain returns the same kernels without machine code made at run time.
func (s *Set) plain() *Set {
	p := *s
	if s.jit {
		p.name, p.jit = s.name+"-plain", false
	}
	return &p
}

// Name is for example "go64" or "avx512-512": what it is made of, and lanes.
func (s *Set) Name() string { return s.name }

// Words is the number of words in a slot.
func (s *Set) Words() int { return s.words }

// Lanes is the number of lanes.
func (s *Set) Lanes() int { return 64 * s.words }

// Vectors tells whether it is not all in Go.
func (s *Set) Vectors() bool { return s.isa != isaGo || s.jit }

// Far returns the same kernels for codes that together do not stay in the
// second cache, where they become machine code: the processor fetches
// instructions from farther away much more slowly than data, so the code asks
// for itself in time, as for data. Measured with 512 lanes in games of 60,000
// to 150,000 instructions a step, all codes together, that takes half to
// three quarters of the time; it is even at 40,000, and with few a few
// percent are lost. Without AVX-512 (256 lanes, AMD EPYC) it took 1.2 to 1.5 times the
// time up to 100,000, and was even at 300,000.
func (s *Set) Far() *Set {
	f := *s
	f.far = true
	return &f
}

// FarInstructions is the number of instructions, in all codes that take turns,
// from which on Far is worth it.
func (s *Set) FarInstructions() int {
	if s.ternary {
		return 40_000
	}
	return 250_000
}

// MaxCompiled is the number of instructions above which Encode makes no
// machine code: it is some 20 bytes for each of them.
const MaxCompiled = 400_000

// Compiles tells whether up to MaxCompiled instructions become machine code
// with the values of slots in registers. Then rows of one op gain nothing,
// and it is best if values are read soon after they are computed. Else rows
// of one op are quicker than mixed ones.
func (s *Set) Compiles() bool { return s.jit }

// alignment is that of the widest vectors, in bytes.
const alignment = 64

// Alloc returns zeroed slots of words words each, aligned for the kernels,
// with slot 1 set. A word of memory lies behind the last one: machine code for 64
// lanes reads 128 bits where AVX-512 is missing.
func Alloc(slots, words int) []uint64 {
	n := slots * words
	raw := make([]uint64, n+alignment/8)
	skip := 0
	if rest := int(uintptr(unsafe.Pointer(&raw[0])) % alignment); rest != 0 {
		skip = (alignment - rest) / 8
	}
	part := raw[skip : skip+n : skip+n]
	if slots > 1 {
		for i := range words {
			part[words+i] = ^uint64(0)
		}
	}
	return part
}
