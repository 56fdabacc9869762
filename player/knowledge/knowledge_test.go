package knowledge

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/player/choice"
	"semisplit/player/evaluation"
	"semisplit/player/evaluation/learning"
	"semisplit/player/internal/gametest"
	"semisplit/player/jobs/jobstest"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// renamed is tic-tac-toe in other words, with its roles the other way round.
func renamed(t *testing.T) *gdl.Program {
	t.Helper()
	text, err := os.ReadFile("../../games/rules/tictactoe.kif")
	if err != nil {
		t.Fatal(err)
	}
	terms, err := kif.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	other := map[string]string{"x": "cross", "o": "nought", "cell": "field", "mark": "put", "a": "q1", "b": "q2", "c": "q3", "?c": "?z"}
	var rename func(kif.Term) kif.Term
	rename = func(u kif.Term) kif.Term {
		if !u.IsList() {
			if name, ok := other[u.Name]; ok {
				return kif.Symbol(name)
			}
			return u
		}
		items := make([]kif.Term, len(u.Items))
		for i, item := range u.Items {
			items[i] = rename(item)
		}
		return kif.List(items...)
	}
	var reversed []kif.Term
	for i := len(terms) - 1; i >= 0; i-- {
		reversed = append(reversed, rename(terms[i]))
	}
	program, diagnostics := gdl.Analyze(reversed)
	if program == nil {
		t.Fatal(diagnostics.Err())
	}
	return program
}

// learned learns an evaluation quickly.
func learned(t *testing.T, m reasoner.Machine, p *gdl.Program) *evaluation.Evaluation {
	t.Helper()
	e, err := learning.Learn(context.Background(), m, p, evaluation.FromMatches, 1, 500*time.Millisecond, 1)
	if err != nil {
		t.Fatal(err)
	}
	if e == nil {
		t.Skip("too few matches in half a second: a machine too slow to learn on")
	}
	return e
}

// What was learned of a game is found again for the same rules in other words: each
// state is worth the same to each role.
func TestRecall(t *testing.T) {
	store := Open(filepath.Join(t.TempDir(), "new"))
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	e := learned(t, m, program)
	memory, err := store.Recall(t.Context(), program, "Tic-Tac-Toe")
	if err != nil {
		t.Fatal(err)
	}
	if known := memory.Known(m); len(known.Evaluations)+len(known.Trials) > 0 {
		t.Errorf("something is known of a new game: %+v", known)
	}
	memory.game.Evaluations = append(memory.game.Evaluations, e.Store(m, memory.form.Abstract))
	memory.game.Trials = []choice.Trial{{A: "a", B: "b", Plays: 3, Points: 1.5}}
	if err := store.Keep(memory.game); err != nil {
		t.Fatal(err)
	}

	other := renamed(t)
	same, err := store.Recall(t.Context(), other, "")
	if err != nil || same.game.Title != "Tic-Tac-Toe" {
		t.Fatalf("%+v, %v", same, err)
	}
	n := gametest.Lanes(t, other, "orthodox")
	known := same.Known(n)
	found := known.Evaluations[evaluation.FromMatches]
	if found == nil || len(known.Trials) != 1 || found.Matches != e.Matches || found.Samples != e.Samples {
		t.Fatalf("%+v", known)
	}
	if m.Roles()[0].Name != "x" || n.Roles()[0].Name != "nought" {
		t.Fatalf("the roles are %v and %v", m.Roles(), n.Roles())
	}
	// The board is symmetric, so names need not stand for what they were renamed to.
	role, _ := memory.form.Abstract(m.Roles()[0])
	first, _ := same.form.Concrete(role)
	place := 0
	if !kif.Equal(first, n.Roles()[0]) {
		place = 1
	}
	for _, facts := range []string{"(cell a 1 x) (control o)", "(cell b 2 x) (cell a 3 o) (control x)", "(cell c 3 empty)"} {
		terms, err := kif.Parse(facts)
		if err != nil {
			t.Fatal(err)
		}
		var carried []string
		for _, fact := range terms {
			number, _ := memory.form.Abstract(fact)
			other, ok := same.form.Concrete(number)
			if !ok {
				t.Fatalf("%s has no counterpart", fact)
			}
			carried = append(carried, other.String())
		}
		a, b := make([]float64, 2), make([]float64, 2)
		e.Values(state(t, m, facts), a)
		found.Values(state(t, n, strings.Join(carried, " ")), b)
		if math.Abs(a[0]-b[place]) > 1e-6 || math.Abs(a[1]-b[1-place]) > 1e-6 {
			t.Errorf("%s is worth %v, %s is worth %v", facts, a, carried, b)
		}
	}

	if err := store.Forget(same.Key()); err != nil {
		t.Error(err)
	}
	if _, err := store.Read(same.Key()); !errors.Is(err, ErrUnknown) {
		t.Errorf("after it was forgotten: %v", err)
	}
	if err := store.Forget(same.Key()); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}

