package prover_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"semisplit/kif"
	"semisplit/reasoner/prover"
	"semisplit/reasoner/reasonertest"
	"semisplit/reasoner/split"
)

type (
	role   = reasonertest.HandmadeRole
	choice = reasonertest.Choice
)

func splitMachine(tb testing.TB, g *split.Game, l prover.Limits) *prover.Machine {
	tb.Helper()
	m, err := prover.NewSplit(g, l)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

// pairs are a row of n numbers from which two different ones are drawn; the
// second is larger, so that the last number is a dead prefix.
func pairs(tb testing.TB, n int) *split.Game {
	rules := `(role r) (init (drawn 0 0))
		(<= (first ?x) (number ?x)) (<= (second ?y) (first* ?x) (over ?y ?x))
		(<= (next (drawn ?x ?y)) (first* ?x) (second* ?y))`
	for i := range n {
		rules += fmt.Sprintf(" (number %d)", i)
		for j := range i {
			rules += fmt.Sprintf(" (over %d %d)", i, j)
		}
	}
	return reasonertest.Handmade(tb, rules, role{Levels: [][]choice{
		{{"first", "first*", "(draw ?0 _)"}}, {{"second", "second*", "(draw _ ?0)"}},
	}})
}

// TestSplitDraws: semimoves are uniform at each level, and a dead prefix
// leaves what was drawn before it as likely as it was.
func TestSplitDraws(t *testing.T) {
	m := splitMachine(t, pairs(t, 4), prover.Limits{})
	e := m.NewEngine(5)
	e.Load(0, m.Initial(), nil)
	const steps = 12000
	counts := make(map[string]int)
	for range steps + 1 {
		if _, err := e.Step(nil); err != nil {
			t.Fatal(err)
		}
		counts[m.Fluents(e.State(0, nil))[0].String()]++
	}
	for x := range 3 {
		for y := x + 1; y < 4; y++ {
			want := steps / 3 / float64(3-x)
			got := counts[fmt.Sprintf("(drawn %d %d)", x, y)]
			if math.Abs(float64(got)-want) > 5*math.Sqrt(want) {
				t.Errorf("(%d, %d) was drawn %d times, about %g expected", x, y, got, want)
			}
		}
	}
	if len(counts) != 7 {
		t.Errorf("drawn: %v", counts)
	}
}

func TestSplitOffers(t *testing.T) {
	m := splitMachine(t, pairs(t, 4), prover.Limits{})
	e := m.NewEngine(1)
	if got := e.Offers(0, 0, nil, nil); got != nil {
		t.Errorf("offers of an empty lane: %v", got)
	}
	e.Load(0, m.Initial(), nil)
	if _, err := e.Step(nil); err != nil {
		t.Fatal(err)
	}
	var moves []string
	first := e.Offers(0, 0, nil, nil)
	for _, k := range first {
		for _, l := range e.Offers(0, 0, []uint32{k}, nil) {
			path := []uint32{k, l}
			moves = append(moves, m.Move(0, path).String())
			if more := e.Offers(0, 0, path, nil); len(more) > 0 {
				t.Errorf("offers after %v: %v", path, more)
			}
		}
	}
	slices.Sort(moves)
	if got := strings.Join(moves, ""); len(first) != 4 ||
		got != "(draw 0 1)(draw 0 2)(draw 0 3)(draw 1 2)(draw 1 3)(draw 2 3)" {
		t.Errorf("%d first semimoves, moves %s", len(first), got)
	}
	if got := m.Move(0, first[:1]).String(); !strings.HasSuffix(got, " _)") {
		t.Errorf("a prefix is spelled %s", got)
	}
	// What was asked does not change what is played.
	e.Offers(0, 0, first[:1], nil)
	if _, err := e.Step(nil); err != nil {
		t.Fatal(err)
	}
	if got := m.Fluents(e.State(0, nil))[0].String(); got == "(drawn 0 0)" {
		t.Errorf("played %s", got)
	}
}

// TestSplitIsLazy: a move of six coordinates out of 30^6 is played within
// facts that a list of the moves would pass at once.
func TestSplitIsLazy(t *testing.T) {
	rules := "(role r) (init (at 0 0 0 0 0 0)) (<= (next (at ?a ?b ?c ?d ?e ?f)) (p0* ?a ?b) (p1* ?c ?d) (p2* ?e ?f))"
	for i := range 30 {
		rules += fmt.Sprintf("(n %d)", i)
	}
	var levels [][]choice
	before := ""
	for l := range 3 {
		rules += fmt.Sprintf("(<= (p%d ?x ?y) %s (n ?x) (n ?y) (distinct ?x ?y))", l, before)
		before = fmt.Sprintf("(p%d* ?u ?v) (distinct ?u ?x)", l)
		code := []string{"_", "_", "_", "_", "_", "_"}
		code[2*l], code[2*l+1] = "?0", "?1"
		levels = append(levels, []choice{{fmt.Sprintf("p%d", l), fmt.Sprintf("p%d*", l), "(go " + strings.Join(code, " ") + ")"}})
	}
	m := splitMachine(t, reasonertest.Handmade(t, rules, role{Levels: levels}), prover.Limits{Facts: 50_000})
	e := m.NewEngine(1)
	e.Load(0, m.Initial(), nil)
	for range 20 {
		if _, err := e.Step(nil); err != nil {
			t.Fatal(err)
		}
	}
	var path []uint32
	for range 3 {
		offers := e.Offers(0, 0, path, nil)
		if len(offers) < 800 {
			t.Fatalf("%d offers after %v", len(offers), path)
		}
		path = append(path, offers[len(offers)/2])
	}
	move := m.Move(0, path)
	if back, ok := m.Path(0, move); !ok || !slices.Equal(back, path) {
		t.Errorf("Path(%s) = %v, %v; want %v", move, back, ok, path)
	}
}

func TestSplitStuck(t *testing.T) {
	for _, movable := range []string{"", "free"} {
		rules := `(role r) (role s) (init (left 2)) (less 2 1) (less 1 0) (always)
			(<= (take ?x) (true (left ?x))) (<= (sure) (take* ?x) (less ?x ?y)) (<= (next (left ?y)) (take* ?x) (less ?x ?y))
			(<= (goal r 70) free) (<= (goal r 10) (not free))`
		g := reasonertest.Handmade(t, rules,
			role{HasLegalMove: movable, Levels: [][]choice{{{"take", "take*", "(take ?0)"}}, {{"sure", "sure*", "_"}}}},
			role{Levels: [][]choice{{{"always", "always*", "wait"}}}})
		m := splitMachine(t, g, prover.Limits{})
		e := m.NewEngine(1)
		e.Load(0, m.Initial(), nil)
		var states [][]uint64
		for ended := false; !ended && len(states) < 10; {
			mask, err := e.Step(nil)
			if err != nil {
				t.Fatal(err)
			}
			ended = mask[0] != 0
			if ended != (e.Stalled()[0] != 0) {
				t.Errorf("ended %v, stalled %v", mask, e.Stalled())
			}
			states = append(states, e.State(0, nil))
		}
		if len(states) != 4 || !slices.Equal(states[2], states[3]) {
			t.Errorf("movable %q: %d states until the match ended", movable, len(states))
		}
		if movable == "" {
			continue
		}
		if got := m.GoalValues(0, states[1]); !slices.Equal(got, []int{70}) {
			t.Errorf("goals with a move: %v", got)
		}
		stuck, err := m.Encode([]kif.Term{kif.List(kif.Symbol("left"), kif.Symbol("0"))})
		if err != nil {
			t.Fatal(err)
		}
		if got := m.GoalValues(0, stuck); !slices.Equal(got, []int{10}) {
			t.Errorf("goals without a move: %v", got)
		}
	}
}

// TestSplitRecycles: terms of past states are given up without an effect on
// the numbers of semimoves.
func TestSplitRecycles(t *testing.T) {
	rules := `(role r) (init (stack nil)) (init (turn a)) (colour red) (colour blue)
		(<= (push ?c) (colour ?c)) (<= (onto ?l) (push* ?c) (true (stack ?l)))
		(<= (next (stack (cons ?c ?l))) (push* ?c) (onto* ?l) (not (long ?l)))
		(<= (next (stack (one ?c))) (push* ?c) (onto* ?l) (long ?l))
		(<= (long (cons ?a (cons ?b (cons ?c (cons ?d (cons ?e (cons ?f ?l))))))) (true (stack (cons ?a (cons ?b (cons ?c (cons ?d (cons ?e (cons ?f ?l)))))))))`
	g := reasonertest.Handmade(t, rules, role{Levels: [][]choice{
		{{"push", "push*", "(push ?0 _)"}}, {{"onto", "onto*", "(push _ ?0)"}},
	}})
	m := splitMachine(t, g, prover.Limits{Terms: 60})
	e := m.NewEngine(3)
	names := make(map[uint32]string)
	e.Load(0, m.Initial(), nil)
	for range 400 {
		if _, err := e.Step(nil); err != nil {
			t.Fatal(err)
		}
		for _, k := range e.Offers(0, 0, nil, nil) {
			for _, l := range e.Offers(0, 0, []uint32{k}, nil) {
				move := m.Move(0, []uint32{k, l}).String()
				if !strings.Contains(m.Fluents(e.State(0, nil))[0].String(), strings.TrimSuffix(strings.SplitN(move, " ", 3)[2], ")")) {
					t.Fatalf("%s in %v", move, m.Fluents(e.State(0, nil)))
				}
				if old := names[l]; old != "" && old != m.Move(0, []uint32{l}).String() {
					t.Fatalf("%d was %s and is %s", l, old, m.Move(0, []uint32{l}))
				}
				names[l] = m.Move(0, []uint32{l}).String()
			}
		}
	}
	if len(names) < 50 {
		t.Errorf("only %d semimoves", len(names))
	}
}

// TestSplitRefuses: what the engine relies on is checked.
func TestSplitRefuses(t *testing.T) {
	const fine = "(role r) (init (f 1)) (n 1) (<= (one ?x) (n ?x)) (<= (two ?y) (one* ?x) (n ?y)) (<= (next (f ?y)) (two* ?y))"
	levels := [][]choice{{{"one", "one*", "(m ?0 _)"}}, {{"two", "two*", "(m _ ?0)"}}}
	for _, c := range []struct {
		rules   string
		levels  [][]choice
		movable string
		want    string
	}{
		{fine, levels, "", ""},
		{fine, nil, "", "has no level"},
		{fine + "(<= (one ?x) (two* ?x))", levels, "", "one asks for semimoves that are chosen later"},
		{fine + "(<= (one ?x) (one* ?x))", levels, "", "one asks for semimoves that are chosen later"},
		{fine + "(<= (one ?x) (p ?x)) (<= (p ?x) (two* ?x))", levels, "", "one asks for semimoves that are chosen later"},
		{fine + "(<= terminal (two* 1))", levels, "", "terminal asks for a semimove"},
		{fine + "(<= (goal r 1) (one* 1))", levels, "", "goal asks for a semimove"},
		{fine + "(<= (one* ?x) (n ?x))", levels, "", "one* is no input"},
		{fine, [][]choice{{{"one", "one*", "(m ?0 _)"}}, {{"two", "one*", "(m _ ?0)"}}}, "", "one* is no input"},
		{fine + "(<= (next (g ?m)) (does r ?m))", levels, "", "ask for does or legal"},
		{fine + "(<= (next (g ?m)) (legal r ?m))", levels, "", "ask for does or legal"},
		{fine + "(<= (one 1) free)", levels, "free", "whether a role can move depends on whether it can move"},
		{fine + "(<= (one 1) (not free))", levels, "free", "whether a role can move depends on whether it can move"},
		{fine + "(<= terminal (not free))", levels, "free", ""},
	} {
		_, err := prover.NewSplit(reasonertest.Handmade(t, c.rules, role{Levels: c.levels, HasLegalMove: c.movable}), prover.Limits{})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", strings.TrimPrefix(c.rules, fine), err, c.want)
		}
	}
	g := reasonertest.Handmade(t, fine, role{Levels: levels})
	g.Roles[0].Levels[0].Choices[0].Code.Args = g.Roles[0].Levels[0].Choices[0].Code.Args[1:]
	if _, err := prover.NewSplit(g, prover.Limits{}); err == nil {
		t.Error("a code that does not show what was chosen is taken")
	}
	g.Roles = nil
	if _, err := prover.NewSplit(g, prover.Limits{}); err == nil {
		t.Error("a game without its roles is taken")
	}
}

