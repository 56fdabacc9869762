package prover_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"semisplit/kif"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/prover"
)

func machine(tb testing.TB, rules string, l prover.Limits) *prover.Machine {
	tb.Helper()
	m, err := prover.New(program(tb, rules), l)
	if err != nil {
		tb.Fatal(err)
	}
	return m
}

func program(tb testing.TB, rules string) *gdl.Program {
	tb.Helper()
	p, diags := gdl.Read(rules)
	if err := diags.Err(); err != nil {
		tb.Fatalf("%v in\n%s", err, rules)
	}
	return p
}

// look enters the initial state and tells what the engine says of it.
func look(tb testing.TB, m *prover.Machine) string {
	tb.Helper()
	e := m.NewEngine(1)
	e.Load(0, m.Initial(), nil)
	ended, err := e.Step(nil)
	if err != nil {
		tb.Fatal(err)
	}
	return describe(m, e, ended[0] == 1)
}

func describe(m *prover.Machine, e *prover.Engine, terminal bool) string {
	var b strings.Builder
	state := e.State(0, nil)
	fmt.Fprintf(&b, "state %s\n", strings.Join(spell(m.Fluents(state)), " "))
	if terminal {
		b.WriteString("terminal\n")
	}
	for r, role := range m.Roles() {
		var moves []kif.Term
		for _, n := range e.Offers(0, r, nil, nil) {
			moves = append(moves, m.Move(r, []uint32{n}))
		}
		fmt.Fprintf(&b, "%v: %s goals %v\n", role, strings.Join(spell(moves), " "), m.GoalValues(r, state))
	}
	return b.String()
}

var ruleTests = []struct{ name, rules, want string }{
	{"left and right recursion",
		`(edge 1 2) (edge 2 3) (edge 3 1) (edge 4 5)
			(<= (path ?x ?y) (edge ?x ?y))
			(<= (path ?x ?y) (path ?x ?z) (path ?z ?y))
			(<= (legal r (go ?y)) (path 1 ?y))
			(<= (goal r 50) (path 2 2)) (<= (goal r 0) (path 1 5))`,
		"state a\nr: (go 1) (go 2) (go 3) goals [50]\n"},
	{"mutual recursion over fluents",
		`(init (e 0 1)) (init (e 1 2)) (init (e 2 3)) (init (e 3 4))
			(<= (even 0) (true a))
			(<= (even ?y) (odd ?x) (true (e ?x ?y)))
			(<= (odd ?y) (even ?x) (true (e ?x ?y)))
			(<= (legal r ?x) (even ?x))`,
		"state (e 0 1) (e 1 2) (e 2 3) (e 3 4) a\nr: 0 2 4 goals []\n"},
	{"negation over recursion",
		`(node 1) (node 2) (node 3) (init (link 1 2))
			(<= (reach 1)) (<= (reach ?y) (reach ?x) (true (link ?x ?y)))
			(<= (legal r (far ?x)) (node ?x) (not (reach ?x)))
			(<= lonely (node ?x) (not (reach ?x)))
			(<= (goal r 10) lonely) (<= (goal r 20) (not lonely))`,
		"state (link 1 2) a\nr: (far 3) goals [10]\n"},
	{"no value for an unbound variable under not",
		`(init (on 1)) (colour red)
			(<= (legal r yes) (not (true (off ?x))))
			(<= (legal r no) (not (true (on ?x))))
			(<= (legal r ?c) (not (true (off ?c))) (colour ?c))`,
		"state (on 1) a\nr: red yes goals []\n"},
	{"recursion through functions, bound from above",
		`(<= (plus 0 ?y ?y) (num ?y)) (<= (plus (s ?x) ?y (s ?z)) (plus ?x ?y ?z))
			(<= (num 0)) (<= (num (s ?x)) (num ?x))
			(<= (legal r (take ?x)) (plus ?x (s 0) (s (s (s 0)))) (num ?x))
			(<= (legal r ?z) (plus (s (s 0)) (s 0) ?z))`,
		"state a\nr: (s (s (s 0))) (take (s (s 0))) goals []\n"},
	{"lists",
		`(<= (member ?x (cons ?x ?t)) (item ?x) (list ?t)) (<= (member ?x (cons ?h ?t)) (member ?x ?t) (item ?h))
			(list nil) (<= (list (cons ?h ?t)) (item ?h) (list ?t))
			(item 1) (item 2) (init (bag (cons 1 (cons 2 nil))))
			(<= (legal r ?x) (true (bag ?l)) (member ?x ?l))`,
		"state (bag (cons 1 (cons 2 nil))) a\nr: 1 2 goals []\n"},
	{"or, nested and, nested not",
		`(init (p 1)) (init (p 2)) (init (q 2)) (init (p 3))
			(<= (legal r ?x) (true (p ?x)) (or (not (true (q ?x))) (and (true (q ?x)) (distinct ?x 2))))`,
		"state (p 1) (p 2) (p 3) (q 2) a\nr: 1 3 goals []\n"},
	{"distinct and its negation",
		`(n 1) (n 2)
			(<= (legal r (d ?x ?y)) (distinct ?x ?y) (n ?x) (n ?y))
			(<= (legal r (e ?x ?y)) (n ?x) (not (distinct ?x ?y)) (n ?y))`,
		"state a\nr: (d 1 2) (d 2 1) (e 1 1) (e 2 2) goals []\n"},
	{"several goals and duplicates",
		`(legal r noop) (<= (legal r noop) (true a))
			(goal r 30) (<= (goal r 70) (true a)) (<= (goal r 30) (true a)) (goal r high)`,
		"state a\nr: noop goals [30 70]\n"},
	{"fluents as wholes and nested terms",
		`(init (f (g 1) 2)) (init (f 3 2))
			(<= (legal r ?f) (true ?f)) (<= (legal r (in ?x)) (true (f (g ?x) ?y)))
			(<= (legal r same) (true (f ?x ?x)))`,
		"state (f (g 1) 2) (f 3 2) a\nr: (f (g 1) 2) (f 3 2) (in 1) a goals []\n"},
	{"undefined relations are false",
		`(<= (legal r a) (nothing ?x)) (<= (legal r b) (not (nothing 1)))`,
		"state a\nr: b goals []\n"},
	{"terminal, asked once",
		`(legal r a) (n 1) (n 2) (<= terminal (n ?x) (true a)) (<= (goal r 100) terminal)`,
		"state a\nterminal\nr:  goals [100]\n"},
}

