package main

import (
	"fmt"
	"strings"
)

// classTable writes the table by which Encode finds the class of an op.
func classTable(classes []class) string {
	number := map[uint8]int{}
	for i, c := range classes {
		number[c.table] = i
	}
	var b strings.Builder
	fmt.Fprintf(&b, `package kernel

// numClasses is the number of functions of one to three operands that differ
// in more than the order of their operands.
const numClasses = %d

// class says how a function is computed: by which kernel, which reads arity
// operands, and which operands those are. The arity of a constant is 0.
type class struct {
	number, arity uint8
	order         [3]uint8
}

// classes are the classes of all truth tables.
var classes = [256]class{
`, len(classes))
	for t := range 256 {
		q, order := canonical(uint8(t))
		fmt.Fprintf(&b, "%#02x: {%d, %d, [3]uint8{%d, %d, %d}},\n", t, number[q], arity(q), order[0], order[1], order[2])
	}
	b.WriteString(`}

// step is an op of two earlier values: 0 to 2 are the operands, valueOnes is all one,
// firstStep the first step.
type step struct {
	op   stepOp
	x, y uint8
}

type stepOp uint8

const (
	stepAnd stepOp = iota
	stepOr
	stepXor
	stepAndNot // x &^ y
)

const (
	valueOnes = 3
	firstStep = 4
)

// steps are by class those that compute it; none: it is the operand.
var steps = [numClasses][]step{
`)
	names := map[string]string{"and": "stepAnd", "or": "stepOr", "xor": "stepXor", "andnot": "stepAndNot"}
	for i, c := range classes {
		fmt.Fprintf(&b, "%d: {", i)
		for _, st := range c.steps {
			fmt.Fprintf(&b, "{%s, %d, %d}, ", names[st.op], st.x, st.y)
		}
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// goKernel writes the kernel in Go.
func goKernel(classes []class) string {
	var b strings.Builder
	b.WriteString(`package kernel

import "unsafe"

// execGo executes instructions on one word of each slot; s points at that
// word of slot 0. It is one dispatch switch with a loop for each class of
// functions so that the loops stay free of branches. Byte offsets spare the
// bounds check and the scaling of an index.
func execGo(s unsafe.Pointer, instrs []scaled, runs []run) {
	for _, r := range runs {
		part := instrs[r.lo:r.hi]
		switch r.class {
`)
	for i, c := range classes {
		fmt.Fprintf(&b, "case %d: // %02x\nfor i := range part {\np := &part[i]\n", i, c.table)
		for k := range c.arity {
			fmt.Fprintf(&b, "%s := *wordAt(s, p.%[1]s)\n", operandName(k))
		}
		fmt.Fprintf(&b, "*wordAt(s, p.d) = %s\n}\n", expression(c.steps, len(c.steps)+3))
	}
	b.WriteString("}\n}\n}\n")
	return b.String()
}

func operandName(k int) string { return "abc"[k : k+1] }

// expression is value v of some steps in Go.
func expression(steps []step, v int) string {
	if len(steps) == 0 {
		return "a"
	}
	if v < 3 {
		return operandName(v)
	}
	st := steps[v-4]
	if st.op == "xor" && (st.x == 3 || st.y == 3) {
		return "^" + nested(steps, st.x+st.y-3)
	}
	if st.op == "andnot" && st.x == 3 {
		return "^" + nested(steps, st.y)
	}
	op := map[string]string{"and": "&", "or": "|", "xor": "^", "andnot": "&^"}[st.op]
	return nested(steps, st.x) + op + nested(steps, st.y)
}

func nested(steps []step, v int) string {
	if v < 3 {
		return operandName(v)
	}
	return "(" + expression(steps, v) + ")"
}
