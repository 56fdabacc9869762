package player

import (
	"log/slog"
	"time"

	"semisplit/kif"
)

// What managers may ask of the player, hostile ones included: how long a match
// holds its place, and how much of what they send is kept.
const (
	// longestClock is what a person might be given for a move.
	longestClock = 24 * time.Hour
	// longestWait is how much longer than its clock a manager may wait for
	// others, before it counts as gone.
	longestWait = 10 * time.Minute
	// A match that has not been heard of for so long makes room for a new one,
	// where its clocks would let it stay: before its first PLAY, and after.
	unheardStart = 10 * time.Minute
	unheardPlay  = time.Hour

	waitingLimit = 8       // PLAY messages that wait for the move of one turn
	turnsLimit   = 1 << 16 // of a match
	movesLimit   = 1 << 20 // bytes of the joint moves that the worker has not played yet
	lateTurns    = 16      // turns for which a late copy of a PLAY is recognised
	historyLimit = 16 << 20
)

// clone copies terms out of the message that they came in.
func clone(terms []kif.Term) []kif.Term { return kif.Term{Items: terms}.Clone().Items }

// weight is how many bytes terms take.
func weight(terms []kif.Term) int64 {
	total := int64(0)
	for _, t := range terms {
		total += kif.TermBytes + int64(len(t.Name)) + weight(t.Items)
	}
	return total
}

// clocks are those of a START, cut to what a person might be given.
func (c *core) clocks(e started) (start, play time.Duration) {
	start, play = min(e.startClock, longestClock), min(e.playClock, longestClock)
	if start != e.startClock || play != e.playClock {
		c.do(note{slog.LevelWarn, "clocks cut: no match is played that slowly", []slog.Attr{
			slog.String("match", e.match), slog.Duration("start", e.startClock), slog.Duration("play", e.playClock), slog.Duration("longest", longestClock),
		}})
	}
	return start, play
}

// unheard is the match to be given up for another one: that of which nothing
// was heard for longest, and for too long. Nil: there is none.
func (c *core) unheard(now time.Duration) *match {
	var found *match
	for _, m := range c.matches {
		limit := unheardPlay
		if len(m.turns) == 1 && m.turn().request == unrequested {
			limit = unheardStart
		}
		if now-m.heard < limit || len(m.turn().waiting) > 0 {
			continue
		}
		if found == nil || m.heard < found.heard || m.heard == found.heard && m.instanceID < found.instanceID {
			found = m
		}
	}
	return found
}

// makeRoom gives up a match of which nothing is heard; false: there is none.
func (c *core) makeRoom() bool {
	m := c.unheard(c.now)
	if m == nil {
		return false
	}
	c.log(slog.LevelWarn, m, "match given up for another one: its manager is silent", slog.Duration("for", c.now-m.heard))
	c.end(m, nil)
	return true
}

// follows tells whether the match can take in another joint move: one that
// weighs what a game could ask for, and soon enough after the one before.
func (c *core) follows(m *match, moves []kif.Term) bool {
	waiting := weight(moves)
	for i := range m.turns {
		if m.turns[i].number > m.played {
			waiting += weight(m.turns[i].moves)
		}
	}
	if waiting <= movesLimit && len(m.turns) < turnsLimit {
		return true
	}
	c.log(slog.LevelWarn, m, "moves left alone: they are too long, or too many", slog.Int("turn", len(m.turns)), slog.Int64("bytes", waiting))
	return false
}

// forget drops the joint moves of turns that are long past.
func (m *match) forget() {
	if past := len(m.turns) - 1 - lateTurns; past > 0 && m.turns[past].number <= m.played {
		m.turns[past].moves = nil
	}
}
