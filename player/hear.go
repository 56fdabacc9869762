package player

import (
	"errors"
	"log/slog"
	"slices"

	"semisplit/kif"
	"semisplit/player/agent"
	"semisplit/player/board"
)

// heard takes what a worker tells of a match that is still there, and then sees to
// what follows.
func (c *core) heard(report told) {
	m := c.instances[report.instanceID]
	if m == nil {
		return
	}
	switch e := report.event.(type) {
	case prepared:
		c.prepared(m, e)
	case positioned:
		c.positioned(m, e)
	case foreseen:
		c.foreseen(m, e)
	case rejected:
		c.rejected(m, e)
	case progress:
		c.progress(m, e.turn, e.thought)
	case searched:
		c.searched(m, e)
	case improved:
		m.improved = true
	case choosing:
		m.measures(e.busy)
	case compiled:
		c.compiled(m, e)
	case adopted:
		c.adopted(m, e)
	}
	c.consider(m)
}

func (c *core) prepared(m *match, e prepared) {
	if e.err != nil {
		m.machine = unplayable
		c.log(slog.LevelError, m, "the rules cannot be played: the match goes on with guesses",
			slog.String("error", e.err.Error()), slog.String("guess", short(m.guess)))
		return
	}
	m.machine, m.index, m.kind = settled, e.role, e.kind
}

func (c *core) positioned(m *match, e positioned) {
	if e.note != "" {
		c.log(slog.LevelWarn, m, "the state was mended", slog.Int("turn", m.place(e.turn)), slog.String("how", e.note))
	}
	m.played = max(m.played, e.turn)
	index := m.place(e.turn)
	if index < 0 {
		return
	}
	c.arrivals(m, index)
	t := &m.turns[index]
	if t.position == unknown {
		t.found = c.now
	}
	if t.position, t.legal, t.again = open, e.legal, e.again; e.terminal {
		t.position = terminal
	}
	if e.legal > 0 && t.request != answered {
		t.currentMove, t.source = e.move, "legal"
	}
}

// foreseen takes a move as long as nothing better is known.
func (c *core) foreseen(m *match, e foreseen) {
	t := m.turn()
	if e.turn != t.number || t.position != unknown || t.request == answered {
		return
	}
	if t.currentMove = e.move; e.sure {
		t.source = "legal"
	}
}

// place is where the turn with a number stands; -1: it turned out to be a late
// copy.
func (m *match) place(number int) int {
	return slices.IndexFunc(m.turns, func(t turn) bool { return t.number == number })
}

// rejected learns that moves cannot be played. If they led to an earlier turn,
// the request was a late copy of the one then.
func (c *core) rejected(m *match, e rejected) {
	index := m.place(e.turn)
	if index < 0 {
		return
	}
	t := m.turns[index]
	if k := m.earlier(t.moves, index-1); k > 0 && errors.Is(e.why, board.ErrIllegal) {
		m.turns = slices.Delete(m.turns, index, index+1)
		for _, req := range t.waiting {
			if k == len(m.turns)-1 {
				c.join(m, asked{req: req, received: t.at})
			} else {
				c.stale(m, k, req)
			}
		}
		return
	}
	if index < len(m.turns)-1 {
		return
	}
	c.log(slog.LevelWarn, m, "moves that cannot be played", slog.Int("turn", index), slog.String("error", e.why.Error()))
	c.do(order{m.instanceID, advance{turn: e.turn, from: m.turns[index-1].number, moves: t.moves, force: true}})
}

// earlier is the last turn up to most that these moves led to; 0: none.
func (m *match) earlier(moves []kif.Term, most int) int {
	for k := most; k > 0; k-- {
		if sameMoves(m.turns[k].moves, moves) {
			return k
		}
	}
	return 0
}

// progress takes a better move.
func (c *core) progress(m *match, number int, found thought) {
	if t := m.turn(); number == t.number && t.request != answered && found.found {
		t.best, t.currentMove, t.source = found, found.move, "search"
	}
}

func (c *core) searched(m *match, e searched) {
	m.search = idle
	c.progress(m, e.turn, e.thought)
	t := m.turn()
	here := e.turn == t.number
	switch {
	case e.end == endFault:
		m.faults++
		c.log(slog.LevelError, m, "the search broke down", slog.Int("turn", m.place(e.turn)), slog.String("error", e.fault.Error()))
		m.machine = moving
		c.do(order{m.instanceID, fallBackToProver{}})
	case e.end == endDone && here && t.position == open:
		t.position = exhausted
	case here && len(t.waiting) > 0 && c.now >= t.soft():
		c.answer(m)
	}
}

func (c *core) compiled(m *match, e compiled) {
	m.supply = complete
	if e.err != nil {
		c.log(slog.LevelInfo, m, "no faster machine for this game", slog.String("reason", e.err.Error()))
	}
}

func (c *core) adopted(m *match, e adopted) {
	m.machine = settled
	if errors.Is(e.err, errNothingNewer) {
		return
	}
	if e.err != nil {
		c.log(slog.LevelWarn, m, "the match stays on its machine", slog.String("machine", m.kind), slog.String("error", e.err.Error()))
		return
	}
	c.log(slog.LevelInfo, m, "machine", slog.String("kind", e.kind), slog.String("plan", e.plan), slog.Int("lanes", e.lanes))
	if m.kind = e.kind; c.ponder && m.turn().position == exhausted {
		m.turn().position = open
	}
}

// measures begins or ends the measurements of a match.
func (m *match) measures(busy bool) {
	switch {
	case busy:
		m.supply = measuring
	case m.supply == measuring:
		m.supply = compiling
	}
}

// measuring tells whether some match measures, which pondering would spoil.
func (c *core) measuring() bool {
	for _, m := range c.matches {
		if m.supply == measuring {
			return true
		}
	}
	return false
}

// awaitsCircuit tells whether the first circuit is being made in the start clock. Pondering
// would take its part of an only core from it, and what the circuit is worth later counts for more.
func (m *match) awaitsCircuit() bool {
	return m.supply == compiling && m.kind != agent.EngineLanes && m.startReq != 0
}

// consider does what has become possible or due in a match.
func (c *core) consider(m *match) {
	t := m.turn()
	// A turn with one legal move is time to search, as others' turns are.
	single := t.legal == 0 || t.legal == 1 && (c.prompt || !c.ponder)
	decided := t.position != unknown && (single || t.position == exhausted || m.faults >= faultLimit)
	if len(t.waiting) > 0 && (decided || m.machine == unplayable) {
		c.answer(m)
	}
	if m.startReq != 0 && (m.machine == unplayable || m.supply == complete && t.position != unknown && (t.position != open || !c.ponder)) {
		c.readied(m)
	}
	if m.improved && m.machine == settled && c.worthMoving(t) {
		c.halt(m)
		m.improved, m.machine = false, moving
		c.do(order{m.instanceID, adopt{}})
	}
	pressed := len(t.waiting) > 0 && c.now < t.soft()
	free := len(t.waiting) == 0 && c.ponder && !c.measuring() && !(c.oneCore && m.awaitsCircuit()) && c.now < m.overdue && c.pressing() == 0
	want := m.machine == settled && t.position == open && m.faults < faultLimit && (pressed || free)
	switch {
	case want && m.search == idle:
		m.search = searching
		c.do(order{m.instanceID, startSearch{t.number}})
	case !want:
		c.halt(m)
	}
}

// worthMoving tells whether a change of machine pays now: it costs the tree,
// which is not worth it in the second half of a turn.
func (c *core) worthMoving(t *turn) bool {
	return len(t.waiting) == 0 || c.now < (t.at+t.soft())/2
}
