package arena

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/player"
	"semisplit/player/agent"
	"semisplit/player/local"
	"semisplit/player/peer"
	"semisplit/protocol"
)

// TestMain is a player when it is told so: fake KIND PORT.
func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == "fake" {
		serveFake(os.Args[2], os.Args[3])
		return
	}
	os.Exit(m.Run())
}

// fake plays at random, but for what its kind does.
type fake struct {
	*player.Player
	kind  string
	turns int
}

func (f *fake) Start(ctx context.Context, m protocol.Start) string {
	if f.kind == "refuses" {
		return "busy"
	}
	return f.Player.Start(ctx, m)
}

func (f *fake) Play(ctx context.Context, m protocol.Play) (kif.Term, bool) {
	f.turns++
	switch {
	case f.kind == "crashes":
		fmt.Println("out of luck")
		os.Exit(3)
	case f.kind == "hangs":
		select {}
	case f.kind == "errs", f.kind == "slips" && f.turns == 1:
		return kif.Symbol("resign"), true
	}
	return f.Player.Play(ctx, m)
}

func serveFake(kind, port string) {
	switch kind {
	case "mute":
		select {}
	case "ends":
		fmt.Println("no such game data")
		os.Exit(3)
	}
	random := agent.Default()
	random.Algorithm.Name = agent.NameRandom
	random.General.Engine, random.General.Threads = agent.EngineProver, 1
	l, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		panic(err)
	}
	f := &fake{Player: player.New(player.Config{Agent: random, Matches: 2}), kind: kind}
	_ = protocol.NewServer(f, protocol.ServerOptions{}).Serve(l)
}

func fakeCommand(kind string) []string { return []string{os.Args[0], "fake", kind, peer.Port} }

// serving makes fakes of our agents.
func serving(kind string) Options {
	return Options{Serve: func(string) peer.Command { return peer.Command{Args: fakeCommand(kind)} }}
}

