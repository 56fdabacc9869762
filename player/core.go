package player

import (
	"log/slog"
	"maps"
	"math"
	"slices"
	"time"

	"semisplit/internal/printable"
	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
)

// core decides the course of all matches as a step machine: events in, actions out.
// It has no clock, no goroutine and no socket, so that every course of events
// can be written down as a text and repeated. Times are counted from an
// arbitrary moment.
type core struct {
	limit     int           // matches at a time
	ponder    bool          // search while the manager waits for others
	prompt    bool          // answer at once where there is one legal move
	think     time.Duration // bounds our part of each clock; 0: nothing does
	threads   int           // of a search
	oneCore   bool          // one core is all there is
	matches   map[string]*match
	instances map[int]*match
	nextID    int
	margin    margin
	now       time.Duration
	out       []action
}

// action is one of reply, order, halt, free, note.
type action any

// match is one match from START to STOP.
type match struct {
	id                    string
	instanceID            int // distinguishes matches of the same id
	role, guess           kif.Term
	index                 int // of the role
	startClock, playClock time.Duration

	startReq int           // START that has no reply yet; 0: none
	ready    time.Duration // when it gets one
	overdue  time.Duration // when the manager should have said more: no pondering from here on
	silent   time.Duration // when the manager counts as gone
	heard    time.Duration // when it last asked, or was answered

	machine  machinePhase
	supply   supplyPhase
	improved bool // a better machine waits
	kind     string
	search   searchPhase

	faults int
	turns  []turn // the last one is the current one
	played int    // number of the last turn whose state the worker has reached
	begun  int    // turns, those that turned out to be late copies included
}

// machinePhase says what a match has to play on.
type machinePhase int

const (
	preparing  machinePhase = iota // the rules are being read
	settled                        // a machine
	moving                         // none: the match goes from one machine to another
	unplayable                     // none: the rules cannot be played
)

// supplyPhase says whether better machines are to come.
type supplyPhase int

const (
	compiling supplyPhase = iota // they may
	measuring                    // and measurements and trial matches want the processors for themselves
	complete                     // no more
)

// searchPhase says what the search does.
type searchPhase int

const (
	idle searchPhase = iota
	searching
	halting // it has been told to end
)

// turn is one turn of a match: a state, and what is sent there.
type turn struct {
	since    time.Duration // when it began
	number   int           // as the worker knows it: of all turns that were begun, late copies included
	moves    []kif.Term    // that led here; nil in the first turn
	at       time.Duration // of the PLAY
	margin   time.Duration
	deadline time.Duration // of our move: the manager may wait longer
	waiting  []int         // requests without a reply

	currentMove kif.Term // that would be sent now
	source      string   // where it comes from: guess, legal or search
	best        thought

	request  requestPhase
	position positionPhase
	found    time.Duration // when the worker stood there
	legal    int
	again    bool
}

// requestPhase says what the manager has asked and been told in a turn.
type requestPhase int

const (
	unrequested requestPhase = iota
	requested                // a PLAY has come
	answered
)

// positionPhase says what the worker has found in a turn.
type positionPhase int

const (
	unknown   positionPhase = iota // it does not stand there yet
	open                           // there is something to search
	exhausted                      // the search has nothing more to do
	terminal                       // the match is over
)

// soft is when the search ends; hard is when the reply goes out without
// waiting for anything.
func (t *turn) soft() time.Duration { return t.deadline - t.margin }
func (t *turn) hard() time.Duration { return t.deadline - t.margin/2 }

// due is when the reply is meant to leave. Where the state was not known in time,
// there is no search to end, and it waits for the state as long as it may.
func (t *turn) due() time.Duration {
	if t.position == unknown || t.found > t.soft() {
		return t.hard()
	}
	return t.soft()
}

// faultLimit is the number of break-downs after which a match goes on
// without searching.
const faultLimit = 3

func newCore(limit int, ponder bool, buffer time.Duration) *core {
	return &core{
		limit: limit, ponder: ponder, margin: margin{buffer: buffer},
		matches: map[string]*match{}, instances: map[int]*match{},
	}
}

// busy tells whether another match would be refused.
func (c *core) busy(now time.Duration) bool {
	return len(c.matches) >= c.limit && c.unheard(now) == nil
}

