package choice

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"semisplit/player/agent"
	"semisplit/player/evaluation"
	"semisplit/player/internal/gametest"
	"semisplit/player/local"
	"semisplit/player/machines"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
	"semisplit/search/final"
)

// A choice comes to an end in its time in games of every kind, with an agent
// that can be played and that competed.
func TestChoose(t *testing.T) {
	base, err := agent.Find("auto")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"tictactoe", "nim", "breakthrough"} {
		t.Run(name, func(t *testing.T) {
			var parts []string
			o := Options{Time: time.Second, Play: time.Second, Threads: 2, Seed: 1, Begin: func(part string) { parts = append(parts, part) }}
			c, err := Choose(t.Context(), gametest.Bundled(t, name), base, reasoner.DefaultLimits, o)
			if err != nil {
				t.Fatal(err)
			}
			if err := valid(c.Fixed()); err != nil {
				t.Errorf("the choice is no agent: %v", err)
			}
			if c.Machine == nil || c.Agent.Automatic() || c.Agent.Name != base.Name {
				t.Errorf("%+v on %v", c.Agent, c.Machine)
			}
			// Else learning leaves circuits no time, and candidates none to be measured.
			see, learn := slices.Index(parts, "making the circuits that see wins"), slices.Index(parts, "learning to evaluate positions")
			if see < 0 || learn < see {
				t.Errorf("circuits that see wins are part %d, learning is part %d: %q", see, learn, parts)
			}
			references := 0
			for _, k := range c.Candidates {
				if k.Reference {
					references++
				}
				if k.Points > float64(k.Plays) || k.Plays > 0 && k.Out != "" && k.failed == nil {
					t.Errorf("%s: %v points of %d plays, %s", k.Name, k.Points, k.Plays, k.Out)
				}
			}
			if references != 1 {
				t.Errorf("%d reference agents", references)
			}
			m, err := machines.NewCache(gametest.Bundled(t, name), reasoner.DefaultLimits).ForAgent(t.Context(), c.Fixed(), c.Fixed().Variant())
			if err != nil {
				t.Fatalf("the chosen agent has no machine: %v", err)
			}
			if got, want := machines.VariantOf(m), machines.VariantOf(c.Machine); got != want {
				t.Errorf("the agent file stands for %v, and %v was chosen", got, want)
			}
		})
	}
}

// A game for one is searched by layers where there is a solver, and has no trials.
func TestChooseAlone(t *testing.T) {
	c, err := Choose(t.Context(), gametest.Bundled(t, "lightsout"), agent.Automatic(), reasoner.DefaultLimits, Options{Time: time.Second, Play: time.Second, Threads: 1, Seed: 1})
	if err != nil || len(c.Candidates) < 2 || c.NoTrials == "" {
		t.Fatalf("%+v, %v", c, err)
	}
	for _, k := range c.Candidates {
		if !k.Agent.Algorithm.Parameters.Solver {
			t.Errorf("%s has no solver", k.Name)
		}
	}
}

// Trees of whole moves share what lines of play have learned where these meet, and nowhere
// else: in Tic-Tac-Toe they do, and where a state holds all that was played they cannot.
func TestMeasureTranspositions(t *testing.T) {
	var history strings.Builder
	history.WriteString("(role a) (role b) (init (control a)) (init (turn 1)) (<= terminal (true (turn 16))) (<= again (true (said ?n ?w)) (succ ?n ?m) (true (said ?m ?w)))" +
		"(<= (goal a 100) again) (<= (goal a 0) (not again)) (<= (goal b 100) (not again)) (<= (goal b 0) again)" +
		"(word x) (word y) (word z) (<= (legal ?r (say ?w)) (true (control ?r)) (word ?w)) (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))" +
		"(<= (next (said ?n ?w)) (true (said ?n ?w))) (<= (next (said ?n ?w)) (true (turn ?n)) (does ?r (say ?w)))" +
		"(<= (next (turn ?m)) (true (turn ?n)) (succ ?n ?m)) (<= (next (control a)) (true (control b))) (<= (next (control b)) (true (control a)))")
	for n := range 16 {
		fmt.Fprintf(&history, "(succ %d %d)", n, n+1)
	}
	for _, g := range []struct {
		name  string
		rules *gdl.Program
		meet  bool
	}{{"tictactoe", gametest.Bundled(t, "tictactoe"), true}, {"history", gametest.Program(t, history.String()), false}} {
		m := gametest.Lanes(t, g.rules, "orthodox")
		p := PlanReport{Trial: reasoner.Trial{Plan: "orthodox", Machine: m, Lanes: m.Lanes(), Speed: 1}, Length: 9}
		c := &chooser{Choice: Choice{Options: Options{Time: time.Hour, Seed: 1}}, program: g.rules, limits: reasoner.DefaultLimits, source: oneWatched{watched{Machine: m}}, begun: time.Now()}
		asked := 0
		for _, k := range candidates(agent.Automatic(), []PlanReport{p}, nil) {
			limit := 20 * time.Millisecond
			if k.mayTranspose() {
				limit = 400 * time.Millisecond // a tree must grow until lines meet, beside all other tests
			}
			for ; k.Iterations <= 0 && limit < 30*time.Second; limit *= 2 { // it may get no processor for so long
				if err := c.measure(t.Context(), k, limit); err != nil {
					t.Fatal(err)
				}
			}
			if k.Iterations <= 0 {
				t.Errorf("%s: %s made no iteration", g.name, k.Name)
			}
			if k.mayTranspose() {
				asked++
			}
			if has := k.Agent.Algorithm.Parameters.Transpositions; has != (g.meet && k.mayTranspose()) {
				t.Errorf("%s: %s has transpositions: %v; of its nodes %.2f were known", g.name, k.Name, has, k.Transposed)
			}
		}
		if asked == 0 {
			t.Errorf("%s: no candidate was asked", g.name)
		}
	}
}

