package reasoner

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync/atomic"

	"semisplit/kif"
)

// Trace is one recorded match, as a reference state machine played it. Terms
// are in canonical text: lower case, one space between items. Lists of terms
// may be given as hashes: the first 8 bytes, in hexadecimal, of the SHA-256
// over the sorted texts joined by newlines.
type Trace struct {
	Game   string      `json:"game"`
	SHA256 string      `json:"kif_sha256"` // of the description; empty: not checked
	Roles  []string    `json:"roles"`
	Steps  []TraceStep `json:"steps"`
	Goals  []*int      `json:"goals"` // by role; nil entry: no goal or several; nil: the match was cut
}

// TraceStep is one state of a Trace.
type TraceStep struct {
	Fluents  int          `json:"fluents"`
	State    string       `json:"state"`
	Full     []string     `json:"state_full"`
	Terminal bool         `json:"terminal"`
	Legal    []TraceLegal `json:"legal"` // by role; nil in terminal states
	Moves    []string     `json:"moves"` // nil in the last step
	Cut      bool         `json:"cut"`
}

// TraceLegal describes the set of legal moves of one role.
type TraceLegal struct {
	N    int      `json:"n"`
	Hash string   `json:"hash"`
	Full []string `json:"full"`
}

// ReadTraces reads a file of traces, one JSON object a line.
func ReadTraces(r io.Reader) ([]Trace, error) {
	const longestLine = 64 << 20
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 1<<16), longestLine)
	var traces []Trace
	for n := 1; lines.Scan(); n++ {
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		var t Trace
		if err := json.Unmarshal(line, &t); err != nil {
			return traces, fmt.Errorf("line %d: %w", n, err)
		}
		if t.Game == "" || len(t.Steps) == 0 {
			return traces, fmt.Errorf("line %d: not a recorded match: no game or no steps", n)
		}
		traces = append(traces, t)
	}
	if err := lines.Err(); err != nil {
		return traces, fmt.Errorf("read traces: %w", err)
	}
	return traces, nil
}

// Difference is the first place where a machine and a trace disagree.
type Difference struct {
	Step int    `json:"step"` // index of the state in the match
	What string `json:"what"` // "roles", "state", "terminal", "legal", "goals" or "move"
	Role string `json:"role,omitempty"`
	Got  string `json:"got"`
	Want string `json:"want"`
}

func (d *Difference) String() string {
	where := fmt.Sprintf("step %d: %s", d.Step, d.What)
	if d.Role != "" {
		where += " of " + d.Role
	}
	return fmt.Sprintf("%s: got %s, want %s", where, d.Got, d.Want)
}

// Replay plays a trace on a machine and compares every state. steps counts
// the states that agreed. An error means that the machine could not go on.
func Replay(m Machine, t Trace, stop *atomic.Bool) (steps int, diff *Difference, err error) {
	r := &replay{m: m, e: m.NewEngine(1), whole: m.NewSingle(1), goals: make([]float64, len(m.Roles()))}
	if got, want := fmt.Sprint(canonical(m.Roles(), false)), fmt.Sprint(t.Roles); got != strings.ToLower(want) {
		return 0, &Difference{What: "roles", Got: got, Want: want}, nil
	}
	state, joint := m.Initial(), []uint32(nil)
	for i, want := range t.Steps {
		terminal, err := step(r.e, state, joint, stop)
		if err != nil {
			return i, nil, fmt.Errorf("step %d: %w", i, err)
		}
		if _, err := step(r.whole, state, joint, stop); err != nil {
			return i, nil, fmt.Errorf("step %d: %w", i, err)
		}
		state = r.whole.State(0, state[:0:0])
		if diff := r.compare(state, terminal, want); diff != nil {
			diff.Step = i
			return i, diff, nil
		}
		if want.Moves == nil {
			if diff := r.compareGoals(state, t.Goals); diff != nil {
				diff.Step = i
				return i, diff, nil
			}
			continue
		}
		if joint, diff = r.joint(want.Moves); diff != nil {
			diff.Step = i
			return i, diff, nil
		}
	}
	return len(t.Steps), nil, nil
}

type replay struct {
	m     Machine
	e     Engine // as searches have it, without the spare fluents
	whole Engine // with all fluents
	goals []float64
}

// step brings the first lane of an engine to the state after a joint move.
func step(e Engine, state []uint64, joint []uint32, stop *atomic.Bool) (ended bool, err error) {
	e.Load(0, state, joint)
	all, err := e.Step(stop)
	return err == nil && all[0]&1 != 0, err
}

