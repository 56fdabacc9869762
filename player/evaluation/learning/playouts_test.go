package learning

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/player/evaluation"
	"semisplit/player/evaluation/greedy"
	"semisplit/player/evaluation/regression"
	"semisplit/player/internal/gametest"
)

// Random play of tic-tac-toe is won by x in 58.49% and drawn in 12.70% of all matches,
// which is known from counting them.
func TestPlayoutMeans(t *testing.T) {
	m := gametest.Lanes(t, gametest.Bundled(t, "tictactoe"), "orthodox")
	positions := make([]*regression.Sample, 3000)
	for i := range positions {
		positions[i] = &regression.Sample{State: m.Initial()}
	}
	means := make([]playoutMean, len(positions))
	if err := playoutMeans(m.NewEngine(1), positions, 2, means, new(patience)); err != nil {
		t.Fatal(err)
	}
	for role, want := range []float64{0.5849 + 0.1270/2, 0.2881 + 0.1270/2} {
		sum := 0.0
		for i := range means {
			if math.Abs(means[i].goals[0]+means[i].goals[1]-1) > 1e-9 {
				t.Fatalf("position %d: %v", i, means[i])
			}
			sum += means[i].goals[role] / float64(len(means))
		}
		if math.Abs(sum-want) > 0.01 {
			t.Errorf("role %d: %.4f, want %.4f", role, sum, want)
		}
	}
}

// What an evaluation is held against sees wins at hand, as playouts of a search do: who has
// three in a row and is to move wins all of them, so they predict such matches.
func TestComparedPlayoutsSee(t *testing.T) {
	m := gametest.Lanes(t, gametest.Bundled(t, "connectfour"), "orthodox")
	var positions []*regression.Sample
	for winner, columns := range []string{"171717", "1727371"} {
		b, err := board.New(m, 1, new(atomic.Bool))
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range columns {
			moves := []kif.Term{{Name: "noop"}, {Name: "noop"}}
			if moves[i%2], err = kif.ParseTerm(fmt.Sprintf("(drop %c)", x)); err != nil {
				t.Fatal(err)
			}
			if err := b.Play(moves); err != nil {
				t.Fatal(err)
			}
		}
		for range fewestCompared {
			values := []float32{0, 0}
			values[winner] = 1
			positions = append(positions, &regression.Sample{State: slices.Clone(b.State()), Values: values, Match: uint32(len(positions))})
		}
	}
	features := evaluation.NewFeatures(m, gametest.Bundled(t, "connectfour"))
	ignorant := evaluation.New(make([]float64, 2), make([]float32, 2*features.Bits), nil)
	found, err := compare(t.Context(), ignorant, m, positions, 1, time.Now().Add(time.Hour), time.Now().Add(time.Hour), 1)
	if err != nil || found == nil {
		t.Fatalf("%+v, %v", found, err)
	}
	for role, q := range found.Playouts {
		if q.Constant < 0.2 || q.Fitted > 0.01 {
			t.Errorf("role %d: playouts leave an error of %v, a constant %v", role, q.Fitted, q.Constant)
		}
	}
}

// Where playouts from a position decide what is taught, they predict it better than an
// evaluation that knows nothing; where what is taught has nothing to do with
// playouts, one that knows it does better than they.
func TestComparison(t *testing.T) {
	program := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	g := greedy.New(m, f, 1)
	if err := g.Run(t.Context(), time.Now().Add(time.Hour), 1500); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	bit := slices.Index(f.Names, "(control x)")
	if bit < 0 {
		t.Fatalf("no such fluent: %q", f.Names)
	}
	weights := make([]float32, 2*f.Bits)
	ignorant := evaluation.New(make([]float64, 2), slices.Clone(weights), nil)
	weights[bit*2], weights[bit*2+1] = 1, -1
	middle := evaluation.New(make([]float64, 2), weights, nil)
	var played, drawn []*regression.Sample
	for i := range g.Test {
		s := g.Test[i]
		played = append(played, &s)
		x := float32(0)
		if p := 0.2 + 0.6*float64(s.State[bit/64]>>(bit%64)&1); random.Float64() < p {
			x = 1
		}
		drawn = append(drawn, &regression.Sample{State: s.State, Values: []float32{x, 1 - x}, Match: uint32(i)})
	}
	for _, c := range []struct {
		name      string
		e         *evaluation.Evaluation
		positions []*regression.Sample
		trusted   bool
	}{{"playouts know", ignorant, played, false}, {"the evaluation knows", middle, drawn, true}} {
		found, err := compare(t.Context(), c.e, m, c.positions, 1, time.Now().Add(time.Hour), time.Now().Add(time.Hour), 2)
		if err != nil || found == nil || found.Positions < fewestCompared {
			t.Fatalf("%s: %+v, %v", c.name, found, err)
		}
		c.e.Source, c.e.VsRollouts = evaluation.FromMatches, found
		if trust := c.e.Trust(); c.trusted && trust < 1 || !c.trusted && trust > 0 {
			t.Errorf("%s: trust %.2f, ratio %.2f, %+v", c.name, trust, found.Ratio(), found)
		}
	}
	// It goes on until there are enough, and no longer.
	if found, err := compare(t.Context(), middle, m, drawn, 1, time.Now(), time.Now().Add(time.Hour), 1); err != nil || found == nil || found.Positions < fewestCompared || found.Positions == min(len(drawn), comparedPositions) {
		t.Errorf("%+v, %v", found, err)
	}
	// There is no time for any of it.
	if found, err := compare(t.Context(), middle, m, drawn, 1, time.Now(), time.Now(), 1); found != nil || err != nil {
		t.Errorf("%+v, %v", found, err)
	}
}
