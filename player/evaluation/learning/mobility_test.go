package learning

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/player/evaluation"
	"semisplit/player/evaluation/greedy"
	"semisplit/player/evaluation/regression"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
)

// In differing a move stands for each place where a and b differ: what sums over
// fluents cannot count.
const differing = `
(role white) (role black)
(after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6) (after 6 7) (after 7 8) (after 8 1)
(init (control white)) (init (a 1)) (init (a 4)) (init (b 2)) (init (b 4))
(<= (legal ?r (go ?i)) (true (control ?r)) (true (a ?i)) (not (true (b ?i))))
(<= (legal ?r (go ?i)) (true (control ?r)) (true (b ?i)) (not (true (a ?i))))
(<= (legal ?r pass) (role ?r))
(<= (next (control white)) (true (control black)))
(<= (next (control black)) (true (control white)))
(<= (changed a ?j) (does white (go ?i)) (after ?i ?j))
(<= (changed b ?j) (does black (go ?i)) (after ?i ?j))
(<= (changed a 1) (does white pass) (true (control white)))
(<= (changed b 1) (does black pass) (true (control black)))
(<= (next (a ?i)) (changed a ?i) (not (true (a ?i))))
(<= (next (a ?i)) (true (a ?i)) (not (changed a ?i)))
(<= (next (b ?i)) (changed b ?i) (not (true (b ?i))))
(<= (next (b ?i)) (true (b ?i)) (not (changed b ?i)))
(<= any (true (a ?i))) (<= terminal (not any))
(<= (goal ?r 50) (role ?r))
`

// differingSamples are random states of differing, worth something by the number of
// legal moves of who is to move.
func differingSamples(t *testing.T, m reasoner.Machine, worth func(moves int) float64) (samples []regression.Sample) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		a, b := random.IntN(255)+1, random.IntN(256)
		mover := random.IntN(2)
		text := []string{"(control white)", "(control black)"}[mover]
		moves := 1
		for place := range 8 {
			if a>>place&1 != 0 {
				text += fmt.Sprintf(" (a %d)", place+1)
			}
			if b>>place&1 != 0 {
				text += fmt.Sprintf(" (b %d)", place+1)
			}
			moves += (a ^ b) >> place & 1
		}
		fluents, err := kif.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		state, err := m.Encode(fluents)
		if err != nil {
			t.Fatal(err)
		}
		v := float32(worth(moves))
		values := []float32{v, 1 - v}
		if mover == 1 {
			values[0], values[1] = values[1], values[0]
		}
		samples = append(samples, regression.Sample{State: state, Values: values, Match: uint32(i / 30)})
	}
	return samples
}

// Where the number of moves alone decides, it is learned, and said in words; where
// it says nothing, it is left out.
func TestLearnMobility(t *testing.T) {
	program := gametest.Program(t, differing)
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	never := time.Now().Add(time.Hour)
	learned := func(worth func(moves int) float64) *evaluation.Evaluation {
		samples := differingSamples(t, m, worth)
		e := fitTrees(f, m.Roles(), samples, 1, never)
		train, test := regression.Divide(samples)
		if err := learnMobility(t.Context(), e, m, train, test, never); err != nil {
			t.Fatal(err)
		}
		return e
	}

	e := learned(func(moves int) float64 { return 1 / (1 + math.Exp(4.5-float64(moves))) })
	if e.Mobility == nil || e.Moves.After > 0.1*e.Moves.Before || e.ExplainedVariance() > 0.3 || e.Moves.Matches != 20 {
		t.Fatalf("%+v after %.2f were explained", e.Moves, e.ExplainedVariance())
	}
	for _, role := range []string{"white", "black"} {
		i := slices.IndexFunc(e.Features, func(s evaluation.FeatureWeight) bool {
			// 1 and half of 8 are the mean, and the deviation is the root of 2.
			return s.Role.String() == role && s.Feature == "6 instead of 4 legal moves of "+role+", who is to move"
		})
		// One more move makes the odds e times as high.
		if i < 0 || math.Abs(e.Features[i].Weight-2) > 0.2 {
			t.Errorf("%s: %+v", role, e.Features)
		}
	}
	if !slices.IsSortedFunc(e.Features, func(a, b evaluation.FeatureWeight) int {
		return strings.Compare(b.Role.String(), a.Role.String()) // white, black
	}) {
		t.Errorf("roles do not follow each other in %+v", e.Features)
	}
	state, values := m.Initial(), make([]float64, 2)
	last := 0.0
	for moves := int32(2); moves < 7; moves++ {
		e.ValuesWithMoves(state, []int32{moves, 1}, values)
		if want := 1 / (1 + math.Exp(4.5-float64(moves))); values[0] < last || math.Abs(values[0]-want) > 0.15 {
			t.Errorf("%d moves: %v, want %.2f", moves, values, want)
		}
		last = values[0]
	}

	// One role alone must have the choice.
	alone := make([]float64, 2)
	e.Values(state, alone)
	for _, moves := range [][]int32{{1, 1}, {0, 0}, {5, 5}} {
		if e.ValuesWithMoves(state, moves, values); !slices.Equal(values, alone) {
			t.Errorf("moves %v: %v, and %v without", moves, values, alone)
		}
	}

	random := rand.New(rand.NewPCG(3, 4))
	if e := learned(func(int) float64 { return random.Float64() }); e.Mobility != nil || e.CountsMoves() || e.Moves.Positions == 0 {
		t.Errorf("in a lottery: %+v", e.Moves)
	}
}

