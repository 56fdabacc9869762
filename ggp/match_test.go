package main

import (
	"bytes"
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/games"
	"semisplit/ggp/internal/console"
	"semisplit/kif"
	"semisplit/player"
	"semisplit/player/agent"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// slowPerson plays at random, after a time that people take.
type slowPerson struct {
	referee.Seat
	takes time.Duration
}

func (s slowPerson) Play(ctx context.Context, m protocol.Play) (kif.Term, error) {
	time.Sleep(s.takes)
	return s.Seat.Play(ctx, m)
}

// quickAgent answers as soon as it knows the rules, and searches a little.
func quickAgent() agent.Agent {
	fixed := agent.Default()
	fixed.General.Engine, fixed.General.Threads, fixed.General.SimulateDuringOppTurn = agent.EngineProver, 1, false
	fixed.Algorithm.Parameters.Iterations = 20
	return fixed
}

// A person may think as long as the play clock allows, and somebody else may
// need all of the start clock: our agents take three seconds at most, and wait.
func TestPersonThinksLong(t *testing.T) {
	game, err := games.Load("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := kif.Parse(game.Rules)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		opponent := who{kind: whoAgent, agent: quickAgent()}
		b := newSeatBuilder(&console.Session{In: strings.NewReader(""), Out: new(bytes.Buffer)}, 1, []who{{kind: whoHuman}, opponent})
		defer b.release()
		result, err := referee.Run(t.Context(), referee.Config{
			Rules: rules, Seats: []referee.Seat{slowPerson{referee.Random(1), 119 * time.Second}, b.seat(opponent, 1)},
			StartClock: 10 * time.Second, PlayClock: 120 * time.Second, Seed: 1,
		})
		if err != nil || result.FaultCount(0)+result.FaultCount(1) > 0 || result.Slowest[1] > thinkAgainstPeople {
			t.Errorf("faults %v, slowest replies %v, failed %v, error %v", result.Faults, result.Slowest, result.Failed, err)
		}
	})
}

// told is a player on the wire that notes the clocks it is told.
type told struct {
	*player.Player
	mu    sync.Mutex
	start protocol.Start
	play  func(turn int) // called when a move is asked for
	turn  int
}

func (p *told) Start(ctx context.Context, m protocol.Start) string {
	p.mu.Lock()
	p.start = m
	p.mu.Unlock()
	return p.Player.Start(ctx, m)
}

func (p *told) Play(ctx context.Context, m protocol.Play) (kif.Term, bool) {
	p.mu.Lock()
	turn := p.turn
	p.turn++
	p.mu.Unlock()
	if p.play != nil {
		p.play(turn)
	}
	return p.Player.Play(ctx, m)
}

// serveTold serves a player, and returns its address.
func serveTold(t *testing.T, p *told) string {
	t.Helper()
	p.Player = player.New(player.Config{Agent: quickAgent(), Matches: 2, Seed: 1})
	t.Cleanup(p.Player.Close)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := protocol.NewServer(p, protocol.ServerOptions{})
	go func() { _ = server.Serve(listener) }() // until it is shut down
	t.Cleanup(func() { _ = server.Shutdown(context.Background()) })
	return listener.Addr().String()
}

// A player on the wire opposite a person is told the clocks as they are.
func TestRemoteIsToldTheClocks(t *testing.T) {
	p := &told{}
	address := serveTold(t, p)
	var out bytes.Buffer
	s := &console.Session{Ctx: t.Context(), In: strings.NewReader("1\n2\n3\n4\n5\n6\n7\n8\n9\n1\n2\n3\n4\n5\n6\n7\n8\n9\n"), Out: &out, Errout: &out}
	run(s, []string{"match", "tictactoe", "--player", "human", "--player", address, "--start", "10", "--play", "120", "--quiet"})
	if p.start.StartClock != 10*time.Second || p.start.PlayClock != 120*time.Second {
		t.Errorf("told %v and %v:\n%s", p.start.StartClock, p.start.PlayClock, &out)
	}
}

// The record of a match is in its file turn by turn.
func TestRecordGrows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "record.json")
	p := &told{play: func(turn int) {
		for limit := time.Now().Add(time.Minute); time.Now().Before(limit); time.Sleep(time.Millisecond) {
			data, err := os.ReadFile(path)
			if err != nil {
				continue
			}
			if r, err := protocol.ParseRecord(data); err != nil {
				t.Errorf("in turn %d: %v", turn, err)
				return
			} else if len(r.Moves) == turn && !r.IsCompleted {
				return
			}
		}
		t.Errorf("turn %d is asked for, and what was before it is not in the record", turn)
	}}
	address := serveTold(t, p)
	command(t, t.Context(), console.ExitOK, "match", "tictactoe", "--player", "random", "--player", address, "--start", "90", "--play", "90", "--record", path, "--quiet")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if r, err := protocol.ParseRecord(data); err != nil || !r.IsCompleted {
		t.Errorf("%+v, %v", r, err)
	}
}

// A record whose folder no longer takes it is told of at once, tried again
// with each turn, and at last written elsewhere.
func TestRecordIsRescued(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	folder := filepath.Join(t.TempDir(), "records")
	path := filepath.Join(folder, "record.json")
	record := protocol.NewRecord("m1", "counter", []string{"me"}, []string{"human"}, time.Second, time.Second, time.Now())
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	var errout bytes.Buffer
	k := newKeeper(&console.Session{Errout: &errout}, path, nil)
	k.take(*record)
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	k.take(*record)
	k.take(*record)
	if n := strings.Count(errout.String(), "the next turn tries again"); n != 1 {
		t.Errorf("told %d times: %s", n, &errout)
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if k.take(*record); k.failed != nil {
		t.Error(k.failed)
	}
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	err := k.finish(record)
	rescued, _ := filepath.Glob(filepath.Join(os.TempDir(), "ggp-record-*.json"))
	if err == nil || len(rescued) != 1 || !strings.Contains(err.Error(), "it is in "+rescued[0]) {
		t.Fatalf("%v, %v", rescued, err)
	}
	if data, err := os.ReadFile(rescued[0]); err != nil || !strings.Contains(string(data), `"matchId":"m1"`) {
		t.Errorf("%s, %v", data, err)
	}
}
