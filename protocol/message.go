// Package protocol is the wire between game managers and players: messages,
// the player's HTTP server, the manager's HTTP client, and match records.
package protocol

import (
	"context"
	"time"

	"semisplit/kif"
)

// Start is a START message: a match begins.
type Start struct {
	Match                 string
	Role                  kif.Term
	Rules                 []kif.Term
	StartClock, PlayClock time.Duration
	Received              time.Time // when the request came in; the clocks run from here
}

// Play is a PLAY message, or a STOP message (the final moves).
type Play struct {
	Match    string
	Moves    []kif.Term // in role order; nil in the first turn (NIL)
	Received time.Time
}

// Player is what the server serves. Methods are called concurrently,
// overlapping calls for one match included; Play returns in time whatever
// happens. ctx ends when the manager is seen to have gone.
type Player interface {
	// Info returns the player's name and "available" or "busy".
	Info() (name, status string)
	// Admits tells whether a message of that kind can be of use: a PLAY or a
	// STOP of a match in play, a START while there is room, a PREVIEW at all
	// (without an id). What is not admitted is answered without being read.
	Admits(kind Kind, match string) bool
	Preview(ctx context.Context, rules []kif.Term, clock time.Duration)
	// Start returns "ready" or "busy".
	Start(ctx context.Context, m Start) (reply string)
	// Play returns the move; false means that the match is unknown ("busy").
	Play(ctx context.Context, m Play) (move kif.Term, ok bool)
	// Stop returns "done", or "busy" for an unknown match; Abort "aborted".
	Stop(ctx context.Context, m Play) (reply string)
	Abort(ctx context.Context, match string) (reply string)
}
