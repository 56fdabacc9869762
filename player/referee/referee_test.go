package referee_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/games"
	"semisplit/internal/testenv"
	"semisplit/kif"
	"semisplit/player"
	"semisplit/player/agent"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// scripted is a seat that answers PLAY by a function and notes the messages.
// Calls that the referee gave up overlap with later ones.
type scripted struct {
	play  func(ctx context.Context, turn int) (kif.Term, error)
	mu    sync.Mutex
	heard []string
	turn  int
}

func (s *scripted) Name() string { return "scripted" }

func (s *scripted) note(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = append(s.heard, fmt.Sprintf(format, args...))
}

func (s *scripted) Start(_ context.Context, m protocol.Start) error {
	s.note("START %v %v %v", m.Role, m.StartClock, m.PlayClock)
	return nil
}

func (s *scripted) Play(ctx context.Context, m protocol.Play) (kif.Term, error) {
	s.note("PLAY %v", kif.List(m.Moves...))
	s.mu.Lock()
	turn := s.turn
	s.turn++
	s.mu.Unlock()
	return s.play(ctx, turn)
}

func (s *scripted) Stop(_ context.Context, m protocol.Play) error {
	s.note("STOP %v", kif.List(m.Moves...))
	return nil
}

func (s *scripted) Abort(context.Context, string) error {
	s.note("ABORT")
	return nil
}

// counter is a game for one role: three steps, and a goal for going up.
const counter = `(role Robot) (init (at 0)) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3)
(legal Robot up) (legal Robot (Stay here))
(<= (next (at ?y)) (does Robot up) (true (at ?x)) (succ ?x ?y))
(<= (next (at ?x)) (does Robot (Stay here)) (true (at ?x)))
(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
(<= terminal (true (step 3)))
(<= (goal Robot 100) (true (at 3))) (<= (goal Robot 50) (true (at 2))) (<= (goal Robot 0) (true (at 0))) (<= (goal Robot 0) (true (at 1)))`

func parse(t *testing.T, text string) []kif.Term {
	t.Helper()
	terms, err := kif.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return terms
}

func bundled(t *testing.T, name string) []kif.Term {
	t.Helper()
	g, err := games.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, g.Rules)
}

func replies(texts ...string) func(context.Context, int) (kif.Term, error) {
	return func(_ context.Context, turn int) (kif.Term, error) { return kif.ParseTerm(texts[turn]) }
}

func TestRun(t *testing.T) {
	seat := &scripted{play: replies("up", "(Stay here)", "up")}
	var events []referee.Event
	r, err := referee.Run(t.Context(), referee.Config{
		Match: "m1", Game: "counter", Rules: parse(t, counter), Seats: []referee.Seat{seat},
		StartClock: 3 * time.Second, PlayClock: 2 * time.Second,
		Observe: func(e referee.Event) { events = append(events, e) },
	})
	if err != nil || r.Aborted || r.Steps != 3 || fmt.Sprint(r.Goals) != "[50]" || r.FaultCount(0) != 0 {
		t.Errorf("got %+v, %v", r, err)
	}
	want := "START Robot 3s 2s|PLAY ()|PLAY (up)|PLAY ((Stay here))|STOP (up)"
	if got := strings.Join(seat.heard, "|"); got != want {
		t.Errorf("the seat heard %s, want %s", got, want)
	}
	if len(events) != 4 || !events[3].Terminal || events[2].Terminal || events[1].Step != 1 || len(events[0].State) != 2 {
		t.Errorf("observed %+v", events)
	}
	text, err := json.Marshal(r.Record)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`"matchId":"m1"`, `"goalValues":[50]`, `"isCompleted":true`, `["(Stay here)"]`, `"playClock":2`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%s is missing in the record %s", part, text)
		}
	}
}

