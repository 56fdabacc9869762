package player

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/kif"
	"semisplit/protocol"
	"semisplit/reasoner"
	"semisplit/reasoner/reasonertest"
)

// logText is a log that may be read while it is written.
type logText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Rules of terminal that never end, or that go beyond the limits, keep nobody
// from a legal move as long as the rules of legal and next can be followed, also
// where the manager writes in another case; where those of next never end, it is
// one that was legal before.
func TestLegalMovesBesideEndlessRules(t *testing.T) {
	const endless = `(role a) (init (step zero))
		(<= (n ?x) (true (step ?x))) (<= (n (s ?x)) (n ?x)) (goal a 0)`
	const counts = `(<= (legal a (go ?x)) (true (step ?x))) (<= (next (step (s ?x))) (does a (go ?x)))`
	tight := reasoner.DefaultLimits
	tight.Prover.Terms = 10_000
	tight.Prover.Facts = 100_000
	for _, test := range []struct {
		name, rules string
		limits      reasoner.Limits
		want        []string
	}{
		{"terminal", counts + "(<= terminal (n ?x) (n (f ?x)))", reasoner.DefaultLimits, []string{"(go zero)", "(go (s zero))", "(go (s (s zero)))"}},
		{"terminal beyond the limits", counts + "(<= terminal (n ?x) (n (f ?x)))", tight, []string{"(go zero)", "(go (s zero))", "(go (s (s zero)))"}},
		{"next", "(legal a stay) (<= (next (step never)) (n ?x) (n (f ?x))) (<= terminal (true (step never)))", reasoner.DefaultLimits, []string{"stay", "stay", "stay"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			rules, err := kif.Parse(endless + test.rules)
			if err != nil {
				t.Fatal(err)
			}
			// A machine that is busy may need more than a second.
			for clock := time.Second; ; clock *= 2 {
				wrong := playsInTime(t, rules, test.limits, clock, test.want)
				if wrong == "" {
					return
				}
				if clock > 16*time.Second {
					t.Fatal(wrong)
				}
			}
		})
	}
}

// A stand-in ends with its match, and gives the match's place back, also where it
// would make its machine for hours.
func TestStandInEndsWithItsMatch(t *testing.T) {
	rules, err := kif.Parse(reasonertest.Endless() + "(goal x 0) (<= (init (n ?x)) (never ?x))")
	if err != nil {
		t.Fatal(err)
	}
	p := New(Config{Seed: 1, Matches: 1})
	p.Start(t.Context(), protocol.Start{Match: "m", Role: kif.Symbol("x"), Rules: rules, StartClock: 100 * time.Millisecond, PlayClock: time.Second})
	p.Abort(t.Context(), "m")
	within, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := p.places.Acquire(within, 1+spareMatches); err != nil {
		t.Fatalf("the place of the match: %v", err)
	}
	p.Close()
}

// The rules of ended matches may be read for a while: so many stand-ins are at work
// at most, and the next one begins when one of them ends.
func TestStandInsHavePlaces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, napping{})
		defer b.Close()
		b.source = func(ctx context.Context, _ []kif.Term) (source, error) {
			<-ctx.Done()
			return source{}, ctx.Err()
		}
		if !b.standIns.TryAcquire(2 + spareMatches) {
			t.Fatal("there are fewer places")
		}
		b.begin(t, "m", 0, time.Second)
		first, _, _ := b.ask("m")
		if b.logged("source=legal") {
			t.Errorf("a stand-in without a place:\n%s", b.logs())
		}
		b.standIns.Release(1)
		if b.ask("m", first, kif.Symbol("noop")); !b.logged("source=legal") {
			t.Errorf("no stand-in:\n%s", b.logs())
		}
		b.standIns.Release(1 + spareMatches)
	})
}

// playsInTime says what is wrong with the moves that a player finds within a
// clock; "": nothing.
func playsInTime(t *testing.T, rules []kif.Term, limits reasoner.Limits, clock time.Duration, want []string) (wrong string) {
	t.Helper()
	log := &logText{}
	p := New(Config{Seed: 1, Limits: limits, Log: slog.New(slog.NewTextHandler(log, nil))})
	defer p.Close()
	p.Start(context.Background(), protocol.Start{Match: "m", Role: kif.Symbol("a"), Rules: rules, StartClock: clock, PlayClock: clock, Received: time.Now()})
	var moves []kif.Term
	for turn, want := range want {
		got, ok := p.Play(context.Background(), protocol.Play{Match: "m", Moves: moves, Received: time.Now()})
		if !ok || got.String() != want {
			return fmt.Sprintf("clock %v, turn %d: %v, not %s\n%s", clock, turn, got, want, log)
		}
		moves = []kif.Term{term(t, strings.ToUpper(want))}
	}
	return ""
}