// step takes an event and returns what is to be done, in order.
func (c *core) step(now time.Duration, event any) []action {
	c.now, c.out = max(c.now, now), nil
	switch e := event.(type) {
	case started:
		c.started(e)
	case asked:
		c.asked(e)
	case stopped:
		c.stopped(e)
	case left:
		c.left(e)
	case ticked:
		for _, id := range slices.Sorted(maps.Keys(c.matches)) {
			c.ticked(c.matches[id])
		}
	case told:
		c.heard(e)
	}
	c.share()
	return c.out
}

// share settles which matches may ponder: none while a manager waits for a
// move of another one, since the search for that move needs the processors.
func (c *core) share() {
	for pressing := -1; pressing != c.pressing(); {
		pressing = c.pressing()
		for _, id := range slices.Sorted(maps.Keys(c.matches)) {
			c.consider(c.matches[id])
		}
	}
}

// pressing counts the matches whose manager waits for a move.
func (c *core) pressing() int {
	n := 0
	for _, m := range c.matches {
		if len(m.turn().waiting) > 0 {
			n++
		}
	}
	return n
}

// claims are the cores that matches cannot wait for, whatever is compiled or
// measured: to find out where they stand, for the length of a play clock at most,
// and to search while the manager waits. A search on the first machine lets the
// compiler have its share, for a better machine is worth more.
func (c *core) claims() (cores int) {
	for _, m := range c.matches {
		switch t := m.turn(); {
		case m.placing(c.now):
			cores++
		case len(t.waiting) > 0 && (m.supply == complete || m.kind == agent.EngineLanes):
			cores += max(1, c.threads)
		}
	}
	return cores
}

// placing tells whether the worker is to find out where the match stands, and
// has not taken very long for that.
func (m *match) placing(now time.Duration) bool {
	t := m.turn()
	return t.position == unknown && m.machine != unplayable && now < t.since+m.playClock
}

// next is the time of the next tick that matters; false if there is none.
func (c *core) next() (time.Duration, bool) {
	var when time.Duration
	found := false
	for _, m := range c.matches {
		if tick := m.next(c.now); !found || tick < when {
			when, found = tick, true
		}
	}
	return when, found
}

func (m *match) next(now time.Duration) time.Duration {
	when := m.silent
	if now < m.overdue {
		when = min(when, m.overdue)
	}
	if m.placing(now) {
		when = min(when, m.turn().since+m.playClock)
	}
	if m.startReq != 0 {
		when = min(when, m.ready)
	}
	if t := m.turn(); len(t.waiting) > 0 {
		if now < t.soft() {
			when = min(when, t.soft())
		} else {
			when = min(when, t.hard())
		}
	}
	return when
}

func (m *match) turn() *turn { return &m.turns[len(m.turns)-1] }

// begin goes on to the turn that moves lead to.
func (m *match) begin(moves []kif.Term, now time.Duration) {
	m.turns = append(m.turns, turn{since: now, number: m.begun, moves: moves, currentMove: m.guess, source: "guess"})
	m.begun++
}

func (c *core) do(a action) { c.out = append(c.out, a) }

func (c *core) log(level slog.Level, m *match, text string, attrs ...slog.Attr) {
	attrs = append([]slog.Attr{slog.String("match", m.id)}, attrs...)
	c.do(note{level, text, attrs})
}

// short is a term for the log, which shows no more of it.
func short(t kif.Term) string { return t.Short(printable.LogLimit - len("...")) }

func (c *core) started(e started) {
	if old := c.matches[e.match]; old != nil {
		c.log(slog.LevelWarn, old, "the match starts again")
		c.end(old, nil)
	} else if len(c.matches) >= c.limit && !c.makeRoom() {
		c.do(note{slog.LevelWarn, "match refused: busy", []slog.Attr{slog.String("match", e.match)}})
		c.do(reply{req: e.req, text: "busy"})
		return
	}
	c.nextID++
	e.startClock, e.playClock = c.clocks(e)
	m := &match{
		id: e.match, instanceID: c.nextID, role: e.role, guess: e.guess, index: -1,
		startClock: e.startClock, playClock: e.playClock, startReq: e.req, heard: c.now,
	}
	m.begin(nil, c.now)
	clock := c.bounded(e.startClock)
	m.ready = e.received + clock - c.margin.of(c.now, clock)
	m.patience(e.received + e.startClock)
	c.matches[m.id], c.instances[m.instanceID] = m, m
	c.do(order{m.instanceID, prepare{}})
	c.ticked(m)
}

