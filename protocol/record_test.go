package protocol_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"semisplit/kif"
	"semisplit/protocol"
)

var noon = time.UnixMilli(1_700_000_000_000)

// played is the record of a match of one turn, in which b was late.
func played(t *testing.T) *protocol.Record {
	t.Helper()
	r := protocol.NewRecord("m.1", "nim", []string{"a", "b"}, []string{"Us", "Them"}, 10*time.Second, 1500*time.Millisecond, noon)
	r.RandomToken = "abcdefghijkl"
	steps := []error{
		r.Begin([]kif.Term{term(t, "(heap 1 3)"), term(t, "(control a)")}, noon),
		r.Turn([]kif.Term{term(t, "(take 1 2)"), term(t, "noop")}, []string{"", protocol.FaultTimeout},
			[]kif.Term{term(t, "(heap 1 1)")}, noon.Add(time.Second)),
	}
	for _, err := range steps {
		if err != nil {
			t.Fatal(err)
		}
	}
	return r
}

const running = `{"matchId":"m.1","randomToken":"abcdefghijkl","startTime":1700000000000,"gameMetaURL":"","gameName":"nim","gameRoleNames":["a","b"],` +
	`"isCompleted":false,"isAborted":false,"states":["((heap 1 3) (control a))","((heap 1 1))"],"moves":[["(take 1 2)","noop"]],` +
	`"stateTimes":[1700000000000,1700000001000],"errors":[["","TO"]],"previewClock":-1,"startClock":10,"playClock":2,` +
	`"playerNamesFromHost":["Us","Them"],"isPlayerHuman":[false,false],"scrambled":false,"weight":1,"analysisClock":-1}`

func TestRecordJSON(t *testing.T) {
	r := played(t)
	got, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(running, string(got)); diff != "" {
		t.Error(diff)
	}
	if err := r.Complete([]int{100, 0}); err != nil {
		t.Fatal(err)
	}
	r.Tournament, r.MatchHostPK, r.MatchHostSigned = "cup", "0k", "A0s"
	full, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var keys map[string]any
	if err := json.Unmarshal(full, &keys); err != nil {
		t.Fatal(err)
	}
	want := strings.Fields(`analysisClock errors gameMetaURL gameName gameRoleNames goalValues isAborted isCompleted isPlayerHuman matchHostPK
		matchHostSignature matchId moves playClock playerNamesFromHost previewClock randomToken scrambled startClock startTime stateTimes states
		tournamentNameFromHost weight`)
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(keys))); diff != "" {
		t.Error(diff)
	}
	back, err := protocol.ParseRecord(full)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, back); diff != "" {
		t.Error(diff)
	}
}

// An empty record has no null either.
func TestRecordWithoutNulls(t *testing.T) {
	got, err := json.Marshal(&protocol.Record{MatchID: "m"})
	if err != nil || bytes.Contains(got, []byte("null")) {
		t.Errorf("%s, %v", got, err)
	}
	if token := protocol.NewRecord("m", "g", nil, nil, 0, 0, noon).RandomToken; len(token) < 12 {
		t.Errorf("the token %q is short", token)
	}
}