func (r *replay) compare(state []uint64, terminal bool, want TraceStep) *Difference {
	if got, want := r.e.State(0, nil), Essential(r.m, state); !slices.Equal(got, want) {
		return &Difference{What: "state", Got: fmt.Sprint(r.m.Fluents(got)), Want: fmt.Sprint(r.m.Fluents(want))}
	}
	fluents := canonical(r.m.Fluents(state), true)
	if bracketed := bracket(fluents); len(fluents) == want.Fluents && hash(bracketed) == want.State {
		fluents = bracketed
	}
	if got := fmt.Sprintf("%d fluents, %s", len(fluents), hash(fluents)); got != fmt.Sprintf("%d fluents, %s", want.Fluents, want.State) {
		d := &Difference{What: "state", Got: got, Want: fmt.Sprintf("%d fluents, %s", want.Fluents, want.State)}
		d.explain(fluents, want.Full)
		return d
	}
	if terminal != want.Terminal {
		return &Difference{What: "terminal", Got: fmt.Sprint(terminal), Want: fmt.Sprint(want.Terminal)}
	}
	if want.Legal == nil {
		return nil
	}
	for role := range r.goals {
		if role >= len(want.Legal) {
			break
		}
		moves := canonical(r.moves(role), true)
		w := want.Legal[role]
		got, wanted := fmt.Sprintf("%d moves, %s", len(moves), hash(moves)), fmt.Sprintf("%d moves, %s", w.N, w.Hash)
		if got != wanted {
			d := &Difference{What: "legal", Role: r.m.Roles()[role].String(), Got: got, Want: wanted}
			d.explain(moves, w.Full)
			return d
		}
	}
	return nil
}

// moves spells the legal moves of a role in the state that the engine has
// reached, by walking all its semimoves.
func (r *replay) moves(role int) []kif.Term {
	var moves []kif.Term
	levels := r.m.Levels(role)
	var walk func(prefix []uint32)
	walk = func(prefix []uint32) {
		if len(prefix) == levels {
			moves = append(moves, r.m.Move(role, prefix))
			return
		}
		for _, semimove := range r.e.Offers(0, role, prefix, nil) {
			walk(append(prefix[:len(prefix):len(prefix)], semimove))
		}
	}
	walk(nil)
	return moves
}

func (r *replay) compareGoals(state []uint64, want []*int) *Difference {
	if want == nil {
		return nil
	}
	r.e.Goals(0, r.goals)
	for role, w := range want {
		if role >= len(r.goals) {
			break
		}
		values := r.m.GoalValues(role, state)
		d := &Difference{What: "goals", Role: r.m.Roles()[role].String(), Got: fmt.Sprint(values), Want: "none or several"}
		switch {
		case w == nil && len(values) == 1:
			return d
		case w != nil && (len(values) != 1 || values[0] != *w || int(100*r.goals[role]+0.5) != *w):
			d.Want = fmt.Sprint(*w)
			return d
		}
	}
	return nil
}

// joint finds the moves of a trace, which are in lower case, among the offers.
func (r *replay) joint(texts []string) ([]uint32, *Difference) {
	if len(texts) != len(r.goals) {
		return nil, &Difference{What: "move", Got: fmt.Sprintf("%d roles", len(r.goals)), Want: fmt.Sprintf("%d moves", len(texts))}
	}
	var joint []uint32
	for role, text := range texts {
		path, ok := r.path(role, text)
		if !ok {
			return nil, &Difference{What: "move", Role: r.m.Roles()[role].String(), Got: "unknown or illegal here", Want: text}
		}
		joint = append(joint, path...)
	}
	return joint, nil
}

func (r *replay) path(role int, text string) ([]uint32, bool) {
	if term, err := kif.ParseTerm(text); err == nil {
		if path, ok := r.m.Path(role, term); ok {
			return path, true
		}
	}
	for _, move := range r.moves(role) {
		if strings.EqualFold(move.String(), text) {
			return r.m.Path(role, move)
		}
	}
	return nil, false
}

// explain replaces counts and hashes by the terms that differ, where the
// trace has the lists themselves.
func (d *Difference) explain(got, want []string) {
	if want == nil {
		return
	}
	want = slices.Sorted(slices.Values(want))
	d.Got = "besides " + missing(got, want)
	d.Want = "besides " + missing(want, got)
}

func missing(a, b []string) string {
	const most = 8
	var only []string
	for _, s := range a {
		if _, found := slices.BinarySearch(b, s); !found {
			only = append(only, s)
		}
	}
	if len(only) > most {
		only = append(only[:most], "...")
	}
	return "[" + strings.Join(only, " ") + "]"
}

// canonical is the text of terms in the form of traces, sorted on demand and
// without duplicates.
func canonical(terms []kif.Term, set bool) []string {
	texts := make([]string, len(terms))
	for i, t := range terms {
		texts[i] = strings.ToLower(t.String())
	}
	if !set {
		return texts
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

// bracket spells constants in parentheses: recorded hashes keep them where the
// rules write "(over)" for "over".
func bracket(texts []string) []string {
	bracketed := make([]string, len(texts))
	for i, t := range texts {
		if !strings.HasPrefix(t, "(") {
			t = "(" + t + ")"
		}
		bracketed[i] = t
	}
	slices.Sort(bracketed)
	return bracketed
}

func hash(sorted []string) string {
	sum := sha256.Sum256([]byte(strings.Join(sorted, "\n")))
	return hex.EncodeToString(sum[:8])
}

// ErrOtherRules is returned for a trace that was recorded with another text
// of the rules.
var ErrOtherRules = errors.New("the trace was recorded with another description")

// CheckRules tells whether the trace was recorded with this description.
func (t Trace) CheckRules(description []byte) error {
	sum := sha256.Sum256(description)
	if got := hex.EncodeToString(sum[:]); t.SHA256 != "" && got != t.SHA256 {
		return fmt.Errorf("%w: its hash is %.12s, not %.12s", ErrOtherRules, got, t.SHA256)
	}
	return nil
}