// bounded is the part of a clock that we take.
func (c *core) bounded(clock time.Duration) time.Duration {
	if c.think > 0 {
		return min(clock, c.think)
	}
	return clock
}

// patience sets when the manager is overdue and when it counts as gone, given
// when its last request runs out: others may be late, and managers wait for
// them.
func (m *match) patience(deadline time.Duration) {
	const clocks, least, grace = 4, 10 * time.Second, 3 * time.Second
	m.overdue = deadline + grace
	m.silent = deadline + min(clocks*m.playClock, longestWait) + least
}

func (c *core) asked(e asked) {
	m := c.matches[e.match]
	if m == nil {
		c.do(reply{req: e.req, text: "busy"})
		return
	}
	c.readied(m)
	m.heard = c.now
	if t := m.turn(); len(t.waiting) > 0 && c.now >= t.hard() {
		c.answer(m) // what is due goes out first: whoever asks now is further on
	}
	current := len(m.turns) - 1
	switch first := m.overtaken(e.received); {
	case e.moves == nil && current > 0:
		c.stale(m, 0, e.req)
	case first > 0 && m.turns[first-1].copied(e.moves):
		c.stale(m, first-1, e.req)
	case first == current && m.overtakenByCopy(first, e):
		m.turn().cameAt(e.received)
		c.join(m, e)
	case m.overtakenByCopy(first, e):
		c.stale(m, first, e.req)
	case first > 0 && c.follows(m, e.moves):
		c.insert(m, first, e)
	case e.moves == nil || m.repeats(e.moves):
		c.join(m, e)
	case len(m.turn().waiting) > 0 && m.earlier(e.moves, current-1) > 0:
		c.stale(m, m.earlier(e.moves, current-1), e.req)
	case !c.follows(m, e.moves):
		c.do(reply{req: e.req, move: m.turn().currentMove, ok: true})
	default:
		c.overtake(m)
		m.begin(e.moves, c.now)
		m.forget()
		c.advance(m, current+1)
		c.join(m, e)
	}
	c.consider(m)
	c.ticked(m)
}

// repeats tells whether a PLAY with these moves asks for the current turn once
// more. Moves that led to it can also be played again, so that the manager is
// one turn further on. No manager is while it waits for our move of the current
// turn, nor if the rules forbid the moves there. Otherwise it is: real managers
// never say a PLAY twice, and if they were to, a turn too many is found out by
// the rules where the state is known later (see rejected), while one that was
// missed is lost for good.
func (m *match) repeats(moves []kif.Term) bool {
	t := m.turn()
	return len(m.turns) > 1 && (len(t.waiting) > 0 && sameMoves(t.moves, moves) || t.copied(moves))
}

// copied tells whether moves are those that led to a turn, where they cannot be
// played again.
func (t *turn) copied(moves []kif.Term) bool {
	return t.position != unknown && !t.again && sameMoves(t.moves, moves)
}

// own tells whether our part of a joint move is the given one.
func (m *match) own(moves []kif.Term, move kif.Term) bool {
	return m.index >= 0 && m.index < len(moves) && kif.EqualFold(board.Plain(moves[m.index]), board.Plain(move))
}

// join makes a PLAY wait for the move of the current turn, or repeats it. Where
// many wait already, it is given the current move.
func (c *core) join(m *match, e asked) {
	t := m.turn()
	if t.request == answered || len(t.waiting) >= waitingLimit {
		c.do(reply{req: e.req, move: t.currentMove, ok: true})
		return
	}
	if t.request == unrequested {
		clock := c.bounded(m.playClock)
		t.request, t.at, t.deadline = requested, e.received, e.received+clock
		t.margin = c.margin.of(c.now, clock)
		m.patience(e.received + m.playClock)
	}
	t.waiting = append(t.waiting, e.req)
}

// stale answers a request that belongs to an earlier turn.
func (c *core) stale(m *match, number int, req int) {
	c.log(slog.LevelInfo, m, "a late request was answered with the move of its turn", slog.Int("turn", number))
	c.do(reply{req: req, move: m.turns[number].currentMove, ok: true})
}

// left takes a request away whose manager has gone. It may be further on.
func (c *core) left(e left) {
	for _, m := range c.matches {
		t := m.turn()
		t.waiting = slices.DeleteFunc(t.waiting, func(req int) bool { return req == e.req })
	}
}