func TestRules(t *testing.T) {
	const frame = "(role r) (init a) (<= (next ?f) (true ?f)) "
	for _, tt := range ruleTests {
		t.Run(tt.name, func(t *testing.T) {
			m := machine(t, frame+tt.rules, prover.Limits{})
			if diff := cmp.Diff(tt.want, look(t, m)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

const nim = `(role a) (role b) (init (heap 3)) (init (turn a))
(succ 0 1) (succ 1 2) (succ 2 3) (less 0 1) (less 0 2) (less 0 3) (less 1 2) (less 1 3) (less 2 3)
(other a b) (other b a)
(<= (legal ?p (to ?n)) (true (turn ?p)) (true (heap ?h)) (less ?n ?h))
(<= (legal ?p noop) (other ?p ?o) (true (turn ?o)))
(<= (next (heap ?n)) (does ?p (to ?n)))
(<= (next (turn ?o)) (true (turn ?p)) (other ?p ?o))
(<= terminal (true (heap 0)))
(<= (goal ?p 100) (true (heap 0)) (true (turn ?o)) (other ?p ?o))
(<= (goal ?p 0) (true (turn ?p)))`

// TestWire: states and moves go from one engine to another, through terms and
// back.
func TestWire(t *testing.T) {
	m := machine(t, nim, prover.Limits{})
	one, two := m.NewEngine(1), m.NewEngine(2)
	move, err := kif.ParseTerm("(to 1)")
	if err != nil {
		t.Fatal(err)
	}
	to1, ok1 := m.Path(0, move)
	noop, ok2 := m.Path(1, kif.Symbol("noop"))
	if !ok1 || !ok2 {
		t.Fatal("moves of the game are not known")
	}
	one.Load(0, m.Initial(), []uint32{to1[0], noop[0]})
	if _, err := one.Step(nil); err != nil {
		t.Fatal(err)
	}
	state := one.State(0, nil)
	again, err := m.Encode(m.Fluents(state))
	if err != nil || !slices.Equal(state, again) {
		t.Errorf("state %v, encoded %v (%v)", state, again, err)
	}
	two.Load(0, state, nil)
	if _, err := two.Step(nil); err != nil {
		t.Fatal(err)
	}
	const want = "state (heap 1) (turn b)\na: noop goals [0]\nb: (to 0) goals [0]\n"
	if got := describe(m, two, false); got != strings.Replace(want, "a: noop goals [0]", "a: noop goals []", 1) {
		t.Errorf("got %s", got)
	}
	if !slices.Equal(one.State(0, nil), two.State(0, nil)) {
		t.Error("equal states are different slices")
	}
	ended, err := two.Step(nil)
	if err != nil || ended[0] != 1 {
		t.Fatalf("ended %v, %v", ended, err)
	}
	goals := make([]float64, 2)
	if two.Goals(0, goals); goals[0] != 0 || goals[1] != 1 {
		t.Errorf("goals %v", goals)
	}
	if _, err := m.Encode([]kif.Term{kif.Symbol("unheard")}); err == nil {
		t.Error("a fluent with an unknown symbol was encoded")
	}
	if _, ok := m.Path(0, kif.Symbol("?x")); ok {
		t.Error("a variable is a move")
	}
}

// TestSeed: an engine's playouts depend on its seed only.
func TestSeed(t *testing.T) {
	m := machine(t, nim, prover.Limits{})
	line := func(seed uint64) string {
		e := m.NewEngine(seed)
		var b strings.Builder
		for range 20 {
			e.Load(0, m.Initial(), nil)
			for {
				ended, err := e.Step(nil)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprint(&b, spell(m.Fluents(e.State(0, nil))))
				if ended[0] == 1 {
					break
				}
			}
		}
		return b.String()
	}
	first, again := line(1), line(1)
	if first != again {
		t.Error("the same seed plays differently")
	}
	if first == line(2) {
		t.Error("different seeds play the same 20 matches")
	}
}

func TestStuckRole(t *testing.T) {
	m := machine(t, `(role r) (init a) (<= (legal r go) (true a)) (<= (next b) (true a))`, prover.Limits{})
	e := m.NewEngine(1)
	e.Load(0, m.Initial(), nil)
	if _, err := e.Step(nil); err != nil {
		t.Fatal(err)
	}
	if ended, err := e.Step(nil); err != nil || ended[0] != 0 || e.Stalled()[0] != 0 {
		t.Errorf("the step to b: ended %v, stalled %v, %v", ended, e.Stalled(), err)
	}
	there := e.State(0, nil)
	if offers := e.Offers(0, 0, nil, nil); len(offers) != 0 {
		t.Errorf("offers %v", offers)
	}
	if ended, err := e.Step(nil); err != nil || ended[0] != 1 || e.Stalled()[0] != 1 {
		t.Errorf("the step after b: ended %v, stalled %v, %v", ended, e.Stalled(), err)
	}
	if got := e.State(0, nil); !slices.Equal(got, there) {
		t.Errorf("a role has no move, but the state went on from %v to %v", there, got)
	}
}

// TestLimits: rules without end give an error, and the engine goes on.
func TestLimits(t *testing.T) {
	const head = `(role r) (init a) (legal r go) (legal r stay)
		(<= (next a) (does r stay)) (<= (next b) (does r go) (big ?x)) `
	tests := []struct {
		name, rules string
		limits      prover.Limits
	}{
		{"depth", `(<= (big 0) (true a)) (<= (big (s ?x)) (big ?x) (distinct ?x no)) (<= (legal r ?x) (big ?x) (true b))
			(<= terminal (big ?x) (big (t ?x)))`, prover.Limits{}},
		{"terms", `(<= (big 0) (true a)) (<= (big 1) (true a)) (<= (big (s ?x ?y)) (big ?x) (big ?y))
			(<= terminal (big ?x) (big (t ?x)))`, prover.Limits{}},
		{"facts", `(d 1) (d 2) (d 3) (d 4) (d 5) (d 6) (d 7) (d 8)
			(<= (big (f ?a ?b ?c ?d ?e)) (true a) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e))
			(<= terminal (big ?x) (big (t ?x)))`, prover.Limits{Facts: 20_000}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := machine(t, head+tt.rules, tt.limits)
			e := m.NewEngine(1)
			for range 2 {
				e.Load(0, m.Initial(), nil)
				if _, err := e.Step(nil); !errors.Is(err, prover.ErrLimit) {
					t.Fatalf("error %v", err)
				}
			}
		})
	}
	_, err := prover.New(program(t, `(role r) (init 0) (<= (init (s ?x)) (init ?x)) (legal r a)`), prover.Limits{})
	if !errors.Is(err, prover.ErrLimit) {
		t.Errorf("endless init: %v", err)
	}
}

// TestStop: an evaluation that would take years ends when it is told to.
func TestStop(t *testing.T) {
	var b strings.Builder
	b.WriteString(`(role r) (init a) (legal r go) (<= (next a) (true a))
		(<= terminal (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (odd ?a ?b ?c ?d ?e ?f)) (<= (odd ?a ?b ?c ?d ?e ?f) (true (never ?a ?b ?c ?d ?e ?f)))`)
	for i := range 60 {
		fmt.Fprintf(&b, "(n %d)", i)
	}
	m := machine(t, b.String(), prover.Limits{})
	e := m.NewEngine(1)
	e.Load(0, m.Initial(), nil)
	var stop atomic.Bool
	time.AfterFunc(20*time.Millisecond, func() { stop.Store(true) })
	if _, err := e.Step(&stop); !errors.Is(err, prover.ErrStopped) {
		t.Fatalf("error %v", err)
	}
}

// TestGoroutines: engines of one machine and the machine's own methods at
// the same time (for the race detector), with the same results.
func TestGoroutines(t *testing.T) {
	m := machine(t, nim, prover.Limits{})
	var wg sync.WaitGroup
	for seed := range uint64(4) {
		wg.Go(func() {
			e := m.NewEngine(seed)
			for range 50 {
				e.Load(0, m.Initial(), nil)
				for {
					ended, err := e.Step(nil)
					if err != nil {
						t.Error(err)
						return
					}
					state := e.State(0, nil)
					if again, err := m.Encode(m.Fluents(state)); err != nil || !slices.Equal(again, state) {
						t.Errorf("encode: %v", err)
					}
					if ended[0] == 1 {
						if v := m.GoalValues(0, state); len(v) != 1 {
							t.Errorf("goals %v", v)
						}
						break
					}
					e.Offers(0, 0, nil, nil)
				}
			}
		})
	}
	wg.Wait()
}

// TestRecycling: an engine that has met too many terms starts a new store in
// the middle of a match and plays on as if nothing had been.
func TestRecycling(t *testing.T) {
	const rules = `(role r) (init (n 0)) (legal r go)
		(<= (next (n (s ?x))) (true (n ?x)) (distinct ?x (s (s (s (s (s (s (s (s 0))))))))))
		(<= (next (n 0)) (true (n (s (s (s (s (s (s (s (s 0)))))))))))
		(<= (next (mark ?x ?y)) (true (n ?x)) (true (n ?y)))
		(<= (next (mark ?x (s ?y))) (true (mark ?x ?y)) (true (n ?x)))`
	roomy := machine(t, rules, prover.Limits{})
	tight := machine(t, rules, prover.Limits{Terms: 24})
	a, b := roomy.NewEngine(1), tight.NewEngine(1)
	a.Load(0, roomy.Initial(), nil)
	b.Load(0, tight.Initial(), nil)
	for i := range 100 {
		if _, err := a.Step(nil); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Step(nil); err != nil {
			t.Fatal(err)
		}
		want, got := spell(roomy.Fluents(a.State(0, nil))), spell(tight.Fluents(b.State(0, nil)))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("step %d (-want +got):\n%s", i, diff)
		}
	}
}
