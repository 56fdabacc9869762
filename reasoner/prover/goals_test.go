package prover_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"semisplit/kif"
	"semisplit/reasoner/prover"
)

// TestGoalTerms: what the rules give, and what it counts as.
func TestGoalTerms(t *testing.T) {
	m := machine(t, `(role a) (role b) (role c) (role d) (init (paid 150)) (init (paid foo)) (init (paid (f 1))) (init (paid -5)) (init (paid 50.5))
		(legal a go) (legal b go) (legal c go) (legal d go) terminal
		(<= (goal a ?x) (true (paid ?x))) (goal b -7) (goal c 120)`, prover.Limits{})
	for role, want := range []string{"[(f 1) -5 150 50.5 foo] [0 100]", "[-7] [0]", "[120] [100]", "[] []"} {
		terms, err := m.GoalTerms(role, m.Initial(), nil)
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(terms, func(a, b kif.Term) int { return strings.Compare(a.String(), b.String()) })
		if got := fmt.Sprint(terms, m.GoalValues(role, m.Initial())); got != want {
			t.Errorf("role %d: %s, want %s", role, got, want)
		}
	}
	e := m.NewEngine(1)
	e.Load(0, m.Initial(), nil)
	if _, err := e.Step(nil); err != nil {
		t.Fatal(err)
	}
	goals := make([]float64, 4)
	if e.Goals(0, goals); fmt.Sprint(goals) != "[1 0 1 0]" {
		t.Errorf("goals %v", goals)
	}
}

func TestGoalTermsStop(t *testing.T) {
	m := machine(t, `(role a) (init (s 0)) (legal a go) (<= terminal (true (s 1)))
		(n 0) (n 1) (n 2) (n 3) (n 4) (n 5) (n 6) (n 7) (n 8) (n 9)
		(<= (many ?a ?b ?c ?d ?e ?f) (true (s 0)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f))
		(<= (goal a 50) (many ?a ?b ?c ?d ?e ?f) (distinct ?a ?a2) (many ?a2 ?b ?c ?d ?e ?f))`, prover.Limits{})
	stop := new(atomic.Bool)
	stop.Store(true)
	if _, err := m.GoalTerms(0, m.Initial(), stop); !errors.Is(err, prover.ErrStopped) {
		t.Errorf("stopped: error %v", err)
	}
}
