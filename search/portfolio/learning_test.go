package portfolio

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/search"
	"semisplit/search/engine"
	"semisplit/search/internal/toys"
	"semisplit/search/minimax"
)

// constant is an evaluation by which all states are worth the same to the first of two
// roles.
type constant float64

func (c constant) Values(_ []uint64, values []float64) {
	values[0], values[1] = float64(c), 1-float64(c)
}

// pupil notes what it is asked, and has learned a constant.
type pupil struct {
	states [][]uint64
	fault  error
	hasty  bool // there is never time enough
	until  time.Time
	worth  constant
}

func (p *pupil) Learn(state []uint64, _ *atomic.Bool, until time.Time) (learned bool, err error) {
	p.states, p.until = append(p.states, slices.Clone(state)), until
	if p.fault != nil {
		panic(p.fault)
	}
	return !p.hasty, nil
}

func (p *pupil) Evaluation() engine.Evaluator { return p.worth }

// learning is alpha-beta at the initial state of a game that is too large to be solved.
func learning(t *testing.T, p *pupil, beside bool) (*Learning, toys.Game) {
	t.Helper()
	g := toys.Long{}
	l := NewLearning(minimax.NewAlphaBeta([]engine.Engine{toys.NewEngine(g, 16, 1)}, g.Levels(), minimax.Options{Evaluate: constant(0.3)}), func() Learner { return p }, beside)
	if err := l.SetRoot(g.Initial()); err != nil {
		t.Fatal(err)
	}
	return l, g
}

