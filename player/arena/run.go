package arena

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"semisplit/games"
	"semisplit/internal/guard"
	"semisplit/internal/revision"
	"semisplit/player/agent"
	"semisplit/player/jobs"
	"semisplit/player/local"
	"semisplit/player/peer"
	"semisplit/player/referee"
	"semisplit/reasoner"
	"semisplit/search"
)

// Options of a run that do not touch the results.
type Options struct {
	Limits   reasoner.Limits // of compiling a game; reasoner.DefaultLimits
	Progress func(Progress)  // called after each play, one call at a time; may be nil
	// Interleave plays all games in turn, a set of each; without it game by game.
	Interleave bool

	// Field does the plays; nil: they are made at once, in this process. Ahead is how many
	// are asked for at a time. Worker is that of this process, which plays with the
	// machines of this run.
	Field  jobs.Field
	Ahead  int
	Worker *Worker

	// Show lets somebody look on at a match that is about to be played here, by roles and
	// players: it sets Observe of the config. ended is called when it is over. nil: nobody
	// looks on.
	Show func(c *referee.Config, game games.Game, roles, players []string) (ended func(error))

	// What follows is for matches over HTTP.

	// Serve is the command that serves the agent of a file for one match.
	Serve func(file string) peer.Command
	Logs  string // folder for the output of the players' processes; "": it is not kept
}

// Progress of a run.
type Progress struct {
	Done, Total int           // plays; those stored earlier count as done, those that a decided test spares do not count
	Play        *Play         // that has just ended; nil at the start
	Left        time.Duration // estimated; 0: unknown
}

// Run plays what the plan asks for and the store does not hold. It returns
// when all is done, when ctx ends (with its error; plays in progress are
// given up), or when the store fails. A play that fails, be it by a panic, is
// stored as such.
func (p *Plan) Run(ctx context.Context, store *Store, o Options) error {
	r, err := newRunner(p, store, o)
	if err != nil {
		return err
	}
	return r.run(ctx)
}

// runner is a run of a plan.
type runner struct {
	plan     *Plan
	store    *Store
	options  Options
	parallel int
	confined bool          // each side has cores of its own, over HTTP
	cores    *cores        // that they get
	wait     time.Duration // for players to listen; 0: peer.DefaultWait
	grace    time.Duration // for their replies; 0: referee.DefaultGrace
	group    string        // of its jobs
	asking   sync.Map      // asking: the plays that are asked for now
	newBrain func(m reasoner.Machine, a agent.Agent, role int, seed uint64, stop *atomic.Bool) (local.Thinker, error)

	// quiet is held for reading by every play, and for writing where the speed
	// of something is measured.
	quiet sync.RWMutex

	mu     sync.Mutex // guards what follows, and the series and games
	series []*series
	games  []*game
	failed error // of the store

	// Written under both locks; plays read them.
	budgets map[seriesKey]int // states a move by game, setting and baseline
	chosen  map[string]reasoner.Variant
	elected map[seriesKey]agent.Agent // by game, setting and label
}

// job is a play to be played.
type job struct {
	series *series
	number int
	own    [2][]int // the cores of each side, over HTTP; none: all
}

func newRunner(p *Plan, store *Store, o Options) (*runner, error) {
	if o.Limits == (reasoner.Limits{}) {
		o.Limits = reasoner.DefaultLimits
	}
	r := &runner{
		plan: p, store: store, options: o, parallel: p.Parallel(), cores: o.Worker.coresOrNew(), budgets: map[seriesKey]int{}, elected: map[seriesKey]agent.Agent{},
		newBrain: func(m reasoner.Machine, a agent.Agent, role int, seed uint64, stop *atomic.Bool) (local.Thinker, error) {
			return local.NewPlayer(m, a, role, seed, stop)
		},
	}
	run := Run{Started: time.Now(), Revision: revision.Own(), Machine: computer(), Parallel: r.parallel}
	if p.Spec.overHTTP() {
		if err := r.checkHTTP(); err != nil {
			return nil, err
		}
		r.confined = len(peer.Cores()) >= 2*r.parallel*p.Spec.Cores
		run.Machine += "; " + r.confinement()
	}
	if err := store.begin(p, run); err != nil {
		return nil, err
	}
	var err error
	if r.chosen, err = store.chosen(); err != nil {
		return nil, err
	}
	elections, err := store.elections()
	if err != nil {
		return nil, err
	}
	for _, e := range elections {
		r.elected[seriesKey{e.Game, e.Setting, "", e.Label}] = e.Agent
	}
	budgets, err := store.budgets()
	if err != nil {
		return nil, err
	}
	for _, b := range budgets {
		r.budgets[seriesKey{b.Game, b.Setting, b.Baseline, ""}] = b.States
	}
	return r, r.schedule()
}

// Parallel is the number of matches at once: what the spec says, or as many
// as there are processors for the threads of the agents, or for the cores of
// both sides. A player at an address plays one match at a time.
func (p *Plan) Parallel() int {
	if p.hasAddress() {
		return 1
	}
	if p.Spec.Parallel > 0 {
		return p.Spec.Parallel
	}
	if p.Spec.overHTTP() {
		return max(1, runtime.GOMAXPROCS(0)/(2*p.Spec.Cores))
	}
	threads := 1
	for _, c := range p.contenders() {
		threads = max(threads, c.Agent.General.Threads)
	}
	return max(1, runtime.GOMAXPROCS(0)/threads)
}

