package referee

import (
	"errors"
	"fmt"

	"semisplit/internal/printable"
	"semisplit/internal/words"
	"semisplit/kif"
	"semisplit/protocol"
)

// Why a match does not begin, or end.
var (
	// ErrRules is wrapped by the error of a match that its rules do not allow to
	// be finished.
	ErrRules = errors.New("the rules cannot be followed")
	// ErrStart is wrapped by the error of a match that did not begin, since a
	// player cannot be reached or refuses it.
	ErrStart = errors.New("the match did not begin")
	// ErrLeft is wrapped by the error of a seat whose player has left. It ends
	// the match.
	ErrLeft = errors.New("the match was left")
	// ErrResigned is wrapped by the error of a seat whose player gives the match up.
	// It ends the match.
	ErrResigned = errors.New("it gave the match up")
	// ErrUndo is the error of a seat whose player takes a move back. The match goes
	// on from the last turn in which that player had a choice.
	ErrUndo = errors.New("a move is taken back")
	// ErrBusy is the error of a player that says busy: to START it refuses the
	// match, later it does not know it, or knows it no longer, and does not take it
	// anew either.
	ErrBusy = errors.New("it says busy, and does not play this match")
)

// isBusy tells whether a reply is a refusal.
func isBusy(reply kif.Term) bool { return kif.EqualFold(reply, kif.Symbol("busy")) }

// player names who plays a role, for errors.
func (m *match) player(role int) string {
	return fmt.Sprintf("%s (%s)", spell(m.roles[role]), printable.Text(m.Seats[role].Name(), printable.LogLimit))
}

// lost counts the moves of one player that had to be replaced.
type lost struct {
	turns      int   // so far
	connection int   // turns whose message or reply got lost
	busy       int   // turns that were answered busy
	row        int   // faults at the end, one after the other
	first      error // of connection
}

// failedRow is how many moves replaced at the end of a match make a failure.
const failedRow = 3

// count takes a turn.
func (l *lost) count(fault string, why error) {
	l.turns++
	if l.row++; fault == "" {
		l.row = 0
	}
	switch {
	case fault == protocol.FaultConnection:
		if l.connection++; l.first == nil {
			l.first = why
		}
	case errors.Is(why, ErrBusy):
		l.busy++
	}
}

// failure tells how the player of that name failed; nil: it did not. A late
// reply or an illegal move here and there is a fault of its play. It has failed
// if a message or reply got lost, since it is sent once; if it does not know
// the match; and if nothing of its last three turns, or of all if there were
// fewer, could be played.
func (l *lost) failure(name string) error {
	switch {
	case l.connection > 0:
		return fmt.Errorf("%s: no connection in %d of %d turns: %w", name, l.connection, l.turns, l.first)
	case l.busy > 0:
		return fmt.Errorf("%s: %w (its reply in %d of %d turns)", name, ErrBusy, l.busy, l.turns)
	case l.row >= min(l.turns, failedRow):
		return fmt.Errorf("%s: no legal move in time in its last %s", name, words.Count(l.row, "turn", "turns"))
	}
	return nil
}

// leaving is an ErrLeft that says why.
type leaving string

func (l leaving) Error() string { return string(l) }

// Is makes it an ErrLeft.
func (l leaving) Is(target error) bool { return target == ErrLeft }