// Whatever a seat does wrong, a legal move is played and the fault recorded.
func TestFaults(t *testing.T) {
	for name, test := range map[string]struct {
		play func(context.Context, int) (kif.Term, error)
		want string
	}{
		"late": {func(ctx context.Context, _ int) (kif.Term, error) {
			<-ctx.Done()
			return kif.Symbol("up"), fmt.Errorf("%w: %w", protocol.ErrTimeout, ctx.Err())
		}, "TO"},
		"deaf to the clock": {func(context.Context, int) (kif.Term, error) {
			time.Sleep(time.Minute)
			return kif.Symbol("up"), nil
		}, "TO"},
		"illegal":       {replies("down", "down", "down"), "IL down"},
		"case":          {replies("UP", "UP", "UP"), "IL UP"},
		"parentheses":   {replies("(up)", "(up)", "(up)"), "IL (up)"},
		"garbage":       {func(context.Context, int) (kif.Term, error) { return kif.Term{}, protocol.ErrReply }, "IL"},
		"no connection": {func(context.Context, int) (kif.Term, error) { return kif.Term{}, protocol.ErrConnection }, "CE"},
		"panic":         {func(context.Context, int) (kif.Term, error) { panic("seat") }, "CE"},
		"other error":   {func(context.Context, int) (kif.Term, error) { return kif.Term{}, errors.New("asleep") }, "CE"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				seat := &scripted{play: test.play}
				began := time.Now()
				r, err := referee.Run(t.Context(), referee.Config{Rules: parse(t, counter), Seats: []referee.Seat{seat}, PlayClock: time.Second, Seed: 1})
				if err != nil || r.Aborted || r.Steps != 3 || r.FaultCount(0) != 3 || len(r.Record.Moves) != 3 {
					t.Fatalf("got %+v, %v", r, err)
				}
				for step, faults := range r.Faults {
					if faults[0] != test.want || r.Record.Errors[step][0] != test.want {
						t.Errorf("step %d: %q, want %q", step, faults[0], test.want)
					}
				}
				if took := time.Since(began); test.want == "TO" && took != 6*time.Second {
					t.Errorf("three late replies took %v, want three clocks of 1 s with 1 s of grace each", took)
				}
				time.Sleep(time.Hour) // what is still asleep wakes up and ends
			})
		})
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	seat := &scripted{play: func(ctx context.Context, _ int) (kif.Term, error) {
		cancel()
		<-ctx.Done()
		return kif.Term{}, ctx.Err()
	}}
	r, err := referee.Run(ctx, referee.Config{Rules: parse(t, counter), Seats: []referee.Seat{seat}, PlayClock: time.Minute})
	if !errors.Is(err, context.Canceled) || !r.Aborted || r.Record.IsCompleted || !r.Record.IsAborted {
		t.Errorf("got %+v, %v", r, err)
	}
	if last := seat.heard[len(seat.heard)-1]; last != "ABORT" {
		t.Errorf("the seat heard %v", seat.heard)
	}
}

func TestBounds(t *testing.T) {
	endless := parse(t, "(role a) (init (s 1)) (legal a go) (next (s 1)) (<= terminal (true (s 2))) (goal a 7)")
	r, err := referee.Run(t.Context(), referee.Config{Rules: endless, Seats: []referee.Seat{referee.Legal()}, MaxSteps: 20, PlayClock: time.Second})
	if err != nil || !r.Aborted || r.Steps != 20 || r.Reason == "" {
		t.Errorf("an endless game: %+v, %v", r, err)
	}
	opening := slices.Repeat([][]kif.Term{{kif.Symbol("go")}}, 25)
	r, err = referee.Run(t.Context(), referee.Config{Rules: endless, Seats: []referee.Seat{referee.Legal()}, MaxSteps: 20, PlayClock: time.Second, Opening: opening})
	if err != nil || !r.Aborted || r.Steps != 25 {
		t.Errorf("an opening beyond the bound: %+v, %v", r, err)
	}
	stuck := parse(t, "(role a) (init (s 1)) (<= (legal a go) (true (s 1))) (<= (next (s 2)) (true (s 1))) (<= terminal (true (s 3))) (goal a 7)")
	r, err = referee.Run(t.Context(), referee.Config{Rules: stuck, Seats: []referee.Seat{referee.Legal()}, PlayClock: time.Second})
	if !errors.Is(err, referee.ErrRules) || !r.Aborted {
		t.Errorf("a game without a legal move: %+v, %v", r, err)
	}
	if _, err := referee.Run(t.Context(), referee.Config{Rules: stuck}); err == nil {
		t.Error("a match without seats")
	}
	if _, err := referee.Run(t.Context(), referee.Config{Rules: parse(t, "(p)")}); err == nil {
		t.Error("a match without rules")
	}
}

