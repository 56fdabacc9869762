package referee_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/kif"
	"semisplit/player/referee"
)

// at plays a match of people who type the lines, and returns the screen.
func at(t *testing.T, rules string, people int, lines string) (string, referee.Result, error) {
	t.Helper()
	var screen bytes.Buffer
	terminal := referee.NewTerminal(strings.NewReader(lines), &screen)
	var seats []referee.Seat
	for range people {
		seats = append(seats, terminal.Person())
	}
	r, err := referee.Run(t.Context(), referee.Config{Rules: parse(t, rules), Seats: seats, PlayClock: time.Minute})
	return screen.String(), r, err
}

func TestHuman(t *testing.T) {
	screen, r, err := at(t, counter, 1, "9\nfoo\x1b[2J\n1\nSTAY here\nup\n")
	if err != nil || r.FaultCount(0) != 0 || !r.Record.IsPlayerHuman[0] {
		t.Errorf("%+v, %v", r, err)
	}
	if got := fmt.Sprint(r.Record.Moves); got != "[[up] [(Stay here)] [up]]" {
		t.Errorf("moves: %v", got)
	}
	for _, text := range []string{"There is no move 9", `"foo\\x1b[2J" is not a legal move`, "   1  up", "   2  (Stay here)", "Robot, your move"} {
		if !strings.Contains(screen, text) {
			t.Errorf("%q is not on the screen:\n%s", text, screen)
		}
	}
}

// A person who leaves ends the match at once, whatever others do.
func TestPersonLeaves(t *testing.T) {
	_, r, err := at(t, counter, 1, "up\n")
	if !errors.Is(err, referee.ErrLeft) || !strings.Contains(r.Reason, "Robot (human) left after 1 step: no more input") {
		t.Errorf("%q, %v", r.Reason, err)
	}
	if !r.Aborted || !r.Record.IsAborted || len(r.Record.Moves) != 1 {
		t.Errorf("%+v", r.Record)
	}
	synctest.Test(t, func(t *testing.T) {
		slow := &scripted{play: func(ctx context.Context, _ int) (kif.Term, error) {
			<-ctx.Done()
			return kif.Term{}, ctx.Err()
		}}
		began := time.Now()
		_, err := referee.Run(t.Context(), referee.Config{
			Rules: parse(t, together), Seats: []referee.Seat{slow, referee.NewTerminal(strings.NewReader(""), io.Discard).Person()}, PlayClock: time.Hour,
		})
		if took := time.Since(began); !errors.Is(err, referee.ErrLeft) || took > time.Minute {
			t.Errorf("%v after %v", err, took)
		}
		if !slices.Contains(slow.heard, "ABORT") {
			t.Errorf("the other heard %v", slow.heard)
		}
	})
}

// together is a game of two, who name a number at the same time, twice.
const together = `(role left) (role right) (init (step 0)) (succ 0 1) (succ 1 2)
(number 10) (number 9) (number 2)
(<= (legal left (say ?n)) (number ?n)) (<= (legal right (say ?n)) (number ?n))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= terminal (true (step 2))) (goal left 50) (goal right 50)`

// Two people share the lines of their terminal, in the order of the roles.
func TestTwoPeople(t *testing.T) {
	for range 20 {
		screen, r, err := at(t, together, 2, "1\n2\n(say 10)\n1\n")
		if err != nil || fmt.Sprint(r.Record.Moves) != "[[(say 2) (say 9)] [(say 10) (say 2)]]" || r.FaultCount(0)+r.FaultCount(1) > 0 {
			t.Fatalf("%v, %v, %v", r.Record.Moves, r.Faults, err)
		}
		if strings.Count(screen, "left, your move") != 2 || strings.Count(screen, "right, your move") != 2 {
			t.Fatalf("the screen:\n%s", screen)
		}
	}
	byTurns := `(role left) (role right) (init (control left)) (legal left a) (legal left b) (legal right noop)
(<= (next (control right)) (true (control left))) (<= terminal (true (control right))) (goal left 50) (goal right 50)`
	if screen, r, err := at(t, byTurns, 2, "2\n"); err != nil || strings.Contains(screen, "noop") || r.Record.Moves[0][0] != "b" {
		t.Errorf("%v, %v:\n%s", r.Record, err, screen)
	}
}

// Two people know a move by the same number.
func TestSharedNumbers(t *testing.T) {
	screen, _, _ := at(t, `(role left) (role right) (init (control left)) (init (free a)) (init (free b)) (init (free c))
(<= (legal ?r (take ?x)) (true (control ?r)) (true (free ?x)))
(<= (legal left noop) (true (control right))) (<= (legal right noop) (true (control left)))
(<= (next (free ?x)) (true (free ?x)) (does ?r noop) (not (does left (take ?x))) (not (does right (take ?x))))
(<= (next (control left)) (true (control right))) (<= (next (control right)) (true (control left)))
(<= open (true (free ?x))) (<= terminal (not open)) (goal left 50) (goal right 50)`, 2, "1\n")
	if !strings.Contains(screen, "   2  (take b)    3  (take c) \nright, your move") {
		t.Errorf("the screen:\n%s", screen)
	}
}