// planHTTP has an agent of ours against the player of others "other".
func planHTTP(t *testing.T, entries, rest string) *Plan {
	t.Helper()
	spec, err := ReadSpec(strings.NewReader(fmt.Sprintf(`{"name": "test", "games": [%s], "agents": ["orthodox"], "plays": 2,
		"settings": [{"kind": "timed", "seconds": 60, "start": 60}], "parallel": 1, %s "baselines": [{"name": "other"}]}`, entries, rest)))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Read(spec, ".", games.Load)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func report(t *testing.T, store *Store) (Summary, string) {
	t.Helper()
	sum, err := Summarize(store)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := sum.Markdown(&text, nil); err != nil {
		t.Fatal(err)
	}
	return sum, text.String()
}

// TestHTTP plays against a player of others, and goes on with what is there.
func TestHTTP(t *testing.T) {
	p := planHTTP(t, `"tictactoe", "testdata/puzzle.kif"`, `"cores": 1,`)
	p.Baselines[0].Peer.Command = fakeCommand("slips")
	dir := t.TempDir()
	store := create(t, filepath.Join(dir, "run.db"))
	o := serving("plays")
	o.Logs = filepath.Join(dir, "logs")
	mustRun(t, p, store, o)
	plays, err := store.Plays()
	if err != nil || len(plays) != 4 {
		t.Fatalf("%d plays, %v", len(plays), err)
	}
	for _, play := range plays {
		if play.Error != "" || play.Score != local.Share(play.AgentGoals, play.BaseGoals) || play.Turns < 5 || play.Faults != [2]Faults{{}, {Illegal: 1}} {
			t.Errorf("%+v", play)
		}
	}
	_, text := report(t, store)
	for _, want := range []string{
		"2 plays of each game", "matches over HTTP with clocks", "| tictactoe | 60 s, start 60 s | orthodox against other | other | 0 | 0 | 0 | 2 |",
		"Peer faults: 0 plays left out, in which a player of others did not listen, or was at fault in more than 3 turns.",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
	if logs, err := filepath.Glob(filepath.Join(o.Logs, "tictactoe", "*.log")); err != nil || len(logs) != 4 {
		t.Errorf("logs %v, %v", logs, err)
	}
	p.Baselines[0].Peer.Command = fakeCommand("plays")
	if err := p.Run(t.Context(), store, o); err == nil || !strings.Contains(err.Error(), "baselines changed") {
		t.Errorf("with another command: %v", err)
	}
	p.Baselines[0].Peer.Command = fakeCommand("slips")
	mustRun(t, p, store, o)
	if again, err := store.Plays(); err != nil || len(again) != 4 {
		t.Errorf("%d plays, %v", len(again), err)
	}
}

// TestPeerFaults meets players of others that fail in every way. Their plays
// are left out, and the run goes on.
func TestPeerFaults(t *testing.T) {
	for _, test := range []struct {
		kind, want string
		faults     Faults
	}{
		{"crashes", "at fault in more than 0 turns: 0 late, 1 lost, 0 illegal", Faults{Lost: 1}},
		{"hangs", "at fault in more than 0 turns: 1 late, 0 lost, 0 illegal", Faults{Late: 1}},
		{"errs", "at fault in more than 0 turns: 0 late, 0 lost, 1 illegal", Faults{Illegal: 1}},
		{"refuses", "at fault in more than 0 turns: 0 late, 0 lost, 1 illegal", Faults{Start: 1, Illegal: 1}},
		{"ends", "exit status 3; its last output: no such game data", Faults{}},
		{"mute", "does not listen on its port after 20ms", Faults{}},
	} {
		p := planHTTP(t, `"nim"`, `"peer_faults": 0,`)
		p.Baselines[0].Peer.Command = fakeCommand(test.kind)
		store := create(t, filepath.Join(t.TempDir(), "run.db"))
		r, err := newRunner(p, store, serving("plays"))
		if err != nil {
			t.Fatal(err)
		}
		r.series[0].next = 1 // in this play the player of others is started first
		switch test.kind {
		case "mute":
			r.wait = 20 * time.Millisecond
		case "hangs":
			r.series[0].setting.Seconds, r.grace = 0.05, -1
		}
		if err := r.run(t.Context()); err != nil {
			t.Fatalf("%s: %v", test.kind, err)
		}
		sum, text := report(t, store)
		cell := sum.Tables[0].Cells[0][0]
		if len(sum.LeftOut) != 1 || len(sum.Failures) != 0 || cell.LeftOut != 1 || cell.Plays != 0 || !strings.Contains(sum.LeftOut[0].Error, test.want) {
			t.Errorf("%s: %d left out, %d failed: %+v", test.kind, len(sum.LeftOut), len(sum.Failures), sum.LeftOut)
			continue
		}
		if sum.LeftOut[0].Faults[local.SecondSide] != test.faults || !strings.Contains(text, "Peer faults: 1 play left out") {
			t.Errorf("%s: %+v\n%s", test.kind, sum.LeftOut[0].Faults, text)
		}
	}
}

// TestOwnFaults: faults of our side count against it, and leave nothing out.
func TestOwnFaults(t *testing.T) {
	p := planHTTP(t, `"nim"`, ``)
	p.Baselines[0].Peer.Command = fakeCommand("plays")
	store := create(t, filepath.Join(t.TempDir(), "run.db"))
	mustRun(t, p, store, serving("crashes"))
	sum, text := report(t, store)
	cell := sum.Tables[0].Cells[0][0]
	if cell.Plays != 2 || cell.Failed+cell.LeftOut > 0 || cell.Faults[local.FirstSide].Lost < 2 {
		t.Errorf("%+v\n%s", cell, text)
	}
}

// TestNoLog: where the file for its output cannot be made, a play has failed, and no
// player of others is to blame.
func TestNoLog(t *testing.T) {
	p := planHTTP(t, `"nim"`, ``)
	p.Baselines[0].Peer.Command = fakeCommand("plays")
	dir := t.TempDir()
	store, o := create(t, filepath.Join(dir, "run.db")), serving("plays")
	if o.Logs = filepath.Join(dir, "logs"); os.WriteFile(o.Logs, nil, 0o600) != nil {
		t.Fatal("a file in the place of the folder")
	}
	r, err := newRunner(p, store, o)
	if err != nil {
		t.Fatal(err)
	}
	r.series[0].next = 1 // in this play the player of others is started first
	if err := r.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if sum, text := report(t, store); len(sum.LeftOut) > 0 || len(sum.Failures) != 1 || !strings.Contains(text, "no player can be started here: output: mkdir") {
		t.Error(text)
	}
}

// TestAddress plays against a player that runs already, one match at a time.
func TestAddress(t *testing.T) {
	running, err := peer.Start(t.Context(), peer.Command{Args: fakeCommand("plays")})
	if err != nil {
		t.Fatal(err)
	}
	defer running.Stop()
	p := planHTTP(t, `"nim", "testdata/three.kif"`, ``)
	p.Spec.Parallel = 2
	p.Baselines[0].Peer.URL = running.Remote.URL
	store := create(t, filepath.Join(t.TempDir(), "run.db"))
	if err := p.Run(t.Context(), store, serving("plays")); err == nil || !strings.Contains(err.Error(), "player other: a player at an address has one seat, and three has several") {
		t.Errorf("three players: %v", err)
	}
	p.Games = p.Games[:1]
	mustRun(t, p, store, serving("plays"))
	if sum, text := report(t, store); p.Parallel() != 1 || sum.Tables[0].Cells[0][0].Plays != 2 || len(sum.LeftOut) > 0 {
		t.Error(text)
	}
}

// TestNoCommand: a run does not begin without its players.
func TestNoCommand(t *testing.T) {
	store := create(t, filepath.Join(t.TempDir(), "run.db"))
	p := planHTTP(t, `"nim"`, ``)
	for _, test := range []struct {
		command []string
		o       Options
		want    string
	}{
		{nil, serving("plays"), `player other: it has neither "url" nor "command" in the spec, and no --peer NAME=COMMAND`},
		{[]string{"$NO_SUCH_VARIABLE", peer.Port}, serving("plays"), "no variable NO_SUCH_VARIABLE"},
		{[]string{"./no-such-program", peer.Port}, serving("plays"), "cannot be run"},
		{fakeCommand("plays"), Options{}, "player orthodox: there is no command that serves agents"},
	} {
		p.Baselines[0].Peer.Command = test.command
		if err := p.Run(t.Context(), store, test.o); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// TestStopOverHTTP ends a run in the middle of a match.
func TestStopOverHTTP(t *testing.T) {
	p := planHTTP(t, `"nim"`, ``)
	p.Baselines[0].Peer.Command = fakeCommand("hangs")
	store := create(t, filepath.Join(t.TempDir(), "run.db"))
	ctx, cancel := context.WithCancel(t.Context())
	o := serving("plays")
	inner := o.Serve
	o.Serve = func(file string) peer.Command {
		defer cancel()
		return inner(file)
	}
	if err := p.Run(ctx, store, o); err == nil || ctx.Err() == nil {
		t.Error(err)
	}
	if plays, err := store.Plays(); err != nil || len(plays) != 0 {
		t.Errorf("%d plays, %v", len(plays), err)
	}
}

func TestGive(t *testing.T) {
	spec := planHTTP(t, `"nim"`, ``).Spec
	if err := spec.Give("other", []string{"a", "b"}); err != nil || len(spec.Baselines[0].Command) != 2 {
		t.Error(err)
	}
	if err := spec.Give("orthodox", nil); err == nil || !strings.Contains(err.Error(), "no player is called orthodox: there are other") {
		t.Error(err)
	}
}

// TestInterleave takes a set of each game in turn, or game by game.
func TestInterleave(t *testing.T) {
	for _, test := range []struct {
		interleave bool
		want       string
	}{
		{false, "nim 0, nim 1, nim 2, nim 3, puzzle 0, puzzle 1, puzzle 2, puzzle 3"},
		{true, "nim 0, nim 1, puzzle 0, nim 2, nim 3, puzzle 1, puzzle 2, puzzle 3"}, // a set of the puzzle is one play,
	} {
		p := planHTTP(t, `"nim", "testdata/puzzle.kif"`, ``)
		p.Spec.Plays = 4
		p.Baselines[0].Peer.Command = fakeCommand("plays")
		o := serving("plays")
		o.Interleave = test.interleave
		r, err := newRunner(p, create(t, filepath.Join(t.TempDir(), "run.db")), o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for {
			j, ok := r.take(t.Context())
			if !ok {
				break
			}
			got = append(got, fmt.Sprintf("%s %d", j.series.key.Game, j.number))
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("%s, want %s", text, test.want)
		}
	}
}
