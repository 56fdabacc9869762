package web

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"semisplit/internal/printable"
	"semisplit/kif"
	"semisplit/protocol"
)

// mostSteps bounds the records that are shown, and the matches of people.
const mostSteps = 10_000

// openRecord makes a match of a record, so that it can be seen again.
func (s *Server) openRecord(w http.ResponseWriter, r *http.Request) {
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.config.Limits.Record))
	if err != nil {
		fail(w, http.StatusRequestEntityTooLarge, "this record is too large")
		return
	}
	record, err := protocol.ParseRecord(data)
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, printable.Text(err.Error(), printable.LogLimit))
		return
	}
	if !s.records.take() {
		fail(w, http.StatusServiceUnavailable, "too many records are being read at the moment")
		return
	}
	defer s.records.give()
	m, err := s.replay(r.Context(), record)
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, printable.Text(err.Error(), printable.LogLimit))
		return
	}
	if !s.matches.add(m) {
		fail(w, http.StatusServiceUnavailable, "there are too many matches here at the moment")
		return
	}
	answer(w, http.StatusOK, map[string]string{"id": m.id})
}

// replay reads all states and moves of a record, and draws them, within the time for rules.
func (s *Server) replay(ctx context.Context, record *protocol.Record) (*match, error) {
	if len(record.States) == 0 || len(record.States) > mostSteps || len(record.GameRoleNames) > mostRoles {
		return nil, fmt.Errorf("a record with %d states and %d roles is not shown", len(record.States), len(record.GameRoleNames))
	}
	g := s.library.named(record.GameName, record.GameMetaURL)
	if g != nil && (g.read(ctx) != nil || !g.begins(record)) {
		g = nil // another game of that name
	}
	ctx, cancel := context.WithTimeout(ctx, s.config.Limits.Read) // for the drawing
	defer cancel()
	title := printable.Text(cmp.Or(record.GameName, "a match"), printable.LogLimit)
	if g != nil {
		title = g.Title
	}
	m := newMatch("record."+newID(), title, g, record.GameRoleNames)
	m.begun, m.live = time.UnixMilli(record.StartTime), false
	m.clocks = [2]time.Duration{time.Duration(record.StartClock) * time.Second, time.Duration(record.PlayClock) * time.Second}
	for i := range m.roles {
		m.roles[i] = printable.Text(m.roles[i], longestMove)
		if i < len(record.PlayerNames) {
			m.players[i] = printable.Text(record.PlayerNames[i], printable.LogLimit)
		}
		if i < len(record.IsPlayerHuman) {
			m.human[i] = record.IsPlayerHuman[i]
		}
	}
	for n := range record.States {
		one, err := recorded(record, n)
		if err != nil {
			return nil, err
		}
		m.reach(n, one)
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("drawing it takes too long: %w", err)
		}
	}
	how := "is not finished"
	switch {
	case record.IsCompleted:
		how = "ended"
	case record.IsAborted:
		how = "was aborted"
	}
	m.end(how, false)
	return m, nil
}

// begins tells whether a record is of this game: it has its roles and its initial state.
func (g *game) begins(record *protocol.Record) bool {
	state, err := record.State(0)
	return err == nil && slices.Equal(g.roles, record.GameRoleNames) && slices.Equal(spelled(state), spelled(g.initial))
}

// spelled are facts as texts, in their order, each once.
func spelled(facts []kif.Term) []string {
	texts := make([]string, len(facts))
	for i, fact := range facts {
		texts[i] = fact.String()
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}

func recorded(record *protocol.Record, n int) (s step, err error) {
	if s.state, err = record.State(n); err != nil {
		return s, err
	}
	if n > 0 {
		if s.moves, err = record.JointMove(n - 1); err != nil {
			return s, err
		}
		if n-1 < len(record.Errors) {
			s.faults = record.Errors[n-1]
		}
	}
	if n == len(record.States)-1 && record.IsCompleted {
		s.terminal, s.goals = true, record.GoalValues
	}
	return s, nil
}

// saveRecord gives the record of a match, as spectators' sites read it.
func (s *Server) saveRecord(w http.ResponseWriter, r *http.Request) {
	m := s.matches.find(r.PathValue("id"))
	if m == nil {
		fail(w, http.StatusNotFound, "there is no such match")
		return
	}
	record, err := m.record()
	if err != nil {
		fail(w, http.StatusConflict, printable.Text(err.Error(), printable.LogLimit))
		return
	}
	w.Header().Set("Content-Disposition", `attachment; filename="match.json"`)
	answer(w, http.StatusOK, record)
}

func (m *match) record() (*protocol.Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	name := m.title
	if m.game != nil && m.game.Key != "" {
		name = m.game.Name
	}
	record := protocol.NewRecord(m.id, name, m.roles, m.players, m.clocks[0], m.clocks[1], m.begun)
	copy(record.IsPlayerHuman, m.human)
	var last step
	for n, one := range m.steps {
		var err error
		if n == 0 {
			err = record.Begin(one.state, m.begun)
		} else {
			err = record.Turn(one.moves, m.faults(one), one.state, m.begun)
		}
		if err != nil {
			return nil, err
		}
		last = one
	}
	if last.terminal && len(last.goals) == len(m.roles) {
		return record, record.Complete(last.goals)
	}
	if !m.live {
		return record, record.Abort()
	}
	return record, nil
}

func (m *match) faults(s step) []string {
	if len(s.faults) != len(m.roles) {
		return nil
	}
	return s.faults
}
