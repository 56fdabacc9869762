package reasonertest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// Doubling are small descriptions in which a term holds itself twice, forty times
// over, so that it is a text of a thousand billion symbols: by where the term
// stands. Nothing of the kind is in the initial state, but in that of "init".
func Doubling() map[string]string {
	const (
		frame = `(role x) (init (step 1)) (legal x noop)
			(<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2))) `
		end  = `(<= terminal (true (step 3))) `
		goal = `(goal x 100) `
	)
	static, dynamic := doubled("(t0 a) ", 40, 2), doubled("(<= (t0 ?x) (true (step ?x)) (true (step 2))) ", 40, 2)
	var same strings.Builder
	for i := 1; i <= 40; i++ {
		fmt.Fprintf(&same, "(a ?v%d) (not (distinct ?v%d (f ?v%d ?v%d))) ", i, i, i-1, i-1)
	}
	return map[string]string{
		"init":       `(role x) (legal x noop) ` + static + `(<= (init (b ?x)) (t40 ?x)) ` + end + goal,
		"legal":      frame + static + `(<= (legal x (m ?x)) (t40 ?x) (true (step 2))) ` + end + goal,
		"wide":       frame + doubled("(t0 a) ", 11, 30) + `(<= (legal x (m ?x)) (t11 ?x) (true (step 2))) ` + end + goal,
		"next":       frame + static + `(<= (next (b ?x)) (t40 ?x) (true (step 2))) ` + end + goal,
		"each step":  `(role x) (init (b a)) (legal x noop) (<= (next (b (f ?x ?x))) (true (b ?x))) (<= terminal (true (b done))) ` + goal,
		"goal":       frame + static + `(<= (goal x ?x) (t40 ?x) (true (step 3))) ` + end,
		"terminal":   frame + static + `(<= terminal (t40 ?x) (true (step 2))) ` + end + goal,
		"not":        frame + static + `(<= terminal (not (q (f a a))) (true (step 2))) (<= (q ?x) (t40 ?x)) ` + end + goal,
		"distinct":   frame + static + `(<= terminal (t40 ?x) (t39 ?y) (distinct ?x ?y) (true (step 2))) ` + end + goal,
		"or":         frame + static + `(<= terminal (or (t40 ?y) (t39 ?y)) (true (step 2))) ` + end + goal,
		"of a state": frame + dynamic + `(<= (legal x (m ?x)) (t40 ?x)) ` + end + goal,
		"a variable": frame + dynamic + `(<= (legal x ?x) (t40 ?x)) ` + end + goal,
		"equalities": frame + `(a b) (a (f b b)) (<= (legal x (m ?v40)) (a ?v0) ` + same.String() + `) ` + end + goal,
	}
}

// doubled is a chain of relations, each of which holds of a term with so many
// copies of that of the one before.
func doubled(first string, times, copies int) string {
	var b strings.Builder
	b.WriteString(first)
	for i := 1; i <= times; i++ {
		fmt.Fprintf(&b, "(<= (t%d (f%s)) (t%d ?x)) ", i, strings.Repeat(" ?x", copies), i-1)
	}
	return b.String()
}

// Crowd is a description with a thousand million legal moves, (m 0 0 0 0 0 0 0 0 0)
// and so on, in the second of its three states; in the others there is noop.
func Crowd() string {
	return crowd(`(<= (legal x (m ?a ?b ?c ?d ?e ?f ?g ?h ?i)) (true (step 2))
		(d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g) (d ?h) (d ?i))`)
}

// DeadCrowd is Crowd in which no beginning of a move leads to one: there is noop as
// well.
func DeadCrowd() string {
	return crowd(`(<= (legal x noop) (true (step 2)))
		(<= (legal x (m ?a ?b ?c ?d ?e ?f ?g ?h ?i)) (true (step 2))
			(d ?a) (d ?b) (d ?c) (d ?d) (d ?e) (d ?f) (d ?g) (d ?h) (d ?i) (true (sum ?a ?b ?c ?d ?e ?f ?g ?h ?i)))`)
}

func crowd(legal string) string {
	return `(role x) (init (step 1)) (<= (legal x noop) (true (step 1)))
		(d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9) ` + legal + `
		(<= (next (step 2)) (true (step 1))) (<= (next (step 3)) (true (step 2)))
		(<= terminal (true (step 3))) (goal x 100)`
}

// Endless is a game with a relation, never, for which fifteen pigeons are put into
// fourteen holes, in all hundred thousand million ways.
func Endless() string {
	var b strings.Builder
	b.WriteString(`(role x) (init (step 1)) (<= (legal x (m ?x ?y)) (d ?x) (d ?y)) (<= (next (step 2)) (true (step 1))) (<= (never ?x0)`)
	for i := range 15 {
		fmt.Fprintf(&b, " (d ?x%d)", i)
		for j := range i {
			fmt.Fprintf(&b, " (distinct ?x%d ?x%d)", i, j)
		}
	}
	b.WriteString(") ")
	for i := range 14 {
		fmt.Fprintf(&b, "(d %d) ", i)
	}
	return b.String()
}

// Sparing fails the test if what is run allocates more than so many bytes.
func Sparing(t testing.TB, most uint64, run func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	run()
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; took > most {
		t.Errorf("%d MB were allocated, %d at most were expected", took>>20, most>>20)
	}
}
