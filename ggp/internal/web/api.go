package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"semisplit/internal/printable"
	"semisplit/player/local"
	"semisplit/search"
)

// withMatch finds the match of a request.
func (s *Server) withMatch(next func(http.ResponseWriter, *http.Request, *match)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		m := s.matches.find(r.PathValue("id"))
		if m == nil {
			fail(w, http.StatusNotFound, "there is no such match; it may have been dropped")
			return
		}
		next(w, r, m)
	}
}

// events streams what happens in a match.
func (s *Server) events(w http.ResponseWriter, r *http.Request, m *match) { s.follow(w, r, m.stream) }

// follow streams to one more page, if there is a place for it.
func (s *Server) follow(w http.ResponseWriter, r *http.Request, from *stream) {
	if !s.streams.take() {
		w.Header().Set("Retry-After", "30")
		fail(w, http.StatusServiceUnavailable, "too many people look on at the moment")
		return
	}
	defer s.streams.give()
	from.serve(w, r, s.ctx.Done())
}

// position is the drawing of an earlier step.
func (s *Server) position(w http.ResponseWriter, r *http.Request, m *match) {
	n, err := strconv.Atoi(r.PathValue("n"))
	view, ok := m.board(n)
	if err != nil || !ok {
		fail(w, http.StatusNotFound, "the match has no such step")
		return
	}
	answer(w, http.StatusOK, view)
}

// analyze thinks about a step of a match, and streams the thoughts until the page goes,
// the time is over or there is nothing left to find.
func (s *Server) analyze(w http.ResponseWriter, r *http.Request) {
	m := s.matches.find(r.PathValue("id"))
	if m == nil {
		fail(w, http.StatusNotFound, "there is no such match")
		return
	}
	n, err := strconv.Atoi(r.URL.Query().Get("n"))
	history, page, g, ok := m.position(n)
	switch {
	case err != nil || !ok:
		fail(w, http.StatusNotFound, "the match has no such step")
		return
	case g == nil || g.program == nil:
		fail(w, http.StatusConflict, "the rules of this match are not known here")
		return
	case !s.analyses.take():
		fail(w, http.StatusServiceUnavailable, "too many positions are thought about at the moment")
		return
	}
	defer s.analyses.give()
	out := beginEvents(w)
	send := func(name string, v any) {
		data, err := json.Marshal(v)
		if err == nil {
			out.write(fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, data))
		}
	}
	send("begin", map[string]int{"n": n})
	s.library.use(g)
	t := newThinker(g, s.config.Threads, 1)
	end := make(chan struct{})
	defer close(end)
	go func() {
		select {
		case <-r.Context().Done():
		case <-s.ctx.Done():
		case <-end:
		}
		t.stop.Store(true)
	}()
	err = t.think(history, search.Budget{Time: s.config.Limits.Analysis}, func(mind local.Mind) {
		send("mind", viewMind(page, m.roles, n, -1, mind))
	})
	if err != nil {
		send("problem", map[string]string{"error": printable.Text(err.Error(), printable.LogLimit)})
	}
	send("over", struct{}{})
}

// mostBody is how many bytes small requests may have.
const mostBody = 16 << 10

// place takes a place for a game, that of one which is over where there is no other.
func (s *Server) place(ctx context.Context) bool {
	if s.games.take() {
		return true
	}
	if !s.matches.vacate() {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	select {
	case s.games <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// begin begins a game of a person.
func (s *Server) begin(w http.ResponseWriter, r *http.Request) {
	var want wish
	if !read(w, r, mostBody, &want) {
		return
	}
	g := s.library.find(want.Game)
	if g == nil {
		fail(w, http.StatusNotFound, "there is no such game")
		return
	}
	err := g.read(r.Context())
	if err == nil {
		err = g.playable()
	}
	if err == nil {
		err = want.check(g) // before a place is taken for it
	}
	if err != nil {
		fail(w, http.StatusUnprocessableEntity, printable.Text(err.Error(), printable.LogLimit))
		return
	}
	if !s.place(r.Context()) {
		fail(w, http.StatusServiceUnavailable, "too many games are played here at the moment")
		return
	}
	p, err := s.newSession(g, want)
	if err == nil && !s.matches.add(p.match) {
		p.cancel()
		err = errors.New("there are too many matches here at the moment")
	}
	if err != nil {
		s.games.give()
		fail(w, http.StatusUnprocessableEntity, printable.Text(err.Error(), printable.LogLimit))
		return
	}
	s.work.Go(func() {
		defer s.games.give()
		p.run()
	})
	answer(w, http.StatusOK, map[string]string{"id": p.match.id})
}

// patience is how long a request waits for the answer to an order.
const patience = 20 * time.Second

// order hands what a person wants to the game.
func (s *Server) order(w http.ResponseWriter, r *http.Request, m *match) {
	o := order{answer: make(chan reply, 1)}
	if !read(w, r, mostBody, &o) {
		return
	}
	if o.Action = r.PathValue("action"); m.play == nil {
		fail(w, http.StatusConflict, "nobody plays this match here")
		return
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	gone := func(why string) { fail(w, http.StatusConflict, why) }
	select {
	case m.play.orders <- o:
	case <-m.play.ctx.Done():
		gone("the match is over")
		return
	case <-timer.C:
		gone("the player is busy; try again")
		return
	}
	select {
	case a := <-o.answer:
		if a.problem != "" {
			fail(w, a.status, a.problem)
			return
		}
		answer(w, a.status, a.value)
	case <-m.play.ctx.Done():
		gone("the match is over")
	case <-timer.C:
		gone("the player is busy; try again")
	}
}

// finding is a diagnostic of rules.
type finding struct {
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	Error   bool   `json:"error"`
	Message string `json:"message"`
	Advice  string `json:"advice,omitempty"`
}

// pasted is what came of rules that were pasted.
type pasted struct {
	Key      string    `json:"key,omitempty"` // of the game, if it can be played
	Findings []finding `json:"findings"`
	Problem  string    `json:"problem,omitempty"`
	Roles    []string  `json:"roles,omitempty"`
	Board    boardView `json:"board"`
}

// paste reads rules that a person has pasted.
func (s *Server) paste(w http.ResponseWriter, r *http.Request) {
	var text struct{ Title, Rules string }
	if !read(w, r, 2*s.config.Limits.Rules+mostBody, &text) { // quotes and newlines take two bytes in JSON
		return
	}
	if int64(len(text.Rules)) > s.config.Limits.Rules {
		fail(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("rules may have %d kB", s.config.Limits.Rules>>10))
		return
	}
	title := printable.Text(text.Title, 80)
	if title == "" {
		title = "Pasted game"
	}
	g := s.library.paste(title, text.Rules)
	if err := g.read(r.Context()); err != nil {
		fail(w, http.StatusUnprocessableEntity, err.Error())
		return
	}
	result := pasted{Findings: []finding{}, Problem: printable.Text(g.problem, 1000), Roles: g.roles}
	for _, d := range g.diagnostics {
		result.Findings = append(result.Findings, finding{d.Pos.Line, d.Pos.Col, d.Severity.String() == "error", printable.Text(d.Message, 1000), printable.Text(d.Advice, 1000)})
	}
	if g.program != nil {
		result.Key = g.Key
		result.Board = g.view()
	}
	answer(w, http.StatusOK, result)
}
