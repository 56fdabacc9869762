package evaluation

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"semisplit/player/board"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/search"
)

// Both teachers find that the middle of tic-tac-toe is worth more to its owner
// than the middle of a side, and know how well they predict.
func TestTeachers(t *testing.T) {
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	f := newFeatures(m, program)
	never := time.Now().Add(time.Hour) // counts bound the work, not the clock
	matches := newGreedy(m, f, 1)
	matches.most = 4000
	if err := matches.play(t.Context(), never); err != nil {
		t.Fatal(err)
	}
	samples, err := selfPlay(t.Context(), m, 1, never, 4000, search.Budget{Iterations: 700})
	if err != nil {
		t.Fatal(err)
	}
	for from, e := range map[Teacher]*Evaluation{
		FromMatches: taught([]*greedy{matches}, m), FromTrees: learnSamples(f, m.Roles(), samples, 1, never),
	} {
		weight := func(fluent string) float32 {
			for bit, name := range e.fluents {
				if name == fluent {
					return e.weights[bit*e.roles]
				}
			}
			t.Fatalf("no fluent %s in %q", fluent, e.fluents)
			return 0
		}
		if middle, side := weight("(cell b 2 x)"), weight("(cell a 2 x)"); middle <= side {
			t.Errorf("%s: the middle is worth %.3f, a side %.3f", from, middle, side)
		}
		train, test := divided(samples)
		if from == FromMatches {
			train, test = positionsOf([]*greedy{matches})
		}
		if err := e.learnMobility(t.Context(), m, train, test, never); err != nil || e.Moves.Matches < 3 || e.Moves.Before == e.Moves.After {
			t.Errorf("%s: error %v, %+v", from, err, e.Moves)
		}
		if e.Samples == 0 || len(e.Quality) != 2 || len(e.Features) == 0 {
			t.Errorf("%s: %d positions, quality %+v", from, e.Samples, e.Quality)
		}
	}
	// What one search is worth to learn from depends on its seed: skills of 0.02 to
	// 0.41 were seen. (How a match of tic-tac-toe ends can hardly be told from one
	// square at a time, so matches are not asked for skill.)
	const seeds = 10
	skill := 0.0
	for seed := range uint64(seeds) {
		samples, err := selfPlay(t.Context(), m, seed, never, 4000, search.Budget{Iterations: 700})
		if err != nil {
			t.Fatal(err)
		}
		e := learnSamples(f, m.Roles(), samples, seed, never)
		skill += e.Skill() / seeds
		if e.Alpha() < 0 || e.Alpha() > 0.4 {
			t.Errorf("seed %d: skill %.2f, alpha %.2f", seed, e.Skill(), e.Alpha())
		}
	}
	if skill < 0.08 {
		t.Errorf("trees teach a skill of %.2f", skill)
	}
}

// An evaluation goes over to the machine of another plan: it says the same of the
// same fluents.
func TestEvaluationOnAnotherMachine(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	whole, split := gametest.Lanes(t, program, "orthodox"), gametest.Lanes(t, program, "mod")
	e := newRegression(newFeatures(whole, program), 2, batchRate).evaluation()
	for i := range e.weights {
		e.weights[i] = float32(math.Sin(float64(i)))
	}
	other := e.On(split)
	of, other2 := make([]float64, 2), make([]float64, 2)
	for _, state := range randomStates(t, whole, 40) {
		terms := whole.Fluents(state)
		again, err := split.Encode(terms)
		if err != nil {
			t.Fatal(err)
		}
		e.Values(state, of)
		other.Values(again, other2)
		if math.Abs(of[0]-other2[0]) > 1e-5 || math.Abs(of[1]-other2[1]) > 1e-5 {
			t.Fatalf("%v and %v", of, other2)
		}
	}
}

// randomStates are those of a random match.
func randomStates(t *testing.T, m reasoner.Machine, most int) (states [][]uint64) {
	t.Helper()
	b, err := board.New(m, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 5))
	for len(states) < most && !b.Terminal() {
		states = append(states, append([]uint64(nil), b.State()...))
		var joint []uint32
		for role := range m.Roles() {
			path, ok := b.Random(role, random)
			if !ok {
				return states
			}
			joint = append(joint, path...)
		}
		if err := b.Moved(joint); err != nil {
			t.Fatal(err)
		}
	}
	return states
}

// The choice between evaluations says when none is of use.
func TestUselessEvaluation(t *testing.T) {
	for _, c := range []struct {
		from          Teacher
		error, before float64
		useful        bool
	}{{FromTrees, 0.1, 0.1, false}, {FromTrees, 0.098, 0.1, false}, {FromTrees, 0.05, 0.1, true}, {FromMatches, 0.098, 0.1, true}, {FromMatches, 0.12, 0.1, false}} {
		e := &Evaluation{From: c.from, Quality: []Quality{{Fitted: c.error, Constant: c.before}}}
		if e.Useful() != c.useful {
			t.Errorf("%s, an error of %v, %v of a constant: alpha %v", c.from, c.error, c.before, e.Alpha())
		}
	}
	if (*Evaluation)(nil).Useful() {
		t.Error("none is useful")
	}
}

// Trust rises with what an evaluation explains, and from matches sooner than from trees.
func TestTrust(t *testing.T) {
	for _, c := range []struct {
		from        Teacher
		skill, want float64
	}{
		{FromTrees, -1, 0}, {FromTrees, 0.05, 0}, {FromTrees, 0.125, 0.5}, {FromTrees, 0.2, 1}, {FromTrees, 0.7, 1},
		{FromMatches, 0, 0}, {FromMatches, 0.06, 1}, {FromMatches, 0.2, 1},
	} {
		e := &Evaluation{From: c.from, Quality: []Quality{{Fitted: 1 - c.skill, Constant: 1}}}
		if got := e.Trust(); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s, skill %v: trust %v, want %v", c.from, c.skill, got, c.want)
		}
	}
}
