package referee_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/kif"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// starting is a scripted seat that answers START by a function.
type starting struct {
	scripted
	start func(ctx context.Context) error
}

func (s *starting) Start(ctx context.Context, _ protocol.Start) error { return s.start(ctx) }

// A match does not begin without its players, and says so before the start
// clock of the others is over. Who is late, or says nothing that can be read,
// is in it.
func TestStart(t *testing.T) {
	for name, test := range map[string]struct {
		start func(ctx context.Context) error
		want  string // part of the error; empty: the match is played
	}{
		"nobody there": {func(context.Context) error { return fmt.Errorf("%w: refused", protocol.ErrConnection) }, "right (scripted): no connection: refused"},
		"busy":         {func(context.Context) error { return referee.ErrBusy }, "right (scripted): it says busy"},
		"panic":        {func(context.Context) error { panic("seat") }, "right (scripted): no connection: panic: seat"},
		"late":         {func(ctx context.Context) error { <-ctx.Done(); return protocol.ErrTimeout }, ""},
		"garbage":      {func(context.Context) error { return protocol.ErrReply }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				say := replies("(say 2)", "(say 2)")
				slow := &starting{scripted{play: say}, func(context.Context) error { time.Sleep(time.Minute); return nil }}
				began := time.Now()
				r, err := referee.Run(t.Context(), referee.Config{
					Rules: parse(t, together), Seats: []referee.Seat{slow, &starting{scripted{play: say}, test.start}},
					StartClock: time.Hour, PlayClock: time.Second,
				})
				took := time.Since(began)
				switch {
				case test.want == "":
					if err != nil || r.Steps != 2 || r.Failed[1] != nil {
						t.Errorf("%+v, %v", r, err)
					}
				case !errors.Is(err, referee.ErrStart) || !strings.Contains(err.Error(), test.want) || r.Record != nil || took > 2*time.Second:
					t.Errorf("%v after %v, record %v", err, took, r.Record)
				}
				time.Sleep(time.Hour) // what is still asleep wakes up and ends
			})
		})
	}
}

// A player that is not there any more has failed; one that makes mistakes
// plays badly.
func TestFailed(t *testing.T) {
	long := strings.ReplaceAll(strings.ReplaceAll(counter, "(step 3)", "(step 5)"), "(succ 2 3)", "(succ 2 3) (succ 3 4) (succ 4 5)")
	for script, want := range map[string]string{
		"up up up up up":          "",
		"up late late illegal up": "",
		"up up up late late":      "",
		"late up up CE up":        "no connection in 1 of 5 turns: no connection: cable",
		"up busy busy busy busy":  "it says busy, and does not play this match (its reply in 4 of 5 turns)",
		"up up late illegal late": "no legal move in time in its last 3 turns",
		"IL IL IL IL IL":          "no legal move in time in its last 5 turns",
	} {
		t.Run(script, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				words := strings.Fields(script)
				seat := &scripted{play: func(ctx context.Context, turn int) (kif.Term, error) {
					switch words[turn] {
					case "late":
						<-ctx.Done()
						return kif.Term{}, protocol.ErrTimeout
					case "CE":
						return kif.Term{}, fmt.Errorf("%w: cable", protocol.ErrConnection)
					case "IL":
						return kif.Term{}, protocol.ErrReply
					}
					return kif.Symbol(words[turn]), nil
				}}
				var why []error
				r, err := referee.Run(t.Context(), referee.Config{
					Rules: parse(t, long), Seats: []referee.Seat{seat}, PlayClock: time.Second, Seed: 1,
					Observe: func(e referee.Event) { why = append(why, e.Why[0]) },
				})
				if err != nil || r.Aborted || r.Steps != 5 {
					t.Fatalf("%+v, %v", r, err)
				}
				if got := fmt.Sprint(r.Failed[0]); want == "" && r.Failed[0] != nil || !strings.Contains(got, want) {
					t.Errorf("got %q, want %q", got, want)
				}
				if words[1] == "busy" && (r.Faults[1][0] != "IL busy" || !errors.Is(why[2], referee.ErrBusy)) {
					t.Errorf("faults %v, why %v", r.Faults, why)
				}
			})
		})
	}
}
