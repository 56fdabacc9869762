package referee_test

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/player/referee"
	"semisplit/protocol"
	"semisplit/reasoner"
)

// A match of three turns, written by hand: the counter runs from 0 to 3, and
// a player that said stop in the last turn has 100.
const counting = `
(role a) (role b)
(init (count 0)) (init on)
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?p go) (role ?p)) (<= (legal ?p stop) (role ?p))
(<= (next (count ?n)) (true (count ?m)) (succ ?m ?n))
(<= (next on) (true on))
(<= (next (said ?p)) (does ?p stop))
(<= terminal (true (count 3)))
(<= (goal ?p 100) (true (said ?p)))
(<= (goal ?p 0) (role ?p) (not (true (said ?p))))
`

const counted = `{"matchId":"m","startTime":1000,"gameRoleNames":["a","b"],"isCompleted":true,
"states":["((count 0) on)","((on) (count 1))","((count 2) on (said b))","((count 3) on (said a))"],
"moves":[["go","go"],["go","stop"],["stop","go"]],"stateTimes":[1000,1001,1001,1005],
"errors":[["",""],["TO","IL (mark 1)"],["","CE"]],"goalValues":[100,0]}`

func TestReplay(t *testing.T) {
	terms, err := kif.Parse(counting)
	if err != nil {
		t.Fatal(err)
	}
	program, diagnostics := reasoner.Analyze(terms)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	m, err := reasoner.NewProver(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ old, new, says string }{
		{"", "", ""},
		{`"isCompleted":true`, `"isAborted":true,"isCompleted":false,"goalValues":null,"x":1`, ""},
		{`["a","b"]`, `["b","a"]`, "the roles are [a b]"},
		{`"((count 0) on)"`, `"((count 0))"`, "state 0 lacks on"},
		{`"((on) (count 1))"`, `"((on) (count 1) (said b))"`, "state 1 holds (said b)"},
		{`(said b))"`, `(said a))"`, "state 2 lacks (said b)"},
		{`["go","stop"]`, `["go","hop"]`, "turn 2: illegal move: hop of b"},
		{`["go","stop"]`, `["go","go"]`, "state 2 holds (said b)"},
		{`[100,0]`, `[100,100]`, "the goals are [100 0], not [100 100]"},
		{`1001,1001`, `1001,999`, "state 2 is older"},
		{`"CE"`, `"lost"`, `the fault "lost"`},
	} {
		text := strings.Replace(counted, x.old, x.new, 1)
		if strings.Contains(x.new, "isAborted") {
			text = strings.Replace(text, `,"goalValues":[100,0]`, "", 1)
		}
		r, err := protocol.ParseRecord([]byte(text))
		if err != nil {
			t.Fatal(x.new, err)
		}
		err = errors.Join(referee.Replay(m, r, new(atomic.Bool)), referee.CheckForm(r))
		if x.says == "" && err != nil || x.says != "" && (!errors.Is(err, referee.ErrContradicts) || !strings.Contains(err.Error(), x.says)) {
			t.Errorf("%s: got %v, want %q", x.new, err, x.says)
		}
	}
	for name, change := range map[string]func(r *protocol.Record){
		"where the match is not over": func(r *protocol.Record) {
			r.States, r.Moves, r.StateTimes, r.Errors = r.States[:3], r.Moves[:2], r.StateTimes[:3], r.Errors[:2]
		},
		"over after 3 turns": func(r *protocol.Record) {
			r.Moves = append(slices.Clone(r.Moves), []string{"go", "go"})
			r.States, r.StateTimes = append(r.States, "(on)"), append(r.StateTimes, time.Now().UnixMilli())
			r.Errors = append(r.Errors, []string{"", ""})
		},
		"no state": func(r *protocol.Record) { r.States, r.Moves = nil, nil },
	} {
		r, err := protocol.ParseRecord([]byte(counted))
		if err != nil {
			t.Fatal(err)
		}
		change(r)
		if err := referee.Replay(m, r, new(atomic.Bool)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want %q", err, name)
		}
	}
}
