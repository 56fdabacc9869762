package referee

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"semisplit/internal/printable"
	"semisplit/kif"
	"semisplit/protocol"
)

// mostRestarts is how often a match is started anew at a player that has lost it.
const mostRestarts = 3

// course is where a player is in the match. A match that is started anew at a
// player has another id there, and begins with the state that was reached.
type course struct {
	id       string
	fresh    bool // no joint move has been told in it
	began    bool // the player took it
	restarts int
}

// startAt tells roles START: at first of the match, later of what is left of it.
// The results are in the order of the roles.
func (m *match) startAt(ctx context.Context, roles []int, fatal func(role int, err error) error) ([]protocol.Result[struct{}], error) {
	rules := m.Rules
	if m.result.Steps > 0 {
		rules = FromState(m.Rules, m.board.Fluents())
	}
	before := make([]string, len(m.roles)) // matches that these take the place of
	for _, role := range roles {
		c := &m.courses[role]
		if c.id == "" {
			c.id = m.idOf(role)
		} else {
			m.anew++
			before[role], c.id = c.id, fmt.Sprintf("%s.%d", m.Match, m.anew)
		}
		c.fresh = true
	}
	ids := m.ids()
	replies, err := gather(ctx, m, roles, m.StartClock+m.Grace, fatal, func(ctx context.Context, seat Seat, role int) (struct{}, error) {
		if before[role] != "" {
			_ = seat.Abort(ctx, before[role]) // it may not know that match any more
		}
		return struct{}{}, seat.Start(ctx, protocol.Start{
			Match: ids[role], Role: m.roles[role], Rules: rules,
			StartClock: m.StartClock, PlayClock: m.PlayClock, Received: time.Now(),
		})
	})
	for i := range replies {
		err := replies[i].Err
		m.courses[roles[i]].began = err == nil || errors.Is(err, protocol.ErrTimeout) || errors.Is(err, protocol.ErrReply)
	}
	return replies, err
}

// idOf is that of the match for a role: a player with several seats has a match for each, for
// it knows them by their ids.
func (m *match) idOf(role int) string {
	for before := range role {
		if at := addressOf(m.Seats[before]); at != "" && at == addressOf(m.Seats[role]) {
			return fmt.Sprintf("%s-%d", m.Match, role+1)
		}
	}
	return m.Match
}

// ids are those of the matches of the players, by role: a copy, since a call that is
// given up may still be about to begin.
func (m *match) ids() []string {
	ids := make([]string, len(m.courses))
	for role, c := range m.courses {
		ids[role] = c.id
	}
	return ids
}

// askAgain starts the match anew at the players that say busy to a match that
// they took, and puts their next replies into the place of the first ones. notes
// tell of it.
func (m *match) askAgain(ctx context.Context, replies []protocol.Result[kif.Term], fatal func(role int, err error) error) (notes []string, err error) {
	var lost []int
	for i, role := range m.seated {
		if c := &m.courses[role]; replies[i].Err == nil && isBusy(replies[i].Value) && !m.isLegal(role, replies[i].Value) && c.began && c.restarts < mostRestarts {
			c.restarts++
			lost = append(lost, role)
		}
	}
	if len(lost) == 0 {
		return nil, nil
	}
	started, err := m.startAt(ctx, lost, func(int, error) error { return nil })
	if err != nil {
		return nil, err
	}
	var back []int
	for i, role := range lost {
		if started[i].Err != nil {
			notes = append(notes, fmt.Sprintf("%s said busy to a match that it took part in, and does not take it anew: %s",
				m.player(role), printable.Text(started[i].Err.Error(), printable.LogLimit)))
			continue
		}
		notes = append(notes, fmt.Sprintf("%s said busy to a match that it took part in: the match was started anew there, from the state reached", m.player(role)))
		back = append(back, role)
	}
	second, err := m.ask(ctx, back, fatal)
	for i := range second {
		replies[slices.Index(m.seated, back[i])] = second[i]
	}
	return notes, err
}

// isLegal tells whether a reply is a legal move, as it may be with any spelling.
func (m *match) isLegal(role int, reply kif.Term) bool {
	_, ok := m.board.Find(role, reply)
	return ok
}

// past is a state that was reached, for a person who takes moves back.
type past struct {
	state []uint64
	last  []kif.Term // the joint move that led there
}

// undoing is the error of a step in which a person takes moves back.
type undoing struct{ role int }

func (u *undoing) Error() string { return "a move was taken back" }

// takeBack goes back to the last turn in which a role had a choice, and starts the
// match anew there. Where there is none, the turn begins again.
func (m *match) takeBack(ctx context.Context, role int) error {
	to := m.result.Steps
	for i := m.result.Steps - 1; i >= m.opened; i-- {
		if err := m.board.Set(m.past[i].state); err != nil {
			return fmt.Errorf("%w: %w", ErrRules, err)
		}
		if m.board.HasChoice(role) {
			to = i
			break
		}
	}
	if err := m.board.Set(m.past[to].state); err != nil {
		return fmt.Errorf("%w: %w", ErrRules, err)
	}
	back := m.result.Steps - to
	m.last, m.past = m.past[to].last, m.past[:to+1]
	m.result.Steps, m.result.Faults, m.result.Goals = to, m.result.Faults[:to:to], m.board.Goals()
	m.record.Back(back)
	fatal := func(role int, err error) error {
		if err == nil || errors.Is(err, protocol.ErrTimeout) || errors.Is(err, protocol.ErrReply) {
			return nil
		}
		return fmt.Errorf("%s does not take the match from an earlier state: %w", m.player(role), err)
	}
	if _, err := m.startAt(ctx, m.seated, fatal); err != nil {
		return err
	}
	e := m.event(m.last, make([]string, len(m.roles)))
	e.Back = back
	m.Observe(e)
	return nil
}
