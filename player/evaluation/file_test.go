package evaluation

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

func TestParse(t *testing.T) {
	const good = `{"description": "d", "scale": 0.1, "points": [{"role": "a", "fluent": "(at ? x)", "points": 2}]}`
	if _, err := Parse([]byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ what, text, want string }{
		{"not JSON", "{", "the file ends"},
		{"an unknown key", strings.Replace(good, "scale", "scales", 1), "scales"},
		{"no scale", strings.Replace(good, "0.1", "0", 1), "scale"},
		{"no points", `{"scale": 1}`, "points"},
		{"no term", strings.Replace(good, "(at ? x)", "", 1), "one term"},
		{"two terms", strings.Replace(good, "(at ? x)", "a b", 1), "one term"},
		{"no KIF", strings.Replace(good, "(at ? x)", "(at", 1), "fluent"},
		{"far too many points", strings.Replace(good, `"points": 2`, `"points": 1e30`, 1), "between"},
		{"too large a scale", strings.Replace(good, "0.1", "1e300", 1), "scale times points"},
		{"something after it", good + "{}", "text after"},
		{"a long pattern", strings.Replace(good, "(at ? x)", strings.Repeat("x", longestPattern+1), 1), "longer"},
		{"a long file", strings.Repeat(" ", mostBytes+1), "longer"},
	} {
		if _, err := Parse([]byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.what, err)
		}
	}
	if _, err := Read("no-such-game"); err == nil || !strings.Contains(err.Error(), "breakthrough") {
		t.Errorf("a missing file: %v", err)
	}
}

// bundledEvaluation is the evaluation beside a bundled game, on whole moves.
func bundledEvaluation(t *testing.T, name string) (*gdl.Program, reasoner.Machine, *File, *Evaluation) {
	t.Helper()
	program := gametest.Bundled(t, name)
	m := gametest.Lanes(t, program, "orthodox")
	file, err := Read(name)
	if err != nil {
		t.Fatal(err)
	}
	e, err := file.Evaluation(m, program)
	if err != nil {
		t.Fatal(err)
	}
	return program, m, file, e
}

// Every bundled evaluation fits its game, and finds the start of a symmetric
// game even.
func TestBundledEvaluations(t *testing.T) {
	if len(games.Evaluations()) < 3 {
		t.Fatalf("only %q", games.Evaluations())
	}
	for _, name := range games.Evaluations() {
		_, m, _, e := bundledEvaluation(t, name)
		values := make([]float64, 2)
		if e.Values(m.Initial(), values); math.Abs(values[0]-0.5) > 1e-6 || math.Abs(values[1]-0.5) > 1e-6 {
			t.Errorf("%s: the start is worth %v", name, values)
		}
	}
}

// A piece is 10 points and the foremost one 2.5 a row, of which a thirtieth is
// the logarithm of the odds.
func TestHandMadeBreakthrough(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	m := gametest.Lanes(t, program, "orthodox")
	file, err := Read("breakthrough")
	if err != nil {
		t.Fatal(err)
	}
	e, err := file.Evaluation(m, program)
	if err != nil {
		t.Fatal(err)
	}
	values := make([]float64, 2)
	for _, c := range []struct {
		fluents string
		points  float64 // of white over black
	}{
		{"(cell a 2 white) (cell b 7 black) (control white)", 0},
		{"(cell a 2 white) (cell c 2 white) (cell b 7 black) (control white)", 10},
		{"(cell a 2 white) (cell c 6 white) (cell b 7 black) (control black)", 10 + 4*2.5},
		{"(cell a 2 white) (cell b 3 black) (cell c 8 black) (control black)", -10 - 4*2.5},
	} {
		terms, err := kif.Parse(c.fluents)
		if err != nil {
			t.Fatal(err)
		}
		state, err := m.Encode(terms)
		if err != nil {
			t.Fatal(err)
		}
		want := 1 / (1 + math.Exp(-c.points/30))
		if e.Values(state, values); math.Abs(values[0]-want) > 1e-5 || math.Abs(values[1]-1+want) > 1e-5 {
			t.Errorf("%s: %v, want %.4f for white", c.fluents, values, want)
		}
	}
}

