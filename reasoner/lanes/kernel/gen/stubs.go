package main

import (
	"fmt"
	"strings"
)

// execDeclarations are the functions that execute instructions.
var execDeclarations = []declaration{
	{"row", "is the address of the code of a chunk, and with the last number\n// of the end.", "i int", " uintptr"},
	{"exec", "executes a stream of chunks.", "stream *uint32, slots *uint64", ""},
}

// declaration is a function without variants; its name ends with the lanes.
type declaration struct{ name, doc, signature, result string }

var declarations = []declaration{
	{"take", "sets the selections to all offers of the lanes in want.", takeSignature, ""},
	{"greedy", "adds to the selections the first offer of each lane in an order of n\n// semimoves.", greedySignature, ""},
	{"without", "sets n columns to offers without the columns of tried.", withoutSignature, ""},
	{"addMasked", "adds to n columns others, in the lanes of mask.", addMaskedSignature, ""},
	{"bernoulli", "sets the lanes whose random number of n bits is less than chance.", bernoulliSignature, ""},
	{"spread", "writes n bits of a state by word, from the lowest on, into columns.", spreadSignature, ""},
	{"collect", "reads n bits of a state by word: of the lanes 63-shift.", collectSignature, ""},
	{"rows", "turns groups of 8 columns into a word for each lane.", rowsSignature, ""},
	{"transpose", "flips 64 x 64 bits in each word of 64 slots.", transposeSignature, ""},
}

// stubs writes the declarations of the functions in assembly, and tables of
// those for each number of planes.
func stubs() string {
	var b strings.Builder
	b.WriteString("package kernel\n\n")
	declare := func(t *target, list []declaration) {
		for _, f := range list {
			fmt.Fprintf(&b, "// %[1]s%[2]d %[3]s\n//\n//go:noescape\nfunc %[1]s%[2]d(%[4]s", f.name, t.lanes, f.doc, f.signature)
			b.WriteString(")" + f.result + "\n\n")
		}
	}
	declare(avx2, execDeclarations)
	for _, t := range []*target{avx2, avx512} {
		declare(t, declarations)
		for _, n := range variants {
			fmt.Fprintf(&b, "//go:noescape\nfunc count%dx%d(%s)\n\n", t.lanes, n, countSignature)
			fmt.Fprintf(&b, "//go:noescape\nfunc choose%dx%d(%s)\n\n", t.lanes, n, chooseSignature)
		}
	}
	last := variants[len(variants)-1]
	fmt.Fprintf(&b, "// maxVector is the most planes of a choice in vector instructions.\nconst maxVector = %d\n\n", last)
	fmt.Fprintf(&b, "// chunkSizes are the numbers of instructions in a chunk.\nvar chunkSizes = [...]int{")
	for _, n := range chunks {
		fmt.Fprintf(&b, "%d, ", n)
	}
	b.WriteString("}\n\n")
	for _, t := range []*target{avx2, avx512} {
		writeTable(&b, t, "count", countSignature, last)
		writeTable(&b, t, "choose", chooseSignature, last)
	}
	return b.String()
}

func writeTable(b *strings.Builder, t *target, name, signature string, last int) {
	fmt.Fprintf(b, "// %s%d has by number of planes the function with at least as many.\n", name, t.lanes)
	fmt.Fprintf(b, "var %s%d = [maxVector + 1]func(%s){\n", name, t.lanes, signature)
	v := 0
	for n := range last + 1 {
		if n > variants[v] {
			v++
		}
		fmt.Fprintf(b, "%d: %s%dx%d,\n", n, name, t.lanes, variants[v])
	}
	b.WriteString("}\n\n")
}
