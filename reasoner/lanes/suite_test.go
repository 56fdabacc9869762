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
	"semisplit/reasoner/ground"
	"semisplit/reasoner/reasonertest"
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

// suite runs the suite for a description. A game that is too large for the
// limits of grounding is told.
func suite(t *testing.T, name, rules string, limit time.Duration) {
	t.Helper()
	g, p := reasonertest.Read(t, name, rules)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	m, err := reasoner.NewLanes(ctx, p, reasoner.DefaultLimits)
	if errors.Is(err, ground.ErrLimit) || errors.Is(err, context.DeadlineExceeded) {
		t.Logf("%s: stays on the prover: %v", name, err)
		return
	}
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return
	}
	g.Machines = []reasoner.Machine{m}
	g.Time = limit
	reasonertest.Run(t, g)
}

func TestOwnGames(t *testing.T) {
	for name, rules := range own {
		suite(t, name, rules, 400*time.Millisecond)
	}
}

func TestBundledGames(t *testing.T) {
	for _, name := range games.Names() {
		g, err := games.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		suite(t, name, g.Rules, 300*time.Millisecond)
	}
}

// sample are small published games of all kinds; GGP_LONG=1 takes all.
var sample = []string{
	"battlebrushes", "blocker", "blocks2player", "bunk_t", "buttons", "chomp", "connectFour",
	"cubicup", "dotsAndBoxes", "eightPuzzle", "ghostMaze2p", "gt_attrition", "hallway",
	"nim2", "pacman2p", "pentago", "roshambo2", "simultaneousWin2", "ticTacToe",
	"ticTacToeParallel", "wallmaze", "breakthrough",
}

func TestPublishedGames(t *testing.T) {
	dir := corpus()
	if dir == "" {
		t.Skip("the published games are missing: set GGP_CORPUS to the folder that holds gdl/")
	}
	names, limit := sample, 150*time.Millisecond
	if os.Getenv("GGP_LONG") != "" {
		names, limit = nil, 3*time.Second
		files, err := filepath.Glob(filepath.Join(dir, "gdl", "*.kif"))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			names = append(names, strings.TrimSuffix(filepath.Base(f), ".kif"))
		}
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
	m := build(t, g.Rules)
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
			for w := ended[0]; w != 0; w &= w - 1 {
				lane := bits.TrailingZeros64(w)
				e.Goals(lane, goals)
				e.Load(lane, initial, nil)
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
