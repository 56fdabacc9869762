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
	// Learn learns until a moment, or until it is stopped.
	Learn(state []uint64, stop *atomic.Bool, until time.Time) error

	// Evaluation is what was learned so far.
	Evaluation() engine.Evaluator
}

// Learning is alpha-beta that learns on while others choose: most of the time that is idle
// goes to a Learner, and the next roots are searched by what it has learned.
type Learning struct {
	*minimax.AlphaBeta
	learner Learner // nil: it has broken down
	learned bool    // something, since the evaluation of the search was made
}

var _ search.Algorithm = (*Learning)(nil)

// idleSearch is the part of idle time in which alpha-beta goes on by the evaluation of
// before: it says what it thinks of the root, and its best moves are tried first later.
const idleSearch = 0.2

// NewLearning makes one of an alpha-beta search without a root.
func NewLearning(a *minimax.AlphaBeta, l Learner) *Learning {
	return &Learning{AlphaBeta: a, learner: l}
}

// SetRoot is search.Algorithm.SetRoot.
func (l *Learning) SetRoot(state []uint64) error {
	l.useLearned()
	return l.AlphaBeta.SetRoot(state)
}

// Advance is search.Algorithm.Advance.
func (l *Learning) Advance(joint []uint32) (kept bool) {
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
	if b.Time > 0 && (b.Deadline.IsZero() || start.Add(b.Time).Before(b.Deadline)) {
		b.Deadline = start.Add(b.Time)
	}
	b.Time = 0
	if !b.Idle || b.Iterations > 0 || b.States > 0 || b.Deadline.IsZero() || l.learner == nil || l.State() == nil || l.Decided() {
		return l.AlphaBeta.Search(stop, b)
	}
	if stop == nil {
		stop = new(atomic.Bool)
	}
	until := b.Deadline
	b.Deadline = start.Add(time.Duration(idleSearch * float64(until.Sub(start))))
	r, err := l.AlphaBeta.Search(stop, b)
	if err != nil || l.Decided() {
		return r, err
	}
	if fault := guard.Run(func() error { return l.learner.Learn(l.State(), stop, until) }); fault != nil {
		l.learner, l.learned = nil, false
		return r, nil // what was learned before still serves
	}
	l.learned = true
	r.Elapsed = time.Since(start)
	return r, nil
}
