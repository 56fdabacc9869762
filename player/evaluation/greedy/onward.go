package greedy

import (
	"slices"
	"sync/atomic"
	"time"

	"semisplit/player/evaluation"
	"semisplit/reasoner"
	"semisplit/search/engine"
)

// Onward learns on while a match goes on, from matches that begin at a state of it: what
// pieces are worth in general says little of the race or the attack at hand (temporal
// difference search: D. Silver, R. Sutton, M. Müller, Temporal-Difference Search in
// Computer Go, 2012).
type Onward struct {
	play
	adjust  *evaluation.Adjuster
	from    []uint64
	waiting int        // matches that are learned from next
	states  [][]uint64 // of these
	worth   []float32  // of the states, by role
	lessons int        // that the evaluation has learned
}

const (
	onwardOpening = 4   // joint moves at random before the evaluation plays, at most
	onwardLambda  = 0.8 // of returns

	// fewestTogether matches are learned from at the end of the time; fewer wait for others.
	fewestTogether = sideBySide / 2
)

// onwardSteps are those while a match goes on (docs/experiments/results/learning.md, "Learning
// on in a match").
var onwardSteps = evaluation.Steps{Rate: 0.01, First: 100}

// NewOnward begins with what was learned before the match.
func NewOnward(m reasoner.Machine, e *evaluation.Evaluation, seed uint64) *Onward {
	o := &Onward{play: newPlay(m, seed), adjust: evaluation.NewAdjuster(e, onwardSteps)}
	o.newMatch, o.matchEnded = o.begin, o.learn
	o.playBy(e)
	return o
}

// Learn plays matches from a state until a moment, or until it is stopped, and learns
// from those that end, many at a time; false: too few did. Those that have not ended go on
// at the next call for the same state.
func (o *Onward) Learn(state []uint64, stop *atomic.Bool, until time.Time) (learned bool, err error) {
	before := o.lessons
	if !slices.Equal(state, o.from) {
		o.from = slices.Clone(state)
		o.adjust.Loosen()
		o.beginAll()
	}
	for !stop.Load() && time.Now().Before(until) {
		if err := o.turn(stop); err != nil && !stop.Load() {
			return false, err
		}
	}
	if o.waiting >= fewestTogether {
		o.lesson()
	}
	return o.lessons > before, nil
}

// Evaluation is what was learned so far.
func (o *Onward) Evaluation() engine.Evaluator { return o.adjust.Evaluation() }

func (o *Onward) begin(k int) match {
	m := match{state: slices.Clone(o.from), opening: o.random.IntN(onwardOpening + 1), epsilon: usualEpsilon}
	if k%wildEvery == 0 {
		m.epsilon = wildEpsilon
	}
	return m
}

// learn keeps a match, and learns from it with others that ended beside it.
func (o *Onward) learn(match *match, goals []float32) {
	aim(match, goals, onwardLambda)
	o.states = append(o.states, match.past...)
	o.worth = append(o.worth, match.thought[:len(match.past)*len(goals)]...)
	if o.waiting++; o.waiting == sideBySide {
		o.lesson()
	}
}

// lesson learns from the matches that wait for it, and has the next ones go by that.
func (o *Onward) lesson() {
	o.adjust.Learn(o.states, o.worth, o.random)
	o.states, o.worth, o.waiting = o.states[:0], o.worth[:0], 0
	o.lessons++
	o.playBy(o.adjust.Evaluation())
}
