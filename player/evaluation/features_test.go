package evaluation

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"semisplit/player/internal/gametest"
)

const ordered = `
(role a) (role b)
(init (at 1 x)) (init (at 2 y)) (init (at 3 x))
(succ 1 2) (succ 2 3) (succ 3 4)
(loop 1 2) (loop 2 3) (loop 3 1)
(twice 1 2) (twice 1 3) (twice 2 4)
(<= (legal ?r (go ?n)) (role ?r) (true (at ?n ?s)))
(<= (next (at ?m ?s)) (does a (go ?n)) (true (at ?n ?s)) (succ ?n ?m))
(<= (next (at ?m ?s)) (does a (go ?n)) (true (at ?m ?s)) (distinct ?m ?n))
(<= terminal (true (at 4 ?s)))
(<= (goal a 100) (true (at 4 x))) (<= (goal b 0) (true (at 4 x)))
(<= (goal a 0) (not (true (at 4 x)))) (<= (goal b 100) (not (true (at 4 x))))
`

// Features are the fluents, the patterns that cover several, and how far along
// arguments are that the rules put in a row.
func TestFeatures(t *testing.T) {
	program := gametest.Program(t, ordered)
	if got := orders(program); len(got) != 1 || got[0]["1"] != 0 || got[0]["4"] != 1 || math.Abs(float64(got[0]["2"])-1.0/3) > 1e-6 {
		t.Errorf("orders %v", got)
	}
	m := gametest.Lanes(t, program, "orthodox")
	f := NewFeatures(m, program)
	for _, want := range []string{"(at 1 x)", "(at ? x)", "(at 4 ?)", "(at ? ?)", "(at +1 x)", "(at +1 ?)"} {
		if !slices.Contains(f.Names, want) {
			t.Errorf("no feature %s in %q", want, f.Names)
		}
	}
	if slices.Contains(f.Names, "(at ? +1)") {
		t.Error("x and y are not in a row")
	}
}

// A game with too many patterns has none, and all its fluents.
func TestTooManyPatterns(t *testing.T) {
	var rules strings.Builder
	rules.WriteString(`(role a) (s 1) (s 2) (init (f 1 1 1 1)) (<= (legal a (go ?w ?x ?y ?z)) (s ?w) (s ?x) (s ?y) (s ?z) (not (true (f ?w ?x ?y ?z))))
		(<= (next (f ?w ?x ?y ?z)) (does a (go ?w ?x ?y ?z))) (<= terminal (true (f 2 2 2 2))) (goal a 50)`)
	for i := range 3500 {
		fmt.Fprintf(&rules, "(order%d 1 2) (order%d 2 end%d)\n", i, i, i)
	}
	program := gametest.Program(t, rules.String())
	m := gametest.Lanes(t, program, "orthodox")
	if f := NewFeatures(m, program); f.Known() != 16 || !slices.Equal(f.Names, fluentNames(m)) {
		t.Errorf("%d fluents are known, of %d features", f.Known(), len(f.Names))
	}
}

// A fluent of many arguments has few patterns, and they are found at once.
func TestOpenings(t *testing.T) {
	for n, want := range map[int]int{1: 1, 3: 7, fewArguments: 15, fewArguments + 1: 11, 40: 81, mostArguments: 2*mostArguments + 1, mostArguments + 1: 0} {
		if got := openings(n); len(got) != want || !slices.IsSorted(got) || slices.Contains(got, 0) || len(slices.Compact(got)) != want {
			t.Errorf("%d arguments: %d sets, want %d", n, len(got), want)
		}
	}
}