// Idle time is for learning, and what it has brought is what the next root goes by.
func TestLearning(t *testing.T) {
	p := &pupil{worth: 0.8}
	l, g := learning(t, p, false)
	for _, b := range []search.Budget{{Time: 20 * time.Millisecond}, {States: 500, Idle: true}, {Iterations: 500, Idle: true}} {
		if r, err := l.Search(nil, b); err != nil || len(p.states) > 0 || r.States == 0 {
			t.Fatalf("%+v: learned %d times, %d states, %v", b, len(p.states), r.States, err)
		}
	}
	for _, time := range []time.Duration{200 * time.Millisecond, 200 * time.Millisecond} {
		r, err := l.Search(nil, search.Budget{Time: time, Idle: true})
		if err != nil || r.States == 0 || !near(r.Value[0], 0.3) {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if len(p.states) != 2 || !slices.Equal(p.states[0], g.Initial()) {
		t.Fatalf("learned from %v", p.states)
	}
	path, ok := l.Best(0)
	if !ok {
		t.Fatal("there is no move")
	}
	joint := append(slices.Clone(path), g.Offers(g.Initial(), 1, nil)[0])
	next := g.Play(g.Initial(), joint)
	if !l.Advance(joint) {
		t.Fatal("nothing was kept")
	}
	r, err := l.Search(nil, search.Budget{Time: 20 * time.Millisecond})
	if err != nil || !near(r.Value[0], 0.8) || !slices.Equal(l.State(), next) {
		t.Errorf("after learning: %+v, %v", r, err)
	}
}

// What idle time has brought serves the same root too, when a move of it is wanted.
func TestLearningForTheRoot(t *testing.T) {
	p := &pupil{worth: 0.8}
	l, _ := learning(t, p, false)
	if r, err := l.Search(nil, search.Budget{Time: 200 * time.Millisecond, Idle: true}); err != nil || !near(r.Value[0], 0.3) {
		t.Fatalf("%+v, %v", r, err)
	}
	if r, err := l.Search(nil, search.Budget{Time: 20 * time.Millisecond}); err != nil || !near(r.Value[0], 0.8) {
		t.Errorf("%+v, %v", r, err)
	}
}

func near(a, b float64) bool { return a > b-0.01 && a < b+0.01 }

// A learner that breaks down is asked no more, and the search goes on.
func TestLearnerBreaksDown(t *testing.T) {
	p := &pupil{worth: 0.8, fault: errors.New("broken")}
	l, _ := learning(t, p, false)
	for range 3 {
		if r, err := l.Search(nil, search.Budget{Time: 200 * time.Millisecond, Idle: true}); err != nil || !near(r.Value[0], 0.3) {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if len(p.states) != 1 {
		t.Errorf("asked %d times", len(p.states))
	}
	if err := l.SetRoot(l.State()); err != nil {
		t.Fatal(err)
	}
	if r, err := l.Search(nil, search.Budget{Time: 20 * time.Millisecond}); err != nil || !near(r.Value[0], 0.3) {
		t.Errorf("%+v, %v", r, err)
	}
}

// Where nothing was learned what is known of states stays.
func TestLearningTakesLong(t *testing.T) {
	p := &pupil{worth: 0.8, hasty: true}
	l, g := learning(t, p, false)
	if _, err := l.Search(nil, search.Budget{Time: 20 * time.Millisecond, Idle: true}); err != nil || len(p.states) != 1 {
		t.Fatal(len(p.states), err)
	}
	if !l.Advance([]uint32{0, g.Offers(g.Initial(), 1, nil)[0]}) {
		t.Fatal("nothing was kept")
	}
	if r, err := l.Search(nil, search.Budget{Time: 20 * time.Millisecond}); err != nil || !near(r.Value[0], 0.3) {
		t.Errorf("%+v, %v", r, err)
	}
}

// What learns beside a search stops before it, for a lesson takes its time.
func TestLearningBesideEndsFirst(t *testing.T) {
	p := &pupil{worth: 0.8}
	l, _ := learning(t, p, true)
	var stop atomic.Bool
	stop.Store(true)
	deadline := time.Now().Add(time.Hour)
	if _, err := l.Search(&stop, search.Budget{Deadline: deadline}); err != nil || len(p.states) != 1 || deadline.Sub(p.until) < 10*time.Minute {
		t.Errorf("learned %d times, until %v before the deadline, %v", len(p.states), deadline.Sub(p.until), err)
	}
}

// learns waits for the end of a turn.
func learns(l *Learning) bool {
	for range 1000 {
		if !l.isLearning() {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return true
}

// With a thread of its own it learns in every turn.
func TestLearningBeside(t *testing.T) {
	p := &pupil{worth: 0.8}
	l, g := learning(t, p, true)
	if r, err := l.Search(nil, search.Budget{States: 500}); err != nil || len(p.states) > 0 || r.States == 0 {
		t.Fatalf("learned %d times, %d states, %v", len(p.states), r.States, err)
	}
	if r, err := l.Search(nil, search.Budget{Time: 20 * time.Millisecond}); err != nil || learns(l) || len(p.states) != 1 || !near(r.Value[0], 0.3) {
		t.Fatalf("learned %d times, %+v, %v", len(p.states), r, err)
	}
	if !l.Advance([]uint32{0, g.Offers(g.Initial(), 1, nil)[0]}) {
		t.Fatal("nothing was kept")
	}
	if r, err := l.Search(nil, search.Budget{Time: 20 * time.Millisecond, Idle: true}); err != nil || learns(l) || len(p.states) != 2 || !near(r.Value[0], 0.8) {
		t.Errorf("learned %d times, %+v, %v", len(p.states), r, err)
	}
	p.fault = errors.New("broken")
	for range 2 {
		if _, err := l.Search(nil, search.Budget{Time: 20 * time.Millisecond}); err != nil || learns(l) {
			t.Error(err)
		}
	}
	if len(p.states) != 3 {
		t.Errorf("asked %d times", len(p.states))
	}
}

// lesson is what a learner learns of that takes longer than a search, unless it is stopped.
type lesson struct {
	begun, halted atomic.Int32
	enough        atomic.Bool
}

func (p *lesson) Learn(_ []uint64, stop *atomic.Bool, _ time.Time) (learned bool, err error) {
	p.begun.Add(1)
	for !p.enough.Load() {
		if stop.Load() {
			p.halted.Add(1)
			return false, nil
		}
		time.Sleep(time.Millisecond)
	}
	return true, nil
}

func (p *lesson) Evaluation() engine.Evaluator { return constant(0.8) }

// A lesson that is longer than a slice of a search goes on in the next one. It ends where the
// search is stopped or the root changes.
func TestLearningBesideGoesOn(t *testing.T) {
	p, g := new(lesson), toys.Long{}
	think := func(l *Learning, stop *atomic.Bool) {
		t.Helper()
		if r, err := l.Search(stop, search.Budget{Time: 20 * time.Millisecond}); err != nil || !near(r.Value[0], 0.3) {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	begun := func(learner Learner) *Learning {
		l := NewLearning(minimax.NewAlphaBeta([]engine.Engine{toys.NewEngine(g, 16, 1)}, g.Levels(), minimax.Options{Evaluate: constant(0.3)}), func() Learner { return learner }, true)
		if err := l.SetRoot(g.Initial()); err != nil {
			t.Fatal(err)
		}
		return l
	}
	l := begun(p)
	for range 3 {
		think(l, nil)
	}
	if p.begun.Load() != 1 || p.halted.Load() != 0 {
		t.Fatalf("begun %d times, halted %d times", p.begun.Load(), p.halted.Load())
	}
	p.enough.Store(true)
	if learns(l) || !l.Advance([]uint32{0, g.Offers(g.Initial(), 1, nil)[0]}) {
		t.Fatal("nothing was kept")
	}
	if r, err := l.Search(nil, search.Budget{States: 500}); err != nil || !near(r.Value[0], 0.8) {
		t.Errorf("after learning: %+v, %v", r, err)
	}
	for i, end := range []func(l *Learning){
		func(l *Learning) {
			var stop atomic.Bool
			time.AfterFunc(5*time.Millisecond, func() { stop.Store(true) })
			_, _ = l.Search(&stop, search.Budget{Time: time.Hour})
		},
		func(l *Learning) { l.Advance([]uint32{0, 4}) },
		func(l *Learning) { _ = l.SetRoot(g.Initial()) },
	} {
		p := new(lesson)
		l := begun(p)
		think(l, nil)
		if end(l); p.begun.Load() != 1 || p.halted.Load() != 1 {
			t.Errorf("end %d: begun %d times, halted %d times", i, p.begun.Load(), p.halted.Load())
		}
	}
}
