package ground_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"semisplit/reasoner/ground"
	"semisplit/reasoner/reasonertest"
)

// Rules whose terms double without end break a limit, at the cost of some
// megabytes, and so does the search for invariants.
func TestDoublingTerms(t *testing.T) {
	for where, rules := range reasonertest.Doubling() {
		t.Run(where, func(t *testing.T) {
			reasonertest.Sparing(t, 256<<20, func() {
				if _, err := orthodoxNet(t.Context(), read(t, rules), ground.Limits{}); !errors.Is(err, ground.ErrLimit) {
					t.Errorf("%v; a broken limit was expected", err)
				}
			})
		})
	}
}

// The terms of fluents are within bounds, but there are many of them.
func TestLargeFluents(t *testing.T) {
	var rules strings.Builder
	rules.WriteString(`(role x) (legal x noop) (goal x 0) (<= (init (b ?x)) (some ?x)) (<= (next (b ?x)) (true (b ?x))) (<= terminal (true (b a)))
		(t0 a) `)
	for i := 1; i <= 13; i++ {
		fmt.Fprintf(&rules, "(<= (t%d (f ?x ?x)) (t%d ?x)) ", i, i-1)
	}
	rules.WriteString("(<= (some (g ?x ?n ?m)) (t13 ?x) (d ?n) (d ?m))")
	for i := range 20 {
		fmt.Fprintf(&rules, "(d %d)", i)
	}
	reasonertest.Sparing(t, 256<<20, func() {
		if _, err := orthodoxNet(t.Context(), read(t, rules.String()), ground.Limits{}); !errors.Is(err, ground.ErrLimit) {
			t.Errorf("%v; a broken limit was expected", err)
		}
	})
}

// Rules of one condition are held against the limits as others are.
func TestLimitOfSingleConditions(t *testing.T) {
	var rules strings.Builder
	rules.WriteString(`(role x) (legal x noop) (goal x 0) (init (p0 a)) (<= terminal (true (p20 a))) `)
	for i := 1; i <= 20; i++ {
		fmt.Fprintf(&rules, "(<= (next (p%d (f ?x))) (true (p%d ?x))) (<= (next (p%d (g ?x))) (true (p%d ?x))) ", i, i-1, i, i-1)
	}
	reasonertest.Sparing(t, 32<<20, func() {
		if _, err := orthodoxNet(t.Context(), read(t, rules.String()), ground.Limits{Atoms: 10_000}); !errors.Is(err, ground.ErrLimit) {
			t.Errorf("%v; a broken limit was expected", err)
		}
	})
}

// Every phase hears the context: it is over soon after it has ended.
func TestContextOfDoublingTerms(t *testing.T) {
	for where, rules := range reasonertest.Doubling() {
		ctx, cancel := context.WithCancel(t.Context())
		p := read(t, rules)
		cancel()
		if _, err := orthodoxNet(ctx, p, ground.Limits{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", where, err)
		}
	}
	p := read(t, reasonertest.Crowd())
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := orthodoxNet(ctx, p, ground.Limits{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
}
