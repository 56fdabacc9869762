package reasoner_test

import (
	"math"
	"sync/atomic"
	"testing"

	"semisplit/games"
	"semisplit/reasoner"
)

func machineOf(t *testing.T, name, plan string) reasoner.Machine {
	t.Helper()
	game, err := games.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	program, diagnostics := reasoner.Read(game.Rules)
	if err := diagnostics.Err(); err != nil {
		t.Fatal(err)
	}
	m, err := reasoner.NewAnalysis(program).Prover(plan, reasoner.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What the first state of a game offers, counted by hand: in tic-tac-toe nine
// cells, as three columns of three rows; in breakthrough eight pawns, of which
// the two at the sides have two moves and the others three.
func TestBranchingOfFirstState(t *testing.T) {
	for _, c := range []struct {
		game, plan string
		want       reasoner.Branching
	}{
		{"tictactoe", "orthodox", reasoner.Branching{States: 1, Choices: 1, Moves: 9, Levels: 1, Prefixes: 1, Offers: 9}},
		{"tictactoe", "modshift", reasoner.Branching{States: 1, Choices: 1, Moves: 9, Levels: 2, Prefixes: 2, Offers: 6}},
		{"breakthrough", "orthodox", reasoner.Branching{States: 1, Choices: 1, Moves: 22, Levels: 1, Prefixes: 1, Offers: 22}},
	} {
		got, err := reasoner.MeasureBranching(machineOf(t, c.game, c.plan), 1, 1, new(atomic.Bool))
		if err != nil || got != c.want {
			t.Errorf("%s, %s: %+v, %v; %+v was expected", c.game, c.plan, got, err, c.want)
		}
	}
}

// Random matches of tic-tac-toe have the mean branching that follows from all
// matches, each with its probability.
func TestBranchingOfMatches(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	got, err := reasoner.MeasureBranching(machineOf(t, "tictactoe", "orthodox"), 1, 10_000, new(atomic.Bool))
	if err != nil || got.States != 10_000 {
		t.Fatalf("%+v, %v", got, err)
	}
	states, choices, moves := noughts{}.expect(0, 1)
	if want := moves / choices; math.Abs(got.Nodal()-want) > 0.02*want {
		t.Errorf("%v moves to choose from, %v expected", got.Nodal(), want)
	}
	if want := choices / states; math.Abs(got.Choosing()-want) > 0.02*want {
		t.Errorf("%v roles choose in a state, %v expected", got.Choosing(), want)
	}
	if got.Depth() != 1 || got.Offered() != got.Nodal() {
		t.Errorf("whole moves: depth %v, %v offers for %v moves", got.Depth(), got.Offered(), got.Nodal())
	}
}

// In tic-tac-toe a cell is taken once, and of those that a role leaves the other takes one.
// In Kalah houses stay and are sown again and again. What is split is not compared.
func TestLasting(t *testing.T) {
	of := func(game, plan string) reasoner.Branching {
		t.Helper()
		got, err := reasoner.MeasureBranching(machineOf(t, game, plan), 1, 500, new(atomic.Bool))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	// A role that leaves 8, 7, ... 3 cells finds 7, 6, ... 2 of them: 27 of 33 where all
	// matches are full.
	if got := of("tictactoe", "orthodox"); got.Again != 0 || got.Lasting() < 27.0/33 || got.Lasting() > 7.0/8 {
		t.Errorf("tic-tac-toe: %+v", got)
	}
	if got := of("kalah", "orthodox"); got.Repeated() < 0.3 || got.Lasting() < 0.5 {
		t.Errorf("kalah: %+v", got)
	}
	if got := of("tictactoe", "modshift"); got.Waited != 0 || got.Lasting() != 0 || got.Repeated() != 0 {
		t.Errorf("split moves: %+v", got)
	}
}

// A measurement that is stopped is none that failed.
func TestBranchingStopped(t *testing.T) {
	stop := new(atomic.Bool)
	stop.Store(true)
	got, err := reasoner.MeasureBranching(machineOf(t, "tictactoe", "orthodox"), 1, 10, stop)
	if err != nil || got != (reasoner.Branching{}) || got.Nodal() != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// noughts is a board of tic-tac-toe: 1 and 2 are the players.
type noughts [9]int

// expect adds up over the rest of a random match that has a probability: the
// states before the end, those in which the player has a choice, and the moves
// there.
func (n noughts) expect(plies int, probability float64) (states, choices, moves float64) {
	for _, l := range [][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}} {
		if n[l[0]] != 0 && n[l[0]] == n[l[1]] && n[l[1]] == n[l[2]] {
			return 0, 0, 0
		}
	}
	if plies == 9 {
		return 0, 0, 0
	}
	free := float64(9 - plies)
	if states = probability; free > 1 {
		choices, moves = probability, probability*free
	}
	for i := range n {
		if n[i] == 0 {
			next := n
			next[i] = 1 + plies%2
			s, c, m := next.expect(plies+1, probability/free)
			states, choices, moves = states+s, choices+c, moves+m
		}
	}
	return states, choices, moves
}
