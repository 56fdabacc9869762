// Package choice chooses how a game is played: it measures ways to split the moves and
// to search, learns evaluations, lets the best play trial matches, and decides.
package choice

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"semisplit/player/agent"
	"semisplit/player/evaluation"
	"semisplit/player/local"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// Options say what a choice may cost, and what it is for.
type Options struct {
	Time    time.Duration // from now until the choice must have been made
	Play    time.Duration // the play clock of the match
	Threads int           // for measurements and trials; at least 1, and no more than there are cores count
	Moves   int           // threads that think about a move of the match; 0: as many
	Seed    uint64

	// Ponders says that in the match there is time to think while others choose.
	Ponders bool

	// Recall, if there is one, tells what is known of the game, for a machine of it.
	// Known evaluations are used as they are, and the time goes into trials; with
	// Learn most of the time goes into learning all the same.
	Recall func(reasoner.Machine) Known
	Learn  bool

	// Ready lets the time begin when all plans are ready or given up, however
	// long that takes: for experiments, where all agents have their machines
	// before the first match.
	Ready bool

	// Waited, if there is one, is called when nothing more is waited for: with
	// whether there is a machine beside the prover.
	Waited func(ready bool)
	// Begin, if there is one, is called when a part of the work begins, which it
	// names for people. Choose waits for it.
	Begin func(part string)
}

// moves is the number of threads that think about a move of the match.
func (o *Options) moves() int { return cmp.Or(o.Moves, o.Threads) }

// move is the time of a move of the match, of all these threads together.
func (o *Options) move() time.Duration { return o.Play * time.Duration(o.moves()) }

// noLonger is a time for a move of trial matches, no longer than that of a real one.
func (o *Options) noLonger(move time.Duration) time.Duration {
	if o.Play > 0 {
		return min(move, o.Play)
	}
	return move
}

// Choice is the automatic choice of a way to play one game, with all that it
// rests on. What decides is a function of these figures alone: see decide.
type Choice struct {
	Agent   agent.Agent      // what plays
	Machine reasoner.Machine // on this, as the agent needs it; nil where only the prover is there

	Options      Options
	Plans        []PlanReport
	Evaluations  map[evaluation.Source]*evaluation.Evaluation // that were learned of this game
	NoEvaluation string                                       // why one is missing
	Candidates   []*Candidate                                 // in the order of preference before anything was measured
	TrialMove    time.Duration
	NoTrials     string // why there were none
	Chosen       *Candidate
	Why          string
	Elapsed      time.Duration

	fresh  map[evaluation.Source]bool // evaluations that were learned now
	played []Trial
}

// Fixed is the agent that was chosen with its machine, so that an agent file of
// it plays the same.
func (c *Choice) Fixed() agent.Agent {
	a := c.Agent
	if a.General.Engine = c.Machine.Kind(); a.General.Engine == agent.EngineLanes {
		a.General.Lanes = c.Machine.Lanes()
	}
	return a
}

// PlanReport is what was measured of a way to split the moves, in random
// playouts from the initial state.
type PlanReport struct {
	reasoner.Trial
	PlayoutsPerSecond float64
	Length            float64 // joint moves a playout
	Dead              float64 // part of the paths of semimoves that led nowhere
	Branching         float64 // legal moves of the roles that have a choice, in the states of a few random matches
	Depth             float64 // semimoves of a joint move with which a role has a choice
	Choosing          float64 // roles that have a choice in such a state
	Lasting           float64 // of the moves that a role does not take, those that it has in its next choice
	Repeated          float64 // of the moves that a role plays, those that it has played before in the match
	Blind             bool    // it takes too long to see wins
	BlindMinimax      bool    // it takes too long to see them as alpha-beta does
	Out               string  // why its candidates do not compete; "": they do
}

// together tells whether several roles mostly choose at once.
func (p *PlanReport) together() bool { return p.Choosing >= tuned.Together.Roles.Value }

// combinatorial tells whether moves have so many coordinates that few of them can be tried.
func (p *PlanReport) combinatorial() bool {
	return p.Depth >= tuned.Dimensions.Semimoves.Value && p.Branching >= tuned.Dimensions.Moves.Value
}

