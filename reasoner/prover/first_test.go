package prover

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/reasoner/gdl"
)

// Along matches of bundled games, the first move is a legal one and the state
// after a joint move is the one that a Step leads to.
func TestFirstMoveAndAfter(t *testing.T) {
	for _, name := range []string{"tictactoe", "breakthrough", "goofspiel", "nim"} {
		game, err := games.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		m := mustMachine(t, game.Rules)
		e, aside := m.NewEngine(1), m.NewEngine(2)
		e.Load(0, m.Initial(), nil)
		for range 30 {
			ended, err := e.Step(nil)
			if err != nil {
				t.Fatal(err)
			}
			if ended[0] != 0 {
				break
			}
			state := e.State(0, nil)
			var joint []uint32
			for role := range m.Roles() {
				legal := e.Offers(0, role, nil, nil)
				first, found, err := aside.FirstMove(state, role, nil)
				if err != nil || !found || !slices.Contains(legal, first) {
					t.Fatalf("%s: %d, %v, %v of %v", name, first, found, err, legal)
				}
				joint = append(joint, legal[len(legal)/2])
			}
			after, err := aside.After(state, joint, nil)
			if err != nil {
				t.Fatal(err)
			}
			e.Load(0, state, joint)
			if _, err := e.Step(nil); err != nil {
				t.Fatal(err)
			}
			if got := e.State(0, nil); !slices.Equal(got, after) {
				t.Fatalf("%s: after %v comes %v, not %v", name, joint, got, after)
			}
			e.Load(0, after, nil)
		}
	}
}

// A terminal rule without end keeps nobody from a legal move, and a legal rule
// without end hears the stop flag.
func TestFirstMoveBesideEndlessRules(t *testing.T) {
	const endless = `
		(<= (n ?x) (true (c ?x))) (<= (n (s ?x)) (n ?x))`
	m := mustMachine(t, `(role a) (init (c 0)) (legal a go) (legal a stay) (<= (next (c (s ?x))) (true (c ?x)) (does a go))
		(<= terminal (n ?x) (n (f ?x))) (goal a 0)`+endless)
	e := m.NewEngine(1)
	move, found, err := e.FirstMove(m.Initial(), 0, nil)
	if err != nil || !found {
		t.Fatal(move, found, err)
	}
	path, _ := m.Path(0, kif.Symbol("go"))
	if _, err := e.After(m.Initial(), path, nil); err != nil {
		t.Error(err)
	}
	m = mustMachine(t, `(role a) (init (c 0)) (<= (legal a go) (n ?x) (distinct ?x never)) (<= (next (c 0)) (true (c 0))) (<= terminal (true (d 0))) (goal a 0)`+endless)
	var stop atomic.Bool
	time.AfterFunc(20*time.Millisecond, func() { stop.Store(true) })
	if _, found, err := m.NewEngine(1).FirstMove(m.Initial(), 0, &stop); found || !errors.Is(err, ErrStopped) && !errors.Is(err, ErrLimit) {
		t.Error(found, err)
	}
}

func mustMachine(t *testing.T, rules string) *Machine {
	t.Helper()
	p, diagnostics := gdl.Read(rules)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	m, err := New(p, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}
