package referee_test

import (
	"context"
	"errors"
	"testing"

	"semisplit/kif"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// legalX is a seat without thought that plays x in a match of Tic-Tac-Toe.
func legalX(t *testing.T, match string) referee.Seat {
	t.Helper()
	seat := referee.Legal()
	if err := seat.Start(t.Context(), protocol.Start{Match: match, Role: kif.Symbol("x"), Rules: bundled(t, "tictactoe")}); err != nil {
		t.Fatal(err)
	}
	return seat
}

// A call that was given up in one match, as when a move is taken back, may come to its turn
// when the next match has begun: it does not move that one on, nor stop its prover.
func TestGivenUpCallLeavesNextMatchAlone(t *testing.T) {
	seat := legalX(t, "m")
	first, err := seat.Play(t.Context(), protocol.Play{Match: "m"})
	if err != nil {
		t.Fatal(err)
	}
	given, giveUp := context.WithCancel(t.Context())
	giveUp()
	if _, err := seat.Play(given, protocol.Play{Match: "m", Moves: []kif.Term{first, kif.Symbol("noop")}}); !errors.Is(err, context.Canceled) {
		t.Errorf("a call that was given up: %v", err)
	}
	if again, err := seat.Play(t.Context(), protocol.Play{Match: "m"}); err != nil || !kif.Equal(again, first) {
		t.Errorf("after it %v, %v; before %v", again, err, first)
	}
}

// A turn whose time ran out before the seat came to it was played all the same.
func TestLateTurnIsNotLost(t *testing.T) {
	seat := legalX(t, "m")
	first, err := seat.Play(t.Context(), protocol.Play{Match: "m"})
	if err != nil {
		t.Fatal(err)
	}
	late, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	if _, err := seat.Play(late, protocol.Play{Match: "m", Moves: []kif.Term{first, kif.Symbol("noop")}}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a late call: %v", err)
	}
	reply, err := kif.ParseTerm("(mark c 3)")
	if err != nil {
		t.Fatal(err)
	}
	if kif.Equal(reply, first) {
		t.Fatal("x has marked the square of o")
	}
	second, err := seat.Play(t.Context(), protocol.Play{Match: "m", Moves: []kif.Term{kif.Symbol("noop"), reply}})
	if err != nil {
		t.Fatal(err)
	}
	if kif.Equal(second, first) || kif.Equal(second, reply) || kif.Equal(second, kif.Symbol("noop")) {
		t.Errorf("after %v and %v: %v", first, reply, second)
	}
}

// The end of a match that is over does not end the next one.
func TestOldStopLeavesNextMatchAlone(t *testing.T) {
	seat := legalX(t, "second")
	if err := errors.Join(seat.Stop(t.Context(), protocol.Play{Match: "first"}), seat.Abort(t.Context(), "first")); err != nil {
		t.Fatal(err)
	}
	if move, err := seat.Play(t.Context(), protocol.Play{Match: "second"}); err != nil || kif.Equal(move, kif.Symbol("busy")) {
		t.Errorf("%v, %v", move, err)
	}
}
