package main

import "fmt"

// Truth tables of the operands: bit 4a+2b+c, as in package kernel.
const (
	tableA uint8 = 0xf0
	tableB uint8 = 0xcc
	tableC uint8 = 0xaa
)

// class is a function of one to three operands. Functions that differ only in
// the order of their operands, or ignore some, are of one class.
type class struct {
	table uint8 // the least of the class's tables that read the first operands only
	arity int
	steps []step // that compute it with the least number of two-operand ops
}

// step is an op of two earlier values: 0 to 2 are the operands, 3 is all one,
// 4 the first step.
type step struct {
	op   string // "and", "or", "xor", "andnot" (x &^ y)
	x, y int
}

// permutations are the orders of three operands.
var permutations = [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}

// permute is the table of f(x[p[0]], x[p[1]], x[p[2]]) for the function f
// with the table t.
func permute(t uint8, p [3]int) uint8 {
	out := uint8(0)
	for i := range 8 {
		bit := func(k int) int { return i >> (2 - p[k]) & 1 }
		out |= t >> (4*bit(0) + 2*bit(1) + bit(2)) & 1 << i
	}
	return out
}

// reads tells whether the function reads operand k.
func reads(t uint8, k int) bool {
	for i := range 8 {
		if t>>i&1 != t>>(i^4>>k)&1 {
			return true
		}
	}
	return false
}

// arity is the number of operands of a function that reads no operand after
// one that it does not read, else -1.
func arity(t uint8) int {
	n := 0
	for k := range 3 {
		if reads(t, k) {
			if n != k {
				return -1
			}
			n++
		}
	}
	return n
}

// canonical is the least table among the orders of the operands that reads
// the first operands only, and the order: operand k of the canonical function
// is operand order[k] of t.
func canonical(t uint8) (table uint8, order [3]int) {
	found := false
	for _, p := range permutations {
		q := permute(t, inverse(p))
		if arity(q) < 0 || found && q >= table {
			continue
		}
		found, table, order = true, q, p
	}
	return table, order
}

func inverse(p [3]int) (q [3]int) {
	for i, k := range p {
		q[k] = i
	}
	return q
}

// findClasses lists the classes of all functions but the constant ones, by
// arity and table.
func findClasses() []class {
	best := shortestSteps(4)
	var classes []class
	for n := 1; n <= 3; n++ {
		for t := range 256 {
			if q, _ := canonical(uint8(t)); int(q) == t && arity(q) == n {
				classes = append(classes, class{q, n, stepsOf(q, best)})
			}
		}
	}
	return classes
}

// stepsOf are the steps for a table: those of its negation and one more where
// the search did not go deep enough.
func stepsOf(t uint8, best map[uint8][]step) []step {
	steps, ok := best[t]
	if ok {
		return steps
	}
	steps, ok = best[^t]
	if !ok {
		panic(fmt.Sprintf("no short way to compute %02x", t))
	}
	return append(append([]step{}, steps...), step{"xor", 3 + len(steps), 3})
}

// shortestSteps finds the shortest steps for each table that needs at most
// limit of them.
func shortestSteps(limit int) map[uint8][]step {
	best := map[uint8][]step{tableA: {}}
	values := []uint8{tableA, tableB, tableC, 0xff}
	var steps []step
	var try func(depth int)
	try = func(depth int) {
		for x := range values {
			for y := range values {
				for _, op := range []string{"and", "or", "xor", "andnot"} {
					if x == y || op != "andnot" && x > y {
						continue
					}
					v := apply(op, values[x], values[y])
					steps = append(steps, step{op, x, y})
					if old, ok := best[v]; !ok || len(steps) < len(old) {
						best[v] = append([]step{}, steps...)
					}
					if depth > 1 {
						values = append(values, v)
						try(depth - 1)
						values = values[:len(values)-1]
					}
					steps = steps[:len(steps)-1]
				}
			}
		}
	}
	for depth := 1; depth <= limit; depth++ {
		try(depth)
	}
	return best
}

func apply(op string, x, y uint8) uint8 {
	switch op {
	case "and":
		return x & y
	case "or":
		return x | y
	case "xor":
		return x ^ y
	}
	return x &^ y
}
