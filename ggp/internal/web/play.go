package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"semisplit/internal/guard"
	"semisplit/internal/printable"
	"semisplit/kif"
	"semisplit/player/board"
	"semisplit/player/choice"
	"semisplit/player/local"
	"semisplit/player/referee"
	"semisplit/search"
)

// session is a match of a person against the player. One goroutine runs it; requests
// come to it as orders.
type session struct {
	server *Server
	match  *match
	game   *game
	role   int // of the person
	level  local.Level
	choose time.Duration // for the choice of the way to play; 0: none
	clock  time.Duration // of the person; 0: none
	limit  time.Duration // of the player's thoughts

	orders chan order
	ctx    context.Context
	cancel context.CancelFunc
	halt   *atomic.Bool // stops the board, for good

	// The goroutine's own.
	board    *board.Board
	states   [][]uint64   // the board's, one more than history
	history  [][]kif.Term // joint moves
	mine     []bool       // by state: the person had a choice there
	thinker  *thinker
	thoughts chan error          // gets the end of a thought; nil: nobody thinks
	chosen   chan *choice.Choice // gets the way to play; nil: nothing is awaited
	waiting  []order             // hints that wait for the player to have thought
	random   *rand.Rand
	clockRun *time.Timer
	moved    kif.Term // the person's move while others think
	hasMoved bool
	resigned bool

	thoughtAt int // the step about which the player has thought last; -1: none
}

// order is what a person wants, and where the answer goes.
type order struct {
	Action string `json:"-"`
	N      int    `json:"n"` // the step that the page shows
	Move   string `json:"move"`
	answer chan reply
}

// reply is the answer to an order: an error for the person, or what to tell.
type reply struct {
	status  int
	problem string
	value   any
}

// wish is what a person asks for to begin a game.
type wish struct {
	Game  string  `json:"game"`
	Role  int     `json:"role"`
	Level int     `json:"level"`
	Start float64 `json:"start"` // seconds to choose how to play, at level 10
	Play  float64 `json:"play"`  // seconds for a move; 0: the person has no clock
}

// The clocks of games with people.
const (
	usualThought   = 3 * time.Second
	longestThought = 30 * time.Second
	longestChoice  = time.Minute
	longestClock   = 24 * time.Hour
)

func (s *Server) newSession(g *game, w wish) (*session, error) {
	level, err := local.LevelOf(cmp.Or(w.Level, local.MostLevel))
	if err != nil {
		return nil, err
	}
	seed := s.config.Seed
	if seed == 0 {
		seed = rand.Uint64()
	}
	p := &session{
		server: s, game: g, role: w.Role, level: level, orders: make(chan order), clock: time.Duration(w.Play * float64(time.Second)),
		limit: usualThought, thoughtAt: -1, halt: new(atomic.Bool), random: rand.New(rand.NewPCG(seed, 5)), thinker: newThinker(g, s.config.Threads, seed),
	}
	if p.clock > 0 {
		p.limit = min(p.clock, longestThought)
	}
	if cmp.Or(w.Level, local.MostLevel) == local.MostLevel {
		p.choose = min(time.Duration(w.Start*float64(time.Second)), longestChoice)
	}
	p.ctx, p.cancel = context.WithCancel(s.ctx)
	context.AfterFunc(p.ctx, func() { p.halt.Store(true) })
	if p.board, err = board.New(g.machine, seed, p.halt); err != nil {
		p.cancel()
		return nil, err
	}
	m := newMatch("play."+newID(), g.Title, g, g.roles)
	m.play, m.clocks = p, [2]time.Duration{p.choose, p.clock}
	for i, role := range g.roles {
		switch {
		case i == p.role:
			m.players[i], m.human[i] = "you", true
		case strings.EqualFold(role, "random"):
			m.players[i] = "chance"
		default:
			m.players[i] = fmt.Sprintf("semisplit, level %d", cmp.Or(w.Level, local.MostLevel))
		}
	}
	p.match = m
	return p, nil
}

// check is what is wrong with a wish for a game.
func (w *wish) check(g *game) error {
	_, err := local.LevelOf(cmp.Or(w.Level, local.MostLevel))
	switch {
	case err != nil:
		return err
	case len(g.roles) > mostRoles:
		return fmt.Errorf("a game with %d roles is not played here", len(g.roles))
	case w.Role < 0 || w.Role >= len(g.roles) || strings.EqualFold(g.roles[w.Role], "random"):
		return errors.New("this is no role that a person can play")
	case !(w.Play >= 0 && w.Play <= longestClock.Seconds()) || !(w.Start >= 0 && w.Start <= longestClock.Seconds()):
		return errors.New("clocks are from 0 to 86400 seconds")
	}
	return nil
}

