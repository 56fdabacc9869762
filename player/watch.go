package player

import (
	"time"

	"semisplit/internal/guard"
	"semisplit/kif"
	"semisplit/player/local"
	"semisplit/search"
)

// What Config.Watch is told. The terms belong to the match: who keeps those of
// WatchStart beyond the call copies them, since they keep the whole message.
type (
	// WatchStart: a match has begun.
	WatchStart struct {
		Match                 string
		Role                  kif.Term
		Player                string // the agent's name
		Rules                 []kif.Term
		StartClock, PlayClock time.Duration
	}

	// WatchState: the player stands at a state. After a state was told, a step may be
	// told again where moves had to be mended.
	WatchState struct {
		Match    string
		Role     kif.Term
		Step     int        // joint moves played
		Moves    []kif.Term // the last of them; nil in the initial state
		State    []kif.Term
		Terminal bool
		Goals    []int // by role, 0 to 100, of a terminal state
	}

	// WatchMind: this is what the search thinks. It comes every now and then while
	// the player thinks.
	WatchMind struct {
		Match string
		Role  kif.Term
		Step  int
		Mind  local.Mind
	}

	// WatchChoice: the automatic choice of the way to play has been made.
	WatchChoice struct {
		Match     string
		Role      kif.Term
		Name, Why string
		NoTrials  string // why there were no trial matches; "": there were
		Elapsed   time.Duration
	}

	// WatchEnd: the player has left the match.
	WatchEnd struct {
		Match string
		Role  kif.Term
	}
)

// How often the watch is told of a search, and of how many moves.
const (
	showEvery = 400 * time.Millisecond
	mostShown = 12
)

func (w *worker) show(event any) {
	if w.watch != nil {
		w.watch(event)
	}
}

// showState tells of the state that the position has reached by moves.
func (w *worker) showState(moves []kif.Term) {
	if w.watch == nil || w.position == nil {
		return
	}
	b := w.position.board
	err := guard.Run(func() error {
		e := WatchState{
			Match: w.start.Match, Role: w.start.Role, Step: len(w.position.history), Moves: moves, State: b.Fluents(), Terminal: b.Terminal(),
		}
		if e.Terminal {
			e.Goals = b.Goals()
		}
		w.watch(e)
		return nil
	})
	if err != nil {
		w.log.Error("the state could not be shown", "match", w.start.Match, "error", err)
	}
}

// showMind tells what the search thinks, if nothing has been told for a while.
func (w *worker) showMind(r search.Report) {
	if w.watch == nil || r.Iterations == 0 || time.Since(w.shown) < showEvery {
		return
	}
	w.shown = time.Now()
	w.watch(WatchMind{
		Match: w.start.Match, Role: w.start.Role, Step: len(w.position.history),
		Mind: local.MindOf(w.position.board.Machine(), w.position.tree, r, mostShown),
	})
}
