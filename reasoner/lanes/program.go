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

// stage is a straight row of instructions over slots. With feedback it is a
// loop: the prev slots start at zero, and the row is repeated until every prev
// equals its next.
type stage struct {
	code     []kernel.Instr
	feedback []feedback
}

// feedback carries the value of a recursive gate from one evaluation of a
// loop to the next.
type feedback struct {
	prev, next int32
}

// size is the number of instructions.
func (p *program) size() int {
	n := 0
	for i := range p.stages {
		n += len(p.stages[i].code)
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
		indent := ""
		if st.feedback != nil {
			indent = "  "
			b.WriteString("loop")
			for _, f := range st.feedback {
				fmt.Fprintf(&b, " %d<-%d", f.prev, f.next)
			}
			b.WriteByte('\n')
		}
		for i, in := range st.code {
			if i == 0 || in.Op != st.code[i-1].Op {
				if i > 0 {
					b.WriteByte('\n')
				}
				fmt.Fprintf(&b, "%s%s", indent, in.Op)
			}
			fmt.Fprintf(&b, " %d%s", in.D, strings.ReplaceAll(fmt.Sprint(in.Operands()), "[", "("))
		}
		if len(st.code) > 0 {
			b.WriteByte('\n')
		}
	}
	return strings.ReplaceAll(b.String(), "]", ")")
}
