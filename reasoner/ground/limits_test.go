package ground_test

import (
	"context"
	"errors"
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
