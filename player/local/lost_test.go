package local

import (
	"testing"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
	"semisplit/player/internal/gametest"
	"semisplit/search"
)

// A match that is lost for sure is played on as long as it can be, and thought
// about for as long as any other: the opponent has yet to find the win.
func TestLostMatchIsDefended(t *testing.T) {
	if testing.Short() {
		t.Skip("one thread")
	}
	a := agent.Default()
	a.Algorithm.Parameters.Solver = true
	a.General.Threads = 1
	m := lanesFor(t, gametest.Bundled(t, "tictactoe"), "orthodox", a)
	judge, err := board.New(m, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	b := newPlayer(t, m, a, 1, 1)
	for turn, text := range []string{"(mark a 1)", "(mark b 1)", "(mark b 2)"} {
		moves := []kif.Term{kif.Symbol("noop"), kif.Symbol("noop")}
		moves[turn%2] = term(t, text)
		playOn(t, judge, moves)
		if err := b.Advance(moves); err != nil {
			t.Fatal(err)
		}
	}
	const budget = 3000
	for !judge.Terminal() {
		goal, longest := endOf(t, judge, 1)
		move, report, err := b.Choose(search.Budget{Iterations: budget})
		choice := judge.HasChoice(1)
		if err != nil || choice && report.Iterations != budget {
			t.Errorf("%+v, %v: the search ended early", report, err)
		}
		moves := []kif.Term{judge.Moves(0)[0], move}
		playOn(t, judge, moves)
		if g, moves := endOf(t, judge, 1); choice && (g != goal || moves != longest-1) {
			t.Errorf("%v: goal %d in %d moves, but %d in %d can be had", move, g, moves, goal, longest-1)
		}
		if err := b.Advance(moves); err != nil {
			t.Fatal(err)
		}
		if !judge.Terminal() { // the other side tries what comes first
			moves := []kif.Term{judge.Moves(0)[0], kif.Symbol("noop")}
			playOn(t, judge, moves)
			if err := b.Advance(moves); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func playOn(t *testing.T, b *board.Board, moves []kif.Term) {
	t.Helper()
	if err := b.Play(moves); err != nil {
		t.Fatal(err)
	}
}

// endOf is what a role of a game of two in turns, whose goals sum up to 100, gets
// if both play as well as can be, and after how many moves: who has lost holds
// out, and who has won hurries.
func endOf(t *testing.T, b *board.Board, role int) (goal, moves int) {
	t.Helper()
	if b.Terminal() {
		return b.Goals()[role], 0
	}
	state, mover := b.State(), 0
	if b.HasChoice(1) || b.Moves(0)[0].Name == "noop" {
		mover = 1
	}
	own := func(goal int) int {
		if mover == role {
			return goal
		}
		return 100 - goal
	}
	for i, path := range b.Paths(mover) {
		joint := append(append([]uint32(nil), path...), b.Paths(1 - mover)[0]...)
		if mover == 1 {
			joint = append(append([]uint32(nil), b.Paths(0)[0]...), path...)
		}
		if err := b.Moved(joint); err != nil {
			t.Fatal(err)
		}
		g, n := endOf(t, b, role)
		n++
		if i == 0 || own(g) > own(goal) || own(g) == own(goal) && (n < moves) == (own(g) == 100) {
			goal, moves = g, n
		}
		if err := b.Set(state); err != nil {
			t.Fatal(err)
		}
	}
	return goal, moves
}
