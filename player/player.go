// Package player plays matches: it follows them from START to STOP, keeps the
// clocks, lets the search think while there is time, and always has a move to
// send.
//
// The course of the matches is decided by a step core (core.go, hear.go):
// events in, actions out. Player is the driver around it, which owns the
// clock and the requests; each match has a worker, which owns its position
// and its search tree. The core never waits for a worker: when a clock runs
// out, the current move is sent.
package player

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"semisplit/internal/cores"
	"semisplit/internal/guard"
	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/knowledge"
	"semisplit/player/machines"
	"semisplit/protocol"
	"semisplit/reasoner"
	"semisplit/search"
)

// Config is what a Player needs. The zero value of a field means its default.
type Config struct {
	Agent   agent.Agent     // how to play; agent.Default
	Matches int             // matches at a time; 2
	Seed    uint64          // of all random choices
	Limits  reasoner.Limits // of the work on one game; reasoner.DefaultLimits
	Log     *slog.Logger    // nothing is logged without

	// Prompt makes the player send a single legal move at once. Without it the
	// player searches on as long as the clock allows, as it does while it waits
	// for others, unless the agent does not search then either.
	Prompt bool

	// Knowledge is where an automatic agent looks up what was learned of a game
	// before; nil: nowhere. With Remember it adds what it learns at each START.
	Knowledge *knowledge.Store
	Remember  bool

	// Think bounds the time for a move, and that for START, where the clocks are
	// longer: those of a match with a person. The clocks still say how long
	// others may take. 0: no bound.
	Think time.Duration

	// Watch is told what happens in the matches, as WatchStart, WatchState, WatchMind,
	// WatchChoice and WatchEnd say; nil: nobody is. It is called from the goroutines of
	// the matches, several at once, and must return soon.
	Watch func(event any)
}

// spareMatches is for how many ended matches, beside those in play, machines may
// still be in the making: rules can be deaf to the end of their match for a while.
const spareMatches = 2

// Player plays any number of matches at once, up to its limit. It implements
// protocol.Player.
type Player struct {
	agent   agent.Agent
	seed    uint64
	log     *slog.Logger
	limits  reasoner.Limits
	epoch   time.Time
	source  func(ctx context.Context, rules []kif.Term) (source, error)
	newTree func(m reasoner.Machine, a agent.Agent, seed uint64) search.Algorithm
	watch   func(event any)

	mu       sync.Mutex
	core     *core
	requests int
	replies  map[int]chan reply
	workers  map[int]*worker
	timer    *time.Timer
	closed   bool
	claimed  int // cores taken by force
	running  sync.WaitGroup
	places   *semaphore.Weighted // of workers
	standIns *semaphore.Weighted // places of stand-ins
	living   int                 // workers that have not ended
}

var _ protocol.Player = (*Player)(nil)

// New makes a player.
func New(c Config) *Player {
	if c.Agent.Name == "" {
		c.Agent = agent.Default()
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
		agent: c.Agent, seed: c.Seed, log: c.Log, limits: c.Limits, epoch: time.Now(), newTree: machines.NewMatchTree, watch: c.Watch,
		core: newCore(c.Matches, general.SimulateDuringOppTurn && c.Agent.Algorithm.Parameters.Iterations == 0, general.Buffer()),

		places:   semaphore.NewWeighted(int64(c.Matches + spareMatches)),
		standIns: semaphore.NewWeighted(int64(c.Matches + spareMatches)),
		replies:  map[int]chan reply{}, workers: map[int]*worker{},
	}
	p.core.prompt, p.core.think, p.core.threads, p.core.oneCore = c.Prompt, c.Think, general.Threads, runtime.GOMAXPROCS(0) == 1
	p.source = func(ctx context.Context, rules []kif.Term) (source, error) {
		return readRules(ctx, rules, &c)
	}
	p.timer = time.AfterFunc(time.Hour, func() { p.step(ticked{}) })
	p.timer.Stop()
	return p
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
	if p.closed || p.core.busy(p.since(time.Now())) {
		return p.agent.Name, "busy"
	}
	return p.agent.Name, "available"
}

// Admits implements protocol.Player.
func (p *Player) Admits(kind protocol.Kind, match string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, known := p.core.matches[match]
	switch kind {
	case protocol.KindPlay, protocol.KindStop:
		return known
	case protocol.KindStart:
		return !p.closed && (known || !p.core.busy(p.since(time.Now())))
	}
	return false
}

// Preview implements protocol.Player. Nothing is kept for a later match.
func (p *Player) Preview(context.Context, []kif.Term, time.Duration) {}

