package lanes

import (
	"fmt"
	"strings"

	"semisplit/reasoner/lanes/kernel"
)

// program is what an engine executes, for any width.
type program struct {
	stages []stage
}

// stage is a straight row of instructions over slots. With rounds it is a
// loop: as long as the row leaves a bit in the slot changed, a second row and
// it are run again, so many times at most.
type stage struct {
	code    []kernel.Instr
	again   []kernel.Instr
	changed int32
	rounds  int
}

// size is the number of instructions.
func (p *program) size() int {
	n := 0
	for i := range p.stages {
		n += len(p.stages[i].code) + len(p.stages[i].again)
	}
	return n
}

// numRuns is the number of runs: rows of instructions of one op.
func (p *program) numRuns() int {
	n := 0
	for _, st := range p.stages {
		for i := range st.code {
			if i == 0 || st.code[i].Op != st.code[i-1].Op {
				n++
			}
		}
	}
	return n
}

// String lists the program, one run a line.
func (p *program) String() string {
	var b strings.Builder
	for _, st := range p.stages {
		list(&b, "", st.code)
		if st.rounds > 0 {
			fmt.Fprintf(&b, "while %d, at most %d times\n", st.changed, st.rounds)
			list(&b, "  ", st.again)
			b.WriteString("  the row before\n")
		}
	}
	return strings.ReplaceAll(b.String(), "]", ")")
}

func list(b *strings.Builder, indent string, code []kernel.Instr) {
	for i, in := range code {
		if i == 0 || in.Op != code[i-1].Op {
			if i > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(b, "%s%s", indent, in.Op)
		}
		fmt.Fprintf(b, " %d%s", in.D, strings.ReplaceAll(fmt.Sprint(in.Operands()), "[", "("))
	}
	if len(code) > 0 {
		b.WriteByte('\n')
	}
}
