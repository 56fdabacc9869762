package ground_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"time"

	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
)

func read(t *testing.T, src string) *gdl.Program {
	t.Helper()
	p, diagnostics := gdl.Read(src)
	if p == nil {
		t.Fatal(diagnostics.Err())
	}
	return p
}

func TestLimits(t *testing.T) {
	p := read(t, games["board"])
	for name, l := range map[string]ground.Limits{
		"instances": {Instances: 10},
		"atoms":     {Atoms: 10},
		"gates":     {Gates: 10},
		"depth":     {Depth: 1},
		"bytes":     {Bytes: 1000},
	} {
		t.Run(name, func(t *testing.T) {
			net, err := orthodoxNet(context.Background(), p, l)
			if net != nil || !errors.Is(err, ground.ErrLimit) || err.Error() == ground.ErrLimit.Error() {
				t.Fatalf("got %v, %v; want no net and what was exceeded", net, err)
			}
		})
	}
}

// A counter without end must end by a limit, not by exhaustion.
func TestEndlessTerms(t *testing.T) {
	p := read(t, `(role r) (init (n z)) (legal r go)
		(<= (next (n (s ?x))) (true (n ?x)))
		(<= terminal (true (n (s (s z))))) (goal r 0)`)
	if _, err := orthodoxNet(context.Background(), p, ground.Limits{}); !errors.Is(err, ground.ErrLimit) {
		t.Fatalf("got %v, want ErrLimit", err)
	}
}

func TestCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	p := read(t, games["board"])
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := orthodoxNet(ctx, p, ground.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the cancellation", err)
	}
	// A join of a million times a million rows, stopped by the clock.
	big := read(t, `(role r) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
		(init on) (legal r go) (<= terminal (not (true on))) (goal r 0)
		(<= (huge ?a ?l) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (d ?g) (d ?h) (d ?i) (d ?j) (d ?k) (d ?l) (true on))
		(<= (next on) (huge ?x ?y))`)
	ctx, cancel = context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := orthodoxNet(ctx, big, ground.Limits{}); !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, ground.ErrLimit) {
		t.Errorf("got %v, want the deadline", err)
	}
	if d := time.Since(start); d > time.Minute {
		t.Errorf("stopped after %v", d)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

// endsAfter is a context that ends once it has been asked so often.
type endsAfter struct {
	context.Context
	left int
}

func (c *endsAfter) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// What takes the square of a rule's length looks at its context on the way: the plan of a join,
// and what a rule asks of each of its conditions.
func TestLongRulesLookUp(t *testing.T) {
	const conditions = 300
	long, asking := "", ""
	facts, relations := "", ""
	for i := range conditions {
		long += fmt.Sprintf(" (true f%d)", conditions-1-i)
		asking += fmt.Sprintf(" (true f%d) p%d", i, i)
		facts += fmt.Sprintf(" (init f%d)", i)
		relations += fmt.Sprintf(" (<= p%d (true f%d))", i, i)
	}
	head := "(role a) (legal a noop) (goal a 100)" + facts
	for name, rules := range map[string]string{
		"plan": head + "(<= terminal" + long + ")", "demands": head + relations + "(<= terminal" + asking + ")",
	} {
		// Without a look on the way it is asked some hundred or thousand times in all.
		if net, err := orthodoxNet(&endsAfter{t.Context(), 10_000}, read(t, rules), ground.Limits{}); net != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: a net: %t, %v", name, net != nil, err)
		}
	}
}