// Moves are counted as the prover lists them: all of them by whole moves, and the
// first parts of the legal ones, if not more, by a plan that splits them.
func TestCountMoves(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	for _, c := range []struct{ game, plan string }{{"othello", "orthodox"}, {"breakthrough", "orthodox"}, {"breakthrough", "mod"}, {"knightthrough", "mod"}, {"trio", "orthodox"}} {
		t.Run(c.game+"/"+c.plan, func(t *testing.T) {
			program := gametest.Bundled(t, c.game)
			m := gametest.Lanes(t, program, c.plan)
			prover := gametest.Prover(t, program)
			judge, err := board.New(prover, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			var positions []*regression.Sample
			for _, state := range gametest.RandomStates(t, m, 12) {
				positions = append(positions, &regression.Sample{State: state})
			}
			roles := len(m.Roles())
			counts, err := countMoves(m.NewEngine(1), roles, positions, nil)
			if err != nil {
				t.Fatal(err)
			}
			for i, p := range positions {
				state, err := prover.Encode(m.Fluents(p.State))
				if err != nil {
					t.Fatal(err)
				}
				if err := judge.Set(state); err != nil {
					t.Fatal(err)
				}
				for role := range roles {
					firsts := map[uint32]bool{}
					for _, move := range judge.Moves(role) {
						path, ok := m.Path(role, move)
						if !ok {
							t.Fatalf("no move %v", move)
						}
						firsts[path[0]] = true
					}
					if n := counts[i][role]; int(n) < len(firsts) || m.Plan() == "orthodox" && int(n) != len(firsts) {
						t.Errorf("position %d: %d moves of %v, and %d by the prover", i, n, m.Roles()[role], len(firsts))
					}
				}
			}
		})
	}
}

// Positions of matches are told apart by match and thread, and those that were
// learned from are others than those held out.
func TestPositionsOfMatches(t *testing.T) {
	m := gametest.Lanes(t, gametest.Program(t, differing), "orthodox")
	all := []*greedy.Matches{{}, {}}
	for i, g := range all {
		g.Train = []regression.Sample{{Match: 1, Values: []float32{float32(i)}}, {Match: 6}}
		g.Test = []regression.Sample{{Match: 5}, {Match: 5}, {Match: 10}}
	}
	train, test := positionsOf(all)
	if len(train) != 4 || len(test) != 6 || regression.Matches(train) != 4 || regression.Matches(test) != 4 || regression.Matches(append(train, test...)) != 8 {
		t.Errorf("%d and %d positions", len(train), len(test))
	}
	g := greedy.New(m, evaluation.NewFeatures(m, gametest.Program(t, differing)), 1)
	if err := g.Run(t.Context(), time.Now().Add(time.Hour), 50); err != nil {
		t.Fatal(err)
	}
	for _, s := range g.Train {
		if !s.Sampled() {
			t.Fatalf("match %d was learned from", s.Match)
		}
	}
	for _, s := range g.Test {
		if !s.HeldOut() {
			t.Fatalf("match %d was held out", s.Match)
		}
	}
	if len(g.Train) == 0 || len(g.Test) == 0 {
		t.Errorf("%d and %d positions are kept", len(g.Train), len(g.Test))
	}
}
