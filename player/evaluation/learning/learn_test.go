package learning

import (
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/player/evaluation"
	"semisplit/player/evaluation/greedy"
	"semisplit/player/evaluation/regression"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/reasoner/lanes"
	"semisplit/search"
)

// Both sources know how well they predict tic-tac-toe, and trees find that the middle is
// worth more to its owner than the middle of a side. (Who looks at replies draws it, so
// matches do not teach that.)
func TestSources(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	never := time.Now().Add(time.Hour) // counts bound the work, not the clock
	most := 4000                       // matches
	matches := greedy.New(m, f, 1)
	if err := matches.Run(t.Context(), never, most); err != nil {
		t.Fatal(err)
	}
	samples, err := selfPlay(t.Context(), m, 1, never, 4000, search.Budget{Iterations: 700})
	if err != nil {
		t.Fatal(err)
	}
	for source, e := range map[evaluation.Source]*evaluation.Evaluation{
		evaluation.FromMatches: combine([]*greedy.Matches{matches}, m), evaluation.FromTrees: fitTrees(f, m.Roles(), samples, 1, never),
	} {
		worth := func(role int, fluent string) float64 {
			bit, values := slices.Index(f.Names, fluent), make([]float64, 2)
			if bit < 0 {
				t.Fatalf("no fluent %s in %q", fluent, f.Names)
			}
			state := make([]uint64, f.Bits/64)
			state[bit/64] = 1 << (bit % 64)
			e.Values(state, values)
			return values[role]
		}
		middle, side := 0.0, 0.0
		for role, owner := range []string{"x", "o"} {
			middle += worth(role, "(cell b 2 "+owner+")") / 2
			for _, at := range []string{"a 2", "c 2", "b 1", "b 3"} {
				side += worth(role, "(cell "+at+" "+owner+")") / 8
			}
		}
		if source == evaluation.FromTrees && middle <= side {
			t.Errorf("%s: the middle is worth %.3f, a side %.3f", source, middle, side)
		}
		if e.Samples == 0 || len(e.Quality) != 2 || len(e.Features) == 0 {
			t.Errorf("%s: %d positions, quality %+v", source, e.Samples, e.Quality)
		}
	}
	// What one search is worth to learn from depends on its seed: 0.02 to 0.41 of the
	// variance were explained. (How a match of tic-tac-toe ends can hardly be told from
	// one square at a time, so matches are not asked for that.)
	if testing.Short() {
		return // the same again
	}
	const seeds = 10
	explained := 0.0
	for seed := range uint64(seeds) {
		samples, err := selfPlay(t.Context(), m, seed, never, 4000, search.Budget{Iterations: 700})
		if err != nil {
			t.Fatal(err)
		}
		e := fitTrees(f, m.Roles(), samples, seed, never)
		explained += e.ExplainedVariance() / float64(seeds)
		if e.Alpha() < 0 || e.Alpha() > 0.4 {
			t.Errorf("seed %d: %.2f explained, alpha %.2f", seed, e.ExplainedVariance(), e.Alpha())
		}
	}
	if explained < 0.08 && !testing.Short() {
		t.Errorf("trees explain %.2f", explained)
	}
}

// Matches teach that a pawn of Breakthrough is worth more to its owner where it is about
// to arrive than where it began.
func TestMatchesTeachPawns(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	most := 600
	if testing.Short() {
		most = 100
	}
	matches := greedy.New(m, f, 1)
	if err := matches.Run(t.Context(), time.Now().Add(time.Hour), most); err != nil {
		t.Fatal(err)
	}
	e, empty := matches.Result, make([]float64, 2)
	e.LogOdds(make([]uint64, f.Bits/64), empty)
	row := func(row string) (mean float64) {
		for _, column := range "abcdefgh" {
			bit := slices.Index(f.Names, "(cell "+string(column)+" "+row+" white)")
			if bit < 0 {
				t.Fatalf("no pawn of row %s in %q", row, f.Names)
			}
			state, odds := make([]uint64, f.Bits/64), make([]float64, 2)
			state[bit/64] = 1 << (bit % 64)
			e.LogOdds(state, odds)
			mean += (odds[0] - empty[0]) / 8
		}
		return mean
	}
	home, near := row("2"), row("7")
	if near < home+0.2 {
		t.Errorf("a pawn in row 2 counts %.2f, in row 7 %.2f", home, near)
	}
}