// TestSplitLimits: offers that outgrow the limits end the next Step. Until then they are not
// taken for all there are.
func TestSplitLimits(t *testing.T) {
	rules := `(role r) (init (f 0)) (a good) (a bad)
		(<= (b 0) (a* good)) (<= (b ?x) (a* bad) (big ?x)) (<= (next (f ?x)) (b* ?x))
		(<= (big (s ?x)) (a* bad) (big ?x)) (<= (big 0) (a* bad))`
	g := reasonertest.Handmade(t, rules, role{Levels: [][]choice{
		{{"a", "a*", "(m ?0 _)"}}, {{"b", "b*", "(m _ ?0)"}},
	}})
	m := splitMachine(t, g, prover.Limits{Depth: 100})
	failed, offered := 0, 0
	for seed := range uint64(20) {
		e := m.NewEngine(seed)
		e.Load(0, m.Initial(), nil)
		if _, err := e.Step(nil); err != nil {
			if failed++; !errors.Is(err, prover.ErrLimit) {
				t.Fatal(err)
			}
			continue
		}
		offered++
		for _, k := range e.Offers(0, 0, nil, nil) {
			e.Offers(0, 0, []uint32{k}, nil)
		}
		if !e.Partial(0) {
			t.Error("offers without end are all that there is")
		}
		if _, err := e.Step(nil); !errors.Is(err, prover.ErrLimit) {
			t.Errorf("after offers without end: %v", err)
		}
	}
	if failed == 0 || offered == 0 {
		t.Errorf("%d engines chose the offers without end, %d others asked for them", failed, offered)
	}
}

// TestSplitShared: engines of several goroutines agree on numbers.
func TestSplitShared(t *testing.T) {
	m := splitMachine(t, pairs(t, 12), prover.Limits{})
	var wg sync.WaitGroup
	for seed := range uint64(4) {
		wg.Go(func() {
			e := m.NewEngine(seed)
			e.Load(0, m.Initial(), nil)
			for range 30 {
				if _, err := e.Step(nil); err != nil {
					t.Error(err)
					return
				}
				for _, k := range e.Offers(0, 0, nil, nil) {
					for _, l := range e.Offers(0, 0, []uint32{k}, nil) {
						path := []uint32{k, l}
						move := m.Move(0, path)
						if back, ok := m.Path(0, move); !ok || !slices.Equal(back, path) {
							t.Errorf("Path(%s) = %v, %v; want %v", move, back, ok, path)
							return
						}
					}
				}
			}
		})
	}
	wg.Wait()
}
