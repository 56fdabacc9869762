package web

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"semisplit/games"
	"semisplit/internal/printable"
	"semisplit/kif"
	"semisplit/player"
	"semisplit/player/board"
	"semisplit/player/referee"
)

// Observe shows a match that a referee is about to play, and gives it an id if it has
// none. The players of this process tell what they think through Watch.
func (s *Server) Observe(c *referee.Config, g games.Game, roles []string) {
	if c.Match == "" {
		c.Match = "match." + newID()
	}
	one := s.library.withRules(c.Rules)
	if one == nil {
		one = newGame("", g, false, longestBundled)
	}
	m := newMatch(c.Match, one.Title, one, roles)
	m.told, m.clocks = true, [2]time.Duration{c.StartClock, c.PlayClock}
	s.prepare(m)
	s.matches.add(m)
	before := c.Observe
	c.Observe = func(e referee.Event) {
		if m.about().Steps == 0 && e.Record != nil {
			m.named(e.Record.PlayerNames, e.Record.IsPlayerHuman)
			m.opening(e)
		}
		m.reach(e.Step, step{moves: e.Moves, state: e.State, faults: e.Faults, elapsed: e.Elapsed, terminal: e.Terminal, goals: e.Goals})
		for _, note := range e.Notes {
			m.note(-1, printable.Text(note, printable.LogLimit))
		}
		if before != nil {
			before(e)
		}
	}
}

// Observed tells that a match which was observed has ended, and how.
func (s *Server) Observed(id string, r referee.Result, err error) {
	m := s.matches.find(id)
	if m == nil {
		return
	}
	how := "ended"
	switch {
	case err != nil:
		how = "did not end: " + printable.Text(err.Error(), printable.LogLimit)
	case r.Aborted:
		how = "was aborted: " + printable.Text(r.Reason, printable.LogLimit)
	}
	m.end(how, true) // the pages stay
}

func (m *match) named(players []string, human []bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	copy(m.players, players)
	copy(m.human, human)
	m.stream.set("about", "about", map[string]any{"players": m.players})
}

// prepare reads the game of a match beside what is played: its drawing is used as soon
// as it is there.
func (s *Server) prepare(m *match) {
	m.mu.Lock()
	g := m.game
	m.game = nil
	m.mu.Unlock()
	if g == nil {
		return
	}
	s.work.Go(func() {
		if g.read(s.ctx) != nil {
			return
		}
		m.mu.Lock()
		defer m.mu.Unlock()
		m.game = g
		if n := len(m.steps); n > 0 {
			m.page = m.draw(n - 1)
			m.stream.set("board", "board", boardView{N: n - 1, SVG: m.page.SVG, Legend: m.page.Legend, Rest: m.page.Rest})
		}
	})
}

// Watch is what player.Config.Watch wants: it shows the matches of a player.
func (s *Server) Watch(event any) {
	switch e := event.(type) {
	case player.WatchStart:
		s.watchStart(e)
	case player.WatchState:
		m := s.matches.find(e.Match)
		switch {
		case m == nil:
		case m.told:
			m.stands(m.role(e.Role), e.Step)
		case m.watchedBy(e.Role):
			m.reach(e.Step, step{moves: e.Moves, state: e.State, terminal: e.Terminal, goals: e.Goals})
		}
	case player.WatchMind:
		if m := s.matches.find(e.Match); m != nil {
			role := m.role(e.Role)
			m.think(m.stepOf(role, e.Step), role, e.Mind)
		}
	case player.WatchChoice:
		if m := s.matches.find(e.Match); m != nil {
			m.note(m.role(e.Role), choiceText(e))
		}
	case player.WatchEnd:
		if m := s.matches.find(e.Match); m != nil && !m.told && (m.watchedBy(e.Role) || !m.taken()) {
			m.end("ended", true)
		}
	}
}

// opening shows what was played before the match began, if its first state is not the
// initial one of the rules.
func (m *match) opening(e referee.Event) {
	for n := range min(e.Step, len(e.Record.States)) {
		one, err := recorded(e.Record, n)
		if err != nil {
			return
		}
		m.reach(n, one)
	}
}

// stands learns which step of the match a player calls which: one that begins later, or
// anew, counts from there.
func (m *match) stands(role, step int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.counts == nil {
		m.counts = map[int]int{}
	}
	m.counts[role] = max(0, len(m.steps)-1-step)
}

// stepOf is a player's step as the match counts.
func (m *match) stepOf(role, step int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return step + m.counts[role]
}

func choiceText(e player.WatchChoice) string {
	text := fmt.Sprintf("plays by %s: %s", e.Name, e.Why)
	if e.NoTrials != "" {
		text += "; no trial matches: " + e.NoTrials
	}
	return printable.Text(fmt.Sprintf("%s (chosen in %.1f s)", text, e.Elapsed.Seconds()), 1000)
}

// watchStart shows a match that a manager has begun at a player of this process.
func (s *Server) watchStart(e player.WatchStart) {
	if m := s.matches.find(e.Match); m != nil && (m.told || m.about().Live) {
		m.sits(e)
		return
	}
	g := s.library.withRules(e.Rules)
	title := "a match of rules that are not in the library"
	if g != nil {
		title = g.Title
	}
	m := newMatch(e.Match, title, g, rolesOf(e.Rules))
	m.clocks = [2]time.Duration{e.StartClock, e.PlayClock}
	m.sits(e)
	s.prepare(m)
	if !s.matches.add(m) {
		s.config.Log.Warn("a match is not shown: there are too many in play", "match", e.Match)
	}
}

// sits notes who plays a role.
func (m *match) sits(e player.WatchStart) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if role := m.role(e.Role); role >= 0 && m.players[role] == "" {
		m.players[role] = printable.Text(e.Player, printable.LogLimit)
	}
}

// watchedBy tells whether it is this role whose player's word is shown: the first that
// has a player here.
func (m *match) watchedBy(role kif.Term) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i, name := range m.players {
		if name != "" {
			return i == m.role(role)
		}
	}
	return false
}

// taken tells whether anybody here has a role. A manager may begin a match for a role that its
// rules do not have.
func (m *match) taken() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.ContainsFunc(m.players, func(name string) bool { return name != "" })
}

// role is the index of a role by its name, as players find theirs; -1: there is none.
func (m *match) role(name kif.Term) int {
	text := board.Plain(name).String()
	if i := slices.Index(m.roles, text); i >= 0 {
		return i
	}
	return slices.IndexFunc(m.roles, func(role string) bool { return strings.EqualFold(role, text) })
}

// mostRoles bounds what is shown of rules that nobody has checked, and who plays with a
// person: each step tells the move of each.
const mostRoles = 64

// rolesOf are the roles in the order of rules that nobody has read yet.
func rolesOf(rules []kif.Term) (roles []string) {
	for _, rule := range rules {
		if len(rule.Items) == 2 && kif.EqualFold(rule.Items[0], kif.Symbol("role")) && len(roles) < mostRoles {
			roles = append(roles, board.Plain(rule.Items[1]).String())
		}
	}
	return roles
}