// States from random playouts are worth what the entries say of their fluents, one
// by one.
func TestBundledEvaluationsOfPlayouts(t *testing.T) {
	for _, name := range games.Evaluations() {
		program, m, file, e := bundledEvaluation(t, name)
		engine, orders, values := m.NewEngine(1), orders(program), make([]float64, 2)
		uneven := 0
		for lane := range engine.Lanes() {
			engine.Load(lane, m.Initial(), nil)
		}
		for range 20 {
			ended, err := engine.Step(nil)
			if err != nil {
				t.Fatal(err)
			}
			for lane := range engine.Lanes() {
				if ended[lane/64]>>(lane%64)&1 != 0 {
					engine.Load(lane, m.Initial(), nil)
					continue
				}
				state := engine.State(lane, nil)
				e.Values(state, values)
				points := 0.0
				for _, p := range file.Points {
					sign := 1.0
					if p.Role != m.Roles()[0].String() {
						sign = -1
					}
					points += sign * pointsOf(t, p, m.Fluents(state), orders)
				}
				if want := 1 / (1 + math.Exp(-file.Scale*points)); math.Abs(values[0]-want) > 1e-5 || math.Abs(values[1]-1+want) > 1e-5 {
					t.Fatalf("%s: %v for %v points in %v", name, values, points, m.Fluents(state))
				}
				if points != 0 {
					uneven++
				}
			}
		}
		if uneven == 0 {
			t.Errorf("%s: all states were even", name)
		}
	}
}

// pointsOf are the points that an entry gives for fluents.
func pointsOf(t *testing.T, p Points, fluents []kif.Term, orders []map[string]float32) (sum float64) {
	pattern, err := p.pattern()
	if err != nil {
		t.Fatal(err)
	}
	furthest := 0.0
	for _, f := range fluents {
		if amount, ok := fit(pattern, f, orders); ok {
			sum += float64(amount)
			furthest = max(furthest, float64(amount))
		}
	}
	if p.Furthest {
		sum = furthest
	}
	return sum * p.Points
}

// An empty heap of Nim counts for nothing: states leave it out, so nothing is learned of it,
// and a file cannot ask for it.
func TestSpareFluents(t *testing.T) {
	program := gametest.Bundled(t, "nim")
	m := gametest.Lanes(t, program, "orthodox")
	f := NewFeatures(m, program)
	if slices.Contains(f.Names, "(heap a 0)") || !slices.Contains(f.Names, "(heap a 1)") {
		t.Errorf("features are %v", f.Names)
	}
	for pattern, fits := range map[string]bool{"(heap ? 0)": false, "(heap ? 1)": true} {
		file, err := Parse([]byte(`{"scale": 1, "points": [{"role": "first", "fluent": "` + pattern + `", "points": 1}]}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Evaluation(m, program); (err == nil) != fits {
			t.Errorf("%s: %v", pattern, err)
		}
	}
}

// What does not fit the game is an error that names the entry.
func TestEvaluationThatDoesNotFit(t *testing.T) {
	program := gametest.Program(t, ordered)
	m := gametest.Lanes(t, program, "orthodox")
	for what, entry := range map[string]string{
		"the game has no role": `{"role": "c", "fluent": "(at ? x)", "points": 1}`,
		"no fluent fits":       `{"role": "a", "fluent": "(cell ? x)", "points": 1}`,
	} {
		file, err := Parse([]byte(`{"scale": 1, "points": [` + entry + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Evaluation(m, program); err == nil || !strings.Contains(err.Error(), what) || !strings.Contains(err.Error(), "entry 1") {
			t.Errorf("%s: %v", what, err)
		}
	}
	path := filepath.Join(t.TempDir(), "mine.json")
	if err := os.WriteFile(path, []byte(`{"scale": 1, "points": [{"role": "a", "fluent": "(at + x)", "points": 1}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	e, err := file.Evaluation(m, program)
	if err != nil {
		t.Fatal(err)
	}
	terms, _ := kif.Parse("(at 3 x) (at 2 y)")
	state, err := m.Encode(terms)
	if err != nil {
		t.Fatal(err)
	}
	values := make([]float64, 2)
	if e.Values(state, values); math.Abs(values[0]-1/(1+math.Exp(-2))) > 1e-6 { // 3 is the third in its row
		t.Errorf("%v", values)
	}
}

// Whatever the text is, parsing it gives an evaluation or an error, and what
// was read can be laid over a game.
func FuzzParse(f *testing.F) {
	for _, name := range games.Evaluations() {
		text, _ := games.Evaluation(name)
		f.Add(string(text))
	}
	f.Add(`{"scale": 1, "points": [{"role": "a", "fluent": "(at + ?)", "points": -1, "furthest": true}]}`)
	program := gametest.Program(f, ordered)
	m := gametest.Lanes(f, program, "orthodox")
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Parse([]byte(text))
		if err != nil {
			return
		}
		e, err := file.Evaluation(m, program)
		if err != nil {
			return
		}
		values := make([]float64, 2)
		if e.Values(m.Initial(), values); !(values[0] >= 0 && values[0] <= 1) {
			t.Errorf("%v", values)
		}
	})
}