// The referee plays the role random, uniformly and from its seed.
func TestRandomRole(t *testing.T) {
	dice := `(role Robot) (role random) (init (sum 0)) (legal Robot wait) (face a) (face b) (face c)
(<= (legal random (roll ?f)) (face ?f))
(<= (next (rolled ?f)) (does random (roll ?f)))
(<= terminal (true (rolled ?f))) (goal Robot 1) (goal random 2)`
	seen := map[string]int{}
	for seed := range uint64(60) {
		c := referee.Config{Rules: parse(t, dice), Seats: []referee.Seat{referee.Legal()}, PlayClock: time.Second, Seed: seed}
		r, err := referee.Run(t.Context(), c)
		if err != nil || len(r.Record.Moves) != 1 {
			t.Fatalf("%+v, %v", r, err)
		}
		seen[r.Record.Moves[0][1]]++
	}
	for _, move := range []string{"(roll a)", "(roll b)", "(roll c)"} {
		if seen[move] < 5 {
			t.Errorf("%s was rolled %d times of 60: %v", move, seen[move], seen)
		}
	}
}

// Matches of simple seats end properly in every bundled game, and repeat. For
// the sake of the race detector othello is played once, and large games only
// in the long run (make matches).
func TestBundled(t *testing.T) {
	for _, name := range games.Names() {
		switch {
		case testenv.Long():
		case testenv.Large(name) != "", testing.Short() && name != "goofspiel" && name != "trio":
			continue
		}
		t.Run(name, func(t *testing.T) {
			text := bundled(t, name)
			var moves [2]string
			for i := range moves {
				var seats []referee.Seat
				for _, rule := range text {
					if len(rule.Items) == 2 && kif.Equal(rule.Items[0], kif.Symbol("role")) {
						seats = append(seats, referee.Random(uint64(len(seats))))
					}
				}
				r, err := referee.Run(t.Context(), referee.Config{Rules: text, Seats: seats, StartClock: time.Minute, PlayClock: time.Minute})
				if err != nil || r.Aborted {
					t.Fatalf("%+v, %v", r, err)
				}
				for role := range seats {
					if r.FaultCount(role) > 0 {
						t.Errorf("faults: %v", r.Faults)
					}
				}
				moves[i] = fmt.Sprint(r.Record.Moves)
				if name == "othello" {
					return
				}
			}
			if moves[0] != moves[1] {
				t.Error("the same seeds gave two matches")
			}
		})
	}
}

// A whole match over loopback, with a search; then nothing is left running.
func TestLoopback(t *testing.T) {
	before := runtime.NumGoroutine()
	fixed := agent.Default()
	fixed.General.Threads, fixed.General.Memory, fixed.Algorithm.Parameters.Iterations = 1, 16<<20, 200
	for _, name := range []string{"tictactoe", "goofspiel"} {
		p := player.New(player.Config{Agent: fixed, Seed: 1})
		server := protocol.NewServer(p, protocol.ServerOptions{})
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		served := make(chan error, 1)
		go func() { served <- server.Serve(l) }()
		to, err := protocol.ParseRemote(l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		second := player.New(player.Config{Agent: fixed, Seed: 2})
		r, err := referee.Run(t.Context(), referee.Config{
			Game: name, Rules: bundled(t, name), StartClock: time.Minute, PlayClock: time.Minute,
			Seats: []referee.Seat{referee.HTTP(protocol.NewClient(protocol.ClientOptions{}), to), referee.InProcess("second", second)},
		})
		if err != nil || r.Aborted || r.FaultCount(0)+r.FaultCount(1) > 0 {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
		t.Logf("%s: goals %v after %d steps, slowest replies %v", name, r.Goals, r.Steps, r.Slowest)
		p.Close()
		second.Close()
		if err := server.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		<-served
	}
	for range 6000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
}
