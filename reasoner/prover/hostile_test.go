package prover_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/prover"
	"semisplit/reasoner/reasonertest"
	"semisplit/reasoner/split"
)

// playable are those of the doubling descriptions in which the prover never needs
// the large term itself.
var playable = map[string]bool{"goal": true, "equalities": true, "terminal": true, "not": true, "or": true}

// Rules whose terms double without end break a limit, at the cost of some
// megabytes, on the first engine that meets them and on the next.
func TestDoublingTerms(t *testing.T) {
	for where, rules := range reasonertest.Doubling() {
		t.Run(where, func(t *testing.T) {
			reasonertest.Sparing(t, 128<<20, func() {
				m, err := prover.New(program(t, rules), prover.Limits{})
				if where == "init" || err != nil {
					if where != "init" || !errors.Is(err, prover.ErrLimit) {
						t.Errorf("set-up: %v", err)
					}
					return
				}
				for range 2 {
					e := m.NewEngine(1)
					e.Load(0, m.Initial(), nil)
					for range 100 {
						var ended []uint64
						if ended, err = e.Step(nil); err != nil || ended[0] != 0 {
							break
						}
					}
					if !errors.Is(err, prover.ErrLimit) && !playable[where] {
						t.Errorf("%v; a broken limit was expected", err)
					}
					e.Goals(0, make([]float64, 1))
				}
				if got := m.GoalValues(0, m.Initial()); where == "goal" && got != nil {
					t.Errorf("goals %v", got)
				}
			})
		})
	}
}

// Terms are held against their limit with their arguments.
func TestManyArguments(t *testing.T) {
	m := machine(t, `(role x) (legal x noop) (goal x 0) (init on) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8) (d 9)
		(<= (p (f ?a ?b ?c ?d ?e`+strings.Repeat(" ?a", 240)+`)) (true on) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e))
		(<= terminal (p ?x) (true ?x))`, prover.Limits{Terms: 200_000})
	e := m.NewEngine(1)
	e.Load(0, m.Initial(), nil)
	reasonertest.Sparing(t, 128<<20, func() {
		if _, err := e.Step(nil); !errors.Is(err, prover.ErrLimit) {
			t.Errorf("%v; a broken limit was expected", err)
		}
	})
}

// What is kept of rules that wait for their own group is held against the limit each
// time: of a long rule it is much.
func TestLongRecursiveRule(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	args := strings.Repeat(" a", 250)
	m := machine(t, fmt.Sprintf(`(role x) (legal x noop) (goal x 0) (init f) (<= (p%s) (true f)) (<= (p%s) q) (<= terminal q)
		(<= q %s (p%s))`, args, args, strings.Repeat(" (p"+args+")", 500), strings.Repeat(" b", 250)), prover.Limits{Facts: 1 << 20})
	e := m.NewEngine(1)
	e.Load(0, m.Initial(), nil)
	reasonertest.Sparing(t, 64<<20, func() {
		if _, err := e.Step(nil); !errors.Is(err, prover.ErrLimit) {
			t.Errorf("%v; a broken limit was expected", err)
		}
	})
}

// A state is held against a limit of its own: no fluent of it is too large.
func TestLargeState(t *testing.T) {
	m := machine(t, `(role x) (init (b a 1)) (succ 1 2) (succ 2 3) (succ 3 4) (legal x noop) (goal x 0)
		(<= (next (b (f ?x ?x ?x ?x) ?m)) (true (b ?x ?n)) (succ ?n ?m)) (<= (next (b ?x ?n)) (true (b ?x ?n)))`,
		prover.Limits{State: 100})
	e := m.NewEngine(1)
	e.Load(0, m.Initial(), nil)
	for steps := 0; ; steps++ {
		if _, err := e.Step(nil); errors.Is(err, prover.ErrLimit) {
			if steps != 3 {
				t.Errorf("the limit was broken after %d steps", steps)
			}
			return
		} else if err != nil || steps > 3 {
			t.Fatalf("step %d: %v", steps, err)
		}
	}
}