// Records only grow, and only into something valid.
func TestRecordRefuses(t *testing.T) {
	a, b := kif.Symbol("a"), kif.Symbol("b")
	for name, misuse := range map[string]func(r *protocol.Record) error{
		"second beginning": func(r *protocol.Record) error { return r.Begin(nil, noon) },
		"too few moves":    func(r *protocol.Record) error { return r.Turn([]kif.Term{a}, nil, nil, noon) },
		"too many faults":  func(r *protocol.Record) error { return r.Turn([]kif.Term{a, b}, make([]string, 3), nil, noon) },
		"too few goals":    func(r *protocol.Record) error { return r.Complete([]int{1}) },
		"turn after the end": func(r *protocol.Record) error {
			return errors.Join(must(r.Complete([]int{0, 0})), r.Turn([]kif.Term{a, b}, nil, nil, noon))
		},
		"second end": func(r *protocol.Record) error {
			return errors.Join(must(r.Complete([]int{0, 0})), r.Complete([]int{0, 0}))
		},
		"late abort":     func(r *protocol.Record) error { return errors.Join(must(r.Complete([]int{0, 0})), r.Abort()) },
		"end after that": func(r *protocol.Record) error { return errors.Join(must(r.Abort()), r.Complete([]int{0, 0})) },
		"early turn": func(*protocol.Record) error {
			return protocol.NewRecord("m", "g", []string{"a"}, nil, 0, 0, noon).Turn([]kif.Term{a}, nil, nil, noon)
		},
	} {
		if err := misuse(played(t)); !errors.Is(err, protocol.ErrRecord) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func must(err error) error {
	if err != nil {
		panic(err)
	}
	return nil
}

// Records of others: what is missing, or null, is filled in.
func TestParseRecordOfOthers(t *testing.T) {
	r, err := protocol.ParseRecord([]byte(`{"matchId":"x","states":["( ( p 1 ) q )","(r)"],"moves":[["noop","( go 1 )"]],"stateTimes":[1,2],
		"goalValues":[0,100],"isCompleted":true,"gameRoleNames":null,"x-extra":{"a":1},"apiVersion":2}`))
	if err != nil {
		t.Fatal(err)
	}
	state, err1 := r.State(0)
	moves, err2 := r.JointMove(0)
	got := fmt.Sprint(r.GameRoleNames, r.Errors, r.PreviewClock, r.Weight, state, moves, err1, err2)
	if want := "[1 2] [[ ]] -1 1 [(p 1) q] [noop (go 1)] <nil> <nil>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestParseRecordErrors(t *testing.T) {
	for _, x := range []struct{ old, new, says string }{
		{running, "", "not JSON"},
		{running, "[1]", "expected a JSON object"},
		{`"m.1"`, `17`, "matchId is 17: expected a string"},
		{`"m.1"`, `null`, "no matchId"},
		{`1700000000000,"game`, `"soon","game`, "startTime is"},
		{`"startClock":10`, `"startClock":1.5`, "expected a whole number"},
		{`"isAborted":false`, `"isAborted":"no"`, "expected true or false"},
		{`"isAborted":false`, `"isAborted":true,"goalValues":[1,2]`, "goalValues belong to a completed match"},
		{`"isCompleted":false`, `"isCompleted":true`, "goalValues belong to a completed match"},
		{`"isCompleted":false`, `"isCompleted":true,"goalValues":[1]`, "1 goalValues for 2 roles"},
		{`"isCompleted":false`, `"isCompleted":true,"goalValues":[1,101]`, "not within 0..100"},
		{`["((heap 1 3) (control a))",`, `[`, "1 states for 1 turns"},
		{`"((heap 1 1))"`, `"((heap 1 1)"`, "state 1 is not a list"},
		{`"((heap 1 1))"`, `"heap"`, "state 1 is not a list"},
		{`"((heap 1 1))"`, `5`, "expected an array of strings"},
		{`"(take 1 2)"`, `"(take"`, "a move that is no term"},
		{`["(take 1 2)","noop"]`, `["noop"]`, "turn 1 has 1 moves"},
		{`["(take 1 2)","noop"]`, `"noop"`, "array of arrays"},
		{`["","TO"]`, `[""]`, "turn 1 has 2 moves and 1 errors"},
		{`[["","TO"]]`, `[["","TO"],["",""]]`, "2 rows of errors for 1 turns"},
		{`,1700000001000]`, `]`, "1 stateTimes for 2 states"},
		{`["Us","Them"]`, `["Us"]`, "1 player names for 2 roles"},
		{`[false,false]`, `[false]`, "1 isPlayerHuman for 2 roles"},
		{`[false,false]`, `[0,1]`, "expected true or false"},
		{`"weight":1`, `"weight":"1"`, "expected a number"},
	} {
		text := strings.Replace(running, x.old, x.new, 1)
		if text == running {
			t.Fatalf("%q does not occur", x.old)
		}
		_, err := protocol.ParseRecord([]byte(text))
		if !errors.Is(err, protocol.ErrRecord) || !strings.Contains(err.Error(), x.says) {
			t.Errorf("%s for %s: got %v, want %q", x.new, x.old, err, x.says)
		}
	}
}

func TestFaults(t *testing.T) {
	for _, x := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{fmt.Errorf("PLAY: %w", protocol.ErrTimeout), "TO"},
		{fmt.Errorf("PLAY: %w", protocol.ErrConnection), "CE"},
		{fmt.Errorf("PLAY: %w", protocol.ErrReply), "IL"},
	} {
		if got := protocol.FaultOf(x.err); got != x.want {
			t.Errorf("%v: got %q, want %q", x.err, got, x.want)
		}
	}
	if got := protocol.FaultIllegal("(mark\n9 9)"); got != "IL (mark 9 9)" {
		t.Errorf("got %q", got)
	}
}

// The times of a record do not run backwards where the clock was set back.
func TestRecordTimes(t *testing.T) {
	r := protocol.NewRecord("m", "nim", []string{"white"}, []string{"p"}, time.Second, time.Second, noon)
	state, move := []kif.Term{term(t, "(heap 1 1)")}, []kif.Term{term(t, "noop")}
	err := r.Begin(state, noon.Add(-time.Hour))
	for _, later := range []time.Duration{2 * time.Second, time.Second, 3 * time.Second} {
		err = errors.Join(err, r.Turn(move, nil, state, noon.Add(later)))
	}
	at := noon.UnixMilli()
	if want := []int64{at, at + 2000, at + 2000, at + 3000}; err != nil || !slices.Equal(r.StateTimes, want) {
		t.Errorf("%v, %v, want %v", r.StateTimes, err, want)
	}
}

// A record goes back over turns; a copy of it keeps them. What is said of moves goes
// with them, and is read again.
func TestRecordBack(t *testing.T) {
	r := played(t)
	if err := r.Turn([]kif.Term{term(t, "noop"), term(t, "(take 1 1)")}, nil, []kif.Term{term(t, "(heap 1 0)")}, noon); err != nil {
		t.Fatal(err)
	}
	r.Comment([]string{"", "the last one"})
	r.Comment([]string{"twice", ""})
	kept := *r
	text, err := json.Marshal(r)
	if err != nil || !strings.Contains(string(text), `"comments":[["",""],["","the last one"]]`) {
		t.Fatalf("%s, %v", text, err)
	}
	again, err := protocol.ParseRecord(text)
	if err != nil || cmp.Diff(r.Comments, again.Comments) != "" {
		t.Errorf("read again: %v, %v", again.Comments, err)
	}
	r.Back(1)
	if err := r.Turn([]kif.Term{term(t, "noop"), term(t, "pass")}, nil, []kif.Term{term(t, "(heap 1 1)")}, noon); err != nil {
		t.Fatal(err)
	}
	if len(r.Moves) != 2 || r.Moves[1][1] != "pass" || len(r.Comments) != 1 || r.Validate() != nil {
		t.Errorf("went back to %+v", r)
	}
	if kept.Moves[1][1] != "(take 1 1)" || kept.States[2] != "((heap 1 0))" || kept.Validate() != nil {
		t.Errorf("the copy became %+v", kept)
	}
	if r.Back(9); len(r.Moves) != 0 || len(r.States) != 1 || r.Validate() != nil {
		t.Errorf("went back to the start: %+v", r)
	}
	kept.Comments = append(kept.Comments, nil)
	if kept.Validate() == nil {
		t.Error("more comments than turns")
	}
}
