package choice

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/internal/cores"
	"semisplit/player/agent"
	"semisplit/player/evaluation"
	"semisplit/player/internal/gametest"
	"semisplit/reasoner"
	"semisplit/reasoner/reasonertest"
	"semisplit/search"
	"semisplit/search/engine"
)

// Playouts that see wins are for plans on which there is time to make their circuit. Where
// there is none the candidates play without, alpha-beta included.
func TestSightTakesItsTime(t *testing.T) {
	rules := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, rules, "orthodox")
	e := evaluation.New(make([]float64, 2), nil, nil)
	e.Source, e.Quality = evaluation.FromMatches, []evaluation.Quality{{Fitted: 0.1, Constant: 0.2}}
	for _, game := range []struct {
		time time.Duration
		sees agent.Vision
	}{{0, agent.VisionOff}, {time.Hour, agent.VisionAvoid}} {
		p := PlanReport{Trial: reasoner.Trial{Plan: "orthodox", Machine: m, Lanes: m.Lanes()}, Length: 9}
		c := &chooser{Choice: Choice{Options: Options{Time: game.time}, Plans: []PlanReport{p}}, base: agent.Automatic(), program: rules, limits: reasoner.DefaultLimits, source: oneMachine{m}, begun: time.Now()}
		c.Evaluations = map[evaluation.Source]*evaluation.Evaluation{e.Source: e}
		c.sight(t.Context())
		seeing, minimax := 0, 0
		for _, k := range candidates(c.base, c.Plans, c.Evaluations) {
			if k.Agent.Algorithm.Name == agent.NameAlphaBeta {
				minimax++
				if err := c.adapt(t.Context(), k); err != nil {
					t.Fatal(err)
				}
				if sees := k.machine.NewEngine(1).(engine.Seer).Sees(); sees != (game.sees != agent.VisionOff) {
					t.Errorf("%v: alpha-beta sees wins: %v", game.time, sees)
				}
			}
			if k.Agent.Algorithm.Parameters.TerminalVision != agent.VisionAvoid {
				continue
			}
			seeing++
			if err := c.adapt(t.Context(), k); err != nil {
				t.Fatal(err)
			}
			sees := k.machine.NewEngine(1).(engine.Seer).Sees()
			if vision := k.Agent.Algorithm.Parameters.TerminalVision; vision != game.sees || sees != (vision != agent.VisionOff) {
				t.Errorf("%v: %s has vision %q, and sees wins: %v", game.time, k.Name, vision, sees)
			}
		}
		if seeing == 0 || minimax == 0 || c.Plans[0].Blind != (game.sees == agent.VisionOff) {
			t.Errorf("%v: %d candidates, blind: %v", game.time, seeing, c.Plans[0].Blind)
		}
	}
}

// The longer matches take, the more of the time is for trial matches, until there are none.
func TestSchedule(t *testing.T) {
	for _, c := range []struct {
		playouts float64 // a second, in 512 lanes: a quarter of a trial match's move takes 1.75*512 of them
		want     schedule
	}{
		{1e6, schedule{learnShare, measureShare, true}},
		{4*1.75*512*80*6/5.2 + 500, schedule{learnShare, measureShare, true}},
		{4*1.75*512*80*6/5.2 - 500, schedule{triedLearnShare, triedMeasureShare, true}},
		{2*1.75*512*80*6/9 + 500, schedule{triedLearnShare, triedMeasureShare, true}},
		{2*1.75*512*80*6/9 - 500, schedule{longLearnShare, longMeasureShare, false}},
		{1, schedule{longLearnShare, longMeasureShare, false}},
	} {
		p := plan("orthodox", 0, 100)
		p.Lanes, p.PlayoutsPerSecond = 512, c.playouts
		choice := &chooser{Choice: Choice{Options: Options{Time: 20 * time.Second, Threads: 1}, Plans: []PlanReport{p}}, source: oneMachine{gametest.Lanes(t, gametest.Bundled(t, "tictactoe"), "orthodox")}}
		if got := choice.schedule(); got != c.want {
			t.Errorf("%.0f playouts a second: %+v, want %+v", c.playouts, got, c.want)
		}
	}
}