// second is an engine in the second state of a game.
func second(t *testing.T, m *prover.Machine, stop *atomic.Bool) *prover.Engine {
	t.Helper()
	e := m.NewEngine(1)
	e.Load(0, m.Initial(), nil)
	for range 2 {
		if _, err := e.Step(stop); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

// Of very many legal moves some are listed, and any can be played.
func TestManyMoves(t *testing.T) {
	var e *prover.Engine
	m := machine(t, reasonertest.Crowd(), prover.Limits{Moves: 1000})
	reasonertest.Sparing(t, 64<<20, func() { e = second(t, m, nil) })
	if n := len(e.Offers(0, 0, nil, nil)); n != 1000 || !e.Partial(0) {
		t.Errorf("%d moves are listed, partial %v", n, e.Partial(0))
	}
	for text, legal := range map[string]bool{"(m 0 0 0 0 0 0 0 0 0)": true, "(m 9 8 7 6 5 4 3 2 1)": true, "(m 9 8 7 6 5 4 3 2 x)": false, "noop": false} {
		move, err := kif.ParseTerm(text)
		if err != nil {
			t.Fatal(err)
		}
		path, ok := m.Path(0, move)
		if got := ok && e.Legal(0, 0, path); got != legal {
			t.Errorf("%s is legal: %v", text, got)
		}
		if !legal {
			continue
		}
		next := m.NewEngine(1)
		next.Load(0, e.State(0, nil), path)
		if ended, err := next.Step(nil); err != nil || ended[0] != 1 {
			t.Errorf("after %s: %v, %v", text, ended, err)
		}
	}
	if ended, err := e.Step(nil); err != nil || ended[0] != 1 {
		t.Errorf("after a random move: %v, %v", ended, err)
	}
	if e.Partial(0) {
		t.Error("a terminal state has moves that are not listed")
	}
}

// A list that is cut short leaves nothing behind that is half done.
func TestManyMovesThenFew(t *testing.T) {
	rules := `(role x) (init (step 1)) (d 0) (d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7)
		(<= (some ?x ?y) (d ?x) (d ?y) (true (step ?z)))
		(<= (legal x (m ?a ?b ?c ?d)) (some ?a ?b) (some ?c ?d) (true (step 1)))
		(<= (legal x (n ?a ?b)) (some ?a ?b) (true (step 2)))
		(<= (next (step 2)) (true (step 1)) (does x (m ?a ?b ?c ?d)) (some ?a ?d)) (<= terminal (true (step 3))) (goal x 0)`
	m := machine(t, rules, prover.Limits{Moves: 100})
	e := m.NewEngine(1)
	e.Load(0, m.Initial(), nil)
	for _, want := range []int{100, 64} {
		if _, err := e.Step(nil); err != nil {
			t.Fatal(err)
		}
		if n := len(e.Offers(0, 0, nil, nil)); n != want || e.Partial(0) != (want == 100) {
			t.Errorf("%d moves, %d were expected; partial %v", n, want, e.Partial(0))
		}
	}
}

// What has no way to say that it was stopped ends all the same.
func TestStopOfAnswers(t *testing.T) {
	m := machine(t, reasonertest.Endless()+`(<= (goal x 100) (never ?x))`, prover.Limits{})
	stop := new(atomic.Bool)
	e := m.NewEngine(1)
	e.Load(0, m.Initial(), nil)
	if _, err := e.Step(stop); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(20*time.Millisecond, func() { stop.Store(true) })
	e.Goals(0, make([]float64, 1))
	if m.GoalValues(0, m.Initial()) != nil {
		t.Error("there are goals")
	}
}

// The making of a machine can be stopped.
func TestStopOfSetUp(t *testing.T) {
	p := program(t, reasonertest.Endless()+`(goal x 0) (<= (init (n ?x)) (never ?x))`)
	stop := new(atomic.Bool)
	time.AfterFunc(20*time.Millisecond, func() { stop.Store(true) })
	if _, err := prover.New(p, prover.Limits{Stop: stop}); !errors.Is(err, prover.ErrStopped) {
		t.Errorf("%v", err)
	}
}

// Rules that exchange their arguments are called in as many ways as these have subsets:
// of thirty arguments half are bound here.
func TestManyPatterns(t *testing.T) {
	var all, turned, swapped strings.Builder
	place := [30]int{1, 0}
	for i := range place {
		if i > 1 {
			place[i] = i
		}
		fmt.Fprintf(&all, " ?v%d", i)
		fmt.Fprintf(&turned, " ?v%d", (i+1)%len(place))
		fmt.Fprintf(&swapped, " ?v%d", place[i])
	}
	rules := strings.NewReplacer("ALL", all.String(), "TURNED", turned.String(), "SWAPPED", swapped.String(), "HALF", strings.Repeat(" a ?x", 15)).Replace(
		`(role x) (legal x noop) (goal x 0) (<= (p ALL) (true (q ALL))) (<= (p ALL) (p TURNED)) (<= (p ALL) (p SWAPPED)) (<= terminal (p HALF))`)
	reasonertest.Sparing(t, 1<<30, func() {
		if _, err := prover.New(program(t, rules), prover.Limits{}); !errors.Is(err, prover.ErrLimit) {
			t.Errorf("%v; a broken limit was expected", err)
		}
	})
	stop := new(atomic.Bool)
	stop.Store(true)
	if _, err := prover.New(program(t, rules), prover.Limits{Stop: stop}); !errors.Is(err, prover.ErrStopped) {
		t.Errorf("told to stop: %v", err)
	}
}

// Not each set of arguments by which a large relation is asked gets an index.
func TestManyIndexes(t *testing.T) {
	var rules strings.Builder
	rules.WriteString("(role x) (legal x noop) (goal x 0) (init (step 0))")
	for i := range 4000 {
		fmt.Fprintf(&rules, "(d%s)", strings.Repeat(fmt.Sprint(" ", i), 12))
		fmt.Fprintf(&rules, "(<= terminal (true (step %d)) (d", i+1)
		for bit := range 12 {
			rules.WriteString([]string{" ?x", " 5"}[i>>bit&1])
		}
		rules.WriteString("))")
	}
	p := program(t, rules.String())
	reasonertest.Sparing(t, 256<<20, func() {
		if _, err := prover.NewUntuned(p, prover.Limits{}); err != nil {
			t.Error(err)
		}
	})
}

// The offers of split moves are stopped too, where one prefix takes for ever.
func TestStopOfOffers(t *testing.T) {
	p := program(t, reasonertest.Endless()+`(goal x 0) (<= (legal x (n ?x ?y)) (d ?x) (d ?y) (never ?y))`)
	plans, _ := split.Plans(context.Background(), p)
	for _, plan := range plans {
		g, err := split.Rewrite(context.Background(), p, plan)
		if err != nil {
			t.Fatal(err)
		}
		stop := new(atomic.Bool)
		m, err := prover.NewSplit(g, prover.Limits{Stop: stop})
		if err != nil {
			t.Fatal(err)
		}
		time.AfterFunc(20*time.Millisecond, func() { stop.Store(true) })
		e := m.NewEngine(1)
		e.Load(0, m.Initial(), nil)
		if _, err := e.Step(stop); err != nil && !errors.Is(err, prover.ErrStopped) {
			t.Errorf("plan %s: %v", plan.Name, err)
		}
	}
}

// Equal terms of two stores have equal sizes, however they are shared.
func TestSizeOfStoredTerm(t *testing.T) {
	s := gdl.NewStore(gdl.NewSymbols())
	f := s.Symbols().Intern("f")
	id := s.Const(f)
	for i, want := range []int{1, 3, 7, 15} {
		if got := s.Size(id); got != want || !s.Fits(id) {
			t.Errorf("%d times doubled: size %d, want %d", i, got, want)
		}
		id = s.Compound(f, []gdl.TermID{id, id})
	}
	for range 100 {
		id = s.Compound(f, []gdl.TermID{id, id})
	}
	if s.Size(id) != 1<<31-1 || s.Fits(id) {
		t.Errorf("size %d, fits %v", s.Size(id), s.Fits(id))
	}
}
