package player

import (
	"log/slog"
	"time"

	"semisplit/kif"
)

// Events are what the core is told. Those of the manager carry the number of
// the request that waits for a reply; those of a worker carry the instance of
// a match that they belong to, so that what a freed match still had to say is ignored.

// started is a START message. guess is a move that may be legal for the role,
// found without understanding the rules.
type started struct {
	req                   int
	match                 string
	role, guess           kif.Term
	startClock, playClock time.Duration
	received              time.Duration
}

// asked is a PLAY message; moves is nil for NIL.
type asked struct {
	req      int
	match    string
	moves    []kif.Term
	received time.Duration
}

// stopped is a STOP message, or an ABORT.
type stopped struct {
	req   int
	match string
	moves []kif.Term
	abort bool
}

// left says that whoever sent a request does not wait for its reply any more.
type left struct{ req int }

// ticked says that time has passed.
type ticked struct{}

// told is what the worker of an instance of a match tells: one of the following.
type told struct {
	instanceID int
	event      any
}

// prepared: the rules can be played (the prover is there), or they cannot.
type prepared struct {
	role int // index of our role
	kind string
	err  error
}

// positioned: the worker stands at the state of a turn.
type positioned struct {
	turn     int
	legal    int      // number of our legal moves
	move     kif.Term // a random one of them, if there is any
	again    bool     // the joint move that led here is legal here as well
	terminal bool
	note     string // what had to be mended to get here
}

// foreseen: a legal move of a turn where the worker does not stand yet, or, if it
// is not sure, of an earlier one.
type foreseen struct {
	turn int
	move kif.Term
	sure bool
}

// rejected: the joint move of a turn cannot be played; nothing has changed.
type rejected struct {
	turn int
	why  error
}

// thought is what a search knows so far.
type thought struct {
	move                        kif.Term
	found                       bool    // move is meaningful
	value                       float64 // mean goal of our role, in [0, 1]
	line                        string
	playouts, iterations, nodes int64
}

// progress: the search of a turn goes on and has a best move.
type progress struct {
	turn int
	thought
}

// searchEnd tells why a search ended.
type searchEnd int

const (
	endHalted searchEnd = iota // on request
	endDone                    // there is nothing more to find, or the budget is spent
	endFault                   // it broke down
)

// searched: the search of a turn has ended.
type searched struct {
	turn  int
	end   searchEnd
	fault error
	thought
}

// improved: a better machine is ready to be adopted.
type improved struct{}

// choosing: the automatic choice wants the processors for itself, or no longer.
type choosing struct{ busy bool }

// compiled: no better machine will come.
type compiled struct{ err error }

// adopted: the worker has changed its machine, or failed to.
type adopted struct {
	kind  string
	plan  string // how it splits the moves
	lanes int
	err   error
}

// Actions are what the core wants done, in order.

// reply answers a request: with a move if ok, else with the text.
type reply struct {
	req  int
	text string
	move kif.Term
	ok   bool
}

// order is a task for the worker of an instance. Orders are carried out one after
// the other.
type order struct {
	instanceID int
	task       any
}

// The tasks.
type (
	prepare struct{}
	advance struct {
		turn  int
		from  int // the turn before; what was played after it is taken back
		moves []kif.Term
		force bool // play something even if the moves make no sense
	}
	startSearch      struct{ turn int } // search until halted or finished
	adopt            struct{}
	fallBackToProver struct{} // to the prover, without the tree
)

// halt ends the last search that was ordered, whether it has begun or not.
type halt struct{ instanceID int }

// free ends an instance. moves are the final moves, if they are known; they were played in
// a turn.
type free struct {
	instanceID int
	turn       int
	moves      []kif.Term
}

// note is a line of the log.
type note struct {
	level slog.Level
	text  string
	attrs []slog.Attr
}