// Positions of matches that were held out are told apart by match and thread.
func TestHeldOut(t *testing.T) {
	all := []*greedy.Matches{{}, {}}
	for _, g := range all {
		g.Test = []regression.Sample{{Match: 5}, {Match: 5}, {Match: 10}}
	}
	if test := heldOut(all); len(test) != 6 || regression.Matches(test) != 4 {
		t.Errorf("%d positions of %d matches", len(test), regression.Matches(test))
	}
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	g := greedy.New(m, evaluation.NewFeatures(m, program), 1)
	if err := g.Run(t.Context(), time.Now().Add(time.Hour), 50); err != nil {
		t.Fatal(err)
	}
	for _, s := range g.Test {
		if !s.HeldOut() {
			t.Fatalf("match %d was held out", s.Match)
		}
	}
	if len(g.Test) == 0 {
		t.Error("nothing is kept")
	}
}

// Nothing is measured where nobody has a choice, as before the last move of tic-tac-toe: searches
// play on to the next choice.
func TestForcedStatesAreNotMeasured(t *testing.T) {
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	g := greedy.New(m, evaluation.NewFeatures(m, program), 1)
	if err := g.Run(t.Context(), time.Now().Add(time.Hour), 200); err != nil {
		t.Fatal(err)
	}
	b, err := board.New(m, 1, new(atomic.Bool))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range g.Test {
		if err := b.Set(s.State); err != nil {
			t.Fatal(err)
		}
		if len(b.FirstPaths(0, 2)) < 2 && len(b.FirstPaths(1, 2)) < 2 {
			t.Fatalf("nobody has a choice in %v", b.Fluents())
		}
	}
	if len(g.Test) < 100 {
		t.Errorf("%d positions", len(g.Test))
	}
}

// A match ends where a role is left without a legal move, and the others go on.
func TestNoMoveLeft(t *testing.T) {
	m := gametest.Lanes(t, gametest.Program(t, `(role x) (role o) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
		(legal x a) (legal x b) (<= (legal o c) (not (true stuck)))
		(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) (<= (next stuck) (does x a))
		(<= terminal (true (step 3))) (goal x 50) (goal o 50)`), "orthodox")
	samples, err := selfPlay(t.Context(), m, 1, time.Now().Add(time.Hour), 200, search.Budget{Iterations: 100})
	if err != nil || len(samples) < 200 {
		t.Errorf("%d samples: %v", len(samples), err)
	}
}

// tedious is a machine that takes long to tell its fluents, and some time for a Step.
type tedious struct{ reasoner.Machine }

func (m tedious) Fluents(state []uint64) []kif.Term {
	time.Sleep(10 * time.Millisecond)
	return m.Machine.Fluents(state)
}

func (m tedious) NewEngine(seed uint64) reasoner.Engine {
	return tediousEngine{m.Machine.NewEngine(seed).(*lanes.Engine)}
}

type tediousEngine struct{ *lanes.Engine }

func (e tediousEngine) Step(stop *atomic.Bool) ([]uint64, error) {
	time.Sleep(time.Millisecond)
	return e.Engine.Step(stop)
}

// To find the features of a game is a part of the time for learning.
func TestFeaturesTakeTheirTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		program := gametest.Bundled(t, "tictactoe")
		m := tedious{gametest.Lanes(t, program, "orthodox")}
		begun := time.Now()
		evaluation.NewFeatures(m, program)
		features := time.Since(begun)
		within := 2 * features
		begun = time.Now()
		e, err := Learn(t.Context(), m, program, evaluation.FromMatches, 1, within, 1)
		if err != nil || e == nil {
			t.Fatal(e, err)
		}
		if took := time.Since(begun); features == 0 || took > within+features/2 {
			t.Errorf("learning took %v of %v, the features %v", took, within, features)
		}
	})
}
