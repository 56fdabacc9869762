package greedy

import (
	"slices"
	"strings"
	"testing"
	"time"

	"semisplit/player/evaluation"
	"semisplit/player/evaluation/regression"
	"semisplit/player/evaluation/shapes"
	"semisplit/player/internal/gametest"
)

// countingAndBlind are an evaluation of Breakthrough that counts pieces, and one that knows
// nothing.
func countingAndBlind(f *evaluation.Features) (counting, blind *evaluation.Evaluation) {
	weights := make([]float32, 2*f.Bits)
	for bit, name := range f.Names[:f.Bits] {
		switch {
		case strings.HasSuffix(name, " white)"):
			weights[2*bit], weights[2*bit+1] = 1, -1
		case strings.HasSuffix(name, " black)"):
			weights[2*bit], weights[2*bit+1] = -1, 1
		}
	}
	return evaluation.New(make([]float64, 2), weights, f.Names[:f.Bits]), evaluation.New(make([]float64, 2), make([]float32, 2*f.Bits), f.Names[:f.Bits])
}

// Fluents and shapes may be learned together once, when part of the time is over and matches
// are not few.
func TestDue(t *testing.T) {
	now := time.Now()
	for what, c := range map[string]struct {
		over   float64 // part of the time
		sparse bool
		want   bool
	}{
		"too early":   {0.9 * togetherFrom, false, false},
		"few matches": {0.9, true, false},
		"in time":     {1.1 * togetherFrom, false, true},
	} {
		g := &Matches{}
		g.begun, g.until, g.sparse = now, now.Add(time.Minute), c.sparse
		at := now.Add(time.Duration(c.over * float64(time.Minute)))
		if got, again := g.isDue(at), g.isDue(at); got != c.want || again || g.due != c.want {
			t.Errorf("%s: %v, and again %v", what, got, again)
		}
	}
}

// What was fitted is learned on from where it has shapes, unless what was learned together
// wins against it; then every match moves what the next ones go by.
func TestLearnTogether(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	counting, blind := countingAndBlind(f)
	for _, e := range []*evaluation.Evaluation{counting, blind} { // shapes that are worth nothing
		l, err := shapes.NewLayout(f.Shapes.Only(func(k *shapes.Kind) bool { return k.Family == "squares" }), f.Bits)
		if err != nil || l.Shapes() == 0 {
			t.Fatalf("%d shapes, %v", l.Shapes(), err)
		}
		e.SetShapes(l, make([]float32, 2*l.Entries))
	}
	g := New(m, f, 1)
	g.sparse, g.length, g.refit = true, 40, duelPart*time.Minute
	fit := func(e *evaluation.Evaluation) *evaluation.Adjuster {
		g.fitted = e
		g.learnTogether()
		return g.together
	}
	if fit(blind) != nil {
		t.Fatal("it is not due")
	}
	g.due = true
	first := fit(blind)
	if first == nil {
		t.Fatal("nothing is learned together")
	}
	better := fit(counting)
	if better == nil || better == first {
		t.Error("what won against it is not learned on from")
	}
	if fit(blind) != better {
		t.Error("it was replaced by what lost against it")
	}

	state := slices.Clone(m.Initial())
	before, after := make([]float64, 2), make([]float64, 2)
	g.best().Values(state, before)
	for range sideBySide / 2 {
		g.ended(&match{past: [][]uint64{state}, choice: []bool{true}, thought: []float32{0.5, 0.5}}, []float32{1, 0})
	}
	if g.best().Values(state, after); after[0] <= before[0] {
		t.Errorf("lost matches are followed by %v, won ones by %v", before, after)
	}

	plain, _ := countingAndBlind(f)
	g.together = evaluation.NewAdjuster(blind, togetherSteps)
	if fit(plain) != nil {
		t.Error("what won has no shapes, and is learned on from")
	}
}

// Of two evaluations the one that wins leads, even where the other predicts more; where
// there is no time for matches, the one that predicts more.
func TestDuelLead(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	counting, blind := countingAndBlind(f)
	g := New(m, f, 1)
	g.sparse, g.length = true, 40
	for match := range uint32(100) { // in which pieces are worth nothing
		for _, state := range gametest.RandomStates(t, m, 1) {
			g.kept = append(g.kept, regression.Sample{State: state, Values: []float32{float32(match / 5 % 2), float32(1 - match/5%2)}, Match: match})
		}
	}
	if regression.ErrorOn(blind, g.kept) >= regression.ErrorOn(counting, g.kept) {
		t.Fatal("who counts pieces predicts more")
	}
	g.refit = duelPart * time.Minute
	if a, b := g.duel(counting, blind), g.duel(blind, counting); a.Lead <= 0 || b.Lead >= 0 || a.Matches != duelMatches {
		t.Errorf("who wins: %+v, who loses: %+v", a, b)
	}
	g.refit = 0
	if a, b := g.duel(counting, blind), g.duel(blind, counting); a.Lead >= 0 || b.Lead <= 0 || a.Matches != 0 {
		t.Errorf("without matches, who predicts less: %+v, who predicts more: %+v", a, b)
	}
}

// At the end what wins counts, and the duel is told.
func TestConclude(t *testing.T) {
	program := gametest.Bundled(t, "breakthrough")
	m := gametest.Lanes(t, program, "orthodox")
	f := evaluation.NewFeatures(m, program)
	counting, blind := countingAndBlind(f)
	states := gametest.RandomStates(t, m, 100)
	for _, c := range []struct {
		together *evaluation.Evaluation
		wins     bool
	}{{counting, true}, {blind, false}} {
		g := New(m, f, 1)
		g.sparse, g.plenty, g.length, g.refit = true, true, 40, 6*time.Second
		for i, state := range states { // of which nothing can be learned
			g.kept = append(g.kept, regression.Sample{State: state, Values: []float32{0.5, 0.5}, Match: uint32(i)})
		}
		if g.mean = blind; !c.wins {
			g.mean = counting
		}
		g.together = evaluation.NewAdjuster(c.together, togetherSteps)
		g.conclude()
		if len(g.Result.Duels) != 1 || g.Result.Duels[0].Lead > 0 != c.wins || g.Result.Duels[0].Matches == 0 {
			t.Errorf("together wins: %v, told is %+v", c.wins, g.Result.Duels)
		}
		values, want := make([]float64, 2), make([]float64, 2)
		g.Result.Values(states[50], values)
		if counting.Values(states[50], want); !slices.Equal(values, want) {
			t.Errorf("together wins: %v, and what lost counts: %v, want %v", c.wins, values, want)
		}
	}
}