// Start implements protocol.Player.
func (p *Player) Start(ctx context.Context, m protocol.Start) string {
	req, answer, ok := p.request()
	if !ok {
		return "busy"
	}
	// What stays of the message must not keep its text and its rules.
	m.Match, m.Role = strings.Clone(m.Match), m.Role.Clone()
	event := started{
		req: req, match: m.Match, role: m.Role, guess: guessMove(m.Rules, m.Role).Clone(),
		startClock: m.StartClock, playClock: m.PlayClock, received: p.since(m.Received),
	}
	m.StartClock, m.PlayClock = p.core.bounded(m.StartClock), p.core.bounded(m.PlayClock) // of the worker, which thinks
	if !p.begin(event, &m) {
		return "busy"
	}
	return p.wait(ctx, req, answer).text
}

// Play implements protocol.Player.
func (p *Player) Play(ctx context.Context, m protocol.Play) (kif.Term, bool) {
	req, answer, ok := p.request()
	if !ok {
		return kif.Term{}, false
	}
	p.step(asked{req: req, match: m.Match, moves: clone(m.Moves), received: p.since(m.Received)})
	r := p.wait(ctx, req, answer)
	if ctx.Err() != nil {
		p.step(left{req})
	}
	return r.move, r.ok
}

// Stop implements protocol.Player.
func (p *Player) Stop(ctx context.Context, m protocol.Play) string {
	return p.over(ctx, stopped{match: m.Match, moves: clone(m.Moves)})
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
	return p.wait(ctx, req, answer).text
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
func (p *Player) wait(ctx context.Context, req int, answer <-chan reply) reply {
	select {
	case r := <-answer:
		return r
	case <-ctx.Done():
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.replies, req)
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
			p.workers[a.instanceID].halt()
		case free:
			p.free(a)
		case note:
			p.log.LogAttrs(context.Background(), a.level, a.text, a.attrs...)
		}
	}
	if now := p.core.claims(); now != p.claimed {
		cores.Force(now - p.claimed)
		p.claimed = now
	}
	if when, ok := p.core.next(); ok && !p.closed {
		p.timer.Reset(when - p.since(time.Now()))
	} else {
		p.timer.Stop()
	}
}

func (p *Player) order(a order, start *protocol.Start) {
	if _, first := a.task.(prepare); first {
		p.workers[a.instanceID] = p.hire(a.instanceID, *start)
	}
	w := p.workers[a.instanceID]
	if next, ok := a.task.(advance); ok && !next.force {
		w.standIn.follow(next.from, pending{number: next.turn, moves: next.moves, due: time.Now().Add(w.start.PlayClock / 2)})
	}
	t := task{what: a.task}
	if _, ok := a.task.(startSearch); ok {
		t.stop = new(atomic.Bool)
		w.last = t.stop
	}
	w.orders.push(t)
}

func (p *Player) hire(instanceID int, start protocol.Start) *worker {
	seed := p.seed + uint64(instanceID)<<32
	w := &worker{
		assignment: assignment{
			start: start, agent: p.agent, seed: seed, log: p.log, source: p.source, newTree: p.newTree,
			limits: p.limits, places: p.places, standIns: p.standIns, watch: p.watch, tell: func(event any) { p.step(told{instanceID, event}) },
		},
		orders: newQueue(), standIn: newStandIn(), better: make(chan upgrade, 1), random: rand.New(rand.NewPCG(seed, 1)), slice: shortestSlice,
	}
	w.spawn = func(f func()) {
		w.crew.Add(1)
		p.running.Go(func() { defer w.crew.Done(); f() })
	}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	id, rules := start.Match, start.Rules
	w.spawn(func() {
		if err := guard.Run(func() error { w.followBeside(rules); return nil }); err != nil {
			p.log.Error("no moves beside the worker", "match", id, "error", err)
		}
	})
	p.living++
	p.running.Go(func() {
		w.run()
		p.rest()
	})
	return w
}

// rest follows the end of a worker. After the last one the system gets its
// memory back: a tree of 100 MB was still held two minutes later.
func (p *Player) rest() {
	p.mu.Lock()
	p.living--
	idle := p.living == 0
	p.mu.Unlock()
	if idle {
		debug.FreeOSMemory()
	}
}

// free lets a worker go: whatever it does ends soon, and nothing keeps its
// memory then.
func (p *Player) free(a free) {
	w := p.workers[a.instanceID]
	w.halt()
	w.cancel()
	w.quit.Store(true)
	w.orders.finish(task{what: a})
	delete(p.workers, a.instanceID)
}
