package lanes_test

import (
	"context"
	"errors"
	"math/bits"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"semisplit/games"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/reasoner/ground"
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
}

// suite runs the suite for a description: in every width as it is, and split
// by every plan in one width, or with GGP_LONG=1 in all. A game that is too
// large for the limits of grounding is told.
func suite(t *testing.T, name, rules string, limit time.Duration) {
	t.Helper()
	g, p := reasonertest.Read(t, name, rules)
	plans, notes := split.Plans(p)
	if len(plans) == 0 {
		t.Errorf("%s: no plan: %v", name, notes)
	}
	widths := lanes.Widths()
	for i, plan := range plans {
		m := planned(t, name, p, plan)
		if m == nil {
			continue
		}
		for k, wide := range inWidths(t, m) {
			if i == 0 || k == i%len(widths) || long() {
				g.Machines = append(g.Machines, machine{wide})
			}
		}
	}
	if len(g.Machines) > 0 {
		g.Time = limit / time.Duration(len(g.Machines))
		reasonertest.Run(t, g)
	}
}

// planned is the machine for a game split by a plan, nil where there is none.
func planned(t *testing.T, name string, p *gdl.Program, plan *split.Plan) *lanes.Machine {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	parts, err := split.Rewrite(p, plan)
	if err != nil {
		t.Logf("%s: no plan %s: %v", name, plan.Name, err)
		return nil
	}
	net, err := ground.Ground(ctx, parts, nil, ground.DefaultLimits)
	if errors.Is(err, ground.ErrLimit) || errors.Is(err, context.DeadlineExceeded) {
		t.Logf("%s, plan %s: stays on the prover: %v", name, plan.Name, err)
		return nil
	}
	if err == nil {
		var m *lanes.Machine
		if m, err = lanes.New(net); err == nil {
			return m
		}
	}
	t.Errorf("%s, plan %s: %v", name, plan.Name, err)
	return nil
}

func long() bool { return os.Getenv("GGP_LONG") != "" }

// machine gives a machine of lanes the interface of package reasoner.
type machine struct{ *lanes.Machine }

func (m machine) Plan() string                          { return "" }
func (m machine) NewEngine(seed uint64) reasoner.Engine { return m.Machine.NewEngine(seed) }
func (m machine) NewSingle(seed uint64) reasoner.Engine { return m.Machine.NewEngine(seed) }

func TestOwnGames(t *testing.T) {
	for name, rules := range own {
		suite(t, name, rules, 250*time.Millisecond)
	}
}

func TestBundledGames(t *testing.T) {
	for _, g := range games.List() {
		if why := games.Large(g.Name); why != "" && !long() {
			t.Logf("%s is skipped, GGP_LONG=1 takes it: %s", g.Name, why)
			continue
		}
		suite(t, g.Name, g.Rules, 200*time.Millisecond)
	}
}

// sample are small published games of all kinds; GGP_LONG=1 takes all,
// GGP_GAMES names some, separated by commas.
var sample = []string{
	"blocker", "breakthrough", "bunk_t", "buttons", "connectFour", "dotsAndBoxes", "eightPuzzle",
	"gt_attrition", "pacman2p", "pentago", "roshambo2", "simultaneousWin2", "ticTacToeParallel", "wallmaze",
}

func TestPublishedGames(t *testing.T) {
	dir := corpus()
	if dir == "" {
		t.Skip("the published games are missing: set GGP_CORPUS to the folder that holds gdl/")
	}
	names, limit := sample, 150*time.Millisecond
	if long() {
		names, limit = nil, 3*time.Second
		files, err := filepath.Glob(filepath.Join(dir, "gdl", "*.kif"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			names = append(names, strings.TrimSuffix(filepath.Base(f), ".kif"))
		}
	}
	if some := os.Getenv("GGP_GAMES"); some != "" {
		names, limit = strings.Split(some, ","), 3*time.Second
	}
	for _, name := range names {
		rules, err := os.ReadFile(filepath.Join(dir, "gdl", name+".kif"))
		if err != nil {
			t.Error(err)
			continue
		}
		suite(t, name, string(rules), limit)
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
