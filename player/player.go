// Package player plays matches: it follows them from START to STOP, keeps the
// clocks, lets the search think while there is time, and always has a move to
// send.
//
// The course of the matches is decided by a step core (core.go, hear.go):
// events in, actions out. Player is the driver around it, which owns the
// clock and the requests; each match has a worker, which owns its position
// and its search tree. The core never waits for a worker: when a clock runs
// out, the move at hand is sent.
package player

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"semisplit/kif"
	"semisplit/protocol"
	"semisplit/reasoner"
	"semisplit/reasoner/gdl"
)

// Config is what a Player needs. The zero value of a field means its default.
type Config struct {
	Agent   Agent           // how to play; DefaultAgent
	Matches int             // matches at a time; 2
	Seed    uint64          // of all random choices
	Limits  reasoner.Limits // of the work on one game; reasoner.DefaultLimits
	Log     *slog.Logger    // nothing is logged without

	// Prompt makes the player send a single legal move at once. Without it the
	// player searches on as long as the clock allows, as it does while it waits
	// for others, unless the agent does not search then either.
	Prompt bool
}

// Player plays any number of matches at once, up to its limit. It implements
// protocol.Player.
type Player struct {
	agent  Agent
	seed   uint64
	log    *slog.Logger
	epoch  time.Time
	source func(ctx context.Context, rules []kif.Term) (source, error)
	plant  func(m reasoner.Machine, a Agent, seed uint64) tree

	mu       sync.Mutex
	core     *core
	requests int
	replies  map[int]chan reply
	workers  map[int]*worker
	halts    map[int]*atomic.Bool // flag of the last search of a life
	timer    *time.Timer
	closed   bool
	running  sync.WaitGroup
}

var _ protocol.Player = (*Player)(nil)

// New makes a player.
func New(c Config) *Player {
	if c.Agent.Name == "" {
		c.Agent = DefaultAgent()
	}
	if c.Agent.General.Threads == 0 {
		c.Agent.General.Threads = runtime.GOMAXPROCS(0)
	}
	if c.Matches <= 0 {
		c.Matches = 2
	}
	if c.Limits == (reasoner.Limits{}) {
		c.Limits = reasoner.DefaultLimits
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	general := c.Agent.General
	p := &Player{
		agent: c.Agent, seed: c.Seed, log: c.Log, epoch: time.Now(), plant: newTree,
		core: newCore(c.Matches, general.SimulateDuringOppTurn && c.Agent.Algorithm.Parameters.Iterations == 0, general.buffer()),

		replies: map[int]chan reply{}, workers: map[int]*worker{}, halts: map[int]*atomic.Bool{},
	}
	p.core.prompt = c.Prompt
	p.source = func(ctx context.Context, rules []kif.Term) (source, error) {
		return readRules(ctx, rules, c.Agent, c.Limits, c.Log)
	}
	p.timer = time.AfterFunc(time.Hour, func() { p.step(ticked{}) })
	p.timer.Stop()
	return p
}

// readRules is the way from the text of a START message to machines.
func readRules(ctx context.Context, rules []kif.Term, agent Agent, limits reasoner.Limits, log *slog.Logger) (source, error) {
	program, diagnostics := reasoner.Analyze(rules)
	if err := diagnostics.Err(); err != nil {
		return source{}, fmt.Errorf("rules: %w", err)
	}
	if len(diagnostics) > 0 {
		log.Info("warnings about the rules", "count", len(diagnostics), "first", diagnostics[0].Message)
	}
	if agent.Automatic() {
		return automatic(ctx, program, agent, limits)
	}
	compilation, err := agent.Compile(ctx, program, limits)
	if err != nil {
		return source{}, err
	}
	s := source{first: compilation.Best(), better: compilation.Better(), err: compilation.Err, trials: compilation.Trials}
	s.adapt = func(m reasoner.Machine) reasoner.Machine {
		adapted, err := agent.Adapt(ctx, m, program, limits)
		if err != nil {
			log.Warn("the machine lacks what the agent needs beside it", "error", err)
			return m
		}
		return adapted
	}
	return s, nil
}

// automatic is the source of an agent that is chosen at the start.
func automatic(ctx context.Context, program *gdl.Program, agent Agent, limits reasoner.Limits) (source, error) {
	compiling, cancel := context.WithCancel(ctx)
	compilation, err := reasoner.Compile(compiling, program, limits)
	if err != nil {
		cancel()
		return source{}, err
	}
	return source{
		first: compilation.Best(), better: compilation.Better(), err: compilation.Err, trials: compilation.Trials,
		interim: func(m reasoner.Machine) Agent { return interim(agent, m.Plan()) },
		choose: func(ctx context.Context, o ChoiceOptions, busy func(bool)) (*Choice, error) {
			c := newChooser(program, agent, limits, compilation, o)
			c.await(ctx, compilation)
			if len(c.ready()) > 0 {
				cancel() // what is not ready now would take processors from the trials
			}
			busy(true)
			return c.choose(ctx)
		},
	}, nil
}

// Close ends all matches and waits until everything has been freed.
func (p *Player) Close() {
	p.mu.Lock()
	p.closed = true
	p.timer.Stop()
	var open []string
	for id := range p.core.matches {
		open = append(open, id)
	}
	p.mu.Unlock()
	for _, id := range open {
		p.step(stopped{match: id, abort: true})
	}
	p.running.Wait()
}

// Info implements protocol.Player.
func (p *Player) Info() (name, status string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || p.core.busy() {
		return p.agent.Name, "busy"
	}
	return p.agent.Name, "available"
}

// Preview implements protocol.Player. Nothing is kept for a later match.
func (p *Player) Preview(context.Context, []kif.Term, time.Duration) {}

// Start implements protocol.Player.
func (p *Player) Start(ctx context.Context, m protocol.Start) string {
	req, answer, ok := p.request()
	if !ok {
		return "busy"
	}
	event := started{
		req: req, match: m.Match, role: m.Role, guess: guessMove(m.Rules, m.Role),
		startClock: m.StartClock, playClock: m.PlayClock, received: p.since(m.Received),
	}
	if !p.begin(event, &m) {
		return "busy"
	}
	return p.wait(ctx, answer).text
}

// Play implements protocol.Player.
func (p *Player) Play(ctx context.Context, m protocol.Play) (kif.Term, bool) {
	req, answer, ok := p.request()
	if !ok {
		return kif.Term{}, false
	}
	p.step(asked{req: req, match: m.Match, moves: m.Moves, received: p.since(m.Received)})
	r := p.wait(ctx, answer)
	return r.move, r.ok
}

// Stop implements protocol.Player.
func (p *Player) Stop(ctx context.Context, m protocol.Play) string {
	return p.over(ctx, stopped{match: m.Match, moves: m.Moves})
}

// Abort implements protocol.Player.
func (p *Player) Abort(ctx context.Context, match string) string {
	return p.over(ctx, stopped{match: match, abort: true})
}

func (p *Player) over(ctx context.Context, e stopped) string {
	req, answer, ok := p.request()
	if !ok {
		return "busy"
	}
	e.req = req
	p.step(e)
	return p.wait(ctx, answer).text
}

// request makes a number and a place for one reply; false after Close.
func (p *Player) request() (int, <-chan reply, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return 0, nil, false
	}
	p.requests++
	answer := make(chan reply, 1)
	p.replies[p.requests] = answer
	return p.requests, answer, true
}