// Where there are no trial matches, few candidates are measured, and the best among them.
func TestFewAreMeasuredInSlowGames(t *testing.T) {
	rules := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, rules, "orthodox")
	p := PlanReport{Trial: reasoner.Trial{Plan: "orthodox", Machine: m, Lanes: m.Lanes()}, Length: 9, PlayoutsPerSecond: 1}
	c := &chooser{Choice: Choice{Options: Options{Time: time.Second, Threads: 1, Play: time.Second}, Plans: []PlanReport{p}}, program: rules, limits: reasoner.DefaultLimits, source: oneMachine{m}, begun: time.Now()}
	for range 2 {
		c.Candidates = append(c.Candidates, candidates(agent.Automatic(), c.Plans, nil)...)
	}
	for i, k := range c.Candidates {
		k.Reference = i == 0
	}
	c.measureCandidates(t.Context())
	var in, out []float64
	for _, k := range c.Candidates {
		switch {
		case k.failed == errNoFinalist:
			out = append(out, k.priorAt(1))
		case !k.Reference:
			in = append(in, k.priorAt(1))
		}
	}
	if len(in) != slowCandidates-1 || slices.Min(in) < slices.Max(out) {
		t.Errorf("measured are %.2f, not %.2f", in, out)
	}
}

// dragging is a machine whose playouts take an hour.
type dragging struct{ reasoner.Machine }

func (m dragging) NewEngine(seed uint64) reasoner.Engine {
	return draggingEngine{m.Machine.NewEngine(seed)}
}

type draggingEngine struct{ reasoner.Engine }

func (e draggingEngine) Step(*atomic.Bool) ([]uint64, error) {
	time.Sleep(10 * time.Millisecond)
	return make([]uint64, (e.Lanes()+63)/64), nil
}

// A plan none of whose playouts ended while it was measured is slow, not quick.
func TestPlayoutsThatDoNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := dragging{gametest.Lanes(t, gametest.Bundled(t, "tictactoe"), "orthodox")}
		p := PlanReport{Trial: reasoner.Trial{Plan: "orthodox", Machine: m, Lanes: m.Lanes()}}
		c := &chooser{Choice: Choice{Options: Options{Time: 20 * time.Second, Threads: 1}, Plans: []PlanReport{p}}, source: oneMachine{m}, begun: time.Now()}
		c.measurePlans(t.Context())
		if p := &c.Plans[0]; p.playoutTime() < slowPlanTime*9/10 || p.Length < 1 || c.schedule().trials {
			t.Errorf("a playout takes %v and %v joint moves; trial matches: %v", p.playoutTime(), p.Length, c.schedule().trials)
		}
	})
}

// A choice that has no machine in time waits for the first one, and no longer.
func TestAwaitsTheFirstMachine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const clock = time.Second
		for _, game := range []struct{ ready, want float64 }{{0, compileShare}, {0.5, 0.5}, {0.9, measureShare}} {
			c := &chooser{Choice: Choice{Options: Options{Time: clock}}, begun: time.Now()}
			c.source = readyLater{at: c.until(game.ready)}
			c.await(t.Context())
			if took := time.Since(c.begun); took < c.until(game.want).Sub(c.begun) || took > c.until(game.want).Sub(c.begun)+2*lookEvery {
				t.Errorf("ready after %v of the time: waited for %v", game.ready, took)
			}
		}
	})
}

// readyLater is the source of a choice that has a machine from a moment on.
type readyLater struct {
	oneMachine
	at time.Time
}

func (r readyLater) Trials() []reasoner.Trial {
	if time.Now().Before(r.at) {
		return nil
	}
	return []reasoner.Trial{{Plan: "orthodox", Machine: lanesOnly{}}}
}

