package reasoner_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/prover"
	"semisplit/reasoner/reasonertest"
)

func readRules(t *testing.T, rules string) *gdl.Program {
	t.Helper()
	p, diagnostics := reasoner.Read(rules)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	return p
}

// What is multiplied out is not copied for each condition that stands beside it.
func TestReadManyConditions(t *testing.T) {
	rules := "(role x) (legal x noop) (<= (goal x ?x)" + strings.Repeat(" (or (not (p ?x)) (not (q ?x)))", 10) + strings.Repeat(" b", 400) + ")"
	reasonertest.Sparing(t, 512<<20, func() { readRules(t, rules) })
}

// Rules whose large terms are copied for each alternative are not read: those that are
// multiplied out, and those of which each condition may be another rule.
func TestReadLargeTerms(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	large := "(h" + strings.Repeat(" (g"+strings.Repeat(" a", 249)+")", 100) + ")"
	for _, rules := range []string{
		"(<= (p ?x " + large + ")" + strings.Repeat(" (or (not (p ?x a)) (not (q ?x)))", 9) + " (or (b ?x) (c ?x)))",
		"(<= (p a) (not (p b))) (<= (p a) (not (p c))) (<= (p a) (not (p d))) (<= (p " + large + ")" + strings.Repeat(" (p a)", 6) + ")",
	} {
		reasonertest.Sparing(t, 512<<20, func() {
			if _, diagnostics := reasoner.Read("(role x) (legal x noop)" + rules); diagnostics.Err() == nil {
				t.Error("the rules were read")
			}
		})
	}
}

// Rules whose terms double without end are compiled to no machine, or to one that
// says in its steps what is wrong, and the next game gets its machines.
func TestCompileDoublingTerms(t *testing.T) {
	reasonertest.Sparing(t, 1<<30, func() {
		for where, rules := range reasonertest.Doubling() {
			c, err := reasoner.Compile(t.Context(), readRules(t, rules), reasoner.DefaultLimits)
			if err != nil {
				if !errors.Is(err, prover.ErrLimit) {
					t.Errorf("%s: %v", where, err)
				}
				continue
			}
			<-c.Done()
			if c.Err() == nil {
				t.Errorf("%s: a machine was made", where)
			}
		}
	})
	game, err := games.Load("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	c, err := reasoner.Compile(t.Context(), readRules(t, game.Rules), reasoner.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	if m, ok := <-c.Better(); !ok || m.Kind() != "lanes" {
		t.Errorf("the next game has no machine in lanes: %v", c.Err())
	}
	<-c.Done()
}

// The end of a match frees the place to compile at once, however long its rules
// would have taken.
func TestEndOfContextFreesThePlace(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	hostile, err := reasoner.Compile(ctx, readRules(t, reasonertest.Crowd()), reasoner.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	cancel()
	<-hostile.Done()
	game, err := games.Load("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	c, err := reasoner.Compile(t.Context(), readRules(t, game.Rules), reasoner.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	if m, ok := <-c.Better(); !ok || m.Kind() != "lanes" {
		t.Errorf("the next game has no machine in lanes: %v", c.Err())
	}
	<-c.Done()
}

// The end of a match ends the making of its stand-in as well.
func TestEndOfContextEndsStandIn(t *testing.T) {
	rules := readRules(t, reasonertest.Endless()+`(goal x 0) (<= (init (n ?x)) (never ?x))`)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := reasoner.NewStandIn(ctx, rules, reasoner.DefaultLimits); !errors.Is(err, prover.ErrStopped) {
		t.Errorf("%v", err)
	}
}

// Measuring how much there is to choose from ends with its flag, and counts no
// more than it must.
func TestBranchingOfManyMoves(t *testing.T) {
	m, err := reasoner.Build(t.Context(), readRules(t, reasonertest.Crowd()), reasoner.Variant{Engine: "lanes", Plan: "modshift", Lanes: 64}, reasoner.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	got, err := reasoner.MeasureBranching(m, 1, 2, new(atomic.Bool))
	if err != nil || got.Nodal() < 1<<16 || got.Nodal() > 1<<17 {
		t.Errorf("%v moves, %v", got.Nodal(), err)
	}
}