// wait returns the reply, or nothing of interest when the manager has gone.
func (p *Player) wait(ctx context.Context, answer <-chan reply) reply {
	select {
	case r := <-answer:
		return r
	case <-ctx.Done():
		return reply{text: "busy"}
	}
}

// since is a time as the core counts it. A zero time means now.
func (p *Player) since(t time.Time) time.Duration {
	if t.IsZero() {
		t = time.Now()
	}
	return t.Sub(p.epoch)
}

// begin is step for a START message; false after Close.
func (p *Player) begin(event started, m *protocol.Start) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.carryOut(p.core.step(p.since(time.Now()), event), m)
	return true
}

// step tells the core of an event and does what it wants.
func (p *Player) step(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.carryOut(p.core.step(p.since(time.Now()), event), nil)
}

// carryOut performs actions without waiting for anything; start is the
// message that led to them, if it was one. The lock is held.
func (p *Player) carryOut(actions []action, start *protocol.Start) {
	for _, a := range actions {
		switch a := a.(type) {
		case reply:
			if answer := p.replies[a.req]; answer != nil {
				answer <- a
				delete(p.replies, a.req)
			}
		case order:
			p.order(a, start)
		case halt:
			if stop := p.halts[a.life]; stop != nil {
				stop.Store(true)
			}
		case free:
			p.free(a)
		case note:
			p.log.LogAttrs(context.Background(), a.level, a.text, a.attrs...)
		}
	}
	if at, ok := p.core.next(); ok && !p.closed {
		p.timer.Reset(at - p.since(time.Now()))
	} else {
		p.timer.Stop()
	}
}

func (p *Player) order(a order, start *protocol.Start) {
	if _, first := a.task.(prepare); first {
		p.workers[a.life] = p.hire(a.life, *start)
	}
	t := task{what: a.task}
	if _, ok := a.task.(ponder); ok {
		t.stop = new(atomic.Bool)
		p.halts[a.life] = t.stop
	}
	p.workers[a.life].orders.push(t)
}

func (p *Player) hire(life int, start protocol.Start) *worker {
	seed := p.seed + uint64(life)<<32
	w := &worker{
		life: life, start: start, agent: p.agent, seed: seed, log: p.log, tell: p.step, source: p.source, plant: p.plant,
		orders: newQueue(), better: make(chan upgrade, 1), random: rand.New(rand.NewPCG(seed, 1)), slice: shortestSlice, spawn: p.running.Go,
	}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	p.running.Go(w.run)
	return w
}

// free lets a worker go: whatever it does ends soon, and nothing keeps its
// memory then.
func (p *Player) free(a free) {
	w := p.workers[a.life]
	if stop := p.halts[a.life]; stop != nil {
		stop.Store(true)
	}
	w.cancel()
	w.quit.Store(true)
	w.orders.finish(task{what: a})
	delete(p.workers, a.life)
	delete(p.halts, a.life)
}