// run plays until the person has gone.
func (p *session) run() {
	defer p.cancel()
	how := "was left"
	defer func() { p.match.leave(how) }()
	err := guard.Run(func() error {
		p.server.library.use(p.game)
		p.prepare()
		p.states = [][]uint64{p.board.State()}
		p.reached(nil, nil)
		return p.loop()
	})
	p.rest()
	if err != nil {
		how = "cannot go on: " + printable.Text(err.Error(), printable.LogLimit)
	}
}

// prepare chooses the way to play beside the person's first thoughts.
func (p *session) prepare() {
	if p.choose == 0 {
		return
	}
	p.chosen = make(chan *choice.Choice, 1)
	seed := p.random.Uint64() // here, since random is not the other goroutine's
	p.server.work.Go(func() {
		c, err := choose(p.ctx, p.game, p.choose, p.limit, p.server.config.Threads, seed)
		if err != nil {
			c = nil
		}
		p.chosen <- c
	})
}

// lookEvery is how often it is looked whether the person is still there.
const lookEvery = time.Minute

func (p *session) loop() error {
	look := time.NewTicker(min(lookEvery, p.server.config.Limits.Idle))
	defer look.Stop()
	p.clockRun = time.NewTimer(time.Hour)
	defer p.clockRun.Stop()
	if err := p.next(); err != nil {
		return err
	}
	for {
		var err error
		select {
		case <-p.ctx.Done():
			return nil
		case o := <-p.orders:
			err = p.obey(o)
		case fault := <-p.thoughts:
			p.thoughts = nil
			err = p.thought(fault)
		case c := <-p.chosen:
			p.chosen = nil
			p.take(c)
			err = p.begin()
		case <-p.clockRun.C:
			err = p.late()
		case <-look.C:
			if looking, seen := p.match.stream.watched(); looking == 0 && time.Since(seen) > p.server.config.Limits.Idle {
				return nil
			}
		}
		if err != nil {
			return err
		}
	}
}

// take plays on as was chosen.
func (p *session) take(c *choice.Choice) {
	if c == nil || c.Chosen == nil {
		p.match.note(-1, "the way to play is the usual one")
		return
	}
	p.stopThinking()
	p.answerHints()
	p.thinker.adopt(c)
	p.thoughtAt = -1 // what was thought here is gone with the player
	p.match.note(-1, fmt.Sprintf("plays by %s: %s (chosen in %.1f s)", c.Chosen.Name, c.Why, c.Elapsed.Seconds()))
}

// reached shows where the match stands.
func (p *session) reached(moves []kif.Term, faults []string) {
	s := step{moves: moves, state: p.board.Fluents(), faults: faults, terminal: p.board.Terminal()}
	if s.terminal {
		s.goals = p.board.Goals()
	}
	p.mine = append(p.mine[:len(p.history)], p.board.HasChoice(p.role))
	p.match.reach(len(p.history), s)
}

// next goes on until somebody has to think: the person, or the player.
func (p *session) next() error {
	p.hasMoved = false
	if p.board.Terminal() {
		p.match.end("ended", true)
		return nil
	}
	p.match.end("", true)
	if p.mine[len(p.history)] {
		p.offer()
	} else if !p.playersTurn() {
		p.think(func() error { return nil }) // the loop comes in between: this can go on for ever
		return nil
	}
	return p.begin()
}

// What a person is offered: so many moves, none longer than an order can bring back, even
// if JSON takes two bytes for each of its own, and so many bytes of all. Pasted rules may
// spell thousands of moves with a name of their whole length.
const (
	mostOffered    = 5000
	longestOffered = mostBody/2 - 100
	mostOffer      = 2 << 20
)

// offered is a move that the person can make.
type offered struct {
	Move    string   `json:"move"`
	Targets []string `json:"targets"`
}

// offer tells the person's page what it can play.
func (p *session) offer() {
	moves, all := p.board.FirstMoves(p.role, mostOffered)
	some := slices.DeleteFunc(moves, func(move kif.Term) bool { return len(move.Short(longestOffered)) > longestOffered })
	all = all && len(some) == len(moves)
	slices.SortStableFunc(some, referee.CompareMoves)
	p.match.mu.Lock()
	page := p.match.page
	p.match.mu.Unlock()
	list, size := []offered{}, 0
	for _, move := range some {
		text := move.String()
		if size += len(text); size > mostOffer {
			all = false
			break
		}
		list = append(list, offered{text, page.Targets(p.game.roles[p.role], move)})
	}
	turn := map[string]any{"n": len(p.history), "role": p.role, "moves": list, "all": all}
	if p.clock > 0 {
		p.clockRun.Reset(p.clock)
		turn["until"] = time.Now().Add(p.clock).UnixMilli()
	}
	p.match.stream.set("turn", "turn", turn)
}

// begin lets the player think if it has a choice here, or else goes on.
func (p *session) begin() error {
	if p.thoughts != nil || p.resigned || p.board.Terminal() {
		return nil
	}
	if !p.playersTurn() {
		return p.advance()
	}
	if p.chosen != nil && len(p.history) == 0 {
		return nil // the first move waits for the choice
	}
	if p.thoughtAt == len(p.history) {
		return p.advance()
	}
	p.thoughtAt = len(p.history)
	p.startThinking(p.other(), p.level.Budget(p.limit))
	return nil
}

