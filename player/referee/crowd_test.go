package referee_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/player/referee"
	"semisplit/reasoner"
	"semisplit/reasoner/reasonertest"
)

// In a state with a thousand million legal moves a reply is checked, replaced by a
// random move, and a person can type any.
func TestVeryManyMoves(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	const last = "(m 9 9 9 9 9 9 9 9 9)"
	legal, err := kif.ParseTerm(last)
	if err != nil {
		t.Fatal(err)
	}
	rules := parse(t, reasonertest.Crowd())
	program, _ := reasoner.Analyze(rules)
	machine, err := reasoner.NewProver(program)
	if err != nil {
		t.Fatal(err)
	}
	var screen bytes.Buffer
	for name, test := range map[string]struct {
		seat   referee.Seat
		faults string
	}{
		"legal": {&scripted{play: func(_ context.Context, turn int) (kif.Term, error) {
			return []kif.Term{kif.Symbol("noop"), legal}[turn], nil
		}}, "[[] []]"},
		"illegal": {&scripted{play: func(context.Context, int) (kif.Term, error) { return kif.Symbol("noop"), nil }}, "[[] [IL noop]]"},
		"human":   {referee.NewTerminal(strings.NewReader("noop\n"+last+"\n"), &screen).Person(), "[[] []]"},
	} {
		r, err := referee.Run(t.Context(), referee.Config{
			Rules: rules, Machine: machine, Seats: []referee.Seat{test.seat}, StartClock: time.Minute, PlayClock: time.Minute,
		})
		if err != nil || r.Aborted || fmt.Sprint(r.Faults) != test.faults {
			t.Fatalf("%s: %+v, %v", name, r, err)
		}
		if move := r.Record.Moves[1][0]; !strings.HasPrefix(move, "(m ") || name != "illegal" && move != last {
			t.Errorf("%s: %s was played", name, move)
		}
	}
	if n := strings.Count(screen.String(), "\n"); n > 100 || !strings.Contains(screen.String(), "type any legal move") {
		t.Errorf("%d lines were shown:\n%.2000s", n, &screen)
	}
}

// Rules whose terms double without end end the match with an error of the rules.
func TestDoublingTerms(t *testing.T) {
	for where, rules := range reasonertest.Doubling() {
		reasonertest.Sparing(t, 1<<30, func() {
			r, err := referee.Run(t.Context(), referee.Config{
				Rules: parse(t, rules), Seats: []referee.Seat{referee.Random(1)}, MaxSteps: 50, StartClock: time.Minute, PlayClock: time.Minute,
			})
			if err != nil && !strings.Contains(err.Error(), "limit exceeded") || err == nil && r.Steps == 0 {
				t.Errorf("%s: %d steps, %v", where, r.Steps, err)
			}
		})
	}
}
