package lanes_test

import (
	"context"
	"maps"
	"math/bits"
	"slices"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/reasoner"
	"semisplit/reasoner/lanes"
	"semisplit/reasoner/reasonertest"
	"semisplit/reasoner/split"
)

// own are small games, each for what its name says.
var own = map[string]string{
	"one role, one move": `
		(role solo) (init (at 0))
		(next (at 1)) (legal solo go) (<= terminal (true (at 1)))
		(<= (goal solo 100) (true (at 1)))`,

	"simultaneous moves, several goals at once": `
		(role left) (role right)
		(init (round 0)) (after 0 1) (after 1 2) (after 2 3)
		(<= (legal ?r (show ?x)) (role ?r) (value ?x))
		(value rock) (value paper) (value scissors)
		(beats rock scissors) (beats scissors paper) (beats paper rock)
		(<= (next (round ?m)) (true (round ?n)) (after ?n ?m))
		(<= (next (won ?r)) (true (won ?r)))
		(<= (next (won ?r)) (does ?r (show ?x)) (does ?s (show ?y)) (beats ?x ?y))
		(<= terminal (true (round 3)))
		(<= (goal ?r 100) (true (won ?r)))
		(<= (goal ?r 50) (true (won ?r)))
		(<= (goal ?r 0) (role ?r) (not (true (won ?r))) (true (round 3)))`,

	"recursion over fluents": `
		(role solo) (init (free)) (init (turn 0))
		(node a) (node b) (node c) (node d) (node e)
		(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
		(<= (legal solo (link ?x ?y)) (node ?x) (node ?y) (distinct ?x ?y)
		    (not (true (edge ?x ?y))))
		(<= (next (edge ?x ?y)) (does solo (link ?x ?y)))
		(<= (next (edge ?x ?y)) (true (edge ?x ?y)))
		(<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))
		(<= (reach ?x ?y) (true (edge ?x ?y)))
		(<= (reach ?x ?z) (reach ?x ?y) (reach ?y ?z))
		(<= terminal (true (turn 5)))
		(<= terminal (reach a e) (reach e a))
		(<= (goal solo 100) (reach a e))
		(<= (goal solo 30) (reach ?x ?x) (not (reach a e)))`,

	"a role that gets stuck": `
		(role mover) (role waiter)
		(init (left 2)) (less 2 1) (less 1 0)
		(<= (legal mover (take ?n)) (true (left ?n)) (less ?n ?m))
		(<= (legal mover rest) (true (left 2)))
		(legal waiter wait)
		(<= (next (left ?m)) (does mover (take ?n)) (less ?n ?m))
		(<= (next (left ?n)) (true (left ?n)) (does mover rest))
		(<= (goal ?r 10) (role ?r))
		(<= terminal (true (left 9)))`,

	"goals that are no whole numbers from 0 to 100": `
		(role a) (role b) (init start)
		(legal a (pick 150)) (legal a (pick -5)) (legal a (pick foo)) (legal a (pick 50.5)) (legal a (pick 30)) (legal b wait)
		(<= (next (paid ?x)) (does a (pick ?x))) (<= terminal (not (true start)))
		(<= (goal a ?x) (true (paid ?x))) (<= (goal a 20) (true (paid -5)))
		(goal b -1) (<= (goal b 120) (true (paid foo))) (<= (goal b 110) (true (paid foo)))`,

	"fluents that change places": `
		(role solo) (init (lamp a)) (init (turn 0)) (init (lamp d))
		(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6)
		(right a b) (right b c) (right c d) (right d e) (right e f) (right f a)
		(legal solo keep) (legal solo turn)
		(<= (next (lamp ?y)) (true (lamp ?x)) (right ?x ?y) (does solo turn))
		(<= (next (lamp ?x)) (true (lamp ?x)) (does solo keep))
		(<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m))
		(<= (goal solo 70) (true (lamp a)) (not (true (lamp b))))
		(<= terminal (true (turn 6)))`,

	"goals that cost more than the rest": dear,
}

// machine gives a machine of lanes the interface of package reasoner.
type machine struct{ *lanes.Machine }

func (m machine) Plan() string                          { return "" }
func (m machine) Whole() reasoner.Machine               { return m }
func (m machine) NewSingle(seed uint64) reasoner.Engine { return m.Machine.NewEngine(seed) }

// NewEngine makes an engine whose lanes may stall, as in play.
func (m machine) NewEngine(seed uint64) reasoner.Engine {
	e := m.Machine.NewEngine(seed)
	e.SetPasses(lanes.AutoPasses)
	return e
}

// TestOwnGames plays each game in every width as it is, and split by every plan
// in one. Other games are in the suite of package reasonertest.
func TestOwnGames(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(own)) {
		g, p := reasonertest.Read(t, name, own[name])
		plans, notes := split.Plans(context.Background(), p)
		if len(plans) == 0 {
			t.Errorf("%s: no plan: %v", name, notes)
		}
		widths := lanes.Widths()
		for i, plan := range plans {
			for k, wide := range inWidths(t, buildPlan(t, own[name], plan.Name)) {
				if i == 0 || k == i%len(widths) {
					g.Machines = append(g.Machines, machine{wide})
				}
			}
		}
		g.Time = 250 * time.Millisecond / time.Duration(len(g.Machines))
		reasonertest.Run(t, g)
	}
}

// TestPlayoutsAllocateNothing and repeat exactly with the same seed.
func TestPlayoutsAllocateNothing(t *testing.T) {
	g, err := games.Load("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range inWidths(t, build(t, g.Rules)) {
		t.Run(m.Kernels(), func(t *testing.T) { playoutsAllocateNothing(t, m) })
	}
}

func playoutsAllocateNothing(t *testing.T, m *lanes.Machine) {
	e, initial := m.NewEngine(3), m.Initial()
	goals, state, offers := make([]float64, 2), make([]uint64, 0, 8), make([]uint32, 0, 32)
	play := func() {
		for lane := range e.Lanes() {
			e.Load(lane, initial, nil)
		}
		for range 30 {
			ended, err := e.Step(nil)
			if err != nil {
				t.Fatal(err)
			}
			e.SumGoals(ended, goals)
			for i, w := range ended {
				for ; w != 0; w &= w - 1 {
					lane := 64*i + bits.TrailingZeros64(w)
					e.Goals(lane, goals)
					e.Load(lane, initial, nil)
				}
			}
			state = e.State(0, state[:0])
			offers = e.Offers(0, 0, nil, offers[:0])
		}
	}
	if n := testing.AllocsPerRun(20, play); n != 0 {
		t.Errorf("%v allocations in 30 steps", n)
	}
	if a, b := playouts(t, m.NewEngine(7), initial, 500), playouts(t, m.NewEngine(7), initial, 500); a != b {
		t.Errorf("%d and %d states with the same seed", a, b)
	}
}
