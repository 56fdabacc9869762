package referee_test

import (
	"context"
	"errors"
	"testing"

	"semisplit/kif"
	"semisplit/player/referee"
	"semisplit/protocol"
)

// A call that was given up in one match, as when a move is taken back, may come to its turn
// when the next match has begun: it does not move that one on, nor stop its prover.
func TestGivenUpCallLeavesNextMatchAlone(t *testing.T) {
	seat := referee.Legal()
	if err := seat.Start(t.Context(), protocol.Start{Match: "m", Role: kif.Symbol("x"), Rules: bundled(t, "tictactoe")}); err != nil {
		t.Fatal(err)
	}
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
