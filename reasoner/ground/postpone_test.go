package ground_test

import (
	"fmt"
	"strings"
	"testing"

	"semisplit/reasoner/ground"
)

// A recursive static relation of 260,000 atoms is given up in the middle of
// its evaluation; what waits for its turn then must not be lost.
func TestPostponedRecursion(t *testing.T) {
	var b strings.Builder
	b.WriteString(`(role r)
		(<= (less ?n ?m) (succ ?n ?m))
		(<= (less ?n ?m) (less ?n ?k) (succ ?k ?m))
		(<= (legal r (take ?x)) (true (cell ?x full)))
		(<= (next (cell ?x empty)) (does r (take ?x)))
		(<= (next (cell ?y ?s)) (does r (take ?x)) (true (cell ?y ?s)) (distinct ?x ?y))
		(<= (next (count ?n)) (true (count ?m)) (succ ?m ?n))
		(<= late (true (count ?n)) (less 7 ?n))
		(<= terminal late)
		(<= (goal r 100) late)
		(<= (goal r 0) (not late))
		(init (count 1))
	`)
	for i := range 720 {
		fmt.Fprintf(&b, "(succ %d %d)\n", i, i+1)
	}
	for i := range 40 {
		fmt.Fprintf(&b, "(init (cell %d full))\n", i)
	}
	agree(t, b.String(), 2, 20)
}

// A static relation of 250,500 atoms is found to be too large only when all of
// them are known: the fluents that it makes hold must not be lost.
func TestPostponedAtItsEnd(t *testing.T) {
	var b strings.Builder
	b.WriteString(`(role r) (legal r go) (init first)
		(<= (next (seen ?x ?y)) (n ?x) (m ?y))
		(goal r 0)
	`)
	for i := range 501 {
		fmt.Fprintf(&b, "(n %d)\n", i)
	}
	for i := range 500 {
		fmt.Fprintf(&b, "(m %d)\n", i)
	}
	net, err := orthodoxNet(t.Context(), read(t, b.String()), ground.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if n, want := len(net.Fluents), 1+501*500; n != want {
		t.Errorf("%d fluents, want %d", n, want)
	}
}
