package player

import (
	"slices"
	"time"
)

// Messages come on connections of their own. A machine that has slept, or had no time
// for us, finds several at once, and may take in a later PLAY before an earlier one.

// overtaken is the first turn whose PLAY was taken in although it came later; 0: there is
// none.
func (m *match) overtaken(received time.Duration) (first int) {
	for i := len(m.turns) - 1; i > 0 && m.turns[i].request != unrequested && m.turns[i].at > received; i-- {
		first = i
	}
	return first
}

// overtakenByCopy tells whether the turn that overtook a PLAY is the one that it asks for:
// the moves are the same, and the manager, which had no answer, could not go on so soon.
func (m *match) overtakenByCopy(first int, e asked) bool {
	t := &m.turns[first]
	return first > 0 && sameMoves(t.moves, e.moves) && t.at-e.received < m.playClock
}

// cameAt has the clock of a turn run from an earlier PLAY.
func (t *turn) cameAt(received time.Duration) {
	t.at, t.deadline = received, t.deadline-(t.at-received)
}

// insert puts the turn of a PLAY before those that overtook it. They begin anew, so the
// worker goes back. Whoever asked has gone on since, and gets any answer.
func (c *core) insert(m *match, first int, e asked) {
	c.halt(m)
	later := slices.Clone(m.turns[first:])
	m.turns = m.turns[:first]
	m.begin(e.moves, c.now)
	// It stays open: what overtook it may be a copy of it, which is rejected and waits here.
	own, clock := m.turn(), c.bounded(m.playClock)
	own.request, own.at, own.deadline, own.margin = requested, e.received, e.received+clock, c.margin.of(c.now, clock)
	for _, t := range later {
		m.begin(t.moves, c.now)
		again := m.turn()
		again.at, again.margin, again.deadline, again.waiting, again.request = t.at, t.margin, t.deadline, t.waiting, t.request
		if t.request == answered {
			again.currentMove, again.source = t.currentMove, t.source
		}
	}
	for index := first; index < len(m.turns); index++ {
		c.advance(m, index)
	}
	c.stale(m, first, e.req)
}

// advance has the worker go on to a turn from the one before.
func (c *core) advance(m *match, index int) {
	if m.machine != unplayable {
		c.do(order{m.instanceID, advance{turn: m.turns[index].number, from: m.turns[index-1].number, moves: m.turns[index].moves}})
	}
}