// places tells whether roles choose among places, each of which is there until it is taken,
// and is taken once: then it says something what a move brings that is played later.
func (p *PlanReport) places() bool {
	return !p.together() && p.Lasting >= tuned.Places.Lasting.Value && p.Repeated <= tuned.Places.Repeated.Value
}

// playoutTime is how long a playout takes in one lane, with all of them busy.
func (p *PlanReport) playoutTime() time.Duration {
	if p.PlayoutsPerSecond <= 0 || p.Lanes <= 0 {
		return 0
	}
	return time.Duration(float64(p.Lanes) / p.PlayoutsPerSecond * float64(time.Second))
}

// Candidate is a way to play that was considered.
type Candidate struct {
	Name      string
	Agent     agent.Agent
	Plan      *PlanReport
	Reference bool    // the reference agent, which scores are against
	Prior     float64 // expected score against the reference agent: see recipes and expect

	Iterations, States float64 // a second, in a short search of the initial state
	MeanLength         float64 // joint moves a playout of that search
	Transposed         float64 // of the nodes of a search with transpositions, those for states that it held
	Out                string  // why it was no finalist

	Plays  int     // trial matches
	Points float64 // of them: 1 for a win, 1/2 for a draw
	Score  float64 // expected against the reference agent, by prior and trials: see ratings

	prior    float64 // the recipe's for many iterations a move, before anything was measured
	priorLow float64 // that for few; 0: the same
	trust    float64 // that its evaluation deserves
	unproven bool    // it goes by an evaluation alone, of which no trial match tells anything
	idle     float64 // what it gains where it thinks while others choose
	width    float64 // what it loses by trying each of many moves: see wide
	trial    float64 // as Prior, for the moves of trial matches; 0: the same
	machine  reasoner.Machine
	pending  int // plays that have begun
	failed   error
}

// The choice has these parts of its time, one after the other. What is left of
// the start clock goes into the search of the initial state.
const (
	compileShare = 0.38 // until plans are waited for, if there is a machine by then
	planShare    = 0.43 // until plans are measured
	learnShare   = 0.68 // until an evaluation is learned
	measureShare = 0.74 // until candidates are measured
	trialShare   = 1.0

	// Where trial matches need more of the time than that.
	triedLearnShare, triedMeasureShare = 0.48, 0.55
	// Where they would take too long all the same.
	longLearnShare, longMeasureShare = 0.75, 0.97
	// Where learning is what the time is for.
	mainLearnShare, mainMeasureShare = 0.8, 0.84
)

// Choose picks a way to play a game within a time. It fails only if the rules
// cannot be played at all.
func Choose(ctx context.Context, p *gdl.Program, base agent.Agent, l reasoner.Limits, o Options) (*Choice, error) {
	compiling, cancel := context.WithCancel(ctx)
	defer cancel()
	compilation, err := reasoner.Compile(compiling, p, l)
	if err != nil {
		return nil, err
	}
	o.Waited = func(bool) { cancel() } // what is not ready now would take processors from the trials
	return Among(ctx, compilation, p, base, l, o)
}

// Compilation is where a choice gets its machines from.
type Compilation interface {
	Best() reasoner.Machine
	Trials() []reasoner.Trial
	Done() <-chan struct{}
}

// Among is Choose among machines that are being made.
func Among(ctx context.Context, machines Compilation, p *gdl.Program, base agent.Agent, l reasoner.Limits, o Options) (*Choice, error) {
	o.Threads = min(max(1, o.Threads), runtime.GOMAXPROCS(0)) // more would measure each other
	c := &chooser{Choice: Choice{Options: o}, program: p, base: base, limits: l, source: machines, begun: time.Now()}
	c.begin("making a machine for each way to split the moves")
	c.await(ctx)
	if o.Waited != nil {
		o.Waited(c.ready())
	}
	return c.choose(ctx)
}

// chooser makes one choice.
type chooser struct {
	Choice
	program *gdl.Program
	base    agent.Agent
	limits  reasoner.Limits
	source  Compilation
	begun   time.Time
	move    atomic.Int64 // time for a move in trials, in nanoseconds

	trialsBegun time.Time

	known  Known
	before []pairing // of known

	mu      sync.Mutex // guards the following and the candidates while there are trials
	results []pairing
	sets    int // begun
	plays   int // played
}

