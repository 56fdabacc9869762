package reasoner_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"semisplit/internal/testenv"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
)

// sample is the part of the corpus that every test run replays: small and
// large, one role and many, simultaneous moves, recursion, odd rules.
var sample = []string{
	"ticTacToe", "connectFour", "breakthrough", "knightThrough", "eightPuzzle",
	"nim1", "blocker", "buttons", "lightsOnParallel", "chineseCheckers3",
	"dotsAndBoxes", "pentago", "blocksWorldParallel", "pacman2p", "tictactoe_3d_small_6player",
	"roshambo2", "kitten_escapes_from_fire", "stateSpaceSmall", "hanoi7_bugfix", "pawnWhopping",
	"urmAdd",
}

func load(t testing.TB, dir, game string) (*gdl.Program, []reasoner.Trace) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "gdl", game+".kif"))
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	f, err := os.Open(filepath.Join(dir, "traces", game+".jsonl"))
	if err != nil {
		t.Skipf("skipped: %v", err)
	}
	defer f.Close()
	traces, err := reasoner.ReadTraces(f)
	if err != nil {
		t.Fatal(err)
	}
	if err := traces[0].CheckRules(text); err != nil {
		t.Fatal(err)
	}
	program, diagnostics := reasoner.Read(string(text))
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	return program, traces
}

// TestTraces replays recorded matches of a reference state machine.
func TestTraces(t *testing.T) {
	dir := filepath.Dir(testenv.Corpus(t, "traces"))
	for i, game := range sample {
		if testing.Short() && i > 1 {
			break
		}
		t.Run(game, func(t *testing.T) {
			program, traces := load(t, dir, game)
			prover, err := reasoner.NewProver(program)
			if err != nil {
				t.Fatal(err)
			}
			replayAll(t, prover, traces)
			lanes, err := reasoner.NewLanes(context.Background(), program, reasoner.DefaultLimits)
			if errors.Is(err, ground.ErrLimit) {
				t.Logf("the prover agrees; beyond the limits of grounding: %v", err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			replayAll(t, lanes, traces)
		})
	}
}

func replayAll(t *testing.T, m reasoner.Machine, traces []reasoner.Trace) {
	t.Helper()
	for i, trace := range traces {
		_, diff, err := reasoner.Replay(m, trace, new(atomic.Bool))
		if err != nil {
			t.Errorf("%s, match %d: %v", m.Kind(), i, err)
		}
		if diff != nil {
			t.Errorf("%s, match %d: %v", m.Kind(), i, diff)
		}
	}
}

// TestReplayFindsDifferences makes sure that a replay can fail.
func TestReplayFindsDifferences(t *testing.T) {
	dir := filepath.Dir(testenv.Corpus(t, "traces"))
	program, traces := load(t, dir, "ticTacToe")
	m, err := reasoner.NewProver(program)
	if err != nil {
		t.Fatal(err)
	}
	spoil := map[string]func(*reasoner.Trace){
		"state":    func(tr *reasoner.Trace) { tr.Steps[3].State = strings.Repeat("0", 16) },
		"legal":    func(tr *reasoner.Trace) { tr.Steps[2].Legal[0].N++ },
		"terminal": func(tr *reasoner.Trace) { tr.Steps[1].Terminal = true },
		"move":     func(tr *reasoner.Trace) { tr.Steps[1].Moves = []string{"(mark 9 9)", "noop"} },
		"goals":    func(tr *reasoner.Trace) { tr.Goals[0] = nil },
		"roles":    func(tr *reasoner.Trace) { tr.Roles[0] = "nobody" },
	}
	for what, change := range spoil {
		trace := traces[0]
		trace.Steps = append([]reasoner.TraceStep(nil), trace.Steps...)
		for i := range trace.Steps {
			trace.Steps[i].Legal = append([]reasoner.TraceLegal(nil), trace.Steps[i].Legal...)
		}
		trace.Goals = append([]*int(nil), trace.Goals...)
		trace.Roles = append([]string(nil), trace.Roles...)
		change(&trace)
		_, diff, err := reasoner.Replay(m, trace, new(atomic.Bool))
		if err != nil || diff == nil || diff.What != what {
			t.Errorf("spoilt %s: got %v, %v", what, diff, err)
		}
	}
}

// A step has a move for each role: one too few or too many is told.
func TestReplayCountsMoves(t *testing.T) {
	program, diagnostics := reasoner.Read("(role a) (role b) (init on) (legal a x) (legal b x) (<= (next on) (true on)) (<= terminal (not (true on))) (goal a 0) (goal b 0)")
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	m, err := reasoner.NewProver(program)
	if err != nil {
		t.Fatal(err)
	}
	for _, moves := range [][]string{{}, {"x"}, {"x", "x", "x"}} {
		step := reasoner.TraceStep{Fluents: 1, State: "b8d31e852725afb1", Moves: moves}
		_, diff, err := reasoner.Replay(m, reasoner.Trace{Roles: []string{"a", "b"}, Steps: []reasoner.TraceStep{step, step}}, new(atomic.Bool))
		if err != nil || diff == nil || diff.What != "move" {
			t.Errorf("%q: got %v, %v", moves, diff, err)
		}
	}
}