// prompt is what a person called me is asked.
var prompt = regexp.MustCompile(`me, your move \(a number or a move, [0-9:s ]+ left\): `)

// Moves stand in the order that people expect, and keep their numbers.
func TestChoices(t *testing.T) {
	columns := `(role me) (init (free 1)) (init (free 2)) (init (free 10)) (init (free 3))
(<= (legal me (drop ?c)) (true (free ?c)))
(<= (next (free ?c)) (true (free ?c)) (not (does me (drop ?c))))
(<= (next (free extra)) (does me (drop 2)))
(<= (next (free 7)) (does me (drop 2)))
(<= open (true (free 3))) (<= terminal (not open)) (goal me 50)`
	screen, r, err := at(t, columns, 1, "1\n2\n4\n3\n")
	if err != nil || fmt.Sprint(r.Record.Moves) != "[[(drop 1)] [(drop 2)] [(drop 10)] [(drop 3)]]" {
		t.Fatalf("%v, %v", r.Record.Moves, err)
	}
	var lists []string
	for _, line := range strings.Split(screen, "\n") {
		if strings.Contains(line, "(drop") {
			lists = append(lists, strings.Join(strings.Fields(prompt.ReplaceAllString(line, "")), " "))
		}
	}
	want := []string{
		"1 (drop 1) 2 (drop 2) 3 (drop 3) 4 (drop 10)",
		"2 (drop 2) 3 (drop 3) 4 (drop 10)",
		"3 (drop 3) 1 (drop 7) 4 (drop 10) 2 (drop extra)",
		"3 (drop 3) 1 (drop 7) 2 (drop extra)",
	}
	if !slices.Equal(lists, want) {
		t.Errorf("got %q\nwant %q", lists, want)
	}

	squares := `(role me) (init start) (legal me (move a10 b 1)) (legal me (move a2 b 1)) (legal me (move a2 a 12)) (legal me (move a2 a 3))
(legal me pass) (legal me (castle Short)) (legal me (castle long)) (next done) (<= terminal (true done)) (goal me 50)`
	screen, _, err = at(t, squares, 1, "1\n")
	want1 := "1 pass 2 (castle long) 3 (castle Short) 4 (move a2 a 3) 5 (move a2 a 12) 6 (move a2 b 1) 7 (move a10 b 1)"
	if got := strings.Join(strings.Fields(prompt.ReplaceAllString(screen, "")), " "); err != nil || got != want1 {
		t.Errorf("got %q, %v", got, err)
	}
}

// Where one of two gives up, the other is asked no more.
func TestOneOfTwoResigns(t *testing.T) {
	screen, _, err := at(t, together, 2, "resign\n1\n")
	if !errors.Is(err, referee.ErrResigned) || strings.Count(screen, "your move") != 1 || strings.Contains(screen, "Too late") {
		t.Errorf("%v, the screen:\n%s", err, screen)
	}
}

// What is typed after the clock has run out is not the move of a later turn.
func TestTypedTooLate(t *testing.T) {
	const rules = `(role a) (role b) (init (turn 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal a x) (true (turn ?n)) (distinct ?n 1)) (<= (legal a y) (true (turn ?n)) (distinct ?n 1))
(<= (legal a noop) (true (turn 1))) (legal b noop)
(<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m)) (<= terminal (true (turn 3))) (goal a 50) (goal b 50)`
	synctest.Test(t, func(t *testing.T) {
		in, typed := io.Pipe()
		defer typed.Close()
		go func() {
			time.Sleep(65 * time.Second) // the other one thinks until 70
			fmt.Fprint(typed, "2\n2\n")
			time.Sleep(30 * time.Second)
			fmt.Fprintln(typed, "1")
		}()
		other := &scripted{play: func(context.Context, int) (kif.Term, error) {
			time.Sleep(10 * time.Second)
			return kif.Symbol("noop"), nil
		}}
		seats := []referee.Seat{referee.NewTerminal(in, io.Discard).Person(), other}
		r, err := referee.Run(t.Context(), referee.Config{Rules: parse(t, rules), Seats: seats, PlayClock: time.Minute})
		if err != nil || len(r.Record.Moves) != 3 || r.Record.Moves[2][0] != "x" {
			t.Errorf("moves %v, %v", r.Record.Moves, err)
		}
	})
}

// A word that is no move asks for help, for the moves again, or leaves.
func TestWordsOfPeople(t *testing.T) {
	screen, r, err := at(t, counter, 1, "help\nmoves\nboard\nup\nquit\n")
	if !errors.Is(err, referee.ErrLeft) || len(r.Record.Moves) != 1 || !r.Aborted {
		t.Errorf("%+v, %v", r, err)
	}
	if !strings.Contains(screen, "e2e4") || !strings.Contains(screen, "There is no board.") || strings.Count(screen, "   1  up") != 3 {
		t.Errorf("the screen:\n%s", screen)
	}
}

