package main

import (
	"context"

	"semisplit/player"
	"semisplit/protocol"
)

// hurried is a player that is told of a shorter play clock than there is, so
// that a person need not wait for all of it.
type hurried struct{ *player.Player }

// Start shortens the clocks.
func (h hurried) Start(ctx context.Context, m protocol.Start) string {
	m.StartClock = min(m.StartClock, thinkAgainstPeople)
	m.PlayClock = min(m.PlayClock, thinkAgainstPeople)
	return h.Player.Start(ctx, m)
}