// arrivals compares the joint move that led to a turn with the move that was
// sent in the one before.
func (c *core) arrivals(m *match, index int) {
	if index < 1 {
		return
	}
	before, moves := &m.turns[index-1], m.turns[index].moves
	if before.request != answered || before.source == "guess" || m.index >= len(moves) {
		return
	}
	arrived := m.own(moves, before.currentMove)
	c.margin.arrived(arrived)
	if !arrived {
		c.log(slog.LevelWarn, m, "the manager played another move than ours: the reply was late or got lost",
			slog.Int("turn", index-1), slog.String("sent", short(before.currentMove)), slog.String("played", short(moves[m.index])))
	}
}

// overtake ends the current turn because the manager is further on.
func (c *core) overtake(m *match) {
	if len(m.turn().waiting) > 0 {
		c.log(slog.LevelWarn, m, "the manager did not wait for our move")
		c.answer(m)
	}
	c.halt(m)
}

func (c *core) halt(m *match) {
	if m.search == searching {
		m.search = halting
		c.do(halt{m.instanceID})
	}
}

func (c *core) stopped(e stopped) {
	m := c.matches[e.match]
	if m != nil {
		c.end(m, e.moves)
	}
	switch {
	case e.abort:
		c.do(reply{req: e.req, text: "aborted"})
	case m == nil:
		c.do(reply{req: e.req, text: "busy"})
	default:
		c.do(reply{req: e.req, text: "done"})
	}
}

// end answers what is open and frees everything.
func (c *core) end(m *match, moves []kif.Term) {
	c.readied(m)
	if len(m.turn().waiting) > 0 {
		c.answer(m)
	}
	c.do(free{m.instanceID, m.turn().number, moves})
	delete(c.matches, m.id)
	delete(c.instances, m.instanceID)
}

// readied answers START.
func (c *core) readied(m *match) {
	if m.startReq != 0 {
		c.do(reply{req: m.startReq, text: "ready"})
		m.startReq = 0
	}
}

func (c *core) ticked(m *match) {
	t := m.turn()
	if m.startReq != 0 && c.now >= m.ready {
		c.readied(m)
	}
	if len(t.waiting) > 0 && c.now >= t.hard() {
		c.answer(m)
		c.consider(m)
	} else if len(t.waiting) > 0 && c.now >= t.soft() {
		if c.halt(m); t.position != unknown && m.search == idle {
			c.answer(m)
			c.consider(m)
		}
	}
	if c.now >= m.overdue {
		c.consider(m)
	}
	if slept := c.now - m.silent; slept > time.Second {
		m.silent = c.now + wakeTime
	} else if slept >= 0 {
		c.log(slog.LevelWarn, m, "match dropped: the manager is silent")
		c.end(m, nil)
	}
}

// wakeTime is how long a manager may stay silent after a time in which we would not
// have heard it: what it has said meanwhile is about to be read.
const wakeTime = 3 * time.Second

// answer sends the current move to everybody who waits for it.
func (c *core) answer(m *match) {
	t := m.turn()
	for _, req := range t.waiting {
		c.do(reply{req: req, move: t.currentMove, ok: true})
	}
	t.waiting, t.request, m.heard = nil, answered, c.now
	if late := c.now - t.due(); late >= 0 {
		c.margin.left(c.now, late)
	}
	level := slog.LevelInfo
	if t.source == "guess" {
		level = slog.LevelWarn
	}
	c.log(level, m, "move",
		slog.Int("turn", len(m.turns)-1), slog.String("role", short(m.role)), slog.String("move", short(t.currentMove)),
		slog.String("source", t.source), slog.String("machine", m.kind), slog.Int("legal", t.legal),
		slog.Int64("playouts", t.best.playouts), slog.Int64("iterations", t.best.iterations), slog.Int64("nodes", t.best.nodes),
		slog.Float64("value", math.Round(1000*t.best.value)/10), slog.String("line", t.best.line),
		slog.Duration("used", c.now-t.at), slog.Duration("margin", t.margin), slog.Duration("left", t.deadline-c.now))
}

// sameMoves compares two joint moves, without case.
func sameMoves(a, b []kif.Term) bool {
	return slices.EqualFunc(a, b, func(x, y kif.Term) bool { return kif.EqualFold(board.Plain(x), board.Plain(y)) })
}