// startThinking thinks for a role, on a goroutine of its own.
func (p *session) startThinking(role int, budget search.Budget) {
	p.server.library.use(p.game) // still
	p.thinker.stop.Store(false)
	history := slices.Clone(p.history)
	show := func(m local.Mind) { p.match.think(len(history), role, m) }
	p.think(func() error { return p.thinker.think(history, budget, show) })
}

// think does it on a goroutine, whose end the loop waits for.
func (p *session) think(how func() error) {
	done := make(chan error, 1)
	p.thoughts = done
	p.server.work.Go(func() { done <- how() })
}

// stopThinking waits until nobody thinks.
func (p *session) stopThinking() {
	if p.thoughts != nil {
		p.thinker.stop.Store(true)
		<-p.thoughts
		p.thoughts = nil
	}
	p.thinker.stop.Store(false)
}

// playersTurn tells whether a role of the player has a choice.
func (p *session) playersTurn() bool {
	for role := range p.game.roles {
		if role != p.role && !p.isChance(role) && p.board.HasChoice(role) {
			return true
		}
	}
	return false
}

func (p *session) isChance(role int) bool { return strings.EqualFold(p.game.roles[role], "random") }

// other is the first role of the player.
func (p *session) other() int {
	for role := range p.game.roles {
		if role != p.role && !p.isChance(role) {
			return role
		}
	}
	return -1
}

// thought follows the end of the player's thinking.
func (p *session) thought(fault error) error {
	p.answerHints()
	if fault != nil {
		p.server.config.Log.Warn("the player of a game broke down", "game", p.game.Key, "error", fault)
		p.match.note(-1, "the player broke down, and moves at random here")
	}
	return p.advance()
}

// advance plays the joint move, if the person has chosen and nobody thinks.
func (p *session) advance() error {
	if p.thoughts != nil || p.mine[len(p.history)] && !p.hasMoved {
		return nil
	}
	return p.step(nil)
}

// mostKept bounds the fluents of all states of a match, some tens of bytes each.
const mostKept = 4_000_000

// step plays the joint move; faults are by role.
func (p *session) step(faults []string) error {
	if n := len(p.history); n >= mostSteps || n*len(p.board.Fluents()) > mostKept {
		return fmt.Errorf("it is too long after %d steps", n)
	}
	moves := make([]kif.Term, len(p.game.roles))
	for role := range moves {
		move, ok := p.moveOf(role)
		if !ok {
			return fmt.Errorf("%s has no legal move", p.game.roles[role])
		}
		moves[role] = move
	}
	if err := p.soon(func() error { return p.board.Play(moves) }); err != nil {
		return err
	}
	p.history, p.states = append(p.history, moves), append(p.states, p.board.State())
	p.clockRun.Stop()
	p.reached(moves, faults)
	return p.next()
}

// soon lets the board go to a state in the time that the initial one may take: rules can
// be quick there and endless later.
func (p *session) soon(look func() error) error {
	timer := time.AfterFunc(p.game.within, func() { p.halt.Store(true) })
	defer timer.Stop()
	err := look()
	if err != nil && p.ctx.Err() != nil {
		return p.ctx.Err()
	}
	if err != nil && p.halt.Load() {
		return errors.New("the next state takes too long")
	}
	return err
}

// moveOf is the move of a role in the joint move.
func (p *session) moveOf(role int) (kif.Term, bool) {
	if role == p.role && p.hasMoved {
		return p.moved, true
	}
	if few := p.board.FirstPaths(role, 2); len(few) == 1 {
		return p.board.Machine().Move(role, few[0]), true
	}
	if role != p.role && !p.isChance(role) && p.random.Float64() >= p.level.Mistakes {
		if best, ok := p.thinker.best(role, len(p.history)); ok {
			return best, true
		}
	}
	path, ok := p.board.Random(role, p.random)
	if !ok {
		return kif.Term{}, false
	}
	return p.board.Machine().Move(role, path), true
}

// late moves for a person whose time is over, as managers do.
func (p *session) late() error {
	if p.clock == 0 || p.hasMoved || p.resigned || p.board.Terminal() || !p.mine[len(p.history)] {
		return nil
	}
	path, ok := p.board.Random(p.role, p.random)
	if !ok {
		return errors.New("no legal move")
	}
	p.moved, p.hasMoved = p.board.Machine().Move(p.role, path), true
	p.match.note(p.role, "your time was over: a random legal move was played")
	return p.begin() // the player may not have thought yet
}

// rest ends what still thinks.
func (p *session) rest() {
	p.stopThinking()
	for _, o := range p.waiting {
		o.answer <- reply{status: http.StatusConflict, problem: "the match is over"}
	}
	p.waiting = nil
}