// OverHTTP tells whether plays are matches over HTTP, between processes.
func (p *Plan) OverHTTP() bool { return p.Spec.overHTTP() }

// HasPeers tells whether players of others take part, whose matches are played here.
func (p *Plan) HasPeers() bool { return p.Spec.hasPeers() }

func (p *Plan) contenders() []Contender { return slices.Concat(p.Agents, p.Baselines) }

func (p *Plan) hasAddress() bool {
	return slices.ContainsFunc(p.contenders(), func(c Contender) bool { return c.Peer != nil && c.Peer.URL != "" })
}

func (r *runner) run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	playHere, atOnce := r.play, r.parallel
	if r.options.Field != nil {
		playHere, atOnce = r.ask, max(1, r.options.Ahead)
		run, err := r.store.run()
		if err != nil {
			return err
		}
		r.group = run
		defer r.options.Worker.serve(r)()
	}
	r.report(nil)
	var group sync.WaitGroup
	for range atOnce {
		group.Go(func() {
			for ctx.Err() == nil {
				j, ok := r.take(ctx)
				if !ok {
					return
				}
				r.quiet.RLock()
				play := playHere(ctx, j)
				r.quiet.RUnlock()
				if ctx.Err() != nil {
					return // the play was given up
				}
				if !r.finish(j, play) {
					cancel()
				}
			}
		})
	}
	group.Wait()
	if r.failed != nil {
		return fmt.Errorf("store the results: %w", r.failed)
	}
	return ctx.Err()
}

// finish keeps a play. False: the store fails.
func (r *runner) finish(j job, p Play) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	j.series.game.active--
	if err := r.store.Add(p); err != nil {
		r.failed = errors.Join(r.failed, err)
		return false
	}
	j.series.add(p, r.plan.Spec.SPRT)
	r.release(j.series.game)
	r.report(&p)
	return true
}

// maxErrorText bounds what is kept of a panic.
const maxErrorText = 4 << 10

// play plays a play, whatever comes.
func (r *runner) play(ctx context.Context, j job) (p Play) {
	s := j.series
	set, seats := j.number/len(s.seatings), s.seatings[j.number%len(s.seatings)]
	blank := r.blank(j)
	p = blank
	if r.confined {
		own, giveBack, err := r.cores.take(ctx, r.plan.Spec.Cores)
		if err != nil {
			p.Error = err.Error()
			return p
		}
		defer giveBack()
		j.own = own
	}
	begin := time.Now()
	err := guard.Run(func() error {
		for _, sides := range seats {
			var err error
			if r.plan.Spec.overHTTP() {
				err = r.matchHTTP(ctx, j, sides, &p)
			} else {
				err = r.match(ctx, j, sides, set, &p)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		blank.Faults = p.Faults
		p = blank
		_, p.LeftOut = errors.AsType[*peerError](err)
		p.Error = err.Error()
		p.Error = p.Error[:min(len(p.Error), maxErrorText)]
		p.Elapsed = time.Since(begin)
		return p
	}
	p.Elapsed = time.Since(begin)
	p.Score = local.Share(p.AgentGoals, p.BaseGoals)
	return p
}

// blank is a play before it is played.
func (r *runner) blank(j job) Play {
	s := j.series
	var spelled []string
	for _, m := range s.seatings[j.number%len(s.seatings)] {
		spelled = append(spelled, m.String())
	}
	return Play{
		Game: s.key.Game, Setting: s.key.Setting, Baseline: s.key.Baseline, Agent: s.key.Agent, Number: j.number,
		Seats: strings.Join(spelled, "/"), Seed: SeedOf(r.plan.Spec.Seed, s.key.Game, s.key.Setting, s.key.Baseline, s.key.Agent, j.number),
	}
}

// match plays one match of a play and adds its outcome.
func (r *runner) match(ctx context.Context, j job, sides local.Seating, set int, p *Play) (err error) {
	var stop atomic.Bool
	defer context.AfterFunc(ctx, func() { stop.Store(true) })()
	t, err := r.sit(ctx, j, sides, p.Seed, &stop)
	if err != nil {
		return err
	}
	ended := r.show(j.series, t, sides)
	defer func() { ended(err) }()
	opening, err := t.Open(r.plan.Spec.Opening, SeedOf(r.plan.Spec.Seed, "opening", p.Game, set))
	if err != nil {
		return err
	}
	budget, start, err := r.budget(j.series)
	if err != nil {
		return err
	}
	if err := t.Run(ctx, [2]search.Budget{budget, budget}, start, r.plan.Spec.Turns); err != nil {
		return err
	}
	p.score(sides, t.Judge.Goals())
	p.Turns += t.Turns
	p.Opening += opening
	p.AgentEffort.Join(t.Effort[local.FirstSide])
	p.BaseEffort.Join(t.Effort[local.SecondSide])
	return nil
}
