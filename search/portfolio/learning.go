package portfolio

import (
	"sync/atomic"
	"time"

	"semisplit/internal/guard"
	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/minimax"
)

// Learner learns what states are worth from matches that begin at a state.
type Learner interface {
	// Learn learns until a moment, or until it is stopped; false: there was too little
	// time for anything.
	Learn(state []uint64, stop *atomic.Bool, until time.Time) (learned bool, err error)

	// Evaluation is what was learned so far.
	Evaluation() engine.Evaluator
}

// Learning is alpha-beta that learns on while others choose: most of the time that is idle
// goes to a Learner, or all of it and the rest on a thread of its own. By what was learned
// the next roots are searched, and in the first case the root itself when a move is wanted.
type Learning struct {
	*minimax.AlphaBeta
	begin   func() Learner // nil: it has begun
	learner Learner        // nil: it has not begun, or has broken down
	beside  bool           // it has a thread of its own
	learned bool           // something, since the evaluation of the search was made

	turn   chan struct{} // closed when the turn of the learner on its thread is over; nil: it has none
	halted *atomic.Bool  // ends that turn
}

var _ search.Algorithm = (*Learning)(nil)

// idleSearch is the part of idle time in which alpha-beta goes on by the evaluation of
// before: it says what it thinks of the root, and its best moves are tried first later.
const idleSearch = 0.2

// besideLearning is the part of a search's time in which a thread of its own learns: what it
// is at when the clock says stop has to end before a move can be sent.
const besideLearning = 0.8

// NewLearning makes one of an alpha-beta search without a root. The learner is made when
// there is time for it: in trial matches there is none. beside: it has a thread of its own.
func NewLearning(a *minimax.AlphaBeta, learner func() Learner, beside bool) *Learning {
	return &Learning{AlphaBeta: a, begin: learner, beside: beside}
}

// SetRoot is search.Algorithm.SetRoot.
func (l *Learning) SetRoot(state []uint64) error {
	l.endTurn()
	l.useLearned()
	return l.AlphaBeta.SetRoot(state)
}

// Advance is search.Algorithm.Advance.
func (l *Learning) Advance(joint []uint32) (kept bool) {
	l.endTurn()
	l.useLearned()
	return l.AlphaBeta.Advance(joint)
}

// useLearned has the search go by what was learned.
func (l *Learning) useLearned() {
	if l.learned {
		l.EvaluateBy(l.learner.Evaluation())
	}
	l.learned = false
}

// Search is search.Algorithm.Search. Budgets that count are for the search alone.
func (l *Learning) Search(stop *atomic.Bool, b search.Budget) (search.Report, error) {
	start := time.Now()
	b.Deadline, b.Time = b.Until(start), 0
	if stop == nil {
		stop = new(atomic.Bool)
	}
	switch counted := b.Iterations > 0 || b.States > 0; {
	case l.isLearning():
		return l.searchBeside(stop, b)
	case counted || b.Deadline.IsZero() || l.broken() || l.State() == nil || l.Decided():
		return l.AlphaBeta.Search(stop, b)
	case l.beside:
		l.beginTurn(time.Until(b.Deadline))
		return l.searchBeside(stop, b)
	case !b.Idle:
		l.useLearned() // the root is the one of idle time
		return l.AlphaBeta.Search(stop, b)
	}
	until := b.Deadline
	b.Deadline = start.Add(time.Duration(idleSearch * float64(until.Sub(start))))
	r, err := l.AlphaBeta.Search(stop, b)
	if err == nil && !l.Decided() {
		l.learn(stop, until)
		r.Elapsed = time.Since(start)
	}
	return r, err
}

// searchBeside searches while the learner is at its turn. When the time is over that goes on
// beside the next search: in slow games it takes longer than the slice of a match that is one
// search.
func (l *Learning) searchBeside(stop *atomic.Bool, b search.Budget) (search.Report, error) {
	defer func() {
		if l.isLearning() && (stop.Load() || b.Deadline.IsZero() || time.Now().Before(b.Deadline)) {
			l.endTurn()
		}
	}()
	return l.AlphaBeta.Search(stop, b)
}

// beginTurn has the learner learn on a thread of its own, beside a search of so much time.
func (l *Learning) beginTurn(searching time.Duration) {
	turn, halted := make(chan struct{}), new(atomic.Bool)
	l.turn, l.halted = turn, halted
	until := time.Now().Add(time.Duration(besideLearning * float64(searching)))
	go func() {
		defer close(turn)
		l.learn(halted, until)
	}()
}

// isLearning tells whether the learner is at its turn on a thread of its own.
func (l *Learning) isLearning() bool {
	select {
	case <-l.turn:
		l.turn = nil
	default:
	}
	return l.turn != nil
}

// endTurn ends the turn of the learner on its thread, if it has one.
func (l *Learning) endTurn() {
	if l.isLearning() {
		l.halted.Store(true)
		<-l.turn
		l.turn = nil
	}
}

// broken tells whether there is no learner any more.
func (l *Learning) broken() bool { return l.begin == nil && l.learner == nil }

// learn lets the learner learn from the root. After a fault of it the evaluation that the
// search goes by still serves.
func (l *Learning) learn(stop *atomic.Bool, until time.Time) {
	fault := guard.Run(func() error {
		if l.begin != nil {
			begin := l.begin
			l.begin = nil
			l.learner = begin()
		}
		learned, err := l.learner.Learn(l.State(), stop, until)
		l.learned = l.learned || learned
		return err
	})
	if fault != nil {
		l.learner, l.learned = nil, false
	}
}
