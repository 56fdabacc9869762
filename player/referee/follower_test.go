package referee

import (
	"context"
	"testing"

	"semisplit/games"
	"semisplit/kif"
	"semisplit/protocol"
)

// A turn that ended before its joint move was made leaves it to the next one.
func TestFollowerCatchesUp(t *testing.T) {
	game, err := games.Load("tictactoe")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := kif.Parse(game.Rules)
	if err != nil {
		t.Fatal(err)
	}
	f, err := follow(t.Context(), protocol.Start{Match: "m", Role: kif.Symbol("x"), Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	first := f.board.Moves(0)[0]
	f.add(protocol.Play{Match: "m", Moves: []kif.Term{first, kif.Symbol("noop")}})

	over, end := context.WithCancel(t.Context())
	release := f.within(over)
	end()
	release() // which waits until the board is told to stop
	if err := f.catchUp(); err == nil {
		t.Fatal("a stopped board has moved")
	}

	defer f.within(t.Context())()
	if err := f.catchUp(); err != nil {
		t.Fatal(err)
	}
	if moves := f.board.Moves(1); len(moves) != 8 {
		t.Errorf("o has %d moves after the first mark: %v", len(moves), moves)
	}
}
