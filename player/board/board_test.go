package board

import (
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"semisplit/kif"
	"semisplit/player/internal/gametest"
)

func TestBoard(t *testing.T) {
	program := gametest.Bundled(t, "tictactoe")
	m, circuit := gametest.Prover(t, program), gametest.Lanes(t, program, "orthodox")
	board, err := New(m, 1, new(atomic.Bool))
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		role  int
		move  string
		legal bool
	}{
		{0, "(mark a 1)", true}, {0, "(MARK A 1)", true}, {0, "(mark d 1)", false}, {0, "noop", false},
		{1, "noop", true}, {1, "(noop)", true}, {1, "NoOp", true}, {1, "(mark a 1)", false}, {1, "()", false},
	} {
		move, err := kif.ParseTerm(test.move)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := board.Find(test.role, move); ok != test.legal {
			t.Errorf("Find(%d, %s): %v, want %v", test.role, test.move, ok, test.legal)
		}
	}
	huge := kif.List(slices.Repeat([]kif.Term{kif.Symbol("a")}, 1<<16)...)
	if _, err := board.Joint([]kif.Term{huge, huge}); !errors.Is(err, ErrIllegal) || len(err.Error()) > 2*shownMove {
		t.Errorf("the error of a huge move has %d bytes", len(err.Error()))
	}
	if _, err := board.Joint([]kif.Term{kif.Symbol("noop")}); !errors.Is(err, ErrIllegal) {
		t.Errorf("a joint move of one role: %v", err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for step := 0; !board.Terminal(); step++ {
		other, err := board.Transfer(circuit, 7)
		if err != nil {
			t.Fatal(err)
		}
		var moves []kif.Term
		for role := range board.Roles() {
			path, _ := board.Random(role, random)
			moves = append(moves, m.Move(role, path))
			if got, want := len(other.Paths(role)), len(board.Paths(role)); got != want {
				t.Errorf("step %d: %d moves after the transfer, want %d", step, got, want)
			}
		}
		for _, b := range []*Board{board, other} {
			if err := b.Play(moves); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := board.Fluents(), other.Fluents(); len(a) != len(b) || board.Terminal() != other.Terminal() {
			t.Errorf("step %d: %v and %v", step, a, b)
		}
	}
	if goals := board.Goals(); goals[0]+goals[1] != 100 || board.Paths(0) != nil {
		t.Errorf("goals %v, moves %v in the terminal state", goals, board.Paths(0))
	}
}
