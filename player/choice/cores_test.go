package choice

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/internal/cores"
	"semisplit/internal/testenv"
	"semisplit/player/agent"
	"semisplit/player/evaluation"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/reasoner/lanes"
)

// watched is a machine whose engines count the Steps that they make beside
// other work: without a core of their own, or with more dealt out than there are.
type watched struct {
	reasoner.Machine
	steps, beside *atomic.Int64
}

func (m watched) NewEngine(seed uint64) reasoner.Engine {
	return watchedEngine{m.Machine.NewEngine(seed).(*lanes.Engine), m}
}

type watchedEngine struct {
	*lanes.Engine
	m watched
}

func (e watchedEngine) Step(stop *atomic.Bool) ([]uint64, error) {
	e.m.steps.Add(1)
	if n := cores.Used(); n < 1 || n > runtime.GOMAXPROCS(0) {
		e.m.beside.Add(1)
	}
	return e.Engine.Step(stop)
}

// oneWatched is the source of a choice on a watched machine.
type oneWatched struct{ m watched }

func (oneWatched) Done() <-chan struct{} {
	done := make(chan struct{})
	close(done)
	return done
}
func (s oneWatched) Best() reasoner.Machine { return s.m }
func (s oneWatched) Trials() []reasoner.Trial {
	return []reasoner.Trial{{Plan: s.m.Plan(), Machine: s.m, Lanes: s.m.Lanes(), Speed: 1}}
}

// Choices that are made at the same time measure, learn and play their trial
// matches in turns, each with the cores that it uses. Where the clock runs out
// before there was a core, a measurement goes on beside others: how much of it does
// is a matter of the machine, and asked in the long run only.
func TestChoicesTakeTurns(t *testing.T) {
	clock := 400 * time.Millisecond
	if testenv.Long() {
		clock = 1500 * time.Millisecond
	}
	for _, n := range []int{1, 2} {
		func() {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
			base, err := agent.Find("auto")
			if err != nil {
				t.Fatal(err)
			}
			program := gametest.Bundled(t, "tictactoe")
			m := watched{gametest.Lanes(t, program, "orthodox"), new(atomic.Int64), new(atomic.Int64)}
			var group sync.WaitGroup
			for range 2 {
				group.Go(func() {
					o := Options{Time: clock, Play: time.Second, Threads: 2, Seed: 1}
					if _, err := Among(t.Context(), oneWatched{m}, program, base, reasoner.DefaultLimits, o); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
			if m.steps.Load() == 0 || testenv.Long() && m.beside.Load()*2 > m.steps.Load() {
				t.Errorf("%d cores: %d of %d Steps beside other work", n, m.beside.Load(), m.steps.Load())
			}
			if cores.Used() != 0 {
				t.Errorf("%d cores were not given back", cores.Used())
			}
		}()
	}
}

// paced is a machine a Step of which takes some time.
type paced struct{ reasoner.Machine }

func (m paced) NewEngine(seed uint64) reasoner.Engine {
	return pacedEngine{m.Machine.NewEngine(seed).(*lanes.Engine)}
}

type pacedEngine struct{ *lanes.Engine }

func (e pacedEngine) Step(stop *atomic.Bool) ([]uint64, error) {
	time.Sleep(time.Millisecond)
	return e.Engine.Step(stop)
}

// Where others keep the cores for long, something is learned beside them.
func TestLearnsBesideOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := runtime.GOMAXPROCS(0)
		cores.Force(all)
		defer cores.Force(-all)
		program := gametest.Bundled(t, "tictactoe")
		m := paced{gametest.Lanes(t, program, "orthodox")}
		p := PlanReport{Trial: reasoner.Trial{Plan: "orthodox", Machine: m, Lanes: m.Lanes()}, Length: 8, PlayoutsPerSecond: 1e6}
		c := &chooser{
			Choice:  Choice{Options: Options{Time: 2 * time.Second, Play: time.Second, Threads: 1, Seed: 1}, Plans: []PlanReport{p}},
			program: program, base: agent.Automatic(), source: oneMachine{m}, begun: time.Now(),
		}
		if c.learn(t.Context()); c.Evaluations[evaluation.FromMatches] == nil || time.Since(c.begun) > c.until(measureShare).Sub(c.begun) {
			t.Errorf("after %v: %s", time.Since(c.begun), c.NoEvaluation)
		}
	})
}