// state is that in which some facts hold.
func state(t *testing.T, m reasoner.Machine, facts string) []uint64 {
	t.Helper()
	terms, err := kif.Parse(facts)
	if err != nil {
		t.Fatal(err)
	}
	words := make([]uint64, len(m.Initial()))
	for _, term := range terms {
		bits := 0
		one := make([]uint64, len(words))
		for bit := range 64 * len(words) {
			one[bit/64] = 1 << (bit % 64)
			if named := m.Fluents(one); len(named) == 1 && kif.Equal(named[0], term) {
				words[bit/64] |= one[bit/64]
				bits++
			}
			one[bit/64] = 0
		}
		if bits != 1 {
			t.Fatalf("%s has %d bits", term, bits)
		}
	}
	return words
}

// Files are from anybody: what is no knowledge of the game is refused, and as good as
// none for a match.
func TestHostileFiles(t *testing.T) {
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	store := Open(t.TempDir())
	memory, err := store.Recall(t.Context(), program, "")
	if err != nil {
		t.Fatal(err)
	}
	key := memory.Key()
	for name, text := range map[string]string{
		"empty":       "",
		"no JSON":     "(role x)",
		"list":        "[]",
		"old":         `{"version": 0, "key": "` + key + `"}`,
		"another key": `{"version": 1, "key": "` + strings.Repeat("0", 64) + `"}`,
		"path":        `{"version": 1, "key": "../../x"}`,
		"odd trial":   `{"version": 1, "key": "` + key + `", "trials": [{"a": "x", "b": "y", "plays": 1, "points": 7}]}`,
		"unknown key": `{"version": 1, "key": "` + key + `", "surprise": 1}`,
		"null":        `{"version": 1, "key": "` + key + `", "evaluations": [null]}`,
	} {
		if err := os.WriteFile(store.path(key), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		memory, err := store.Recall(t.Context(), program, "")
		if err == nil || memory == nil {
			t.Errorf("%s: %v, %v", name, memory, err)
		} else if known := memory.Known(m); len(known.Evaluations) > 0 {
			t.Errorf("%s: %+v", name, known)
		}
	}
	earlier := `{"version": 1, "key": "` + key + `", "evaluations": [{"source": "matches", "mobility": {"plan": "orthodox", "slopes": [1, 2]}}]}`
	if g, err := Parse(strings.NewReader(earlier)); err != nil || len(g.Evaluations) != 1 {
		t.Errorf("a file of an earlier program, which counted moves: %v", err)
	}
	good := evaluation.Stored{
		Source: evaluation.FromMatches, Roles: []string{"0", "1"}, Bias: make([]float64, 2), Quality: make([]evaluation.Quality, 2),
	}
	x, _ := memory.form.Abstract(kif.Symbol("x"))
	o, _ := memory.form.Abstract(kif.Symbol("o"))
	good.Roles = []string{x.String(), o.String()}
	if _, err := good.Evaluation(m, memory.form.Abstract); err != nil {
		t.Error(err)
	}
	for name, change := range map[string]func(*evaluation.Stored){
		"role":  func(s *evaluation.Stored) { s.Roles = []string{x.String(), "99"} },
		"roles": func(s *evaluation.Stored) { s.Roles = s.Roles[:1] },
		"bias":  func(s *evaluation.Stored) { s.Bias = nil },
		"share": func(s *evaluation.Stored) {
			q := make([]evaluation.Quality, 2)
			s.VsRollouts = &evaluation.Comparison{Evaluation: q, Playouts: q, Shares: []float64{0.5, 7}}
		},
		"source":  func(s *evaluation.Stored) { s.Source = "dreams" },
		"samples": func(s *evaluation.Stored) { s.Samples = -9 },
		"fluent": func(s *evaluation.Stored) {
			s.Fluents = []evaluation.StoredFluent{{Fluent: "(77)", Weights: make([]float32, 2)}}
		},
		"weights": func(s *evaluation.Stored) { s.Fluents = []evaluation.StoredFluent{{Fluent: "(77)"}} },
		"huge": func(s *evaluation.Stored) {
			s.Fluents = []evaluation.StoredFluent{{Fluent: "(77)", Weights: []float32{1e30, 0}}}
		},
	} {
		bad := good
		change(&bad)
		if _, err := bad.Evaluation(m, memory.form.Abstract); !errors.Is(err, evaluation.ErrStored) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What cannot be read, as that of a later program, is not replaced by what a match has found; and
// what was forgotten meanwhile stays forgotten.
func TestNotReplaced(t *testing.T) {
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	store := Open(t.TempDir())
	memory, err := store.Recall(t.Context(), program, "")
	if err != nil {
		t.Fatal(err)
	}
	lesson := &Game{Key: memory.Key(), Seconds: 1}
	later := `{"version": 1, "key": "` + memory.Key() + `", "surprise": 1}`
	if err := os.WriteFile(store.path(memory.Key()), []byte(later), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := memory.Merge(lesson, m); err == nil {
		t.Error("kept in the place of what cannot be read")
	}
	if text, err := os.ReadFile(store.path(memory.Key())); err != nil || string(text) != later {
		t.Errorf("left: %s, %v", text, err)
	}
	if err := store.Keep(&Game{Key: memory.Key(), Seconds: 100}); err != nil {
		t.Fatal(err)
	}
	if memory, err = store.Recall(t.Context(), program, ""); err != nil {
		t.Fatal(err)
	}
	if err := store.Forget(memory.Key()); err != nil {
		t.Fatal(err)
	}
	if err := memory.Merge(lesson, m); err != nil {
		t.Fatal(err)
	}
	if g, err := store.Read(memory.Key()); err != nil || g.Seconds != 1 {
		t.Errorf("after it was forgotten: %+v, %v", g, err)
	}
}

// Nothing is lost of what several learn of a game at the same time.
func TestAtTheSameTime(t *testing.T) {
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	folder := t.TempDir()
	var all sync.WaitGroup
	const learners, times = 4, 5
	for range learners {
		all.Go(func() {
			memory, err := Open(folder).Recall(t.Context(), program, "")
			for n := 0; n < times && err == nil; n++ {
				err = memory.Merge(&Game{Key: memory.Key(), Seconds: 1, Trials: []choice.Trial{{A: "a", B: "b", Plays: 2, Points: 1}}}, m)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	memory, err := Open(folder).Recall(t.Context(), program, "")
	if err != nil {
		t.Fatal(err)
	}
	if g := memory.game; g.Seconds != learners*times || len(g.Trials) != 1 || g.Trials[0].Plays != 2*learners*times {
		t.Errorf("%v seconds and the trials %+v are left of %d lessons", g.Seconds, g.Trials, learners*times)
	}
}

// What could not be read any more is not kept; what was known stays.
func TestTooLong(t *testing.T) {
	store, known := Open(t.TempDir()), &Game{Key: strings.Repeat("0", 64), Title: "known"}
	if err := store.Keep(known); err != nil {
		t.Fatal(err)
	}
	if err := store.Keep(&Game{Key: known.Key, Title: strings.Repeat("x", mostBytes)}); err == nil {
		t.Error("kept more than is read")
	}
	if got, err := store.Read(known.Key); err != nil || got.Title != known.Title {
		t.Errorf("left: %+v, %v", got, err)
	}
}

// What a worker learns of a game is merged with what is known: samples add up, and a
// lesson that cannot be had says why.
func TestElsewhere(t *testing.T) {
	text, err := os.ReadFile("../../games/rules/tictactoe.kif")
	if err != nil {
		t.Fatal(err)
	}
	field := &jobstest.Here{Handlers: Handlers()}
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	store := Open(t.TempDir())
	memory, err := store.Recall(t.Context(), program, "Tic-Tac-Toe")
	if err != nil {
		t.Fatal(err)
	}
	samples, seconds := 0, 0.0
	for seed := range uint64(2) {
		got, err := Elsewhere(t.Context(), field, string(text), Lesson{Title: "Elsewhere", Time: 2 * time.Second, Play: time.Second, Seed: seed + 1})
		if err != nil {
			t.Fatal(err)
		}
		if got.Worker != "here" || got.Chosen == "" || got.Game.Key != memory.Key() || got.Game.Seconds <= 0 {
			t.Errorf("learned %+v", got)
		}
		if err := memory.Merge(got.Game, m); err != nil {
			t.Fatal(err)
		}
		for _, e := range got.Game.Evaluations {
			samples += e.Samples
		}
		seconds += got.Game.Seconds
	}
	known, err := store.Read(memory.Key())
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, e := range known.Evaluations {
		kept += e.Samples
	}
	if kept != samples || math.Abs(known.Seconds-seconds) > 1e-9 || known.Title != "Tic-Tac-Toe" {
		t.Errorf("kept %d samples of %d, %v seconds of %v, as %s", kept, samples, known.Seconds, seconds, known.Title)
	}
	if err := memory.Merge(&Game{Key: strings.Repeat("0", 64)}, m); err == nil {
		t.Error("another game was merged")
	}
	if _, err := Elsewhere(t.Context(), field, "(role", Lesson{Time: time.Second, Play: time.Second}); err == nil || !strings.HasPrefix(err.Error(), "here: ") {
		t.Errorf("broken rules: %v", err)
	}
}