// A choice whose time is up, or that is cancelled, falls back on what is known.
func TestChooseInNoTime(t *testing.T) {
	base, _ := agent.Find("auto")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, ctx := range map[string]context.Context{"time": t.Context(), "cancelled": ended} {
		c, err := Choose(ctx, gametest.Bundled(t, "tictactoe"), base, reasoner.DefaultLimits, Options{Time: time.Millisecond})
		if err != nil || c.Machine == nil || valid(c.Agent) != nil {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
}

func plan(name string, speed, length float64) PlanReport {
	return PlanReport{Trial: reasoner.Trial{Plan: name, Speed: speed, Machine: lanesOnly{}}, Length: length}
}

func TestLeaveOutPlans(t *testing.T) {
	plans := []PlanReport{
		plan("orthodox", 10, 60), plan("mod", 100, 50), plan("modplus", 120, 20), plan("modshift", 80, 60), plan("modplusshift", 70, 60),
	}
	leaveOutPlans(plans)
	var out []string
	for _, p := range plans {
		if p.Out != "" {
			out = append(out, p.Plan+": "+p.Out)
		}
	}
	want := []string{"modplus: its playouts last 20 joint moves, those of other plans 60", "modplusshift: 2 split plans are quicker"}
	if !reflect.DeepEqual(out, want) {
		t.Errorf("%q", out)
	}
	slow := []PlanReport{plan("mod", 100, 50), plan("modshift", 50, 50)}
	if leaveOutPlans(slow); slow[1].Out != "plan mod plays 2.0 times the states" {
		t.Errorf("%q", slow[1].Out)
	}
}

func TestDecide(t *testing.T) {
	reference := &Candidate{Name: "reference", Reference: true, Prior: 0.5, Iterations: 100}
	strong := &Candidate{Name: "strong", Prior: 0.45, Plays: 24, Points: 18, Iterations: 100}
	lucky := &Candidate{Name: "lucky", Prior: 0.5, Plays: 2, Points: 2, Iterations: 100}
	slow := &Candidate{Name: "slow", Prior: 0.9, Iterations: 1}
	all := []*Candidate{slow, reference, lucky, strong}
	leaveOutCandidates(all)
	rate(all, []pairing{{3, 1, 24, 18}, {2, 1, 2, 2}}, time.Second, time.Second)
	best, why := decide(all)
	if best != strong || slow.Out == "" || !strings.Contains(why, "18.0 points of 24") {
		t.Errorf("%s: %s", best.Name, why)
	}
	if best, _ := decide([]*Candidate{reference, slow}); best != reference {
		t.Errorf("without trials %s plays", best.Name)
	}
	slow.Out, reference.Out = "broken", "broken"
	if best, _ := decide([]*Candidate{reference, slow}); best != reference {
		t.Errorf("after failures %s plays", best.Name)
	}
}

// The estimates are where the posterior is highest: no step in any direction
// leads up. With many plays they give back the scores.
func TestRatings(t *testing.T) {
	for _, c := range []struct {
		priors, worth []float64
		all           []pairing
	}{
		{[]float64{0.5, 0.6, 0.4, 0.5}, []float64{12, 6, 12, 3}, []pairing{{1, 0, 20, 15}, {2, 1, 10, 3.5}, {2, 0, 4, 4}, {3, 2, 1, 0}}},
		// Remembered matches that are a surprise.
		{[]float64{0.86, 0.19}, []float64{12, 12}, []pairing{{0, 1, 126, 43}}},
	} {
		logPosterior := func(s []float64) (sum float64) {
			for i, p := range c.priors {
				d := s[i] - math.Log(p/(1-p))
				sum -= d * d / 2 * c.worth[i] / 4
			}
			for _, r := range c.all {
				p := expected(s[r.a] - s[r.b])
				sum += r.points*math.Log(p) + (float64(r.plays)-r.points)*math.Log(1-p)
			}
			return sum
		}
		s := ratings(c.priors, c.worth, c.all)
		top := logPosterior(s)
		for i := range s {
			for _, step := range []float64{-0.001, 0.001} {
				s[i] += step
				if logPosterior(s) > top {
					t.Errorf("priors %v: rating %d: a step of %v leads up", c.priors, i, step)
				}
				s[i] -= step
			}
		}
	}
	s := ratings([]float64{0.5, 0.5}, []float64{12, 12}, []pairing{{1, 0, 100_000, 80_000}})
	if got := expected(s[1] - s[0]); math.Abs(got-0.8) > 0.001 {
		t.Errorf("80%% of many plays are rated as %v", got)
	}
}

// An automatic agent takes bounds and nothing else: what it plays is chosen.
func TestAutomaticAgentFiles(t *testing.T) {
	if _, err := agent.Read(strings.NewReader(`{"algorithm": {"name": "auto", "parameters": {"iterations": 10, "playout_limit": 5}, "candidates": "uniform"}, "general": {"threads": 1}}`)); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{
		`{"algorithm": {"name": "auto", "tree_strategy": "orthodox"}}`:                        "leave the rest out",
		`{"algorithm": {"name": "auto", "parameters": {"is_nodal": false}}}`:                  "leave the rest out",
		`{"algorithm": {"name": "auto", "candidates": "none"}}`:                               "candidates",
		`{"algorithm": {"name": "MCTS", "candidates": "uniform"}}`:                            "only the automatic choice has any",
		`{"algorithm": {"name": "auto"}, "general": {"engine": "prover"}}`:                    "general.engine: the automatic choice decides",
		`{"algorithm": {"name": "auto"}, "general": {"engine": "lanes"}}`:                     "general.engine: the automatic choice decides",
		`{"algorithm": {"name": "auto"}, "general": {"lanes": 64}}`:                           "general.lanes: the automatic choice decides",
		`{"algorithm": {"name": "auto"}, "heuristics": [{"name": "mast", "parameters": {}}]}`: "the automatic choice decides",
	} {
		if _, err := agent.Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// What the choice is confined to is all that it considers, on split plans and on
// whole moves, with a machine of either alone too.
func TestConfinedCandidates(t *testing.T) {
	skilled := map[evaluation.Source]*evaluation.Evaluation{
		evaluation.FromMatches: {Source: evaluation.FromMatches, Quality: []evaluation.Quality{{Error: 0.1, Fitted: 0.1, Constant: 0.2}}},
	}
	for _, of := range []agent.Candidates{agent.AllCandidates, agent.CandidatesUniform, agent.CandidatesMinimax, agent.CandidatesNoKnowledge} {
		base := agent.Automatic()
		base.Algorithm.Candidates = of
		if err := valid(base); err != nil {
			t.Fatal(err)
		}
		for _, names := range [][]string{{"mod", "orthodox"}, {"mod"}, {"orthodox"}} {
			var plans []PlanReport
			for _, name := range names {
				p := plan(name, 100, 50)
				p.Machine = lanesOnly{}
				plans = append(plans, p)
			}
			evaluations := skilled
			if !of.Learns() {
				evaluations = nil
			}
			seen := map[string]int{}
			for _, c := range candidates(base, plans, evaluations) {
				p := c.Agent.Algorithm.Parameters
				seen["all"]++
				if p.ImplicitMinimax != 0 {
					seen["minimax"]++
				}
				if c.Agent.Evaluates() || p.PN != "" {
					seen["insight"]++
				}
				if len(c.Agent.Heuristics) > 0 || p.PN != "" || p.DynamicTermination > 0 || p.FixedTermination > 0 || !p.Solver {
					seen["more"]++
				}
				if err := valid(c.Agent); err != nil {
					t.Errorf("%s, %s: %v", of, c.Name, err)
				}
			}
			confined := of == agent.CandidatesUniform || of == agent.CandidatesMinimax
			if seen["all"] == 0 || (of == agent.AllCandidates || of == agent.CandidatesMinimax) != (seen["minimax"] > 0) ||
				(of == agent.CandidatesUniform || of == agent.CandidatesNoKnowledge) != (seen["insight"] == 0) || confined != (seen["more"] == 0) {
				t.Errorf("%s on %v: %v", of, names, seen)
			}
			if first := Interim(base, names[0]); first.Evaluates() || confined && len(first.Heuristics) > 0 {
				t.Errorf("%s on %v: begins with %+v", of, names, first)
			}
		}
	}
}

// Candidates see wins and may have transpositions where one role chooses, and not where
// several do.
func TestCandidatesSee(t *testing.T) {
	for choosing, want := range map[float64]bool{1: true, 1.3: true, 2: false} {
		p := plan("orthodox", 100, 50)
		p.Machine, p.Choosing = lanesOnly{}, choosing
		sees, shares := false, false
		for _, c := range candidates(agent.Automatic(), []PlanReport{p}, nil) {
			sees = sees || c.Agent.Sees() != agent.VisionOff && !c.Agent.Minimax()
			shares = shares || c.mayTranspose()
		}
		if sees != want || shares != want {
			t.Errorf("%v roles choose at once: sees wins %v, transpositions %v", choosing, sees, shares)
		}
	}
}

// GRAVE competes where roles take places in turn, and sends what it has visited most.
func TestCandidatesOfPlaces(t *testing.T) {
	for _, c := range []struct {
		game                        string
		lasting, repeated, choosing float64
		want                        bool
	}{
		{"hex", 0.98, 0, 1, true}, {"go", 0.97, 0.19, 1, true}, {"breakthrough", 0.91, 0.06, 1, false},
		{"connect four", 1, 0.44, 1, false}, {"all at once", 0.98, 0, 2, false},
	} {
		p := plan("orthodox", 100, 50)
		p.Machine, p.Lasting, p.Repeated, p.Choosing = lanesOnly{}, c.lasting, c.repeated, c.choosing
		found := false
		for _, k := range candidates(agent.Automatic(), []PlanReport{p}, nil) {
			if _, grave := k.Agent.Grave(); grave {
				found = true
				if q := k.Agent.Algorithm.Parameters; q.FinalSelection != final.Visits || q.ExplorationConstant != 0 || !q.Solver {
					t.Errorf("%s: %+v", c.game, q)
				}
			}
		}
		if found != c.want {
			t.Errorf("%s: GRAVE competes: %v", c.game, found)
		}
	}
}

// Searches by dimensions compete where moves are many products; hierarchical expansion is
// believed more where several roles choose.
func TestCandidatesByDimensions(t *testing.T) {
	of := func(depth, branching, choosing float64) map[string]float64 {
		p := plan("mod", 100, 50)
		p.Machine, p.Depth, p.Branching, p.Choosing = lanesOnly{}, depth, branching, choosing
		priors := map[string]float64{}
		for _, c := range candidates(agent.Automatic(), []PlanReport{p}, nil) {
			if c.Agent.Combinatorial() {
				priors[c.Name] = c.Prior
			}
		}
		return priors
	}
	inTurn, together := of(3, 800, 1), of(3, 800, 2)
	if len(inTurn) != 4 {
		t.Errorf("%d searches by dimensions: %v", len(inTurn), inTurn)
	}
	for name, prior := range inTurn {
		if hierarchical := name == "dimension by dimension (mod)"; hierarchical != (together[name] > prior) {
			t.Errorf("%s: prior %v, %v where roles choose at once", name, prior, together[name])
		}
	}
	if few, short := of(3, 50, 1), of(2, 800, 1); len(few) > 0 || len(short) > 0 {
		t.Errorf("with few moves %v, with two semimoves %v", few, short)
	}
}

// Playouts from the root alone do not count as speed: nobody is slow beside them.
func TestLinearIsNoMeasureOfSpeed(t *testing.T) {
	linear := agent.Default()
	linear.Algorithm.Name = agent.NameLinear
	tree, alone := &Candidate{Agent: agent.Default(), prior: 0.5, Iterations: 1000}, &Candidate{Agent: linear, prior: 0.3, Iterations: 1e6}
	all := []*Candidate{tree, alone}
	leaveOutCandidates(all)
	expect(all, time.Second)
	if tree.Out != "" || alone.Out != "" || math.Abs(alone.Prior-0.3) > 1e-9 {
		t.Errorf("a tree is out (%q), or root playouts are (%q), whose prior is %v", tree.Out, alone.Out, alone.Prior)
	}
}

// Playouts that an evaluation ends do not count as speed either: in Go they made whole moves
// with GRAVE, which win there, seem too slow.
func TestShortPlayoutsAreNoMeasureOfSpeed(t *testing.T) {
	short := agent.Default()
	short.Algorithm.Parameters.FixedTermination = 16
	full := func(iterations float64) *Candidate {
		return &Candidate{Agent: agent.Default(), Iterations: iterations}
	}
	ended, quick, grave, slow := &Candidate{Agent: short, Iterations: 34e3}, full(6e3), full(3e3), full(500)
	leaveOutCandidates([]*Candidate{ended, quick, grave, slow})
	if ended.Out != "" || quick.Out != "" || grave.Out != "" {
		t.Errorf("left out: %q %q %q", ended.Out, quick.Out, grave.Out)
	}
	if slow.Out == "" {
		t.Error("what makes a twelfth of the iterations is not left out")
	}
}

// Ways to play by an evaluation which explains little are expected to win less, those whose
// playouts end by it least, and no other prior changes.
func TestCandidatesDiscount(t *testing.T) {
	p := plan("orthodox", 100, 50)
	p.Machine = lanesOnly{}
	priors := func(explained float64) map[string]*Candidate {
		e := &evaluation.Evaluation{Source: evaluation.FromMatches, Quality: []evaluation.Quality{{Fitted: 1 - explained, Constant: 1}}}
		byName := map[string]*Candidate{}
		for _, c := range candidates(agent.Automatic(), []PlanReport{p}, map[evaluation.Source]*evaluation.Evaluation{e.Source: e}) {
			byName[c.Name] = c
		}
		return byName
	}
	little, short := priors(0.01), 0
	for name, c := range priors(0.2) {
		other, of := little[name], c.Agent.Algorithm.Parameters
		switch {
		case other == nil:
			t.Errorf("%s is no candidate", name)
		case of.FixedTermination > 0:
			short++
			if other.prior > 0.35 || other.prior <= 0 || other.priorLow > 0 && other.priorLow >= c.priorLow || c.priorLow > 0 && other.priorLow == 0 {
				t.Errorf("%s: priors %v and %v, else %v and %v", name, other.prior, other.priorLow, c.Prior, c.priorLow)
			}
		case of.Evaluation != "" && other.prior >= c.Prior, of.Evaluation == "" && (other.prior != c.Prior || other.priorLow != c.priorLow):
			t.Errorf("%s: priors %v and %v, else %v and %v", name, other.prior, other.priorLow, c.Prior, c.priorLow)
		}
	}
	if short == 0 {
		t.Error("no candidate ends playouts")
	}
}

// A game whose playouts take so long that a move of a trial match has no time for
// several one after the other has no trial matches.
func TestTrialsNeedSeveralPlayouts(t *testing.T) {
	p := plan("orthodox", 0, 100)
	p.Lanes = 512
	plays := func(playouts float64) trialsThatFit {
		p.PlayoutsPerSecond = playouts
		c := &chooser{Choice: Choice{Options: Options{Threads: 1}}}
		return c.trialsOn([]*PlanReport{&p}, 10*time.Second, 1)
	}
	// A playout at random takes 0.5 ms, and four in a search 3.5 ms.
	quick := plays(1024_000)
	move := time.Duration(float64(10*time.Second) / (80 * tuned.WantedPlays.Value)) // which is more
	if want := 3500 * time.Microsecond; quick.least != want || quick.move != move || quick.plays != int(tuned.WantedPlays.Value) {
		t.Errorf("quick playouts: %+v", quick)
	}
	if slow := plays(96_000); slow.plays >= int(tuned.FewPlays.Value) {
		t.Errorf("slow playouts: %+v", slow)
	}
}

// Who plays a trial match thinks on one thread, in turn with the others: moves are as long as
// whole matches find time, however many threads there are and roles that choose at once.
func TestTrialsOfThreadsAndRoles(t *testing.T) {
	for _, c := range []struct {
		threads  int
		choosing float64
		length   float64
		move     time.Duration
	}{
		{1, 0, 50, 10 * time.Second / (40 * 32)}, {1, 2, 50, 10 * time.Second / (40 * 32 * 2)}, {8, 1, 50, 8 * 10 * time.Second / (40 * 32)},
		{64, 1, 50, 10 * time.Second / (40 * 2)}, {64, 4, 50, 10 * time.Second / (40 * 2 * 4)},
	} {
		p := plan("orthodox", 0, c.length)
		p.Lanes, p.PlayoutsPerSecond, p.Choosing = 512, 1e7, c.choosing
		k := &chooser{Choice: Choice{Options: Options{Threads: c.threads}}}
		fit := k.trialsOn([]*PlanReport{&p}, 10*time.Second, 1)
		if fit.move != c.move || fit.isFew() || fit.length != 40 {
			t.Errorf("%d threads, %v roles at once: %+v, want moves of %v", c.threads, c.choosing, fit, c.move)
		}
	}
	slow := plan("orthodox", 0, 100)
	slow.Lanes, slow.PlayoutsPerSecond = 512, 25_000 // moves of 143 ms: a match takes longer than there is time
	k := &chooser{Choice: Choice{Options: Options{Threads: 8}}}
	if fit := k.trialsOn([]*PlanReport{&slow}, 10*time.Second, 1); !fit.isFew() {
		t.Errorf("slow playouts on 8 threads: %+v", fit)
	}
}

// Matches that turn out to be shorter have longer moves. What that goes by are the sets that
// threads have played side by side.
func TestLengthen(t *testing.T) {
	for _, c := range []struct{ threads, sets int }{{1, 2}, {2, 2}, {8, 8}} {
		synctest.Test(t, func(t *testing.T) {
			m := gametest.Prover(t, gametest.Bundled(t, "tictactoe"))
			k := &chooser{Choice: Choice{Options: Options{Time: 10 * time.Second, Threads: c.threads}}, source: oneMachine{m}, begun: time.Now(), trialsBegun: time.Now()}
			k.Candidates = []*Candidate{{Reference: true, prior: 0.5, Prior: 0.5, Iterations: 1}, {prior: 0.5, Prior: 0.5, Iterations: 1}}
			k.move.Store(int64(time.Millisecond))
			time.Sleep(k.until(trialShare).Sub(k.trialsBegun) * time.Duration(2*c.sets) / (4 * time.Duration(tuned.WantedPlays.Value))) // a quarter of what such plays were to take
			for set := range c.sets {
				if moved := time.Duration(k.move.Load()); moved != time.Millisecond {
					t.Errorf("%d threads: moves of %v after %d sets", c.threads, moved, set)
				}
				k.endPair([2]*Candidate{k.Candidates[0], k.Candidates[1]}, 2, 1, 0, nil)
			}
			if times := time.Duration(k.move.Load()).Seconds() * 1000; times < 3.9 || times > 4.1 {
				t.Errorf("%d threads: moves are %.2f times as long", c.threads, times)
			}
		})
	}
}

// Where moves cannot be split, the priors of recipes differ as they were measured, that of the
// reference agent too.
func TestPriorsOfWholeMoves(t *testing.T) {
	p := plan("orthodox", 100, 50)
	p.Machine = lanesOnly{}
	priors := map[string]float64{}
	for _, r := range known.WholeMoves {
		priors[r.Name+" (orthodox)"] = r.Prior
	}
	references := 0
	for _, c := range candidates(agent.Automatic(), []PlanReport{p}, nil) {
		if c.Reference {
			references++
		}
		if want, ok := priors[c.Name]; !ok || c.prior != want {
			t.Errorf("%s: %v, as a recipe %v", c.Name, c.prior, want)
		}
	}
	if references != 1 {
		t.Errorf("%d reference agents", references)
	}
}

// A plan that is too slow for trial matches keeps no others from them, unless the best
// prior is on it.
func TestLeaveOutSlowest(t *testing.T) {
	quick, slow := plan("orthodox", 0, 50), plan("mod", 0, 50)
	for _, p := range []*PlanReport{&quick, &slow} {
		p.Lanes = 512
	}
	quick.PlayoutsPerSecond, slow.PlayoutsPerSecond = 1e6, 1e3
	all := []*Candidate{{Name: "reference", Reference: true, Prior: 0.5, Plan: &slow}, {Name: "a", Prior: 0.6, Plan: &quick}, {Name: "b", Prior: 0.7, Plan: &quick}}
	if !leaveOutSlowest(all) || all[0].Out == "" || all[1].Out != "" || all[2].Out != "" {
		t.Errorf("%q %q %q", all[0].Out, all[1].Out, all[2].Out)
	}
	if leaveOutSlowest(all) {
		t.Error("nothing is left")
	}
	all[0].Out, all[0].Prior = "", 0.8
	if leaveOutSlowest(all) {
		t.Error("what is expected to be best is left out")
	}
}

// What is too slow for trial matches competes where none are played.
func TestSlowCompetesWithoutTrials(t *testing.T) {
	quick, slow, slowest := plan("mod", 0, 100), plan("plus", 0, 100), plan("orthodox", 0, 100)
	for i, p := range []*PlanReport{&quick, &slow, &slowest} {
		p.Lanes, p.PlayoutsPerSecond = 512, 100/float64(i+1)
	}
	c := &chooser{Choice: Choice{Options: Options{Time: time.Minute, Threads: 1}}, source: oneMachine{gametest.Lanes(t, gametest.Bundled(t, "tictactoe"), "orthodox")}, begun: time.Now()}
	for i, p := range []*PlanReport{&quick, &slow, &slowest} {
		c.Candidates = append(c.Candidates, &Candidate{Plan: p, prior: 0.5, Prior: []float64{0.4, 0.7, 0.6}[i]})
	}
	broken := &Candidate{Plan: &quick, prior: 0.5, Out: "broken"}
	c.Candidates = append(c.Candidates, broken)
	if c.trials(t.Context()); c.NoTrials == "" {
		t.Fatal("there are trial matches")
	}
	for i, k := range c.Candidates {
		if (k.Out == "") != (k != broken) {
			t.Errorf("candidate %d is out: %q", i, k.Out)
		}
	}
}

// lanesOnly is a machine to be asked for its kind.
type lanesOnly struct{ reasoner.Machine }

func (lanesOnly) Kind() string { return agent.EngineLanes }

// Twice the iterations raise a prior, and no more than three doublings do.
func TestExpect(t *testing.T) {
	all := []*Candidate{
		{Reference: true, prior: 0.5, Iterations: 100}, {prior: 0.5, Iterations: 200}, {prior: 0.5, Iterations: 800}, {prior: 0.5, Iterations: 80_000}, {prior: 0.6},
	}
	expect(all, time.Second)
	if all[0].Prior != 0.5 || math.Abs(all[1].Prior-0.587) > 0.001 || all[2].Prior <= all[1].Prior || all[3].Prior != all[2].Prior || all[4].Prior != 0.6 {
		t.Errorf("%v %v %v %v %v", all[0].Prior, all[1].Prior, all[2].Prior, all[3].Prior, all[4].Prior)
	}
}

// Trial matches tell how a game differs from others in short moves; what longer
// moves change comes from the priors.
func TestRateCarriesOver(t *testing.T) {
	all := []*Candidate{{Reference: true, prior: 0.5, Iterations: 10_000}, {prior: 0.45, priorLow: 0.7, Iterations: 10_000}, {prior: 0.55, Iterations: 10_000}}
	expect(all, 100*time.Second)
	expectTrials(all, 10*time.Millisecond)
	// As was to be expected of short moves: 70%.
	rate(all, []pairing{{1, 0, 1000, 700}}, time.Second, time.Second)
	if math.Abs(all[1].Score-0.45) > 0.01 || math.Abs(all[2].Score-0.55) > 0.01 {
		t.Errorf("scores %.3f and %.3f, want 0.45 and 0.55", all[1].Score, all[2].Score)
	}
	// Worse than that.
	if rate(all, []pairing{{1, 0, 1000, 500}}, time.Second, time.Second); all[1].Score > 0.35 {
		t.Errorf("score %.3f after trials that were lost", all[1].Score)
	}
	// Better.
	if rate(all, []pairing{{1, 0, 1000, 900}}, time.Second, time.Second); all[1].Score < 0.7 {
		t.Errorf("score %.3f after trials that were won", all[1].Score)
	}
	// Matches with much shorter moves tell of MAST little of what they tell of others, to
	// whom its wins there are no loss.
	for _, k := range all {
		k.Agent.Algorithm.TreeStrategy = agent.Orthodox
	}
	won := []pairing{{1, 2, 40, 38}}
	rate(all, won, 4*time.Millisecond, 2*time.Second)
	gain, loss := oddsOf(all[1].Score)-oddsOf(0.45), oddsOf(0.55)-oddsOf(all[2].Score)
	all[1].Agent.Heuristics = make([]agent.Heuristic, 1)
	rate(all, won, 4*time.Millisecond, 2*time.Second)
	guidedGain, guidedLoss := oddsOf(all[1].Score)-oddsOf(0.45), oddsOf(0.55)-oddsOf(all[2].Score)
	if gain < 0.3 || min(guidedGain, guidedLoss) < 0.1 || guidedGain > 0.7*gain || guidedLoss > 0.7*loss {
		t.Errorf("MAST gains %.2f, and others lose %.2f; without it %.2f and %.2f", guidedGain, guidedLoss, gain, loss)
	}
}

// Trial matches as long as the match hold, and others the less the shorter they are.
func TestHolding(t *testing.T) {
	for _, c := range []struct{ trial, play, low, high float64 }{{1, 1, 1, 1}, {1, 0, 1, 1}, {0, 1, 1, 1}, {2, 1, 1, 1}, {0.01, 1, 0.75, 0.9}, {0.1, 1, 0.85, 0.95}} {
		if got := holding(tuned.Fading.Usual.Value, seconds(c.trial), seconds(c.play)); got < c.low || got > c.high {
			t.Errorf("of matches with %v s a move %.2f holds with %v s, want %v to %v", c.trial, got, c.play, c.low, c.high)
		}
	}
}

// Whole moves that cannot be tried a few times each are expected to lose.
func TestExpectWideTrees(t *testing.T) {
	whole := agent.Default()
	whole.Algorithm.TreeStrategy = agent.Orthodox
	for _, c := range []struct {
		branching, want float64
	}{{30, 0.5}, {1000.0 / 32, 0.5}, {2000.0 / 32, 0.321}, {1000, 0.095}, {100_000, 0.095}} {
		all := []*Candidate{
			{Reference: true, prior: 0.5, Iterations: 1000, Plan: &PlanReport{Branching: c.branching}},
			{prior: 0.5, Iterations: 1000, Agent: whole, Plan: &PlanReport{Branching: c.branching}},
		}
		if expect(all, time.Second); math.Abs(all[1].Prior-c.want) > 0.01 || all[0].Prior != 0.5 {
			t.Errorf("%v moves: prior %.3f, want %v; of split moves %v", c.branching, all[1].Prior, c.want, all[0].Prior)
		}
		if expectTrials(all, time.Millisecond); all[1].trial != all[1].Prior {
			t.Errorf("%v moves: in trial matches %.3f, in others %.3f", c.branching, all[1].trial, all[1].Prior)
		}
	}
	// GRAVE need not try each of them.
	grave := whole
	grave.Heuristics = []agent.Heuristic{{Name: "grave"}}
	wide := []*Candidate{
		{Reference: true, prior: 0.5, Iterations: 1000, Plan: &PlanReport{Branching: 1000}},
		{prior: 0.5, Iterations: 1000, Agent: grave, Plan: &PlanReport{Branching: 1000}},
	}
	if expect(wide, time.Second); math.Abs(wide[1].Prior-0.5) > 1e-9 {
		t.Errorf("GRAVE with 1,000 moves: prior %v", wide[1].Prior)
	}
	// Where no other tree splits them, nobody is ahead by that.
	p := &PlanReport{Trial: reasoner.Trial{Plan: "orthodox"}, Branching: 1000}
	all := []*Candidate{{Reference: true, prior: 0.5, Iterations: 1000, Agent: whole, Plan: p}, {prior: 0.6, Iterations: 1000, Agent: whole, Plan: p}}
	if expect(all, time.Second); all[0].Prior != 0.5 || math.Abs(all[1].Prior-0.6) > 1e-9 {
		t.Errorf("whole moves alone: priors %v and %v", all[0].Prior, all[1].Prior)
	}
}

// Without trial matches a search by minimax has the prior for many iterations, and gains
// nothing by idle time, also where trial matches were to be expected to favor it.
func TestDoubt(t *testing.T) {
	minimax := agent.Default()
	minimax.Algorithm.Name = agent.NameAlphaBeta
	short := agent.Default()
	short.Algorithm.Parameters.FixedTermination = 16
	four := func() []*Candidate {
		return []*Candidate{
			{Reference: true, prior: 0.5, Iterations: 100}, {prior: 0.6, priorLow: 0.7, Iterations: 100},
			{Agent: minimax, prior: 0.64, priorLow: 0.96, idle: 0.7, Iterations: 1e5},
			{Agent: short, prior: 0.57, priorLow: 0.7, Iterations: 800}, // the quickest tree
		}
	}
	// What is not tried is doubted, unless trial matches are remembered, which had shorter moves.
	for _, ponders := range []bool{false, true} {
		for _, remembered := range []bool{false, true} {
			c := &chooser{
				Choice: Choice{Candidates: four(), Options: Options{Play: time.Second, Threads: 1, Ponders: ponders}},
				source: oneMachine{gametest.Lanes(t, gametest.Bundled(t, "tictactoe"), "orthodox")},
			}
			if remembered {
				c.before = []pairing{{2, 0, 2, 1}}
			}
			expectMatch(c.Candidates, &c.Options)
			c.rate()
			all := c.Candidates
			prior, score, want := all[2].Prior, all[2].Score, []float64{0.64, 0.57}
			if remembered {
				want = []float64{prior, all[3].Prior}
			}
			if all[3].Prior < 0.8 {
				t.Errorf("before that the prior of short playouts is %v", all[3].Prior)
			}
			if c.trials(t.Context()); c.NoTrials == "" || prior < 0.9 || math.Abs(all[2].Prior-want[0]) > 1e-9 || math.Abs(all[3].Prior-want[1]) > 1e-9 ||
				remembered && (all[2].Score <= score || all[2].Score >= prior) || !remembered && all[2].Score == score {
				t.Errorf("idle time %v, remembered %v: prior %v then %v and %v, score %v then %v, no trials: %q", ponders, remembered, prior, all[2].Prior, all[3].Prior, score, all[2].Score, c.NoTrials)
			}
			if math.Abs(all[1].Prior-0.7) > 1e-9 || all[0].Prior != 0.5 {
				t.Errorf("idle time %v: priors of trees %v and %v", ponders, all[0].Prior, all[1].Prior)
			}
		}
	}
}

// What minimax sees of a game that is none of places, with an evaluation that says something,
// decides whether it is doubted where nothing is tried: in Chess and Minishogi it wins, in Go
// and Hex it loses, and in Amazons its evaluation says nothing.
func TestSeesFar(t *testing.T) {
	for _, c := range []struct {
		game                                        string
		states, branching, trust, lasting, choosing float64
		want                                        bool
	}{
		{"Chess", 88e3, 29.7, 0.44, 0, 1, true}, {"Chess, slowly", 42e3, 29.7, 0.44, 0, 1, false}, {"Minishogi", 94e3, 26.6, 1, 0, 1, true},
		{"Hex", 1e6, 60, 0.8, 0.98, 1, false}, {"Amazons", 1.3e6, 17.3, 0, 0.01, 1, false}, {"not measured", 0, 0, 1, 0, 1, false},
	} {
		k := &Candidate{Plan: &PlanReport{Branching: c.branching, Lasting: c.lasting, Choosing: c.choosing}, Iterations: c.states, trust: c.trust}
		if got := k.seesFar(200 * time.Millisecond); got != c.want {
			t.Errorf("%s: sees far: %v", c.game, got)
		}
		k.Agent.Algorithm.Name, k.prior, k.priorLow = agent.NameAlphaBeta, 0.64, 0.96
		if doubt([]*Candidate{k}, 200*time.Millisecond); k.unproven == c.want {
			t.Errorf("%s: doubted: %v", c.game, k.unproven)
		}
	}
}

// Alpha-beta competes on whole moves and, where there is no machine for these, on the
// quickest split plan.
func TestAlphaBetaOnPlans(t *testing.T) {
	whole, quick, slow := plan("orthodox", 1, 10), plan("mod", 2, 10), plan("modplus", 1, 10)
	for _, p := range []*PlanReport{&whole, &quick, &slow} {
		p.Machine = lanesOnly{}
	}
	none := whole
	none.Out = "no machine"
	e := &evaluation.Evaluation{Source: evaluation.FromMatches, Quality: []evaluation.Quality{{Fitted: 0.8, Constant: 1}}}
	for _, c := range []struct {
		plans []PlanReport
		want  string
	}{
		{[]PlanReport{whole}, "orthodox"}, {[]PlanReport{slow, quick, whole}, "orthodox"}, {[]PlanReport{none, slow, quick}, "mod"}, {[]PlanReport{none}, ""},
	} {
		on := ""
		for _, k := range candidates(agent.Automatic(), c.plans, map[evaluation.Source]*evaluation.Evaluation{e.Source: e}) {
			if k.Agent.Algorithm.Name == agent.NameAlphaBeta {
				on += k.Agent.Algorithm.SplitStrategy
				if k.Plan != minimaxPlan(c.plans) || k.Plan.Plan != c.want {
					t.Errorf("it plays on %s, circuits that see wins are made for another plan", k.Plan.Plan)
				}
			}
		}
		if on != c.want {
			t.Errorf("%d plans: it competes on %q, want %q", len(c.plans), on, c.want)
		}
	}
}

// TestThreadsOfMoves: what is expected of the match goes by the threads of its moves, not by
// those that measure.
func TestThreadsOfMoves(t *testing.T) {
	priors := func(o Options) (list []float64) {
		o.Play = 100 * time.Millisecond
		minimax := agent.Default()
		minimax.Algorithm.Name = agent.NameAlphaBeta
		all := []*Candidate{
			{Reference: true, prior: 0.5, Iterations: 3e4}, {prior: 0.55, priorLow: 0.7, Iterations: 3e4},
			{Agent: minimax, prior: 0.64, priorLow: 0.96, Iterations: 3e4},
		}
		expectMatch(all, &o)
		for _, c := range all {
			list = append(list, c.Prior)
		}
		return list
	}
	one, two := priors(Options{Threads: 1}), priors(Options{Threads: 2})
	if got := priors(Options{Threads: 2, Moves: 1}); !slices.Equal(got, one) || slices.Equal(one, two) {
		t.Errorf("priors are %v for moves of one thread, %v with another one to measure, %v for moves of two", one, got, two)
	}
}

// MAST on whole moves is expected to lose by playouts that it makes shorter, in real moves
// alone.
func TestExpectHastyPlayouts(t *testing.T) {
	whole := agent.Default()
	whole.Algorithm.TreeStrategy = agent.Orthodox
	guided, p := whole, &PlanReport{}
	guided.Heuristics = []agent.Heuristic{{Name: "mast-join"}}
	for _, c := range []struct{ blind, guided, want float64 }{{60, 60, 0}, {50, 60, 0}, {60, 30, 1}, {80, 20, 2}, {800, 20, 3}, {0, 20, 0}} {
		all := []*Candidate{
			{Reference: true, prior: 0.5, Iterations: 1000, Plan: p}, {prior: 0.5, Iterations: 1000, MeanLength: c.blind, Agent: whole, Plan: p},
			{prior: 0.6, Iterations: 1000, MeanLength: c.guided, Agent: guided, Plan: p}, {prior: 0.6, Iterations: 1000, MeanLength: c.guided, Agent: guided, Plan: &PlanReport{}},
		}
		expect(all, time.Second)
		if lost := oddsOf(0.6) - oddsOf(all[2].Prior); math.Abs(lost-c.want*tuned.PerShortening.Value) > 0.01 || math.Abs(all[2].trial-0.6) > 1e-9 {
			t.Errorf("%v joint moves of %v: %.2f are lost, want %v; in trial matches the prior is %v", c.guided, c.blind, lost, c.want, all[2].trial)
		}
		if math.Abs(all[1].Prior-0.5) > 1e-9 || math.Abs(all[3].Prior-0.6) > 1e-9 {
			t.Errorf("without MAST %v, on another plan %v", all[1].Prior, all[3].Prior)
		}
		all[2].Agent.Heuristics = []agent.Heuristic{{Name: "grave"}}
		if expect(all, time.Second); math.Abs(all[2].Prior-0.6) > 1e-9 {
			t.Errorf("GRAVE, which does not guide playouts: %v", all[2].Prior)
		}
	}
}

// A recipe for few iterations has its other prior there, and one between where the
// iterations lie between.
func TestExpectFewIterations(t *testing.T) {
	for _, c := range []struct {
		move time.Duration
		want float64
	}{{0, 0.7}, {time.Second, 0.7}, {10 * time.Second, 0.6}, {100 * time.Second, 0.5}, {time.Hour, 0.5}} {
		all := []*Candidate{{Reference: true, prior: 0.5, Iterations: 1000}, {prior: 0.5, priorLow: 0.7, Iterations: 1000}}
		if expect(all, c.move); math.Abs(all[1].Prior-c.want) > 0.01 {
			t.Errorf("%v a move: prior %v, want %v", c.move, all[1].Prior, c.want)
		}
	}
}

// A search by minimax, whose iterations are states, has the prior for as many iterations
// as the quickest tree makes in the time, and gains what that gains by its speed: here
// with three doublings.
func TestExpectMinimax(t *testing.T) {
	minimax := agent.Default()
	minimax.Algorithm.Name = agent.NameAlphaBeta
	for _, c := range []struct {
		move time.Duration
		want float64
	}{{10 * time.Millisecond, 0.8}, {time.Second, 0.6}, {time.Minute, 0.4}} {
		all := []*Candidate{
			{Reference: true, prior: 0.5, Iterations: 1000}, {prior: 0.5, Iterations: 10000},
			{Agent: minimax, prior: 0.4, priorLow: 0.8, Iterations: 1e7},
		}
		want := expected(oddsOf(c.want) + 3*tuned.PerDoubling.Value)
		if expect(all, c.move); math.Abs(all[2].Prior-want) > 0.01 {
			t.Errorf("%v a move: prior %v, want %v", c.move, all[2].Prior, want)
		}
	}
}

// Where there is time to think while others choose, what gains by it has a higher prior
// for moves of the match, and the same for those of trial matches.
func TestIdleGain(t *testing.T) {
	all := []*Candidate{{Reference: true, prior: 0.5, Iterations: 1000}, {prior: 0.6, idle: 0.7, Iterations: 1000}}
	expect(all, time.Second)
	before, trial := all[1].Prior, all[1].trial
	gainIdle(all)
	if gain := oddsOf(all[1].Prior) - oddsOf(before); math.Abs(gain-0.7) > 1e-9 || all[1].trial != trial || all[0].Prior != 0.5 {
		t.Errorf("gains %v; in trials %v, before %v; the reference agent %v", gain, all[1].trial, trial, all[0].Prior)
	}
	for _, list := range [][]recipe{known.Semimoves, known.WholeMoves} {
		for _, r := range list {
			if r.Idle != 0 && r.Algorithm != agent.NameAlphaBeta {
				t.Errorf("%s gains by idle time, in which only alpha-beta learns on", r.Name)
			}
		}
	}
}

// What was measured at the start of matches, and who was better in matches with 1 s for a
// move, four of each game (docs/experiments/alphabeta.json), at least three to one:
// alpha-beta or trees. Trial matches are those of alpha-beta against all others. Left out are
// games in which matches with Sancho say the opposite (Tic-Tac-Toe 3D, Connect Four 9x6).
func TestMatchesThatWerePlayed(t *testing.T) {
	const uniform, twice, minimax = "whole moves, uniform playouts", "whole moves, two playouts from a state", "whole moves, implicit minimax (matches)"
	for _, c := range []struct {
		game                       string
		trust                      float64
		reference, tree, alphaBeta float64 // iterations/s
		name                       string  // of the tree
		move                       float64 // seconds, in trial matches
		plays                      int
		points                     float64 // of alpha-beta
		wins                       bool    // alpha-beta, in matches
	}{
		{"Connect 5", 1, 152e3, 574e3, 2.3e6, minimax, 0.0064, 34, 6, false},
		{"Gomoku", 1, 92e3, 244e3, 1.4e6, minimax, 0.0044, 75, 47.5, false},
		{"Nine Board Tic-Tac-Toe", 0, 88e3, 450e3, 2e6, uniform, 0.003, 43, 27.5, false},
		{"Reversi", 0.39, 92e3, 460e3, 1.4e6, twice, 0.002, 43, 31, false},
		{"Breakthrough", 1, 135e3, 323e3, 1.9e6, minimax, 0.002, 51, 50.5, true},
		{"Breakthrough Suicide", 1, 58e3, 476e3, 1.1e6, minimax, 0.002, 25, 25, true},
		{"Dots and Boxes", 1, 47e3, 741e3, 2.9e6, minimax, 0.002, 41, 41, true},
		{"Escort Latch", 1, 73e3, 302e3, 2.8e6, minimax, 0.0024, 73, 64.5, true},
	} {
		candidate := func(name string, iterations float64) *Candidate {
			r := known.WholeMoves[slices.IndexFunc(known.WholeMoves, func(r recipe) bool { return r.Name == name })]
			k := &Candidate{Name: name, Agent: r.agent(agent.Agent{}, "orthodox"), Iterations: iterations, prior: r.Prior, priorLow: r.PriorLow, idle: r.Idle}
			if r.Source != "" {
				k.discount(r, c.trust)
			}
			return k
		}
		all := []*Candidate{{Reference: true, prior: 0.5, Iterations: c.reference}, candidate(c.name, c.tree), candidate("alpha-beta (matches)", c.alphaBeta)}
		expect(all, 2*time.Second)
		gainIdle(all)
		expectTrials(all, seconds(c.move))
		rate(all, []pairing{{2, 1, c.plays, c.points}}, seconds(c.move), 2*time.Second)
		if best, _ := decide(all); (best == all[2]) != c.wins {
			t.Errorf("%s: %s plays: scores of the tree %.2f, of alpha-beta %.2f", c.game, best.Name, all[1].Score, all[2].Score)
		}
	}
}

// What was measured in Gomoku on 15x15, where split moves with MAST won all trial matches of
// 4 ms. With 0.3 s they lose all matches to whole moves, and with 2 s the choice of that time
// lost to Sancho in nine moves (docs/experiments/results/choice.md, "Short moves").
func TestMatchLostAfterShortTrials(t *testing.T) {
	whole, split := plan("orthodox", 116e6, 112.7), plan("modshift", 95e6, 109.5)
	whole.Branching, split.Branching = 165.6, 168.8
	all := candidates(agent.Automatic(), []PlanReport{whole, split}, nil)
	index := func(name string) int {
		return slices.IndexFunc(all, func(k *Candidate) bool { return strings.HasPrefix(k.Name, name) })
	}
	for name, measured := range map[string][2]float64{
		"semisplit tree, MAST-split 0.7": {272e3, 53.2}, "reference agent": {124e3, 26.1}, "semisplit tree, uniform": {261e3, 107.7},
		"whole moves, two": {119e3, 93.6}, "whole moves, uniform": {215e3, 93.9}, "whole moves, MAST": {168e3, 40.9},
	} {
		k := all[index(name)]
		k.Iterations, k.MeanLength = measured[0], measured[1]
	}
	all = slices.DeleteFunc(all, func(k *Candidate) bool { return k.Iterations == 0 })
	guided := index("semisplit tree, MAST-split")
	const move, play = 4 * time.Millisecond, 2 * time.Second
	expect(all, play)
	expectTrials(all, move)
	rate(all, []pairing{
		{guided, index("semisplit tree, uniform"), 10, 10}, {guided, index("whole moves, two"), 8, 8}, {guided, index("whole moves, uniform"), 16, 16},
	}, move, play)
	uniform := all[index("whole moves, uniform")].Score
	if best, _ := decide(all); !strings.HasPrefix(best.Name, "whole moves") || oddsOf(uniform)-oddsOf(all[guided].Score) < 0.5 {
		t.Errorf("%s plays: score %.2f, of whole moves with uniform playouts %.2f, of split ones with MAST %.2f", best.Name, best.Score, uniform, all[guided].Score)
	}
}

// Whole moves gain where split ones compete, and so do searches by dimensions, which were
// held against them, but for few iterations. Split trees do not, nor whole moves alone.
func TestWholeMovesGain(t *testing.T) {
	whole, split := plan("orthodox", 1, 10), plan("mod", 1, 10)
	split.Depth, split.Branching = 3, 1000
	gain := func(name string, plans ...PlanReport) (prior, low float64) {
		for _, k := range candidates(agent.Automatic(), plans, nil) {
			for _, list := range [][]recipe{known.Semimoves, known.WholeMoves} {
				for _, r := range list {
					if r.Name == name && k.Name == name+" ("+k.Plan.Plan+")" {
						return oddsOf(k.prior) - oddsOf(r.Prior), oddsOf(k.priorAt(1)) - oddsOf(cmp.Or(r.PriorLow, r.Prior))
					}
				}
			}
		}
		t.Fatalf("no candidate %s", name)
		return 0, 0
	}
	all := tuned.WholeMoves.Value
	for _, c := range []struct {
		name      string
		plans     []PlanReport
		want, low float64
	}{
		{"whole moves, uniform playouts", []PlanReport{whole, split}, all, all},
		{"whole moves, proof numbers", []PlanReport{whole, split}, all, all},
		{"dimension by dimension", []PlanReport{whole, split}, all, 0},
		{"naive sampling", []PlanReport{whole, split}, all, 0},
		{"semisplit tree, MAST-split 0.7", []PlanReport{whole, split}, 0, 0},
		{"whole moves, proof numbers", []PlanReport{whole}, 0, 0},
	} {
		if got, low := gain(c.name, c.plans...); math.Abs(got-c.want) > 1e-9 || math.Abs(low-c.low) > 1e-9 {
			t.Errorf("%s, %d plans: gains %.2f, with few iterations %.2f, want %.2f, %.2f", c.name, len(c.plans), got, low, c.want, c.low)
		}
	}
}

// TestThreads: what searches on one thread gets one, but alpha-beta, which learns on a
// second one.
func TestThreads(t *testing.T) {
	base := agent.Automatic()
	base.General.Threads = 2
	for _, r := range slices.Concat(known.Semimoves, known.WholeMoves) {
		want := 1
		if r.Algorithm == "" || r.Algorithm == agent.NameAlphaBeta {
			want = 2
		}
		a := r.agent(base, "mod")
		if a.General.Threads != want {
			t.Errorf("%s: %d threads, want %d", r.Name, a.General.Threads, want)
		}
		if err := valid(a); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
}

// Trials in which everybody breaks down end, and the choice goes on.
func TestTrialsThatBreakDown(t *testing.T) {
	m := gametest.Lanes(t, gametest.Bundled(t, "tictactoe"), "orthodox")
	p := PlanReport{Trial: reasoner.Trial{Plan: "orthodox", Machine: m}, Length: 8}
	broken := func(name string) *Candidate { // without a machine of its own
		return &Candidate{Name: name, Plan: &p, Prior: 0.5, Iterations: 1}
	}
	c := &chooser{Choice: Choice{Options: Options{Time: 5 * time.Second, Threads: 2}}, source: oneMachine{m}, begun: time.Now()}
	c.Candidates = []*Candidate{broken("a"), broken("b"), broken("c")}
	c.trials(t.Context())
	out := 0
	for _, k := range c.Candidates {
		if k.Out != "" {
			out++
		}
	}
	if out < 2 || c.NoTrials != "" {
		t.Errorf("%d of 3 are out, %q", out, c.NoTrials)
	}
	if best, _ := decide(c.Candidates); best == nil {
		t.Error("nobody plays")
	}
}

// A favorite that breaks down is out, not who plays against it.
func TestFavoriteThatBreaksDown(t *testing.T) {
	m := gametest.Lanes(t, gametest.Bundled(t, "tictactoe"), "orthodox")
	p := PlanReport{Trial: reasoner.Trial{Plan: "orthodox", Machine: m}, Length: 8}
	c := &chooser{Choice: Choice{Options: Options{Time: time.Second, Threads: 2}, Plans: []PlanReport{p}}, source: oneMachine{m}, begun: time.Now()}
	broken := &Candidate{Name: "broken", Plan: &p, Prior: 0.9, Iterations: 1} // without a machine
	c.Candidates = []*Candidate{broken}
	for _, name := range []string{"b", "c"} {
		c.Candidates = append(c.Candidates, &Candidate{Name: name, Plan: &p, Prior: 0.5, Iterations: 1, Agent: agent.Default(), machine: m})
	}
	c.trials(t.Context())
	for _, k := range c.Candidates {
		if (k.Out != "") != (k == broken) {
			t.Errorf("%s: out for %q", k.Name, k.Out)
		}
	}
}

// What was learned before and says nothing is no reason not to learn.
func TestUselessKnowledge(t *testing.T) {
	rules := gametest.Bundled(t, "tictactoe")
	m := gametest.Lanes(t, rules, "orthodox")
	c := &chooser{
		Choice:  Choice{Options: Options{Time: 4 * time.Second, Threads: 1}, Plans: []PlanReport{{Trial: reasoner.Trial{Plan: "orthodox", Machine: m}}}},
		program: rules, base: agent.Automatic(), source: oneMachine{m}, begun: time.Now(),
		known: Known{Evaluations: map[evaluation.Source]*evaluation.Evaluation{evaluation.FromMatches: {}}},
	}
	if c.learn(t.Context()); !c.IsNew(evaluation.FromMatches) || !c.Evaluations[evaluation.FromMatches].Useful() {
		t.Errorf("nothing was learned: %s", c.NoEvaluation)
	}
}

// A machine that is ready just after the plans were looked at is not one of them.
func TestMachineThatComesTooLate(t *testing.T) {
	rules := gametest.Bundled(t, "tictactoe")
	source := &late{oneMachine: oneMachine{gametest.Prover(t, rules)}}
	c := &chooser{Choice: Choice{Options: Options{Threads: 1}}, program: rules, base: agent.Automatic(), limits: reasoner.DefaultLimits, source: source, begun: time.Now()}
	made, err := c.choose(t.Context())
	if err != nil || made.Machine != source.m {
		t.Errorf("%+v, %v", made, err)
	}
}

// late is the source of a choice that has a plan from the second time on that it is asked.
type late struct {
	oneMachine
	trials []reasoner.Trial
}

func (l *late) Trials() []reasoner.Trial {
	before := l.trials
	l.trials = []reasoner.Trial{{Plan: "modshift", Machine: l.m}}
	return before
}

// oneMachine is the source of a choice that has but one.
type oneMachine struct{ m reasoner.Machine }

func (o oneMachine) Best() reasoner.Machine   { return o.m }
func (o oneMachine) Trials() []reasoner.Trial { return nil }
func (o oneMachine) Done() <-chan struct{}    { return nil }

// Each figure of the data file names a spec that exists, or says why there is none. The
// spec of a recipe is about what it does: it has the words for that.
func TestRecipesAreBacked(t *testing.T) {
	check := func(what string, b basis, words ...string) {
		if b.Spec == "" {
			if b.Note == "" {
				t.Errorf("%s: neither a spec nor a note", what)
			}
			return
		}
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", "experiments", b.Spec))
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		for _, word := range words {
			if !bytes.Contains(text, []byte(word)) {
				t.Errorf("%s: %s has no %s", what, b.Spec, word)
			}
		}
	}
	for _, r := range slices.Concat(known.Semimoves, known.WholeMoves) {
		var words []string
		for word, has := range map[string]bool{
			"parameters.pn": r.Proof != "", "rnodal": r.Tree == agent.Rollup, "implicit_minimax": r.Minimax,
			"fixed_termination": r.Fixed > 0,
		} {
			if has {
				words = append(words, word)
			}
		}
		for _, h := range r.Heuristics {
			family, _, _ := strings.Cut(h, "-")
			words = append(words, family)
		}
		check(r.Name, r.basis, words...)
		if r.Prior <= 0 || r.Prior >= 1 || r.PriorLow < 0 || r.PriorLow >= 1 {
			t.Errorf("%s: priors %v and %v", r.Name, r.Prior, r.PriorLow)
		}
		if err := valid(r.agent(agent.Default(), "mod")); err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
	var each func(group reflect.Value)
	each = func(group reflect.Value) {
		for field, value := range group.Fields() {
			c, single := value.Interface().(constant)
			if !single {
				each(value)
				continue
			}
			check(field.Name, c.basis)
			if c.Value <= 0 {
				t.Errorf("%s: %v", field.Name, c.Value)
			}
		}
	}
	each(reflect.ValueOf(known.Constants))
}

// valid reads an agent that is written to a file.
func valid(a agent.Agent) error {
	text, err := json.Marshal(a)
	if err == nil {
		_, err = agent.Read(bytes.NewReader(text))
	}
	return err
}

func named(name string) func(recipe) bool { return func(r recipe) bool { return r.Name == name } }

// A recipe of another algorithm than MCTS plays as the preset that its prior was measured
// with, but for plan and evaluation.
func TestRecipesPlayAsPresets(t *testing.T) {
	for preset, recipe := range map[string]string{
		"hierarchical": "dimension by dimension", "naive": "naive sampling", "dimensional": "dimension by dimension, the next one searched",
		"lsi": "linear side information", "alphabeta": "alpha-beta (matches)", "bestfirst": "best-first minimax (matches)",
	} {
		measured, err := agent.Find(preset)
		if err != nil {
			t.Fatal(err)
		}
		all := slices.Concat(known.Semimoves, known.WholeMoves)
		i := slices.IndexFunc(all, named(recipe))
		got, want := all[i].agent(agent.Automatic(), "mod").Algorithm, measured.Algorithm
		want.SplitStrategy, want.Parameters.Evaluation = "mod", got.Parameters.Evaluation
		if got != want {
			t.Errorf("%s plays\n%+v, the preset\n%+v", recipe, got, want)
		}
	}
}

// A search with fewer threads is expected to do worse where others have more, and only there.
func TestHandicap(t *testing.T) {
	for name, threads := range map[string]float64{agent.NameMCTS: 4, agent.NameAlphaBeta: 3, agent.NameBestFirst: 1, agent.NameNaive: 1} {
		a := agent.Default()
		a.Algorithm.Name = name
		all := []*Candidate{{Agent: a, Prior: 0.6, trial: 0.6}}
		if handicap(all, 1); math.Abs(all[0].Prior-0.6) > 1e-9 {
			t.Errorf("%s, one thread: %v", name, all[0].Prior)
		}
		handicap(all, 4)
		if want := expected(oddsOf(0.6) - tuned.PerDoubling.Value*math.Log2(4/threads)); math.Abs(all[0].Prior-want) > 1e-9 || all[0].trial != 0.6 {
			t.Errorf("%s, four threads: %v, not %v; in trials %v", name, all[0].Prior, want, all[0].trial)
		}
	}
}

// Sets begin on each seat in turn, since the last ones may not come to their end; each is
// played on all seats.
func TestSetsBeginOnEachSeat(t *testing.T) {
	seats := map[int]int{}
	for number := range 2 {
		plays := seatingsOf([]string{"x", "o"}, number)
		if len(plays) != 2 || slices.Equal(plays[0][0], plays[1][0]) {
			t.Fatalf("set %d: %v", number, plays)
		}
		seats[slices.Index(plays[0][0], local.FirstSide)]++
	}
	if len(seats) != 2 {
		t.Errorf("both sets begin on the same seat: %v", seats)
	}
}
