package prover_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"semisplit/internal/testenv"
	"semisplit/kif"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/prover"
)

var allTraces = flag.String("traces", "", "replay the traces of the games that match this glob, instead of the sample, with times")

// sample is replayed by an ordinary test run: one game for each thing that
// published rules do.
var sample = []string{
	"ticTacToe", "connectFour", "breakthrough", "knightThrough", "hex", "reversi",
	"checkersTiny", "eightPuzzle", "hanoi7_bugfix", "kalaha_2009", "chineseCheckers3",
	"pacman2p", "ruleDepthLinear", "gt_attrition", "qyshinsu", "sudoku", "lightsOnParallel",
	"linesOfAction", "nonogram_10x10_1", "queens06ug",
}

type traceStep struct {
	Fluents   int      `json:"fluents"`
	State     string   `json:"state"`
	StateFull []string `json:"state_full"`
	Terminal  bool     `json:"terminal"`
	Legal     []struct {
		N    int      `json:"n"`
		Hash string   `json:"hash"`
		Full []string `json:"full"`
	} `json:"legal"`
	Moves []string `json:"moves"`
	Cut   bool     `json:"cut"`
}

type trace struct {
	Game  string      `json:"game"`
	Roles []string    `json:"roles"`
	Steps []traceStep `json:"steps"`
	Goals []*int      `json:"goals"`
}

func readGame(tb testing.TB, dir, game string) *gdl.Program {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "gdl", game+".kif"))
	if err != nil {
		tb.Fatal(err)
	}
	p, diags := gdl.Read(string(text))
	if err := diags.Err(); err != nil {
		tb.Fatalf("%s: %v", game, err)
	}
	return p
}

func TestTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	dir := filepath.Dir(testenv.Corpus(t, "traces"))
	games := sample
	if *allTraces != "" {
		games = nil
		files, err := filepath.Glob(filepath.Join(dir, "traces", *allTraces+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			games = append(games, strings.TrimSuffix(filepath.Base(f), ".jsonl"))
		}
	}
	for _, game := range games {
		t.Run(game, func(t *testing.T) { replayGame(t, dir, game) })
	}
}

func replayGame(t *testing.T, dir, game string) {
	begin := time.Now()
	m, err := prover.New(readGame(t, dir, game), prover.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	setup := time.Since(begin)
	file, err := os.Open(filepath.Join(dir, "traces", game+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<30)
	states, match := 0, 0
	begin = time.Now()
	for ; lines.Scan(); match++ {
		var tr trace
		if err := json.Unmarshal(lines.Bytes(), &tr); err != nil {
			t.Fatal(err)
		}
		if *allTraces == "" {
			if match == 2 {
				break
			}
			if len(tr.Steps) > 30 {
				tr.Steps, tr.Goals = tr.Steps[:30], nil
			}
		}
		states += len(tr.Steps)
		if err := replay(m, &tr); err != nil {
			t.Errorf("match %d: %v", match, err)
			break
		}
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
	if *allTraces != "" {
		per := time.Since(begin) / time.Duration(max(states, 1))
		t.Logf("TIME %-40s setup %8.1f ms, %6d states, %10.3f ms a state", game, setup.Seconds()*1e3, states, per.Seconds()*1e3)
	}
}

// replay plays a recorded match and reports the first difference.
func replay(m *prover.Machine, tr *trace) error {
	e := m.NewEngine(1)
	state := m.Initial()
	for i := range tr.Steps {
		st := &tr.Steps[i]
		e.Load(0, state, nil)
		ended, err := e.Step(nil)
		if err != nil {
			return fmt.Errorf("step %d: %v", i, err)
		}
		if err := compare(m, e, st, ended[0] == 1, state); err != nil {
			return fmt.Errorf("step %d: %v", i, err)
		}
		if len(st.Moves) == 0 {
			break
		}
		if state, err = playMoves(m, e, st, state); err != nil {
			return fmt.Errorf("step %d: %v", i, err)
		}
	}
	for r, want := range tr.Goals {
		got := m.GoalValues(r, state)
		if want == nil && len(got) == 1 || want != nil && (len(got) != 1 || got[0] != *want) {
			return fmt.Errorf("goals of role %d: %v, want %v", r, got, want)
		}
	}
	return nil
}

func compare(m *prover.Machine, e *prover.Engine, st *traceStep, terminal bool, state []uint64) error {
	fluents := spell(m.Fluents(state))
	if d := difference(fluents, st.Fluents, st.State, st.StateFull); d != "" && difference(bracket(fluents), st.Fluents, st.State, nil) != "" {
		return fmt.Errorf("state: %s", d)
	}
	if terminal != st.Terminal {
		return fmt.Errorf("terminal is %v, want %v", terminal, st.Terminal)
	}
	for r, want := range st.Legal {
		var moves []kif.Term
		for _, n := range e.Offers(0, r, nil, nil) {
			moves = append(moves, m.Move(r, []uint32{n}))
		}
		if d := difference(spell(moves), want.N, want.Hash, want.Full); d != "" {
			return fmt.Errorf("legal moves of role %d: %s", r, d)
		}
	}
	return nil
}

// playMoves finds the recorded joint move among the offers and plays it.
func playMoves(m *prover.Machine, e *prover.Engine, st *traceStep, state []uint64) ([]uint64, error) {
	var joint []uint32
	for r, text := range st.Moves {
		at := -1
		offers := e.Offers(0, r, nil, nil)
		for i, n := range offers {
			if strings.ToLower(m.Move(r, []uint32{n}).String()) == text {
				at = i
			}
		}
		if at < 0 {
			return nil, fmt.Errorf("role %d cannot play %s", r, text)
		}
		joint = append(joint, offers[at])
	}
	e.Load(0, state, joint)
	if _, err := e.Step(nil); err != nil {
		return nil, err
	}
	return e.State(0, nil), nil
}

func spell(terms []kif.Term) []string {
	var out []string
	for _, t := range terms {
		out = append(out, strings.ToLower(t.String()))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// bracket spells f as (f): where rules write a constant so, the recorded
// hashes keep it.
func bracket(texts []string) []string {
	var out []string
	for _, t := range texts {
		if !strings.HasPrefix(t, "(") {
			t = "(" + t + ")"
		}
		out = append(out, t)
	}
	slices.Sort(out)
	return out
}

// difference is empty if the texts are those of the hash.
func difference(got []string, n int, hash string, full []string) string {
	sum := sha256.Sum256([]byte(strings.Join(got, "\n")))
	if hex.EncodeToString(sum[:8]) == hash && len(got) == n {
		return ""
	}
	if full == nil {
		return fmt.Sprintf("%d, want %d: %v", len(got), n, got)
	}
	var extra, missing []string
	for _, g := range got {
		if !slices.Contains(full, g) {
			extra = append(extra, g)
		}
	}
	for _, w := range full {
		if !slices.Contains(got, w) {
			missing = append(missing, w)
		}
	}
	return fmt.Sprintf("%d, want %d; too many: %v; missing: %v", len(got), n, extra, missing)
}
