package reasonertest

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"semisplit/kif"
	"semisplit/reasoner"
)

// A small game with turns, a coin that the second role may turn, and an end.
const rules = `
	(role mover) (role turner)
	(init (step 0)) (init (coin heads))
	(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
	(legal mover walk) (legal mover run)
	(legal turner turn) (legal turner keep)
	(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
	(<= (next (ran ?n)) (true (step ?n)) (does mover run))
	(<= (next (ran ?n)) (true (ran ?n)))
	(<= (next (coin heads)) (true (coin tails)) (does turner turn))
	(<= (next (coin tails)) (true (coin heads)) (does turner turn))
	(<= (next (coin ?x)) (true (coin ?x)) (does turner keep))
	(<= terminal (true (step 4)))
	(<= (goal mover 100) (true (ran 3)))
	(<= (goal turner 100) (true (coin tails)))
	(<= (goal turner 20) (true (coin heads)))`

// recorder is a test that may fail without harm.
type recorder struct {
	failures []string
}

func (r *recorder) Helper()             {}
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) Errorf(format string, args ...any) {
	r.failures = append(r.failures, fmt.Sprintf(format, args...))
}
func (r *recorder) Fatalf(format string, args ...any) {
	r.Errorf(format, args...)
	runtime.Goexit()
}
func (r *recorder) Failed() bool { return len(r.failures) > 0 }

// watch runs a test until it ends or gives up.
func (r *recorder) watch(test func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		test()
	}()
	<-done
}

// liar is a machine that is wrong in one thing.
type liar struct {
	reasoner.Machine
	about string
}

func (l liar) NewEngine(seed uint64) reasoner.Engine {
	return &lyingEngine{Engine: l.Machine.NewEngine(seed), m: l, about: l.about}
}

func (l liar) Initial() []uint64 {
	if l.about == "initial" {
		state, _ := l.Encode([]kif.Term{kif.Symbol("nothing")})
		return state
	}
	return l.Machine.Initial()
}

func (l liar) Path(role int, move kif.Term) ([]uint32, bool) {
	path, ok := l.Machine.Path(role, move)
	if l.about == "path" {
		return path, false
	}
	return path, ok
}

func (l liar) GoalValues(role int, state []uint64) []int {
	if l.about == "goal values" {
		return []int{0}
	}
	return l.Machine.GoalValues(role, state)
}

type lyingEngine struct {
	reasoner.Engine
	m     liar
	about string
	given bool
}

func (e *lyingEngine) Load(lane int, state []uint64, joint []uint32) {
	e.given = joint != nil
	if e.about == "joint" && joint != nil {
		joint = append([]uint32(nil), joint...)
		joint[0], _ = e.other(joint[0])
	}
	e.Engine.Load(lane, state, joint)
}

// other is the other move of the first role.
func (e *lyingEngine) other(k uint32) (uint32, bool) {
	for _, name := range []string{"walk", "run"} {
		if path, ok := e.m.Machine.Path(0, kif.Symbol(name)); ok && path[0] != k {
			return path[0], true
		}
	}
	return k, false
}

func (e *lyingEngine) Step(stop *atomic.Bool) ([]uint64, error) {
	ended, err := e.Engine.Step(stop)
	if err == nil && e.about == "terminal" {
		return []uint64{0}, nil
	}
	return ended, err
}

func (e *lyingEngine) State(lane int, dst []uint64) []uint64 {
	dst = e.Engine.State(lane, dst)
	if e.about == "random" && !e.given {
		// A state that no move leads to: the one before any step.
		return append(dst[:0], e.m.Machine.Initial()...)
	}
	return dst
}

func (e *lyingEngine) Goals(lane int, dst []float64) {
	e.Engine.Goals(lane, dst)
	if e.about == "goals" {
		dst[1] = 1
	}
}

func (e *lyingEngine) Offers(lane, role int, prefix []uint32, dst []uint32) []uint32 {
	dst = e.Engine.Offers(lane, role, prefix, dst)
	if e.about == "offers" && len(dst) > 1 {
		dst = dst[1:]
	}
	return dst
}

// TestLiars makes sure that the suite sees what is wrong, and only that.
func TestLiars(t *testing.T) {
	g, _ := Read(t, "coin", rules)
	g.Seeds, g.Rounds, g.Time = []uint64{1, 2}, 40, time.Minute
	for _, about := range []string{
		"nothing", "initial", "path", "goal values", "joint", "terminal", "random", "goals", "offers",
	} {
		r := &recorder{}
		r.watch(func() { check(r, g, liar{Machine: g.Oracle, about: about}) })
		if r.Failed() != (about != "nothing") {
			t.Errorf("a machine that lies about %s: failures %v", about, r.failures)
		}
	}
}

func TestDifference(t *testing.T) {
	terms := func(names ...string) (out []kif.Term) {
		for _, n := range names {
			out = append(out, kif.Symbol(n))
		}
		return out
	}
	for _, c := range []struct {
		want, got []kif.Term
		text      string
	}{
		{terms("b", "a"), terms("a", "b"), ""},
		{nil, nil, ""},
		{terms("a", "b"), terms("c", "b"), "missing [a], extra [c]"},
		{terms("a"), terms("a", "a"), "missing [], extra [a]"},
	} {
		if got := difference(c.want, c.got); got != c.text {
			t.Errorf("difference(%v, %v) = %q, want %q", c.want, c.got, got, c.text)
		}
	}
}