// nim is a game of two that is over when all four are taken; the last one wins.
const nim = `(role a) (role b) (init (left 4)) (init (control a)) (succ 3 4) (succ 2 3) (succ 1 2) (succ 0 1)
(<= (legal ?r (take 1)) (true (control ?r))) (<= (legal ?r (take 2)) (true (control ?r)) (true (left ?n)) (distinct ?n 1))
(<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
(<= (next (left ?m)) (does ?r (take 1)) (true (left ?n)) (succ ?m ?n))
(<= (next (left ?k)) (does ?r (take 2)) (true (left ?n)) (succ ?m ?n) (succ ?k ?m))
(<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))
(<= terminal (true (left 0))) (<= (goal a 100) (true (control b))) (<= (goal a 0) (true (control a)))
(<= (goal b 100) (true (control a))) (<= (goal b 0) (true (control b)))`

// A person takes a move back, and the other player is told of the match anew, from
// the state that is reached.
func TestUndo(t *testing.T) {
	var screen bytes.Buffer
	terminal := referee.NewTerminal(strings.NewReader("undo\ntake 1\nundo\ntake 2\n"), &screen)
	other := &scripted{play: func(_ context.Context, turn int) (kif.Term, error) {
		return []kif.Term{kif.Symbol("noop"), take(1), kif.Symbol("noop"), kif.Symbol("noop"), take(1), kif.Symbol("noop")}[turn], nil
	}}
	var steps, back []int
	r, err := referee.Run(t.Context(), referee.Config{
		Rules: parse(t, nim), Seats: []referee.Seat{terminal.Person(), other}, PlayClock: time.Minute,
		Observe: func(e referee.Event) { steps, back = append(steps, e.Step), append(back, e.Back) },
	})
	if err != nil || fmt.Sprint(r.Record.Moves) != "[[(take 2) noop] [noop (take 1)] [(take 1) noop]]" || r.Steps != 3 || len(r.Record.States) != 4 {
		t.Errorf("%v: %+v\n%s", err, r.Record, &screen)
	}
	if fmt.Sprint(steps, back) != "[0 1 2 0 1 2 3] [0 0 0 2 0 0 0]" {
		t.Errorf("steps %v, taken back %v, heard %v", steps, back, other.heard)
	}
	if !strings.Contains(screen.String(), "There is no move of yours to take back.") {
		t.Errorf("the screen:\n%s", &screen)
	}
}

func take(n int) kif.Term {
	return kif.List(kif.Symbol("take"), kif.Symbol(fmt.Sprint(n)))
}

// A person gives the match up, saves it, asks for a hint, and looks at a clock.
func TestCommandsOfPeople(t *testing.T) {
	var screen bytes.Buffer
	terminal := referee.NewTerminal(strings.NewReader("hint\nsave\nsave my match.json\nresign\n"), &screen)
	var asked referee.Position
	var saved string
	clocks := 0
	terminal.Hint = func(_ context.Context, p referee.Position) (string, error) { asked = p; return "take 2", nil }
	terminal.Save = func(file string) error { saved = file; return errors.New("disk full") }
	terminal.Clock = func(string, time.Duration) { clocks++ }
	r, err := referee.Run(t.Context(), referee.Config{
		Rules: parse(t, nim), Seats: []referee.Seat{terminal.Person(), referee.Legal()}, PlayClock: time.Minute,
	})
	if !errors.Is(err, referee.ErrResigned) || !r.Record.IsAborted || !strings.Contains(r.Reason, "a (human) resigned after 0 steps") {
		t.Errorf("%+v, %v", r, err)
	}
	if asked.Role != 0 || len(asked.Rules) == 0 || saved != "my match.json" || clocks < 2 {
		t.Errorf("position %v, saved %q, %d clocks", asked, saved, clocks)
	}
	for _, text := range []string{"take 2", "Name a file", "Not saved: disk full", " left): "} {
		if !strings.Contains(screen.String(), text) {
			t.Errorf("%q is not on the screen:\n%s", text, &screen)
		}
	}
}

// Many moves are shown by how they begin.
func TestManyMoves(t *testing.T) {
	rules := "(role me) (init start) (next done) (<= terminal (true done)) (goal me 50)\n"
	for n := range 20 {
		rules += fmt.Sprintf("(square %d) ", n+1)
	}
	rules += "(<= (legal me (move ?a ?b)) (square ?a) (square ?b))"
	screen, r, err := at(t, rules, 1, "7\n7\nmove 7\nmove 7 19\n")
	if err != nil || fmt.Sprint(r.Record.Moves) != "[[(move 1 7)]]" {
		t.Fatalf("%v, %v\n%s", r.Record, err, screen)
	}
	screen, r, err = at(t, rules, 1, "move 7\n7 19\n")
	if err != nil || fmt.Sprint(r.Record.Moves) != "[[(move 7 19)]]" || !strings.Contains(screen, "400 legal moves") ||
		!strings.Contains(screen, "7 (20)") || !strings.Contains(screen, "Which of these?\n 121  (move 7 1)") {
		t.Errorf("%v, %v\n%s", r.Record, err, screen)
	}
}