func (c *chooser) begin(part string) {
	if c.Options.Begin != nil {
		c.Options.Begin(part)
	}
}

// until is the moment when a share of the time is over.
func (c *chooser) until(share float64) time.Time {
	return c.begun.Add(time.Duration(share * float64(c.Options.Time)))
}

// await waits for the plans to be ready: until all are, or for as long as that
// makes sense.
func (c *chooser) await(ctx context.Context) {
	if c.Options.Ready {
		select {
		case <-c.source.Done():
		case <-ctx.Done():
		}
		c.begun = time.Now()
		return
	}
	wait, cancel := context.WithDeadline(ctx, c.until(compileShare))
	defer cancel()
	select {
	case <-c.source.Done():
	case <-wait.Done():
	}
	// Else it is worth a little longer, until there is one.
	wait, cancel = context.WithDeadline(ctx, c.until(measureShare))
	defer cancel()
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	for !c.ready() {
		select {
		case <-look.C:
		case <-c.source.Done():
			return
		case <-wait.Done():
			return
		}
	}
}

// lookEvery is how often a choice that waits for a machine looks whether there is one.
const lookEvery = 10 * time.Millisecond

// ready tells whether there is a machine beside the prover by now.
func (c *chooser) ready() bool { return slices.ContainsFunc(c.source.Trials(), hasMachine) }

func hasMachine(t reasoner.Trial) bool { return t.Machine != nil }

// players are the roles that do not move at random.
func (c *chooser) players() []int { return local.PlayersOf(c.spelledRoles()) }

// forOne tells whether there is one player.
func (c *chooser) forOne() bool { return len(c.players()) < 2 }

// choose measures, lets the finalists play, and decides.
func (c *chooser) choose(ctx context.Context) (*Choice, error) {
	tried := c.source.Trials() // asked once: more machines may come at any time
	for _, t := range tried {
		p := PlanReport{Trial: t}
		if t.Machine == nil {
			p.Out = fmt.Sprintf("no machine: %v", t.Err)
		}
		c.Plans = append(c.Plans, p)
	}
	slices.SortStableFunc(c.Plans, func(a, b PlanReport) int { return cmp.Compare(a.Out, b.Out) })
	if !slices.ContainsFunc(tried, hasMachine) {
		m := c.source.Best() // a prover, or a circuit that was not among them yet
		c.Plans = append(c.Plans, PlanReport{Trial: reasoner.Trial{Plan: m.Plan(), Machine: m, Lanes: m.Lanes()}})
	}
	c.begin("measuring the plans")
	c.measurePlans(ctx)
	leaveOutPlans(c.Plans)
	if c.Options.Recall != nil {
		c.known = c.Options.Recall(c.source.Best())
	}
	c.sight(ctx)
	c.begin("learning to evaluate positions")
	c.learn(ctx)
	c.Candidates = candidates(c.base, c.Plans, c.Evaluations)
	if len(c.source.Best().Roles()) == 1 { // which is searched by layers with the solver only
		c.Candidates = slices.DeleteFunc(c.Candidates, func(k *Candidate) bool { return !k.Agent.Algorithm.Parameters.Solver })
	}
	c.begin(fmt.Sprintf("measuring %d candidates", len(c.Candidates)))
	c.measureCandidates(ctx)
	leaveOutCandidates(c.Candidates)
	expectMatch(c.Candidates, &c.Options)
	c.before = c.recalled()
	c.rate()
	c.trials(ctx)
	c.played = c.named()
	c.Chosen, c.Why = decide(c.Candidates)
	c.Agent, c.Machine = c.Chosen.Agent, c.Chosen.machine
	if c.Machine == nil { // its machine could not be made
		c.Machine = c.Chosen.Plan.Machine
	}
	c.Agent.Name, c.Agent.Description = c.base.Name, c.Chosen.Name
	c.Elapsed = time.Since(c.begun)
	return &c.Choice, nil
}