// Where no trial match comes to an end in time, as beside a match that has the cores,
// candidates have the priors of a choice without any.
func TestTrialsThatDoNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := runtime.GOMAXPROCS(0)
		cores.Force(all)
		defer cores.Force(-all)
		minimax := agent.Default()
		minimax.Algorithm.Name = agent.NameAlphaBeta
		p := plan("orthodox", 0, 9)
		p.Lanes, p.PlayoutsPerSecond = 512, 1e6
		c := &chooser{Choice: Choice{Options: Options{Time: time.Second, Play: time.Second, Threads: 1}}, begun: time.Now()}
		c.source = oneMachine{gametest.Lanes(t, gametest.Bundled(t, "tictactoe"), "orthodox")}
		c.Candidates = []*Candidate{{Agent: minimax, Plan: &p, prior: 0.3, priorLow: 0.96, idle: 0.7}}
		for _, prior := range []float64{0.7, 0.6, 0.5, 0.5, 0.4} {
			c.Candidates = append(c.Candidates, &Candidate{Plan: &p, prior: prior, Iterations: 100, Out: map[bool]string{true: "broken"}[prior == 0.4]})
		}
		c.Options.Time = 200 * time.Millisecond // for four finalists
		expectMatch(c.Candidates, &c.Options)
		c.rate()
		ctx, cancel := context.WithTimeout(t.Context(), c.Options.Time/2) // none begins at the last moment
		defer cancel()
		c.trials(ctx)
		if c.NoTrials == "" || math.Abs(c.Candidates[0].Prior-0.3) > 1e-9 {
			t.Errorf("prior %v, no trials: %q", c.Candidates[0].Prior, c.NoTrials)
		}
		if n := len(running(c.Candidates)); n != 5 {
			t.Errorf("%d candidates compete", n)
		}
		if best, _ := decide(c.Candidates); best != c.Candidates[1] {
			t.Errorf("%+v plays", best)
		}
	})
}

// Rules of next that take hours do not keep a choice from its end.
func TestMeasuringEnds(t *testing.T) {
	rules := gametest.Program(t, reasonertest.Endless()+"(<= (next (n ?x)) (never ?x)) (<= terminal (true (step 2))) (goal x 0)")
	m := gametest.Prover(t, rules)
	p := PlanReport{Trial: reasoner.Trial{Plan: "orthodox", Machine: m, Lanes: 1}}
	c := &chooser{Choice: Choice{Options: Options{Time: 50 * time.Millisecond, Threads: 1}}, program: rules, limits: reasoner.DefaultLimits, source: oneMachine{m}, begun: time.Now()}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	c.Candidates = candidates(agent.Automatic(), []PlanReport{p}, nil)
	if c.measureCandidates(ctx); ctx.Err() != nil {
		t.Error("candidates were measured until the match was over")
	}
}

// A search that was measured before its first playouts ended is taken to be as quick as
// playouts are.
func TestSlowSearchesAreNotJudgedByShortPlayouts(t *testing.T) {
	p := plan("orthodox", 0, 100)
	p.Lanes, p.PlayoutsPerSecond = 512, 1750
	for _, c := range []struct {
		iterations int
		took       time.Duration
		fixed      int
		want       float64
	}{
		{7, 100 * time.Millisecond, 0, 1000},
		{511, 100 * time.Millisecond, 0, 1000},
		{512, 100 * time.Millisecond, 0, 7},
		{7, 100 * time.Millisecond, 16, 7},
		{7, 2 * time.Second, 0, 256}, // playouts end in that time: it is the search that was slow, or had no processor
	} {
		k := &Candidate{Plan: &p, Iterations: 7}
		k.Agent.Algorithm.Parameters.FixedTermination = c.fixed
		if k.settleSlow(search.Report{Iterations: c.iterations, Elapsed: c.took}); k.Iterations != c.want {
			t.Errorf("%+v: %v", c, k.Iterations)
		}
	}
}

// The reference agent is a finalist, but for where there is hardly time for the others.
func TestFinalists(t *testing.T) {
	for plays, want := range map[int][]string{0: {"a", "b", "c", "d"}, 4: {"reference", "a", "b", "c"}, 5: {"reference", "a", "b", "c", "d"}} {
		all := []*Candidate{{Name: "reference", Reference: true, Prior: 0.5}, {Name: "e", Prior: 0.52}}
		for i, name := range []string{"d", "c", "b", "a"} {
			all = append(all, &Candidate{Name: name, Prior: 0.6 + 0.05*float64(i)})
		}
		reduce(all, plays)
		var left []string
		for _, k := range running(all) {
			left = append(left, k.Name)
		}
		slices.Sort(left)
		slices.Sort(want)
		if !slices.Equal(left, want) {
			t.Errorf("with %d: %q, want %q", plays, left, want)
		}
	}
}
