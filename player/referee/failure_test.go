package referee_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
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
					turn = min(turn, len(words)-1) // who says busy is asked again
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
				var notes []string
				r, err := referee.Run(t.Context(), referee.Config{
					Rules: parse(t, long), Seats: []referee.Seat{seat}, PlayClock: time.Second, Seed: 1,
					Observe: func(e referee.Event) { why, notes = append(why, e.Why[0]), append(notes, e.Notes...) },
				})
				if err != nil || r.Aborted || r.Steps != 5 {
					t.Fatalf("%+v, %v", r, err)
				}
				if got := fmt.Sprint(r.Failed[0]); want == "" && r.Failed[0] != nil || !strings.Contains(got, want) {
					t.Errorf("got %q, want %q", got, want)
				}
				rows := strings.Count(script, "late late illegal") + strings.Count(script, "late illegal late") + strings.Count(script, "IL IL IL")
				if got := strings.Count(fmt.Sprint(notes), "has failed in 3 turns in a row: random moves take the place of its own"); words[1] != "busy" && got != min(rows, 1) {
					t.Errorf("notes %q", notes)
				}
				if words[1] == "busy" && (r.Faults[1][0] != "IL busy" || !errors.Is(why[2], referee.ErrBusy)) {
					t.Errorf("faults %v, why %v", r.Faults, why)
				}
			})
		})
	}
}

// forgetful is a seat that plays on the prover, and forgets its match before a turn.
type forgetful struct {
	referee.Seat
	at      int // the turn, or below 0: none
	started []protocol.Start
}

func (s *forgetful) Start(ctx context.Context, m protocol.Start) error {
	s.started = append(s.started, m)
	return s.Seat.Start(ctx, m)
}

func (s *forgetful) Play(ctx context.Context, m protocol.Play) (kif.Term, error) {
	if s.at--; s.at == -1 {
		return kif.Symbol("busy"), nil
	}
	return s.Seat.Play(ctx, m)
}

// A player that has lost its match is told of it anew, from the state reached, and
// has neither failed nor made a fault.
func TestStartedAnew(t *testing.T) {
	seat := &forgetful{Seat: referee.Legal(), at: 2}
	var notes []string
	r, err := referee.Run(t.Context(), referee.Config{
		Match: "match", Rules: parse(t, counter), Seats: []referee.Seat{seat}, PlayClock: time.Minute,
		Observe: func(e referee.Event) { notes = append(notes, e.Notes...) },
	})
	if err != nil || r.Steps != 3 || r.FaultCount(0) > 0 || r.Failed[0] != nil {
		t.Errorf("%+v, %v", r, err)
	}
	if len(seat.started) != 2 || seat.started[1].Match == "match" {
		t.Fatalf("START was told %d times", len(seat.started))
	}
	text := kif.List(seat.started[1].Rules...).String()
	if !strings.Contains(text, "(init (step 2))") || strings.Contains(text, "(init (step 0))") {
		t.Errorf("told anew: %s", text)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "said busy") || !strings.Contains(notes[0], "from the state reached") {
		t.Errorf("notes %q", notes)
	}
}

// A match goes on from any state of an earlier one.
func TestOpening(t *testing.T) {
	seat := &forgetful{Seat: referee.Legal(), at: -1}
	up := []kif.Term{kif.Symbol("up")}
	run := func(opening ...[]kif.Term) (referee.Result, error) {
		return referee.Run(t.Context(), referee.Config{
			Rules: parse(t, counter), Seats: []referee.Seat{seat}, PlayClock: time.Minute, Opening: opening,
		})
	}
	r, err := run(up, up)
	if err != nil || r.Steps != 3 || len(r.Record.Moves) != 3 || !r.Record.IsCompleted {
		t.Errorf("%+v, %v", r, err)
	}
	if text := kif.List(seat.started[0].Rules...).String(); !strings.Contains(text, "(init (step 2))") {
		t.Errorf("told: %s", text)
	}
	if _, err := run(up, up, up); err == nil || !strings.Contains(err.Error(), "the match is over after the 3 steps") {
		t.Errorf("%v", err)
	}
	if _, err := run([]kif.Term{kif.Symbol("down")}); err == nil || !strings.Contains(err.Error(), "step 1 of the opening: illegal move") {
		t.Errorf("%v", err)
	}
}

// A careless player makes as many mistakes as it is told to.
func TestCareless(t *testing.T) {
	rules := strings.NewReplacer("(legal Robot (Stay here))", "(legal Robot down) (legal Robot (Stay here))", "(true (step 3))", "(true (step 100))").Replace(counter)
	for n := 3; n < 100; n++ {
		rules += fmt.Sprintf(" (succ %d %d)", n, n+1)
	}
	for _, rate := range []float64{0, 0.5, 1} {
		r, err := referee.Run(t.Context(), referee.Config{
			Rules: parse(t, rules), Seats: []referee.Seat{referee.Careless(referee.Legal(), rate, 1)}, PlayClock: time.Minute,
		})
		if err != nil || r.FaultCount(0) > 0 {
			t.Fatal(r, err)
		}
		first := r.Record.Moves[0][0]
		others := 0
		for _, move := range r.Record.Moves {
			if rate == 0 && move[0] != first {
				t.Fatalf("a mistake without a rate: %v", r.Record.Moves)
			}
			if move[0] != "up" {
				others++
			}
		}
		if want := rate * float64(r.Steps) * 2 / 3; rate > 0 && first == "up" && (float64(others) < 0.6*want || float64(others) > 1.4*want) {
			t.Errorf("rate %v: %d of %d moves differ", rate, others, r.Steps)
		}
	}
}

// trio is over after two steps, in which three roles have one move.
const trio = `(role a) (role b) (role c) (init (step 0)) (succ 0 1) (succ 1 2)
(<= (legal ?r up) (role ?r)) (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= terminal (true (step 2))) (<= (goal ?r 50) (role ?r))`

// A player that has two seats knows their matches by different ids, and who has one knows the
// match by its own.
func TestTwoSeatsOfOnePlayer(t *testing.T) {
	var mu sync.Mutex
	roleOf := map[string]string{} // by match
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		words := strings.Fields(strings.Trim(string(body), "()"))
		mu.Lock()
		defer mu.Unlock()
		if strings.EqualFold(words[0], "start") {
			if other, known := roleOf[words[1]]; known {
				t.Errorf("match %s is for %s and for %s", words[1], other, words[2])
			}
			roleOf[words[1]] = words[2]
		}
		if _, known := roleOf[words[1]]; !known {
			t.Errorf("told of an unknown match: %s", body)
		}
		_, _ = io.WriteString(w, "up")
	}))
	defer server.Close()
	at, err := protocol.ParseRemote(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	seat := func() referee.Seat { return referee.HTTP(protocol.NewClient(protocol.ClientOptions{}), at) }
	r, err := referee.Run(t.Context(), referee.Config{
		Match: "match", Rules: parse(t, trio), PlayClock: time.Minute,
		Seats: []referee.Seat{seat(), referee.Legal(), referee.Careless(seat(), 1e-9, 1)},
	})
	if err != nil || r.FaultCount(0)+r.FaultCount(2) > 0 || len(roleOf) != 2 || roleOf["match"] == "" {
		t.Errorf("%+v, %v, roles %v", r.Faults, err, roleOf)
	}
}
