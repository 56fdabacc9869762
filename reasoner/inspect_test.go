package reasoner_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"semisplit/kif"
	"semisplit/reasoner"
)

// inspected are small games, and what all their playouts have in common.
var inspected = []struct{ name, rules, want string }{
	{"ends", `(role a) (role b) (init (s 1)) (succ 1 2) (succ 2 3) (legal a go) (legal a stay) (legal b go)
		(<= (next (s ?y)) (true (s ?x)) (succ ?x ?y)) (<= (next won) (does a go)) (<= (next won) (true won))
		(<= terminal (true (s 3))) (<= (goal a 80) (true won)) (<= (goal a 20) (not (true won))) (goal b 150)`,
		"200 ended after 2 to 2 plies, goals [20 100] to [80 100], 7 ends with (s 3); 0 stuck; 0 cut"},
	{"stuck", `(role a) (role b) (init (s 1)) (succ 1 2) (succ 2 3) (legal a go) (<= (legal b go) (not (true (s 2))))
		(<= (next (s ?y)) (true (s ?x)) (succ ?x ?y)) (<= terminal (true (s 3))) (goal a 100) (goal b 0)`,
		"0 ended; 200 stuck after 1 plies at [(s 2)]; 0 cut"},
	{"stuck at first", `(role a) (init (s 1)) (<= (legal a go) (true (s 2))) (<= (next (s 2)) (does a go)) (<= terminal (true (s 2)))`,
		"0 ended; 200 stuck after 0 plies at [(s 1)]; 0 cut"},
	{"endless", `(role a) (init (s 1)) (legal a go) (legal a stay) (<= (next (s 1)) (does a go)) (<= (next (s 1)) (does a stay))
		(<= terminal (true (s 3))) (<= (next (s 3)) (true (s 2)))`,
		"0 ended; 0 stuck; 200 cut after 30 plies at [(s 1)]"},
}

func TestInspect(t *testing.T) {
	for _, test := range inspected {
		program, diagnostics := reasoner.Read(test.rules)
		if program == nil {
			t.Fatal(diagnostics)
		}
		for _, v := range []reasoner.Variant{{Engine: "prover"}, {Engine: "lanes", Plan: "orthodox", Lanes: 64}} {
			m, err := reasoner.Build(context.Background(), program, v, reasoner.DefaultLimits)
			if err != nil {
				t.Fatal(err)
			}
			found, err := reasoner.Inspect(m, reasoner.Inspecting{Seed: 1, Playouts: 200, MaxPlies: 30, Ends: 7}, new(atomic.Bool))
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(m, found); got != test.want {
				t.Errorf("%s, %s: %s\nwant %s", test.name, v.Engine, got, test.want)
			}
		}
	}
}

// summary spells an inspection of 200 playouts or, of many lanes, a few more.
func summary(m reasoner.Machine, f reasoner.Inspection) string {
	atLeast := func(n int) int {
		if n >= 200 && n < 200+m.Lanes() {
			return 200
		}
		return n
	}
	text := fmt.Sprintf("%d ended", atLeast(f.Playouts))
	if f.Playouts > 0 {
		text += fmt.Sprintf(" after %d to %d plies, goals %v to %v", f.Shortest, f.Longest, f.Lowest, f.Highest)
		over := 0
		for _, end := range f.Ends {
			if slices.ContainsFunc(m.Fluents(end), func(t kif.Term) bool { return t.String() == "(s 3)" }) {
				over++
			}
		}
		text += fmt.Sprintf(", %d ends with (s 3)", over)
	}
	text += fmt.Sprintf("; %d stuck", atLeast(f.Stuck))
	if f.Stuck > 0 {
		text += fmt.Sprintf(" after %d plies at %v", f.StuckAt.Plies, m.Fluents(f.StuckAt.State))
	}
	text += fmt.Sprintf("; %d cut", atLeast(f.Cut))
	if f.Cut > 0 {
		text += fmt.Sprintf(" after %d plies at %v", f.CutAt.Plies, m.Fluents(f.CutAt.State))
	}
	return text
}

func TestInspectStops(t *testing.T) {
	program, _ := reasoner.Read(inspected[3].rules)
	m, err := reasoner.NewProver(program)
	if err != nil {
		t.Fatal(err)
	}
	stop := new(atomic.Bool)
	stop.Store(true)
	if found, err := reasoner.Inspect(m, reasoner.Inspecting{}, stop); err != nil || found.Playouts+found.Cut+found.Stuck != 0 {
		t.Errorf("stopped: %v, %v", found, err)
	}
}
