package player

import (
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"semisplit/kif"
	"semisplit/reasoner"
)

func TestBoard(t *testing.T) {
	text, m := ticTacToe(t)
	board, err := NewBoard(m, 1, new(atomic.Bool))
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
		if _, ok := board.Find(test.role, term(t, test.move)); ok != test.legal {
			t.Errorf("Find(%d, %s): %v, want %v", test.role, test.move, ok, test.legal)
		}
	}
	if _, err := board.Joint([]kif.Term{kif.Symbol("noop")}); !errors.Is(err, ErrIllegal) {
		t.Errorf("a joint move of one role: %v", err)
	}
	program, _ := reasoner.Analyze(text)
	circuit, err := reasoner.NewLanes(t.Context(), program, reasoner.DefaultLimits)
	if err != nil {
		t.Fatal(err)
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
			joint, err := b.Joint(moves)
			if err != nil {
				t.Fatal(err)
			}
			if err := b.Moved(joint); err != nil {
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

func TestGuess(t *testing.T) {
	for text, want := range map[string]string{
		"":                              "noop",
		"(legal y (m 1))":               "noop",
		"(<= (legal X (m ?y)) (p ?y))":  "noop",
		"(does x a) (<= (LEGAL X b) t)": "b",
		"(legal x b) (input x (c 1 2))": "(c 1 2)",
	} {
		parsed, err := kif.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := guessMove(parsed, kif.Symbol("x")).String(); got != want {
			t.Errorf("guess from %q: %s, want %s", text, got, want)
		}
	}
}
