package prover

import (
	"cmp"
	"errors"
	"sync/atomic"

	"semisplit/reasoner/gdl"
)

// Limits bounds what the evaluation of one state may grow to. A zero means
// the default.
type Limits struct {
	Facts int // words of derived rows and suspended rules in a state (4 bytes each, tables included)
	Terms int // terms that a single state may add to the store, of up to 16 arguments on average
	Depth int // nesting of a term
	Size  int // symbols of a term, written out
	State int // symbols of all fluents of a state, written out
	Moves int // legal moves of a role that are listed; see Engine.Partial

	// Stop, if not nil, ends the making of a machine with ErrStopped when it is
	// set. The engines of a machine are stopped in their Steps.
	Stop *atomic.Bool
}

// DefaultLimits are generous: they stop rules without end, not large games. A
// state is spelled whole in records and in messages between machines: a million
// symbols take about 60 MB then, and 5 MB of text.
var DefaultLimits = Limits{
	Facts: 50_000_000, Terms: 3_000_000, Depth: gdl.MaxTermDepth, Size: gdl.MaxTermSize,
	State: 1 << 20, Moves: 1 << 16,
}

func (l Limits) orDefault() Limits {
	l.Facts = cmp.Or(l.Facts, DefaultLimits.Facts)
	l.Terms = cmp.Or(l.Terms, DefaultLimits.Terms)
	l.Depth = cmp.Or(l.Depth, DefaultLimits.Depth)
	l.Size = cmp.Or(l.Size, DefaultLimits.Size)
	l.State = cmp.Or(l.State, DefaultLimits.State)
	l.Moves = cmp.Or(l.Moves, DefaultLimits.Moves)
	return l
}

var (
	// ErrStopped says that the evaluation was told to stop.
	ErrStopped = errors.New("prover: stopped")
	// ErrLimit says that a state needs more facts, terms or depth than allowed.
	ErrLimit = errors.New("prover: limit exceeded")
)

// unwind is thrown to leave an evaluation.
type unwind struct{ err error }
